/* SPDX-License-Identifier: MIT
 *
 * split-at-barriers: barriers and the entry are definitions of "the region we are in", and where different
 * definitions meet (the iterated dominance frontier, as for phis) a new region must start.
 */
#include "regions/split_at_barriers.h"

#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/regions.h"
#include "ir/uniformity.h"
#include "ir/variables.h"
#include "kernel_abi.h"
#include "regions/barrier_branches.h"
#include "regions/merge_region_exits.h"
#include "regions/region_exits.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

using namespace llvm;

namespace weft
{

namespace
{

/* Instructions of a return that is copied to each way that leads to it. */
constexpr unsigned returnSize = 16;

SmallVector<Instruction *, 8> findBarriers(Function &function)
{
	SmallVector<Instruction *, 8> barriers;
	for (Instruction &instruction : instructions(function)) {
		if (isBarrier(instruction))
			barriers.push_back(&instruction);
	}
	return barriers;
}

/* Barriers in the place of the meetings. */
void meet(Function &function)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!isMeeting(instruction))
			continue;
		CallInst *barrier =
			IRBuilder<>(&instruction).CreateCall(declareBarrier(*function.getParent()));
		barrier->setMetadata(addedMetadata, MDNode::get(function.getContext(), {}));
		instruction.eraseFromParent();
	}
}

/* Of those that begin `starts`, or of all. Whether there were any. */
bool removeMeetings(Function &function, const SmallPtrSetImpl<BasicBlock *> *starts)
{
	bool removed = false;
	for (BasicBlock &block : function) {
		if (!startsWithAdded(block) || (starts && !starts->contains(&block)))
			continue;
		block.getFirstNonPHIOrDbg()->eraseFromParent();
		removed = true;
	}
	return removed;
}

/* Whether work-items must be together anywhere: at barriers of the source, and where they do something for each other. */
bool staysTogether(Function &function)
{
	return any_of(instructions(function), [](const Instruction &instruction) {
		return (isBarrier(instruction) && !instruction.hasMetadata(addedMetadata)) ||
		       isOnceCall(instruction) || subgroupCallOf(instruction);
	});
}

/* A barrier in the entry block, or behind other code, gets a block. */
void isolateBarriers(ArrayRef<Instruction *> barriers)
{
	for (Instruction *barrier : barriers) {
		BasicBlock *block = barrier->getParent();
		if (block->isEntryBlock() || &*block->getFirstNonPHIOrDbg() != barrier)
			SplitBlock(block, barrier)->setName("barrier");
	}
}

/* Where different regions meet. */
SmallVector<BasicBlock *, 8> meetingBlocks(Function &function, DominatorTree &dominators)
{
	SmallPtrSet<BasicBlock *, 16> starts;
	starts.insert(&function.getEntryBlock());
	for (BasicBlock &block : function) {
		if (startsWithBarrier(block) && dominators.isReachableFromEntry(&block))
			starts.insert(&block);
	}
	ForwardIDFCalculator frontier(dominators);
	frontier.setDefiningBlocks(starts);
	SmallVector<BasicBlock *, 8> meeting;
	frontier.calculate(meeting);
	erase_if(meeting, [&](BasicBlock *block) { return starts.contains(block); });
	return meeting;
}

void addBarrier(BasicBlock &block)
{
	IRBuilder<> builder(&block, block.getFirstInsertionPt());
	builder.CreateCall(declareBarrier(*block.getModule()));
}

/* A block that returns, with little before that: the ends of variables, a store. What lanes do together is not
 * copied. */
bool isShortReturn(BasicBlock &block)
{
	return isa<ReturnInst>(block.getTerminator()) && !startsWithBarrier(block) &&
	       block.sizeWithoutDebug() <= returnSize &&
	       none_of(block, [](const Instruction &instruction) {
		       return subgroupCallOf(instruction).has_value();
	       });
}

