/* SPDX-License-Identifier: MIT
 *
 * From conditions back to loads, and from blocks back to conditions.
 */
#include "lanes/lane_data.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

/* Operations between a load and a branch by it. */
static constexpr unsigned deepestCondition = 6;
/* Of more lanes, hardly ever all run, or none. */
static constexpr unsigned fewLanes = 4;
/* Blocks looked at, from one that some lanes run to where they part. */
static constexpr size_t mostBlocks = 16;

static bool dependsOnData(const Value &value, const LaneShapes &shapes, unsigned depth)
{
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || depth == 0 || isa<PHINode>(instruction) ||
	    shapes.isUniform(instruction) || shapes.of(instruction).isLinear())
		return false;
	const bool isCall = isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
	return isa<LoadInst>(instruction) || isCall ||
	       any_of(instruction->operands(), [&](const Use &operand) {
		       return dependsOnData(*operand, shapes, depth - 1);
	       });
}

bool dependsOnData(const Value &value, const LaneShapes &shapes)
{
	return dependsOnData(value, shapes, deepestCondition);
}

bool runsByData(const BasicBlock &block, const LaneShapes &shapes)
{
	if (shapes.lanes() > fewLanes)
		return false;
	SmallSetVector<const BasicBlock *, mostBlocks> looked;
	looked.insert(&block);
	for (size_t next = 0; next < looked.size() && next < mostBlocks; next++) {
		const BasicBlock *here = looked[next];
		/* All that came to the gathering block come here. */
		if (const BasicBlock *gathering = shapes.gathersFrom(here)) {
			looked.insert(gathering);
			continue;
		}
		if (!shapes.isPartial(here))
			continue;
		for (const BasicBlock *before : predecessors(here)) {
			const auto *branch = dyn_cast<BranchInst>(before->getTerminator());
			if (branch && branch->isConditional() && shapes.isDivergent(*before) &&
			    !branch->hasMetadata(LLVMContext::MD_prof) &&
			    dependsOnData(*branch->getCondition(), shapes))
				return true;
			looked.insert(before);
		}
	}
	return false;
}

} // namespace weft
