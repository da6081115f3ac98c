/* SPDX-License-Identifier: MIT
 *
 * The masks of a widened body.
 */
#include "lane_code/lane_masks.h"

#include "lane_code/lane_vectors.h"

using namespace llvm;

namespace weft
{

LaneMasks::LaneMasks(WideBody &theBody, LaneValues &theValues)
    : body(theBody), values(theValues), builder(theBody.builder)
{
}

Value *LaneMasks::of(const BasicBlock *block) const
{
	const BasicBlock *owner = body.plan.at(block).maskOwner;
	return owner ? masks.lookup(owner) : nullptr;
}

void LaneMasks::startLoop(const BasicBlock *header)
{
	set(header, builder.CreatePHI(body.vectorType(builder.getInt1Ty()), 2, "live"));
}

void LaneMasks::connectLoops()
{
	for (auto [block, mask] : masks) {
		auto *live = dyn_cast_or_null<PHINode>(mask);
		if (!live || live->getNumIncomingValues() > 0)
			continue;
		const Loop *loop = body.plan.at(block).loop;
		const BasicBlock *entry = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
		Value *first = of(entry);
		live->addIncoming(first ? first : allLanes(), body.endOf(entry));
		live->addIncoming(of(latch), body.endOf(latch));
	}
}

bool LaneMasks::needsEdge(const BasicBlock *from, const BasicBlock *to) const
{
	const LaneNode &node = body.plan.at(to);
	bool isHeader = node.block == node.loop->getHeader();
	if (isHeader)
		return false;
	return node.maskOwner == to || body.plan.leaves(from, to) ||
	       (!node.keepsEdges && isa<PHINode>(to->front()));
}

Value *LaneMasks::makeEdge(const BasicBlock *to, Value *others)
{
	const BasicBlock *from = body.current().block;
	Value *mask = of(from);
	Value *condition = others ? builder.CreateNot(others) : conditionOf(from, to);
	/* Where the mask is unset, the condition may be poison. */
	if (mask && condition)
		mask = builder.CreateLogicalAnd(mask, condition);
	else if (condition)
		mask = condition;
	/* An instruction that belongs to this edge alone: where the block does not run, the edge has no lane. */
	mask = mark(builder.Insert(new FreezeInst(mask ? mask : allLanes())));
	edges[{from, to}] = mask;
	return mask;
}

/* Which lanes take the edge, if all lanes were in the first block. NULL: all. */
Value *LaneMasks::conditionOf(const BasicBlock *from, const BasicBlock *to)
{
	const Instruction *end = from->getTerminator();
	if (from->getUniqueSuccessor())
		return nullptr;
	if (const auto *branch = dyn_cast<BranchInst>(end)) {
		Value *condition = values.vectorOf(branch->getCondition());
		return branch->getSuccessor(0) == to ? condition : builder.CreateNot(condition);
	}
	return caseCondition(*cast<SwitchInst>(end), to);
}

Value *LaneMasks::caseCondition(const SwitchInst &choice, const BasicBlock *to)
{
	Value *value = values.vectorOf(choice.getCondition());
	Value *result = nullptr;
	bool isDefault = choice.getDefaultDest() == to;
	for (const auto &entry : choice.cases()) {
		if ((entry.getCaseSuccessor() == to) == isDefault)
			continue;
		uint64_t number = entry.getCaseValue()->getZExtValue();
		Value *here =
			builder.CreateICmpEQ(value, ConstantInt::get(value->getType(), number));
		result = result ? builder.CreateOr(result, here) : here;
	}
	if (!isDefault)
		return result;
	return result ? builder.CreateNot(result) : nullptr;
}

Value *LaneMasks::allLanes() const
{
	return Constant::getAllOnesValue(body.vectorType(builder.getInt1Ty()));
}

Value *LaneMasks::lanesBelow(Value *count)
{
	Type *number = builder.getInt32Ty();
	Value *limit = builder.CreateVectorSplat(body.width, builder.CreateTrunc(count, number));
	Constant *lanes = laneOffsets(*number, 1, body.width, body.width);
	return mark(builder.CreateICmpULT(lanes, limit));
}

Value *LaneMasks::bitsOf(Value *mask) const
{
	return builder.CreateBitCast(mask, builder.getIntNTy(body.width));
}

Value *LaneMasks::firstLane(Value *mask) const
{
	Value *bits = bitsOf(mask);
	Value *lane = builder.CreateBinaryIntrinsic(Intrinsic::cttz, bits, builder.getFalse());
	return builder.CreateZExtOrTrunc(lane, builder.getInt64Ty(), "first.lane");
}

Value *LaneMasks::ofRunning(Value *vector, Value *mask) const
{
	if (!mask)
		return vector;
	Value *some = builder.CreateExtractElement(vector, firstLane(mask));
	Value *all = builder.CreateVectorSplat(body.width, some);
	return builder.CreateSelect(mask, vector, all);
}

/* Tested where the mask is made: where that code was jumped over, the mask has no lane, and LLVM sees it. */
Value *LaneMasks::isAny(Value *mask)
{
	Value *&any = anyOf[mask];
	if (any)
		return any;
	IRBuilder<> at(mask->getContext());
	body.placeBehind(at, mask);
	Value *bits = at.CreateBitCast(mask, at.getIntNTy(body.width));
	any = mark(at.CreateICmpNE(bits, Constant::getNullValue(bits->getType()), "any"));
	return any;
}

} // namespace weft