/* A copy of what `block` does when it is reached from `predecessor`. */
BasicBlock *copyReturn(BasicBlock &block, BasicBlock *predecessor)
{
	ValueToValueMapTy values;
	auto *own = BasicBlock::Create(block.getContext(), "return", block.getParent());
	for (Instruction &instruction : block) {
		if (auto *phi = dyn_cast<PHINode>(&instruction)) {
			values[phi] = phi->getIncomingValueForBlock(predecessor);
			continue;
		}
		Instruction *copy = instruction.clone();
		copy->insertInto(own, own->end());
		values[&instruction] = copy;
		RemapInstruction(copy, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
	}
	return own;
}

/* Work-items that part from the others may reach a returning block from every region: each edge to it gets a copy. */
void separateReturns(Function &function)
{
	for (BasicBlock &block : make_early_inc_range(function)) {
		if (block.isEntryBlock() || !isShortReturn(block))
			continue;
		SmallSetVector<BasicBlock *, 8> before(pred_begin(&block), pred_end(&block));
		for (BasicBlock *predecessor : drop_begin(before)) {
			BasicBlock *own = copyReturn(block, predecessor);
			auto edges = count(predecessors(&block), predecessor);
			for (; edges > 0; edges--)
				block.removePredecessor(predecessor, true);
			predecessor->getTerminator()->replaceSuccessorWith(&block, own);
		}
	}
}

/* Marks branches that are uniform because of barriers; whether there are any. */
bool markUniformBranches(Function &function, const Uniformity &uniformity,
			 const BarrierBranches &barriers)
{
	bool isAny = false;
	for (BasicBlock &block : function) {
		if (!uniformity.isDivergent(block) || !barriers.isUniform(block))
			continue;
		block.getTerminator()->setMetadata(uniformMetadata,
						   MDNode::get(function.getContext(), {}));
		isAny = true;
	}
	return isAny;
}

void unmarkBranches(Function &function)
{
	for (BasicBlock &block : function)
		block.getTerminator()->setMetadata(uniformMetadata, nullptr);
}

using BlockSet = SmallPtrSet<BasicBlock *, 16>;

/* Adds barriers where regions meet. Where work-items might not arrive together it changes nothing, and returns between which starts
 * of regions they might part. */
BlockSet addMeetingBarriers(Function &function)
{
	DominatorTree dominators(function);
	PostDominatorTree postDominators(function);
	CycleInfo cycles;
	cycles.compute(function);
	const LoopInfo loops(dominators);
	const BarrierBranches barriers(function, loops);
	std::optional<Uniformity> uniformity(std::in_place, function, postDominators, cycles);
	if (markUniformBranches(function, *uniformity, barriers))
		uniformity.emplace(function, postDominators, cycles);
	SmallVector<BasicBlock *, 8> meeting = meetingBlocks(function, dominators);
	for (BasicBlock *block : meeting)
		addBarrier(*block);
	BlockSet added(meeting.begin(), meeting.end());
	for (BasicBlock &block : function) {
		if (startsWithAdded(block))
			added.insert(&block);
	}
	BlockSet partings = findPartings(RegionList(function), *uniformity, barriers, added);
	if (partings.empty())
		return partings;
	for (BasicBlock *block : meeting)
		block->getFirstNonPHIOrDbg()->eraseFromParent();
	unmarkBranches(function);
	return partings;
}

/* Where each work-item goes its own way, code takes time to make that grows with the square of the meetings. */
constexpr size_t mostMeetingsApart = 16;

bool hasManyMeetings(Function &function)
{
	return size_t(count_if(function, startsWithAdded)) > mostMeetingsApart;
}

/* Whether work-items stay together from one region to the next one, which may cost some meetings, or all, in a kernel in which they must or
 * that has many. */
bool splitInRegions(Function &function)
{
	BlockSet partings = addMeetingBarriers(function);
	const bool mustStay =
		!partings.empty() && (staysTogether(function) || hasManyMeetings(function));
	while (mustStay && !partings.empty() && removeMeetings(function, &partings))
		partings = addMeetingBarriers(function);
	if (mustStay && !partings.empty() && removeMeetings(function, nullptr))
		partings = addMeetingBarriers(function);
	return partings.empty();
}

/* Values that come into a region are stored on the way into it, and on no other way. */
void splitCriticalEdges(Function &function)
{
	SmallVector<BasicBlock *, 16> starts;
	for (BasicBlock &block : function) {
		if (startsWithBarrier(block) && isa<PHINode>(block.front()))
			starts.push_back(&block);
	}
	for (BasicBlock *start : starts) {
		SmallVector<BasicBlock *, 8> before(predecessors(start));
		for (BasicBlock *predecessor : before) {
			Instruction *terminator = predecessor->getTerminator();
			for (unsigned i = 0; i < terminator->getNumSuccessors(); i++) {
				if (terminator->getSuccessor(i) == start)
					SplitCriticalEdge(terminator, i);
			}
		}
	}
}

bool hasBarrier(const Loop &loop)
{
	return any_of(loop.blocks(),
		      [](const BasicBlock *block) { return startsWithBarrier(*block); });
}

/* A new block on the way from a loop to a barrier. */
void separateExits(Loop &loop, DominatorTree &dominators, LoopInfo &loops)
{
	SmallVector<BasicBlock *, 4> exits;
	loop.getUniqueExitBlocks(exits);
	for (BasicBlock *exit : exits) {
		if (!startsWithBarrier(*exit))
			continue;
		SmallVector<BasicBlock *, 4> inside(predecessors(exit));
		erase_if(inside, [&](BasicBlock *block) { return !loop.contains(block); });
		SplitBlockPredecessors(exit, inside, ".left", &dominators, &loops);
	}
}

/* What a loop without barriers computes leaves it through phis: then it is kept once, not in each iteration. */
void closeLoops(Function &function)
{
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	SmallVector<Loop *, 8> pending(loops.begin(), loops.end());
	while (!pending.empty()) {
		Loop *loop = pending.pop_back_val();
		if (hasBarrier(*loop)) {
			append_range(pending, loop->getSubLoops());
			continue;
		}
		for (Loop *inner : loop->getLoopsInPreorder())
			separateExits(*inner, dominators, loops);
		formLCSSARecursively(*loop, dominators, &loops, nullptr);
	}
}

} // namespace

PreservedAnalyses SplitAtBarriersPass::run(Function &function, FunctionAnalysisManager &)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	meet(function);
	if (findBarriers(function).empty())
		return PreservedAnalyses::all();
	EliminateUnreachableBlocks(function);
	isolateBarriers(findBarriers(function));
	separateReturns(function);
	EliminateUnreachableBlocks(function);
	const bool isSplit = splitInRegions(function);
	if (findBarriers(function).empty())
		return PreservedAnalyses::none();
	addKernelFlag(function, WEFT_KERNEL_HAS_BARRIER);
	if (!isSplit)
		mergeRegionExits(function, any_of(function, startsWithAdded));
	splitCriticalEdges(function);
	closeLoops(function);
	return PreservedAnalyses::none();
}

} // namespace weft
