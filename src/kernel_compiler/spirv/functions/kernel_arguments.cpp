/* SPDX-License-Identifier: MIT
 *
 * What clGetKernelArgInfo answers of a module's kernels: names from OpName, qualifiers from decorations; types only from the
 * strings "kernel_arg_type.KERNEL.TYPE,TYPE," that translators write, since SPIR-V's types do not say what the source called
 * them.
 */
#include "spirv/functions/functions.h"

#include "llvm/ADT/StringExtras.h"

namespace weft::spirv
{

/* The list of one kind of a kernel's arguments, or nothing when there is none of the right length. */
static llvm::SmallVector<llvm::StringRef, 8>
listOf(const ModuleReader &module, llvm::StringRef kind, llvm::StringRef kernel, size_t count)
{
	llvm::SmallVector<llvm::StringRef, 8> parts;
	llvm::StringRef list = module.argumentList((kind + "." + kernel).str());

	if (list.empty())
		return parts;
	list.consume_back(",");
	list.split(parts, ',');
	if (parts.size() != count)
		parts.clear();
	return parts;
}

static std::string qualifiersOf(const ModuleReader &module, const Instruction &parameter,
				const Type &type)
{
	llvm::SmallVector<llvm::StringRef, 3> qualifiers;
	bool isRestrict = module.decorations.has(parameter.result, spv::Decoration::Restrict);

	for (const Decoration &decoration : module.decorations.of(parameter.result)) {
		if (decoration.kind == spv::Decoration::FuncParamAttr)
			isRestrict |=
				decoration.instruction.enumerant<spv::FunctionParameterAttribute>(
					0) == spv::FunctionParameterAttribute::NoAlias;
	}
	if (type.is(Type::Pipe))
		return "pipe";
	if (!type.is(Type::Pointer))
		return "";
	if (isRestrict)
		qualifiers.push_back("restrict");
	if (type.storage == spv::StorageClass::UniformConstant ||
	    module.decorations.has(parameter.result, spv::Decoration::Constant))
		qualifiers.push_back("const");
	if (module.decorations.has(parameter.result, spv::Decoration::Volatile))
		qualifiers.push_back("volatile");
	return llvm::join(qualifiers, " ");
}

static llvm::StringRef accessOf(const Type &type)
{
	static constexpr llvm::StringLiteral names[] = {"read_only", "write_only", "read_write"};
	const Instruction &instruction = type.instruction;

	if (type.is(Type::Image))
		return names[instruction.size() > 7 ? instruction.literal(7) : 0];
	return type.is(Type::Pipe) ? llvm::StringRef(names[instruction.literal(0)]) : "none";
}

static void setList(llvm::Function &kernel, llvm::StringRef kind,
		    llvm::ArrayRef<std::string> strings)
{
	llvm::SmallVector<llvm::Metadata *, 8> rows;

	for (const std::string &string : strings)
		rows.push_back(llvm::MDString::get(kernel.getContext(), string));
	kernel.setMetadata(kind, llvm::MDNode::get(kernel.getContext(), rows));
}

void describeArguments(const ModuleReader &module, const EntryPoint &entry,
		       const FunctionInfo &info, llvm::Function &kernel)
{
	const size_t count = info.parameters.size();
	auto types = listOf(module, "kernel_arg_type", entry.name, count);
	auto qualifiers = listOf(module, "kernel_arg_type_qual", entry.name, count);
	std::vector<std::string> nameList, typeList, qualifierList, accessList;

	for (size_t i = 0; i < count; i++) {
		const Instruction &parameter = info.parameters[i];
		const Type &type = *info.type->members[i];
		nameList.push_back(module.name(parameter.result).str());
		typeList.push_back(types.empty() ? "" : types[i].str());
		qualifierList.push_back(qualifiers.empty() ? qualifiersOf(module, parameter, type)
							   : qualifiers[i].str());
		accessList.push_back(accessOf(type).str());
	}
	setList(kernel, "kernel_arg_name", nameList);
	setList(kernel, "kernel_arg_type", typeList);
	setList(kernel, "kernel_arg_type_qual", qualifierList);
	setList(kernel, "kernel_arg_access_qual", accessList);
}

} // namespace weft::spirv
