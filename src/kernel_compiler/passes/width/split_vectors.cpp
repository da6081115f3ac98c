/* SPDX-License-Identifier: MIT
 *
 * split-vectors: reductions by hand, the rest by LLVM's scalarizer.
 */
#include "width/split_vectors.h"

#include "functions/internal_functions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <optional>

using namespace llvm;

namespace weft
{

namespace
{

std::optional<Instruction::BinaryOps> reductionOf(Intrinsic::ID id)
{
	switch (id) {
	case Intrinsic::vector_reduce_add:
		return Instruction::Add;
	case Intrinsic::vector_reduce_mul:
		return Instruction::Mul;
	case Intrinsic::vector_reduce_and:
		return Instruction::And;
	case Intrinsic::vector_reduce_or:
		return Instruction::Or;
	case Intrinsic::vector_reduce_xor:
		return Instruction::Xor;
	default:
		return std::nullopt;
	}
}

/* Reductions of the kernel's own vectors, element by element. */
void expandReductions(Function &kernel)
{
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		auto *call = dyn_cast<IntrinsicInst>(&instruction);
		if (!call || call->arg_size() != 1 || !call->getType()->isIntegerTy())
			continue;
		auto *type = dyn_cast<FixedVectorType>(call->getArgOperand(0)->getType());
		std::optional<Instruction::BinaryOps> opcode = reductionOf(call->getIntrinsicID());
		if (!type || !opcode)
			continue;
		IRBuilder<> builder(call);
		Value *vector = call->getArgOperand(0);
		Value *result = builder.CreateExtractElement(vector, uint64_t(0));
		for (uint64_t i = 1; i < type->getNumElements(); i++)
			result = builder.CreateBinOp(*opcode, result,
						     builder.CreateExtractElement(vector, i));
		call->replaceAllUsesWith(result);
		call->eraseFromParent();
	}
}

bool givesVector(const Instruction &instruction)
{
	return instruction.getType()->isVectorTy();
}

} // namespace

PreservedAnalyses SplitVectorsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	if (any_of(instructions(function), givesVector))
		setKernelNumber(function, splitVectorsAttribute, 1);
	expandReductions(function);
	ScalarizerPassOptions options;
	options.ScalarizeVariableInsertExtract = true;
	options.ScalarizeLoadStore = true;
	return ScalarizerPass(options).run(function, analyses);
}

} // namespace weft
