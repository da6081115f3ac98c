/* SPDX-License-Identifier: MIT
 *
 * Walks of a widened loop: a window with a vector for each of so many rounds, filled before the first of them.
 */
#include "widen/loop_widener.h"

using namespace llvm;

namespace weft
{

/* Where each lane is in the first round; those that do not run, where one is that does. */
Value *LoopWidener::startsOf(const Walk &walk, Value *mask)
{
	Value *places = vectorOf(walk.start);
	if (!mask)
		return places;
	Value *some = builder.CreateExtractElement(places, firstLane(mask));
	return builder.CreateSelect(mask, places, builder.CreateVectorSplat(width, some));
}

/* A vector of each lane's elements, to one for each round. */
void LoopWidener::fillWindow(const Walk &walk, Value *mask, Value *round, AllocaInst *window)
{
	auto *part = FixedVectorType::get(walk.load->getType(), walk.together);
	auto size = layout.getTypeStoreSize(walk.load->getType()).getFixedValue();
	Value *places = startsOf(walk, mask);
	Value *offset = builder.CreateMul(round, builder.getInt64(size));
	Vectors lanes;
	for (unsigned lane = 0; lane < width; lane++) {
		Value *place = builder.CreateExtractElement(places, lane);
		lanes.push_back(builder.CreateAlignedLoad(part, builder.CreatePtrAdd(place, offset),
							  walk.load->getAlign()));
	}
	for (auto [number, vector] : enumerate(transpose(builder, lanes)))
		builder.CreateStore(vector, builder.CreateConstInBoundsGEP1_64(vector->getType(),
									       window, number));
}

/* The first round of a window fills it, and each takes its vector from there; the last rounds, too few for one, gather
 * theirs. */
void LoopWidener::emitWalk(const Walk &walk)
{
	auto *type = vectorType(walk.load->getType());
	AllocaInst *window = newVariable(ArrayType::get(type, walk.together), "window");
	Value *mask = maskOf(current);
	Value *round = scalarOf(walk.round);
	BasicBlock *done = newBlock("walked"), *alone = newBlock("walk.alone");
	BasicBlock *taken = newBlock("walk.taken"), *filled = newBlock("walk.filled");
	BasicBlock *inside = newBlock("walk.window");
	builder.CreateCondBr(builder.CreateICmpULT(round, scalarOf(walk.whole)), inside, alone);

	builder.SetInsertPoint(inside);
	Value *place = builder.CreateAnd(round, builder.getInt64(walk.together - 1));
	Value *isFirst = builder.CreateICmpEQ(place, builder.getInt64(0));
	if (mask && plan.at(current).mayBeEmpty)
		isFirst = builder.CreateAnd(isFirst, isAny(mask));
	builder.CreateCondBr(isFirst, filled, taken);
	builder.SetInsertPoint(filled);
	fillWindow(walk, mask, round, window);
	builder.CreateBr(taken);
	builder.SetInsertPoint(taken);
	Value *vector = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, window, place));
	builder.CreateBr(done);

	builder.SetInsertPoint(alone);
	gather(*walk.load, mask);
	Value *gathered = vectors[walk.load];
	alone = builder.GetInsertBlock();
	builder.CreateBr(done);
	builder.SetInsertPoint(done);
	PHINode *either = builder.CreatePHI(type, 2);
	either->addIncoming(vector, taken);
	either->addIncoming(gathered, alone);
	vectors[walk.load] = either;
}

} // namespace weft
