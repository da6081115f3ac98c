/* SPDX-License-Identifier: MIT
 *
 * From conditions back to loads; ways compared operation by operation.
 */
#include "layout/data_branches.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

/* Operations that a condition is made of. */
static constexpr unsigned deepest = 12;

static bool comesFromMemory(const Value *value, const Uniformity &uniformity, unsigned depth)
{
	const auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || depth == 0 || !uniformity.isVarying(value))
		return false;
	return isa<LoadInst>(instruction) ||
	       (isa<BinaryOperator, CastInst, CmpInst>(instruction) &&
		any_of(instruction->operand_values(), [&](const Value *operand) {
			return comesFromMemory(operand, uniformity, depth - 1);
		}));
}

/* Whether a condition is about all elements of a vector together: whether any is special, as a rule, which few are. */
static bool isOfElements(const Value *condition, unsigned depth)
{
	const auto *instruction = dyn_cast<Instruction>(condition);
	if (!instruction || depth == 0)
		return false;
	if (isa<BitCastInst>(instruction))
		return instruction->getOperand(0)->getType()->isVectorTy();
	const auto *call = dyn_cast<IntrinsicInst>(instruction);
	if (call && is_contained({Intrinsic::vector_reduce_or, Intrinsic::vector_reduce_and},
				 call->getIntrinsicID()))
		return true;
	return isa<BinaryOperator, CastInst, CmpInst>(instruction) &&
	       any_of(instruction->operand_values(),
		      [&](const Value *operand) { return isOfElements(operand, depth - 1); });
}

bool comesFromMemory(const Value &value, const Uniformity &uniformity)
{
	return comesFromMemory(&value, uniformity, deepest);
}

bool branchesByData(const BasicBlock &block, const LoopInfo &loops, const Uniformity &uniformity)
{
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	const Loop *loop = loops.getLoopFor(&block);
	return branch && branch->isConditional() && !(loop && loop->isLoopExiting(&block)) &&
	       comesFromMemory(*branch->getCondition(), uniformity);
}

bool isForeseen(const BasicBlock &block)
{
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	return branch && branch->isConditional() &&
	       (branch->getMetadata(LLVMContext::MD_prof) ||
		isOfElements(branch->getCondition(), deepest));
}

/* The block that the branch's way leads to behind itself, if it does nothing but compute and load. */
static const BasicBlock *endOfWay(const BasicBlock &way, const BasicBlock &from)
{
	const bool isAlone = way.getSinglePredecessor() == &from &&
			     none_of(way, [](const Instruction &instruction) {
				     return instruction.mayHaveSideEffects();
			     });
	return isAlone ? way.getSingleSuccessor() : nullptr;
}

static bool areAlike(const Instruction &first, const Instruction &second)
{
	const auto *call = dyn_cast<CallBase>(&first), *other = dyn_cast<CallBase>(&second);
	return first.isSameOperationAs(&second) &&
	       (!call || call->getCalledOperand() == other->getCalledOperand());
}

bool waysAreAlike(const BasicBlock &block)
{
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	if (!branch || !branch->isConditional())
		return false;
	const BasicBlock &first = *branch->getSuccessor(0), &second = *branch->getSuccessor(1);
	const BasicBlock *end = endOfWay(first, block);
	return end && end == endOfWay(second, block) && first.size() == second.size() &&
	       all_of(zip(first, second), [](const auto &pair) {
		       return areAlike(std::get<0>(pair), std::get<1>(pair));
	       });
}

} // namespace weft
