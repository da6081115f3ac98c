/* SPDX-License-Identifier: MIT
 *
 * Transposed loads of a widened body.
 */
#include "widen/transposed_windows.h"

#include "accesses/lane_interleave.h"

using namespace llvm;

namespace weft
{

/* Loads a vector for each lane, its elements in so many iterations from this one, and stores a vector for each iteration. */
void TransposedWindows::fill(Value *window, const TransposableLoad &source, unsigned together,
			     Value *mask)
{
	Type *element = source.load->getType();
	auto *part = FixedVectorType::get(element, together);
	auto size = body.layout.getTypeStoreSize(element).getFixedValue();
	Value *starts = masks.ofRunning(values.vectorOf(source.start), mask);
	Value *offset =
		builder.CreateMul(values.scalarOf(source.iteration), builder.getInt64(size));
	Vectors lanes;
	for (unsigned lane = 0; lane < width; lane++) {
		Value *start = builder.CreateExtractElement(starts, lane);
		lanes.push_back(builder.CreateAlignedLoad(part, builder.CreatePtrAdd(start, offset),
							  source.load->getAlign()));
	}
	for (auto [number, vector] : enumerate(transpose(builder, lanes)))
		builder.CreateStore(vector, builder.CreateConstInBoundsGEP1_64(vector->getType(),
									       window, number));
}

/* Fills the window, or a part of it, if the place is that of the first of so many iterations, and goes on. */
void TransposedWindows::fillIfFirst(const TransposableLoad &source, Value *place, unsigned together,
				    BasicBlock *taken, Value *window)
{
	Value *mask = masks.ofCurrent();
	BasicBlock *filled = body.newBlock("window.fill");
	if (together < source.together)
		place = builder.CreateAnd(place, builder.getInt64(together - 1));
	Value *isFirst = builder.CreateICmpEQ(place, builder.getInt64(0));
	if (mask && body.current().mayBeEmpty)
		isFirst = builder.CreateAnd(isFirst, masks.isAny(mask));
	builder.CreateCondBr(isFirst, filled, taken);
	builder.SetInsertPoint(filled);
	fill(window, source, together, mask);
	builder.CreateBr(taken);
}

void TransposedWindows::emit(const TransposableLoad &source)
{
	auto *type = body.vectorType(source.load->getType());
	AllocaInst *window = body.newVariable(ArrayType::get(type, source.together), "window");
	Value *mask = masks.ofCurrent();
	Value *iteration = values.scalarOf(source.iteration);
	BasicBlock *done = body.newBlock("loaded"), *gathered = body.newBlock("window.none");
	BasicBlock *taken = body.newBlock("window.take"), *inside = body.newBlock("window.inside");
	builder.CreateCondBr(builder.CreateICmpULT(iteration, values.scalarOf(source.most)), inside,
			     gathered);

	builder.SetInsertPoint(inside);
	Value *place = builder.CreateAnd(iteration, builder.getInt64(source.together - 1));
	if (source.together > leastTogether) {
		BasicBlock *whole = body.newBlock("window.whole"),
			   *rest = body.newBlock("window.rest");
		builder.CreateCondBr(
			builder.CreateICmpULT(iteration, values.scalarOf(source.whole)), whole,
			rest);
		builder.SetInsertPoint(rest);
		fillIfFirst(source, place, leastTogether, taken,
			    builder.CreateInBoundsGEP(type, window, place));
		builder.SetInsertPoint(whole);
	}
	fillIfFirst(source, place, source.together, taken, window);
	builder.SetInsertPoint(taken);
	Value *vector = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, window, place));
	builder.CreateBr(done);

	builder.SetInsertPoint(gathered);
	memory.gather(*source.load, mask);
	Value *alone = values.madeVector(source.load);
	gathered = builder.GetInsertBlock();
	builder.CreateBr(done);
	builder.SetInsertPoint(done);
	PHINode *either = builder.CreatePHI(type, 2);
	either->addIncoming(vector, taken);
	either->addIncoming(alone, gathered);
	values.setVector(source.load, either);
}

} // namespace weft
