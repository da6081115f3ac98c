/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.8, the access chains: addresses of parts.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

namespace weft::spirv
{

namespace
{

struct Chain {
	bool isInBounds, hasElement /* its first index counts whole objects */, isUntyped;
};

} // namespace

static bool chainOf(spv::Op opcode, Chain &chain)
{
	switch (opcode) {
	case spv::Op::OpAccessChain:
		chain = {false, false, false};
		return true;
	case spv::Op::OpInBoundsAccessChain:
		chain = {true, false, false};
		return true;
	case spv::Op::OpPtrAccessChain:
		chain = {false, true, false};
		return true;
	case spv::Op::OpInBoundsPtrAccessChain:
		chain = {true, true, false};
		return true;
	case OpUntypedAccessChainKHR:
		chain = {false, false, true};
		return true;
	case OpUntypedInBoundsAccessChainKHR:
		chain = {true, false, true};
		return true;
	case OpUntypedPtrAccessChainKHR:
		chain = {false, true, true};
		return true;
	case OpUntypedInBoundsPtrAccessChainKHR:
		chain = {true, true, true};
		return true;
	default:
		return false;
	}
}

/* The part of a type that an index selects; the index as LLVM has it. */
static const Type *selectPart(const Instruction &instruction, const Type &type, llvm::Value *&index)
{
	if (type.is(Type::Array) || type.is(Type::Vector))
		return type.element;
	const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index);
	instruction.require(type.is(Type::Struct) && number &&
				    number->getValue().ult(type.members.size()),
			    "an index selects no part of what it stands for");
	uint64_t member = number->getZExtValue();
	index = llvm::ConstantInt::get(llvm::Type::getInt32Ty(index->getContext()), member);
	return type.members[member];
}

bool readAccessChain(FunctionReader &function, const Instruction &instruction)
{
	Chain chain;
	unsigned next = 0;
	llvm::SmallVector<llvm::Value *, 8> indices;

	if (!chainOf(instruction.opcode, chain))
		return false;
	const Type *type = chain.isUntyped ? &function.typeOperand(instruction, next++) : nullptr;
	Value base = function.value(instruction, next++);
	instruction.require(base.type->is(Type::Pointer), "the base is no pointer");
	if (!type)
		type = base.type->element;
	instruction.require(type && type->size, "the base does not lead to a type with a size");
	const Type *whole = type;
	if (!chain.hasElement)
		indices.push_back(function.builder.getInt32(0));
	for (bool isElement = chain.hasElement; next < instruction.size(); isElement = false) {
		Value index = function.value(instruction, next++);
		instruction.require(index.type->is(Type::Int), "an index is no integer");
		if (!isElement)
			type = selectPart(instruction, *type, index.value);
		indices.push_back(index.value);
	}
	const Type &result = function.resultType(instruction);
	instruction.require(result.is(Type::Pointer) &&
				    (!result.element || result.element->llvm == type->llvm),
			    "the result does not lead to the part's type");
	function.define(instruction, function.builder.CreateGEP(
					     whole->llvm, base.value, indices, "",
					     chain.isInBounds ? llvm::GEPNoWrapFlags::inBounds()
							      : llvm::GEPNoWrapFlags::none()));
	return true;
}

} // namespace weft::spirv
