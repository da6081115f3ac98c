/* SPDX-License-Identifier: MIT
 *
 * group-index-loops: beside a nest of loops one for groups of one work-item along x:
 *
 *   enqueued size x == 1 ? for z, for y, for x:  local id 0 and group id + x → the region's blocks
 *                        : for z, for y, for x:  the region's blocks
 */
#include "regions/group_index_loops.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "kernel/argument_layout.h"

#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Instructions of a nest past which it is not made twice. */
constexpr unsigned copyBudget = 400;

/* The nest's blocks, and its item loop's id. */
struct Nest {
	SmallVector<BasicBlock *, 16> blocks;
	BasicBlock *header;
	PHINode *x;
	BasicBlock *latches[3]; /* of the loops along x, y and z */
};

size_t instructionsOf(const Nest &nest)
{
	size_t count = 0;
	for (const BasicBlock *block : nest.blocks)
		count += block->size();
	return count;
}

/* A kernel without barriers has one nest, unless it has no loop that could be widened. */
std::optional<Nest> findNest(Function &kernel, const LoopInfo &loops)
{
	SmallVector<BasicBlock *, 4> latches = markedLatches(kernel);
	if (latches.size() != 1)
		return std::nullopt;
	ItemLoop item = readItemLoop(*latches[0], loops);
	if (!isWhole(item))
		return std::nullopt;
	const Loop *rows = item.loop->getParentLoop(), *outer = rows->getParentLoop();
	return Nest{to_vector(outer->blocks()),
		    outer->getHeader(),
		    item.x,
		    {latches[0], rows->getLoopLatch(), outer->getLoopLatch()}};
}

/* The copies have no metadata of the original's loops and access groups. */
Nest copyNest(const Nest &nest, BasicBlock &before)
{
	Function &kernel = *before.getParent();
	Nest copy;
	ValueToValueMapTy map;
	for (BasicBlock *block : nest.blocks) {
		copy.blocks.push_back(CloneBasicBlock(block, map, ".single", &kernel));
		map[block] = copy.blocks.back();
	}
	remapInstructionsInBlocks(copy.blocks, map);
	for (BasicBlock *block : copy.blocks) {
		for (Instruction &instruction : *block) {
			instruction.setMetadata(LLVMContext::MD_access_group, nullptr);
			instruction.setMetadata(LLVMContext::MD_loop, nullptr);
		}
	}
	copy.header = cast<BasicBlock>(map.lookup(nest.header));
	copy.x = cast<PHINode>(map.lookup(nest.x));
	for (unsigned d = 0; d < 3; d++)
		copy.latches[d] = cast<BasicBlock>(map.lookup(nest.latches[d]));
	for (unsigned d = 1; d < 3; d++)
		markSingleLoop(*copy.latches[d]);
	return copy;
}

/* Goes to the copy where groups have one work-item along x. Each nest has a block in front. */
void chooseNest(const Nest &nest, const Nest &copy, BasicBlock &before)
{
	Function &kernel = *before.getParent();
	auto *several =
		BasicBlock::Create(kernel.getContext(), "several.items", &kernel, nest.header);
	auto *single =
		BasicBlock::Create(kernel.getContext(), "single.items", &kernel, nest.header);
	BranchInst::Create(nest.header, several);
	BranchInst::Create(copy.header, single);
	nest.header->replacePhiUsesWith(&before, several);
	copy.header->replacePhiUsesWith(&before, single);
	Instruction *end = before.getTerminator();
	IRBuilder<> builder(end);
	Value *size = createQuery(builder, Query::EnqueuedLocalSize);
	builder.CreateCondBr(builder.CreateICmpEQ(size, builder.getInt64(1)), single, several);
	end->eraseFromParent();
}

/* A value for the dimension x, another for others. */
Value *chooseByDimension(IRBuilder<> &builder, Value *dimension, Value *alongX, Value *otherwise)
{
	if (auto *number = dyn_cast<ConstantInt>(dimension))
		return number->isZero() ? alongX : otherwise;
	return builder.CreateSelect(builder.CreateIsNull(dimension), alongX, otherwise);
}

/* Makes x count groups in the nest. The source asks for ids and sizes along x by a constant dimension; but global ids may be composed
 * of group ids along a dimension that is not constant. */
void countGroups(const Nest &nest)
{
	Value *zero = ConstantInt::get(nest.x->getType(), 0);
	SmallVector<CallInst *, 8> sizes, groups;
	for (BasicBlock *block : nest.blocks) {
		for (Instruction &instruction : *block) {
			std::optional<Query> query = queryOf(instruction);
			if (query == Query::LocalSize)
				sizes.push_back(cast<CallInst>(&instruction));
			else if (query == Query::GroupId)
				groups.push_back(cast<CallInst>(&instruction));
		}
	}
	nest.x->replaceUsesWithIf(zero, [&](const Use &use) {
		return use.getUser() != nest.x->getIncomingValueForBlock(nest.latches[0]);
	});
	for (CallInst *size : sizes) {
		IRBuilder<> builder(size);
		CallInst *copy = cast<CallInst>(builder.Insert(size->clone()));
		size->replaceAllUsesWith(chooseByDimension(builder, copy->getArgOperand(0),
							   builder.getInt64(1), copy));
		size->eraseFromParent();
	}
	for (CallInst *group : groups) {
		IRBuilder<> builder(group);
		CallInst *first = cast<CallInst>(builder.Insert(group->clone()));
		Value *place = chooseByDimension(builder, first->getArgOperand(0), nest.x, zero);
		group->replaceAllUsesWith(builder.CreateNUWAdd(first, place, "group"));
		group->eraseFromParent();
	}
}

} // namespace

PreservedAnalyses GroupIndexLoopsPass::run(Function &function, FunctionAnalysisManager &)
{
	if (!isKernel(function) ||
	    getKernelNumber(function, coalescedGroupsAttribute) != CoalescesSingle)
		return PreservedAnalyses::all();
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	std::optional<Nest> nest = findNest(function, loops);
	uint32_t required[3];
	readSizes(function, "reqd_work_group_size", required);
	if (nest && required[0] == 1) {
		countGroups(*nest);
	} else if (nest && required[0] == 0 && instructionsOf(*nest) <= copyBudget) {
		BasicBlock &before = *loops.getLoopFor(nest->header)->getLoopPredecessor();
		Nest copy = copyNest(*nest, before);
		chooseNest(*nest, copy, before);
		countGroups(copy);
	} else {
		setKernelNumber(function, coalescedGroupsAttribute, CoalescesNone);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
