/* SPDX-License-Identifier: MIT
 *
 * A loop is uniform if its instructions take values from within it and from before the item loop alone.
 */
#include "lanes/uniform_loops.h"

#include "functions/internal_functions.h"
#include "lanes/item_guards.h"

#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace weft
{

bool isParallel(const LoadInst &load)
{
	return load.isSimple() && load.hasMetadata(LLVMContext::MD_access_group) &&
	       isSharedSpace(load.getPointerAddressSpace());
}

Loop *loopBehind(const BasicBlock &block, const ItemLoop &item, const LoopInfo &loops)
{
	const BasicBlock *next = block.getSingleSuccessor();
	Loop *loop = next ? loops.getLoopFor(next) : nullptr;
	const bool isEntered = loop && loop->getParentLoop() == item.loop &&
			       loop->getHeader() == next && loop->getLoopPredecessor() == &block;
	const BasicBlock *exit = isEntered ? loop->getExitBlock() : nullptr;
	return exit && loop->getExitingBlock() &&
			       exit->getSinglePredecessor() == loop->getExitingBlock()
		       ? loop
		       : nullptr;
}

/* What it loads is loaded from shared memory: variables are a work-item's own. */
static bool isUniformLoad(const Instruction &instruction)
{
	const auto *load = dyn_cast<LoadInst>(&instruction);
	return load && isParallel(*load);
}

static bool leavesNoTrace(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	return isUnseen(instruction) && !(call && call->isConvergent()) &&
	       (!instruction.mayReadFromMemory() || isUniformLoad(instruction));
}

bool makeUniform(const Loop &loop, const ItemLoop &item, Instruction &end)
{
	bool changed = false;
	for (const BasicBlock *block : loop.blocks()) {
		for (const Instruction &instruction : *block) {
			if (!leavesNoTrace(instruction))
				return false;
			for (Value *operand : instruction.operands()) {
				const auto *value = dyn_cast<Instruction>(operand);
				if (value && !loop.contains(value) &&
				    !item.loop->makeLoopInvariant(operand, changed, &end))
					return false;
			}
		}
	}
	return true;
}

/* The loop and its blocks become those of the loop around the item loop. */
static void leaveItemLoop(Loop &loop, const ItemLoop &item, LoopInfo &loops)
{
	Loop *around = item.loop->getParentLoop();
	for (BasicBlock *block : loop.blocks())
		item.loop->removeBlockFromLoop(block);
	item.loop->removeChildLoop(&loop);
	if (around)
		around->addChildLoop(&loop);
	else
		loops.addTopLevelLoop(&loop);
}

void moveLoop(Loop &loop, BasicBlock &block, const ItemLoop &item, Instruction &end,
	      DominatorTree &dominators, LoopInfo &loops)
{
	BasicBlock *header = loop.getHeader(), *last = loop.getExitingBlock();
	BasicBlock *exit = loop.getExitBlock(), *from = end.getParent();
	BasicBlock *to = SplitBlock(from, &end, &dominators, &loops);
	while (auto *phi = dyn_cast<PHINode>(&exit->front())) {
		phi->replaceAllUsesWith(phi->getIncomingValue(0));
		phi->eraseFromParent();
	}
	block.getTerminator()->replaceSuccessorWith(header, exit);
	last->getTerminator()->replaceSuccessorWith(exit, to);
	from->getTerminator()->replaceSuccessorWith(to, header);
	header->replacePhiUsesWith(&block, from);
	DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
	updater.applyUpdates({{DominatorTree::Delete, &block, header},
			      {DominatorTree::Insert, &block, exit},
			      {DominatorTree::Delete, last, exit},
			      {DominatorTree::Insert, last, to},
			      {DominatorTree::Delete, from, to},
			      {DominatorTree::Insert, from, header}});
	leaveItemLoop(loop, item, loops);
	for (BasicBlock *moved : loop.blocks())
		moved->moveBefore(to);
}

} // namespace weft
