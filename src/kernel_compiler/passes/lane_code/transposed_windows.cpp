/* SPDX-License-Identifier: MIT
 *
 * Transposed loads of a widened body.
 */
#include "lane_code/transposed_windows.h"

using namespace llvm;

namespace weft
{

constexpr uint64_t lineBytes = 64; /* bytes */

/* For unroll-windows, which leaves loops with masks alone. */
void TransposedWindows::mark(Value &value, WindowRole role, const TransposableLoad &source)
{
	if (!masks.ofCurrent())
		markWindow(value, {role, source.together});
}

/* Where a window is a cache line of each lane: the lines of the window after the next one, if there is one. As many lines as a vector has
 * lanes wait for each other else, of more places than the CPU foresees. */
void TransposedWindows::prefetch(const TransposableLoad &source, const Vectors &starts)
{
	const uint64_t size = body.layout.getTypeStoreSize(source.load->getType()).getFixedValue();
	if (source.together * size < lineBytes)
		return;
	BasicBlock *fetched = body.newBlock("window.fetched"),
		   *ahead = body.newBlock("window.ahead");
	Value *later = builder.CreateNUWAdd(values.scalarOf(source.iteration),
					    builder.getInt64(uint64_t(2) * source.together));
	builder.CreateCondBr(builder.CreateICmpULT(later, values.scalarOf(source.whole)), ahead,
			     fetched);
	builder.SetInsertPoint(ahead);
	Value *offset = builder.CreateMul(later, builder.getInt64(size));
	for (Value *start : starts) {
		Value *line = builder.CreatePtrAdd(start, offset);
		builder.CreateIntrinsic(
			Intrinsic::prefetch, {line->getType()},
			{line, builder.getInt32(0), builder.getInt32(3), builder.getInt32(1)});
	}
	builder.CreateBr(fetched);
	builder.SetInsertPoint(fetched);
}

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
	Vectors ofLanes, lanes;
	for (unsigned lane = 0; lane < width; lane++)
		ofLanes.push_back(builder.CreateExtractElement(starts, lane));
	if (together == source.together)
		prefetch(source, ofLanes);
	for (Value *start : ofLanes)
		lanes.push_back(builder.CreateAlignedLoad(part, builder.CreatePtrAdd(start, offset),
							  source.load->getAlign()));
	for (auto [number, vector] : enumerate(transpose(builder, lanes)))
		builder.CreateStore(vector, builder.CreateConstInBoundsGEP1_64(vector->getType(),
									       window, number));
}

/* The same of bytes and shorts: a number for each lane, and a part of it for each iteration. */
void TransposedWindows::fillFromNumbers(Value *window, const TransposableLoad &source,
					unsigned together, Value *mask)
{
	Type *element = source.load->getType();
	const unsigned bits = unsigned(element->getPrimitiveSizeInBits().getFixedValue());
	Value *offset =
		builder.CreateMul(values.scalarOf(source.iteration), builder.getInt64(bits / 8));
	Value *places = builder.CreatePtrAdd(values.vectorOf(source.start), offset);
	Value *numbers = memory.gatherFrom(places, builder.getIntNTy(together * bits),
					   source.load->getAlign(), mask);
	auto *part = body.vectorType(builder.getIntNTy(bits));
	for (unsigned number = 0; number < together; number++)
		builder.CreateStore(
			builder.CreateTrunc(builder.CreateLShr(numbers, number * bits), part),
			builder.CreateConstInBoundsGEP1_64(part, window, number));
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
	if (together == source.together)
		mark(*isFirst, WindowRole::First, source);
	if (mask && body.current().mayBeEmpty)
		isFirst = builder.CreateAnd(isFirst, masks.isAny(mask));
	builder.CreateCondBr(isFirst, filled, taken);
	builder.SetInsertPoint(filled);
	if (source.load->getType()->getPrimitiveSizeInBits() < 32)
		fillFromNumbers(window, source, together, mask);
	else
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
	Value *isInside = builder.CreateICmpULT(iteration, values.scalarOf(source.most));
	builder.CreateCondBr(isInside, inside, gathered);
	mark(*window, WindowRole::Memory, source);

	builder.SetInsertPoint(inside);
	Value *place = builder.CreateAnd(iteration, builder.getInt64(source.together - 1));
	mark(*place, WindowRole::Place, source);
	if (source.together > leastTogether) {
		BasicBlock *whole = body.newBlock("window.whole"),
			   *rest = body.newBlock("window.rest");
		Value *isWhole = builder.CreateICmpULT(iteration, values.scalarOf(source.whole));
		builder.CreateCondBr(isWhole, whole, rest);
		mark(*isInside, WindowRole::Within, source);
		mark(*isWhole, WindowRole::Whole, source);
		builder.SetInsertPoint(rest);
		fillIfFirst(source, place, leastTogether, taken,
			    builder.CreateInBoundsGEP(type, window, place));
		builder.SetInsertPoint(whole);
	} else {
		mark(*isInside, WindowRole::Whole, source);
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
