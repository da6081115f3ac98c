/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.3, annotation instructions.
 */
#include "spirv/module/decorations.h"

namespace weft::spirv
{

/* Groups multiply: a small module could ask for more than any machine has. */
constexpr size_t mostInGroups = size_t{1} << 20;

void Decorations::decorate(const Instruction &instruction)
{
	Decoration decoration = {instruction.enumerant<spv::Decoration>(1), instruction};

	decoration.instruction.operands = instruction.operands.drop_front(2);
	decorations[instruction.id(0)].push_back(decoration);
}

void Decorations::decorateGroup(const Instruction &instruction)
{
	const llvm::SmallVector<Decoration, 4> group(of(instruction.id(0)));

	for (unsigned i = 1; i < instruction.size(); i++) {
		instruction.require(instruction.id(i) != instruction.id(0),
				    "a group decorates itself");
		inGroups += group.size();
		instruction.require(inGroups <= mostInGroups, "groups decorate more than " +
								      llvm::Twine(mostInGroups) +
								      " times");
		llvm::append_range(decorations[instruction.id(i)], group);
	}
}

bool isAnnotation(spv::Op opcode)
{
	switch (opcode) {
	case spv::Op::OpDecorate:
	case spv::Op::OpDecorateId:
	case spv::Op::OpDecorateString:
	case spv::Op::OpDecorationGroup:
	case spv::Op::OpGroupDecorate:
	case spv::Op::OpMemberDecorate:
	case spv::Op::OpMemberDecorateString:
	case spv::Op::OpGroupMemberDecorate:
		return true;
	default:
		return false;
	}
}

bool Decorations::read(const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpDecorate:
	case spv::Op::OpDecorateId:
	case spv::Op::OpDecorateString:
		decorate(instruction);
		return true;
	case spv::Op::OpGroupDecorate:
		decorateGroup(instruction);
		return true;
	default:
		return isAnnotation(instruction.opcode);
	}
}

llvm::ArrayRef<Decoration> Decorations::of(Id id) const
{
	auto found = decorations.find(id);
	if (found == decorations.end())
		return {};
	return found->second;
}

const Decoration *Decorations::find(Id id, spv::Decoration kind) const
{
	for (const Decoration &decoration : of(id)) {
		if (decoration.kind == kind)
			return &decoration;
	}
	return nullptr;
}

llvm::MaybeAlign Decorations::alignment(Id id) const
{
	const Decoration *decoration = find(id, spv::Decoration::Alignment);
	if (!decoration)
		return {};
	uint32_t bytes = decoration->instruction.literal(0);
	decoration->instruction.require(bytes != 0, "an alignment is not zero");
	// Any number may stand here. A multiple of it is one of the largest power of two that divides it, too. LLVM 22's back
	// end writes 2^32 - 128 for 128.
	return llvm::Align(uint64_t{1} << llvm::countr_zero(bytes));
}

} // namespace weft::spirv
