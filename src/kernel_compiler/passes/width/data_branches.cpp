/* SPDX-License-Identifier: MIT
 *
 * From conditions back to loads.
 */
#include "width/data_branches.h"

#include <llvm/IR/Instructions.h>

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

bool branchesByData(const BasicBlock &block, const LoopInfo &loops, const Uniformity &uniformity)
{
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	const Loop *loop = loops.getLoopFor(&block);
	return branch && branch->isConditional() && !(loop && loop->isLoopExiting(&block)) &&
	       comesFromMemory(branch->getCondition(), uniformity, deepest);
}

} // namespace weft
