/* SPDX-License-Identifier: MIT
 *
 * OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo: types.
 */
#include "spirv/module/debug_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace weft::spirv
{

constexpr unsigned mostTypesWithin = 255;
constexpr uint64_t pointerBits = 64, mostElements = uint64_t{1} << 47;

llvm::DIFile *DebugTypes::file(Id source) const
{
	llvm::StringRef name = module.stringOrNone(module.sourceFileOrNone(source));
	if (name.empty())
		return nullptr;
	return builder.createFile(llvm::sys::path::filename(name),
				  llvm::sys::path::parent_path(name));
}

SourcePlace DebugTypes::placeOf(const DebugInstruction &debug, llvm::DIFile *other) const
{
	llvm::DIFile *source = file(debug.ref(2));

	if (!source && !other)
		return {};
	return {source ? source : other, static_cast<unsigned>(debug.number32(module, 3))};
}

llvm::DIType *DebugTypes::typeWithin(Id id, unsigned depth)
{
	const DebugInstruction *debug = module.debugInstructionOf(id);

	if (!debug || depth > mostTypesWithin)
		return nullptr;
	auto [place, isNew] = types.try_emplace(id, nullptr);
	if (!isNew)
		return place->second;
	llvm::DIType *made = make(*debug, depth + 1);
	types[id] = made;
	return made;
}

llvm::DIType *DebugTypes::make(const DebugInstruction &debug, unsigned depth)
{
	switch (debug.number) {
	case DebugInstruction::TypeBasic:
		return makeBasic(debug);
	case DebugInstruction::TypePointer:
		return builder.createPointerType(typeWithin(debug.ref(0), depth), pointerBits);
	case DebugInstruction::TypeQualifier:
		return makeQualified(debug, depth);
	case DebugInstruction::TypeArray:
		return makeArray(debug, depth);
	case DebugInstruction::TypeVector:
		return makeVector(debug, depth);
	case DebugInstruction::Typedef:
		return makeTypedef(debug, depth);
	case DebugInstruction::TypeFunction:
		return makeFunction(debug, depth);
	case DebugInstruction::TypeEnum:
		return makeEnum(debug, depth);
	case DebugInstruction::TypeComposite:
		return makeComposite(debug);
	default:
		return nullptr;
	}
}

llvm::DIType *DebugTypes::makeBasic(const DebugInstruction &debug)
{
	static constexpr unsigned encodings[] = {0, /* unspecified */
						 llvm::dwarf::DW_ATE_address,
						 llvm::dwarf::DW_ATE_boolean,
						 llvm::dwarf::DW_ATE_float,
						 llvm::dwarf::DW_ATE_signed,
						 llvm::dwarf::DW_ATE_signed_char,
						 llvm::dwarf::DW_ATE_unsigned,
						 llvm::dwarf::DW_ATE_unsigned_char};
	const uint64_t encoding = debug.number32(module, 2);

	if (encoding >= std::size(encodings) || encodings[encoding] == 0)
		return builder.createUnspecifiedType(debug.string(module, 0));
	return builder.createBasicType(debug.string(module, 0), debug.constant(module, 1),
				       encodings[encoding]);
}

llvm::DIType *DebugTypes::makeQualified(const DebugInstruction &debug, unsigned depth)
{
	static constexpr unsigned tags[] = {
		llvm::dwarf::DW_TAG_const_type, llvm::dwarf::DW_TAG_volatile_type,
		llvm::dwarf::DW_TAG_restrict_type, llvm::dwarf::DW_TAG_atomic_type};
	const uint64_t qualifier = debug.number32(module, 1);
	llvm::DIType *base = typeWithin(debug.ref(0), depth);

	return qualifier < std::size(tags) ? builder.createQualifiedType(tags[qualifier], base)
					   : base;
}

llvm::DIType *DebugTypes::makeTypedef(const DebugInstruction &debug, unsigned depth)
{
	const SourcePlace place = placeOf(debug, nullptr);

	return builder.createTypedef(typeWithin(debug.ref(1), depth), debug.string(module, 0),
				     place.file, place.line, nullptr);
}

llvm::DIType *DebugTypes::makeArray(const DebugInstruction &debug, unsigned depth)
{
	llvm::DIType *element = typeWithin(debug.ref(0), depth);
	llvm::SmallVector<llvm::Metadata *, 3> ranges;

	if (!element)
		return nullptr;
	uint64_t bits = element->getSizeInBits();
	for (unsigned i = 1; i < debug.operands.size(); i++) {
		const uint64_t count = debug.constant(module, i);
		if (count > mostElements)
			return nullptr;
		ranges.push_back(builder.getOrCreateSubrange(0, static_cast<int64_t>(count)));
		bits *= count;
	}
	return builder.createArrayType(bits, 0, element, builder.getOrCreateArray(ranges));
}

llvm::DIType *DebugTypes::makeVector(const DebugInstruction &debug, unsigned depth)
{
	llvm::DIType *element = typeWithin(debug.ref(0), depth);
	const uint64_t count = debug.number32(module, 1);

	if (!element)
		return nullptr;
	llvm::Metadata *range = builder.getOrCreateSubrange(0, static_cast<int64_t>(count));
	return builder.createVectorType(element->getSizeInBits() * (count == 3 ? 4 : count), 0,
					element, builder.getOrCreateArray({range}));
}

llvm::DIType *DebugTypes::makeEnum(const DebugInstruction &debug, unsigned depth)
{
	constexpr unsigned firstValue = 8; /* each has its name behind it */
	const SourcePlace place = placeOf(debug, nullptr);
	llvm::SmallVector<llvm::Metadata *, 8> values;

	for (unsigned i = firstValue; i + 1 < debug.operands.size(); i += 2)
		values.push_back(builder.createEnumerator(debug.string(module, i + 1),
							  debug.constant(module, i)));
	return builder.createEnumerationType(
		nullptr, debug.string(module, 0), place.file, place.line, debug.constant(module, 6),
		0, builder.getOrCreateArray(values), typeWithin(debug.ref(1), depth));
}

/* Distinct, so that it stays the same node when it gets its members. */
llvm::DIType *DebugTypes::makeComposite(const DebugInstruction &debug)
{
	static constexpr unsigned tags[] = {llvm::dwarf::DW_TAG_class_type,
					    llvm::dwarf::DW_TAG_structure_type,
					    llvm::dwarf::DW_TAG_union_type};
	const uint64_t tag = debug.number32(module, 1);
	const SourcePlace place = placeOf(debug, nullptr);

	if (tag >= std::size(tags))
		return nullptr;
	auto *made = llvm::DICompositeType::getDistinct(
		module.context, tags[tag], debug.string(module, 0), place.file, place.line, nullptr,
		nullptr, debug.constant(module, 7), 0, 0, llvm::DINode::FlagZero, {}, 0,
		std::nullopt, nullptr);
	unfinished.push_back({made, debug});
	return made;
}

/* Of the two sets one has the structure before the offset. */
llvm::DIType *DebugTypes::makeMember(const DebugInstruction &member, llvm::DIScope *scope)
{
	const unsigned offset = member.hasLiterals ? 6 : 5;
	const SourcePlace place = placeOf(member, nullptr);

	return builder.createMemberType(scope, member.string(module, 0), place.file, place.line,
					member.constant(module, offset + 1), 0,
					member.constant(module, offset), llvm::DINode::FlagZero,
					type(member.ref(1)));
}

llvm::DIType *DebugTypes::makeFunction(const DebugInstruction &debug, unsigned depth)
{
	llvm::SmallVector<llvm::Metadata *, 8> parts;

	for (unsigned i = 1; i < debug.operands.size(); i++)
		parts.push_back(typeWithin(debug.ref(i), depth));
	return builder.createSubroutineType(builder.getOrCreateTypeArray(parts));
}

llvm::DISubroutineType *DebugTypes::functionType(Id id)
{
	auto *known = llvm::dyn_cast_or_null<llvm::DISubroutineType>(type(id));
	return known ? known : builder.createSubroutineType(builder.getOrCreateTypeArray({}));
}

void DebugTypes::finish()
{
	constexpr unsigned firstMember = 9;

	for (size_t i = 0; i < unfinished.size(); i++) {
		auto [made, debug] = unfinished[i];
		llvm::SmallVector<llvm::Metadata *, 8> members;
		for (unsigned k = firstMember; k < debug.operands.size(); k++) {
			const DebugInstruction *member = module.debugInstructionOf(debug.ref(k));
			if (member && member->number == DebugInstruction::TypeMember)
				members.push_back(makeMember(*member, made));
		}
		builder.replaceArrays(made, builder.getOrCreateArray(members));
	}
}

} // namespace weft::spirv
