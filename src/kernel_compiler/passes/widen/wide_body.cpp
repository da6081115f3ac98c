/* SPDX-License-Identifier: MIT
 *
 * The loops around widened bodies:
 *
 *   before → widened loop, x in steps of the width → after → rest → the item loop for the last items
 *   before → rest                                     after → on
 *
 * or in place of the item loop, with a mask:
 *
 *   before → widened body → on
 *
 * or in place of the whole nest, over the linear ids in steps of the width, with a mask:
 *
 *   before → widened loop → after the nest
 */
#include "widen/loop_widener.h"

using namespace llvm;

namespace weft
{

void LoopWidener::emitBody()
{
	placeVariables();
	findLeavers();
	for (const BasicBlock *block : shapes.blocks())
		emitBlock(plan.at(block));
	builder.SetInsertPoint(ends[shapes.indexOf(item.latch)]);
}

void LoopWidener::makeBlocks()
{
	before = BasicBlock::Create(context, "wide.before", &function, item.header);
	for (BasicBlock *block : shapes.blocks()) {
		starts.push_back(BasicBlock::Create(context, block->getName() + ".wide", &function,
						    item.header));
		made.push_back(starts.back());
		origins[starts.back()] = block;
	}
	ends = starts;
	builder.SetInsertPoint(before);
}

BasicBlock &LoopWidener::runWhole()
{
	makeBlocks();
	auto *after = BasicBlock::Create(context, "wide.after", &function, item.header);
	auto *rest = BasicBlock::Create(context, "wide.rest", &function, item.header);
	item.before->getTerminator()->replaceSuccessorWith(item.header, before);
	Value *limit = builder.CreateAnd(item.size, builder.getInt64(~uint64_t(width - 1)));
	builder.CreateCondBr(builder.CreateICmpULT(item.first, limit), starts[0], rest);
	builder.SetInsertPoint(after);
	builder.CreateCondBr(builder.CreateICmpULT(limit, item.size), rest, item.after);

	emitBody();
	auto *x = cast<PHINode>(scalars[item.x]);
	Value *next = builder.CreateNUWAdd(x, builder.getInt64(width));
	x->addIncoming(item.first, before);
	x->addIncoming(next, builder.GetInsertBlock());
	BasicBlock *latch = builder.GetInsertBlock();
	builder.CreateCondBr(builder.CreateICmpULT(next, limit), starts[0], after);
	finishPhis();

	builder.SetInsertPoint(rest);
	PHINode *left = builder.CreatePHI(builder.getInt64Ty(), 2, "x.rest");
	left->addIncoming(item.first, before);
	left->addIncoming(limit, after);
	builder.CreateBr(item.header);
	item.x->replaceIncomingBlockWith(item.before, rest);
	item.x->setIncomingValueForBlock(rest, left);
	item.before = rest;
	item.first = left;
	return *latch;
}

/* The lanes of the first so many work-items. */
Value *LoopWidener::lanesBelow(Value *count)
{
	SmallVector<Constant *, 16> lanes;
	for (unsigned lane = 0; lane < width; lane++)
		lanes.push_back(builder.getInt32(lane));
	Value *left =
		builder.CreateVectorSplat(width, builder.CreateTrunc(count, builder.getInt32Ty()));
	return asMask(builder.CreateICmpULT(ConstantVector::get(lanes), left));
}

void LoopWidener::runLast()
{
	makeBlocks();
	item.before->getTerminator()->replaceSuccessorWith(item.header, before);
	scalars[item.x] = item.first;
	masks[item.header] = lanesBelow(builder.CreateSub(item.size, item.first));
	builder.CreateBr(starts[0]);

	emitBody();
	builder.CreateBr(item.after);
	finishPhis();
}

/* Groups have far fewer work-items than a float can count, so quotients of floats are exact when cut. */
void LoopWidener::placeIds(const ItemNest &nest, Value *linear)
{
	auto *numbers = vectorType(builder.getInt32Ty()), *ids = vectorType(builder.getInt64Ty());
	auto *fractions = vectorType(builder.getFloatTy());
	Value *rest = stepped(builder, builder.CreateTrunc(linear, builder.getInt32Ty()), 1);
	auto divide = [&](Value *divisor) {
		Value *parts = builder.CreateVectorSplat(
			width, builder.CreateTrunc(divisor, builder.getInt32Ty()));
		Value *quotient = builder.CreateFPToUI(
			builder.CreateFDiv(builder.CreateUIToFP(rest, fractions),
					   builder.CreateUIToFP(parts, fractions)),
			numbers);
		Value *id = builder.CreateSub(rest, builder.CreateMul(quotient, parts));
		rest = quotient;
		return builder.CreateZExt(id, ids);
	};
	vectors[item.x] = divide(item.size);
	vectors[nest.y] = divide(nest.sizeY);
	vectors[nest.z] = builder.CreateZExt(rest, ids);
}

BasicBlock &LoopWidener::runLinear(const ItemNest &nest)
{
	makeBlocks();
	Value *total = builder.CreateNUWMul(item.size, builder.CreateNUWMul(nest.sizeY, nest.sizeZ),
					    "group.items");
	builder.CreateBr(starts[0]);
	builder.SetInsertPoint(starts[0]);
	PHINode *linear = builder.CreatePHI(builder.getInt64Ty(), 2, "linear");
	linear->addIncoming(builder.getInt64(0), before);
	masks[item.header] = lanesBelow(builder.CreateBinaryIntrinsic(
		Intrinsic::umin, builder.CreateSub(total, linear), builder.getInt64(width)));
	placeIds(nest, linear);

	emitBody();
	Value *next = builder.CreateNUWAdd(linear, builder.getInt64(width));
	linear->addIncoming(next, builder.GetInsertBlock());
	builder.CreateCondBr(builder.CreateICmpULT(next, total), starts[0], nest.after);
	finishPhis();
	return *before;
}

} // namespace weft
