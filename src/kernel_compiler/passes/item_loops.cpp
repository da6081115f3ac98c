/* SPDX-License-Identifier: MIT
 *
 * Marking and finding item loops.
 */
#include "item_loops.h"

#include "work_item_loops.h"

#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

void markItemLoop(BasicBlock &latch)
{
	latch.getTerminator()->setMetadata(itemLoopMetadata, MDNode::get(latch.getContext(), {}));
}

void unmarkItemLoop(BasicBlock &latch)
{
	latch.getTerminator()->setMetadata(itemLoopMetadata, nullptr);
}

SmallVector<BasicBlock *, 4> markedLatches(Function &function)
{
	SmallVector<BasicBlock *, 4> latches;
	for (BasicBlock &block : function) {
		if (block.getTerminator()->hasMetadata(itemLoopMetadata))
			latches.push_back(&block);
	}
	return latches;
}

ItemLoop readItemLoop(BasicBlock &latch, const LoopInfo &loops)
{
	ItemLoop item = {};
	item.loop = loops.getLoopFor(&latch);
	item.latch = &latch;
	item.header = item.loop->getHeader();
	item.before = item.loop->getLoopPredecessor();
	item.after = item.loop->getExitBlock();
	item.x = cast<PHINode>(&item.header->front());
	item.first = item.x->getIncomingValueForBlock(item.before);
	auto *test = cast<ICmpInst>(cast<BranchInst>(latch.getTerminator())->getCondition());
	item.size = test->getOperand(1);
	return item;
}

bool isPrivate(const AllocaInst &variable)
{
	return !variable.hasMetadata(uniformMetadata);
}

} // namespace weft
