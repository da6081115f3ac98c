/* SPDX-License-Identifier: MIT
 *
 * Marking and finding item loops.
 */
#include "ir/item_loops.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace weft
{

/* The value with which the id is compared at the end of its loop. */
static Value *sizeTestedIn(BasicBlock &latch)
{
	Value *test = cast<BranchInst>(latch.getTerminator())->getCondition();
	return cast<ICmpInst>(test)->getOperand(1);
}

static unsigned rowOf(const BranchInst &test)
{
	const MDNode *mark = test.getMetadata(itemLoopMetadata);
	if (!mark || mark->getNumOperands() == 0)
		return 0;
	return unsigned(mdconst::extract<ConstantInt>(mark->getOperand(0))->getZExtValue());
}

void markItemLoop(BasicBlock &latch, unsigned row)
{
	LLVMContext &context = latch.getContext();
	SmallVector<Metadata *, 1> length;
	if (row)
		length.push_back(
			ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), row)));
	latch.getTerminator()->setMetadata(itemLoopMetadata, MDNode::get(context, length));
}

void markItemPart(BasicBlock &latch, ItemPart part)
{
	LLVMContext &context = latch.getContext();
	Metadata *number = ConstantAsMetadata::get(
		ConstantInt::get(Type::getInt32Ty(context), unsigned(part)));
	latch.getTerminator()->setMetadata(itemPartMetadata, MDNode::get(context, number));
}

ItemPart partOf(const BasicBlock &latch)
{
	const MDNode *mark = latch.getTerminator()->getMetadata(itemPartMetadata);
	return mark ? ItemPart(mdconst::extract<ConstantInt>(mark->getOperand(0))->getZExtValue())
		    : ItemPart::All;
}

void unmarkItemLoop(BasicBlock &latch)
{
	latch.getTerminator()->setMetadata(itemLoopMetadata, nullptr);
	latch.getTerminator()->setMetadata(itemPartMetadata, nullptr);
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

unsigned countRegions(ArrayRef<BasicBlock *> latches)
{
	return unsigned(count_if(
		latches, [](const BasicBlock *latch) { return partOf(*latch) != ItemPart::Rest; }));
}

void markItemNest(BasicBlock &latch)
{
	latch.getTerminator()->setMetadata(itemNestMetadata, MDNode::get(latch.getContext(), {}));
}

void unmarkItemNests(Function &function)
{
	for (BasicBlock &block : function)
		block.getTerminator()->setMetadata(itemNestMetadata, nullptr);
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
	auto *test = cast<BranchInst>(latch.getTerminator());
	item.size = cast<ICmpInst>(test->getCondition())->getOperand(1);
	item.row = rowOf(*test);
	item.part = partOf(latch);
	return item;
}

bool isWhole(const ItemLoop &item)
{
	SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> exits;
	if (!item.loop)
		return false;
	item.loop->getExitEdges(exits);
	return all_of(exits, [&](auto &edge) {
		return edge.first == item.latch || isa<UnreachableInst>(edge.second->front());
	});
}

ItemNest readItemNest(const ItemLoop &item)
{
	ItemNest nest = {};
	const Loop *y = item.loop->getParentLoop();
	const Loop *z = y ? y->getParentLoop() : nullptr;
	/* A loop of the kernel's, around barriers, may have several latches. */
	const BasicBlock *latch = z ? z->getLoopLatch() : nullptr;
	if (!latch || !latch->getTerminator()->hasMetadata(itemNestMetadata))
		return nest;
	nest.before = z->getLoopPredecessor();
	nest.after = z->getExitBlock();
	nest.y = cast<PHINode>(&y->getHeader()->front());
	nest.z = cast<PHINode>(&z->getHeader()->front());
	nest.sizeY = sizeTestedIn(*y->getLoopLatch());
	nest.sizeZ = sizeTestedIn(*z->getLoopLatch());
	return nest;
}

/* Puts properties into the loop's name, beside what stands there. */
static void addProperties(BasicBlock &latch, ArrayRef<StringRef> names)
{
	LLVMContext &context = latch.getContext();
	SmallVector<Metadata *, 8> all = {nullptr};
	if (MDNode *known = latch.getTerminator()->getMetadata(LLVMContext::MD_loop))
		append_range(all, drop_begin(known->operands()));
	for (StringRef name : names)
		all.push_back(MDNode::get(context, MDString::get(context, name)));
	Metadata *no[] = {MDString::get(context, "llvm.loop.vectorize.enable"),
			  ConstantAsMetadata::get(ConstantInt::getFalse(context))};
	all.push_back(MDNode::get(context, no));
	MDNode *loop = MDNode::getDistinct(context, all);
	loop->replaceOperandWith(0, loop);
	latch.getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
}

void markSingleLoop(BasicBlock &latch)
{
	latch.getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
	addProperties(latch, {"llvm.loop.unroll.disable", singleLoopProperty});
}

bool isSingleLoop(const Loop &loop)
{
	return getBooleanLoopAttribute(&loop, singleLoopProperty);
}

void markShortLoop(BasicBlock &latch)
{
	addProperties(latch, {"llvm.loop.unroll.full"});
}

void markRestLoop(BasicBlock &latch)
{
	latch.getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
	addProperties(latch, {"llvm.loop.unroll.disable", singleLoopProperty, restLoopProperty});
}

bool isRestLoop(const Loop &loop)
{
	return getBooleanLoopAttribute(&loop, restLoopProperty);
}

} // namespace weft
