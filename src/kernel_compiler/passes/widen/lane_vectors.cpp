/* SPDX-License-Identifier: MIT
 *
 * Packed vectors in a widened loop: all lanes' vectors of n elements are one of n times the width, one lane's behind the
 * other's. What works element by element is the same on them; the rest are shuffles.
 */
#include "lanes/lane_elements.h"
#include "widen/loop_widener.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

FixedVectorType *LoopWidener::lanesOf(Type *type, unsigned lanes) const
{
	return FixedVectorType::get(type->getScalarType(), laneElements(*type) * lanes);
}

/* One value for so many lanes. */
Value *LoopWidener::repeated(IRBuilder<> &at, Value *value, unsigned lanes)
{
	unsigned count = laneElements(*value->getType());
	if (!value->getType()->isVectorTy())
		return at.CreateVectorSplat(lanes, value);
	SmallVector<int, 64> mask;
	for (unsigned i = 0; i < lanes * count; i++)
		mask.push_back(int(i % count));
	return at.CreateShuffleVector(value, mask);
}

/* What each lane has of a vector with an element for each, for all of so many elements of its own. */
Value *LoopWidener::spread(IRBuilder<> &at, Value *vector, unsigned elements)
{
	if (elements == 1)
		return vector;
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	return at.CreateShuffleVector(vector, createReplicatedMask(elements, lanes));
}

/* By a mask with an element for each lane. */
Value *LoopWidener::selected(IRBuilder<> &at, Value *mask, Value *value, Value *otherwise)
{
	unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
	unsigned all = cast<FixedVectorType>(value->getType())->getNumElements();
	return at.CreateSelect(spread(at, mask, all / lanes), value, otherwise);
}

/* Some neighbours' part of a vector of all lanes. */
Value *LoopWidener::partOf(Value *vector, unsigned first, unsigned lanes)
{
	unsigned count = cast<FixedVectorType>(vector->getType())->getNumElements() / width;
	return builder.CreateShuffleVector(vector,
					   createSequentialMask(first * count, lanes * count, 0));
}

/* The last lane first. */
Value *LoopWidener::reversed(Value *vector)
{
	unsigned all = cast<FixedVectorType>(vector->getType())->getNumElements();
	unsigned count = all / width;
	SmallVector<int, 64> mask;
	for (unsigned i = 0; i < all; i++)
		mask.push_back(int((width - 1 - i / count) * count + i % count));
	return builder.CreateShuffleVector(vector, mask);
}

/* Of a vector's elements by constant numbers; NULL for others. */
Value *LoopWidener::widenShuffle(IRBuilder<> &at, Instruction &instruction)
{
	Value *first = instruction.getOperand(0);
	const unsigned count = laneElements(*first->getType());
	SmallVector<int, 64> mask;
	if (isa<ExtractElementInst>(instruction)) {
		const auto *number = dyn_cast<ConstantInt>(instruction.getOperand(1));
		if (!number || number->getValue().uge(count))
			return nullptr;
		for (unsigned lane = 0; lane < width; lane++)
			mask.push_back(int(lane * count + number->getZExtValue()));
		return at.CreateShuffleVector(vectorOf(first), mask);
	}
	if (isa<InsertElementInst>(instruction)) {
		const auto *number = dyn_cast<ConstantInt>(instruction.getOperand(2));
		if (!number || number->getValue().uge(count))
			return nullptr;
		for (unsigned i = 0; i < width * count; i++)
			mask.push_back(
				int(i % count == number->getZExtValue() ? width * count + i : i));
		Value *element = spread(at, vectorOf(instruction.getOperand(1)), count);
		return at.CreateShuffleVector(vectorOf(first), element, mask);
	}
	auto &shuffle = cast<ShuffleVectorInst>(instruction);
	Value *same;
	if (match(&shuffle, m_Shuffle(m_InsertElt(m_Value(), m_Value(same), m_Zero()), m_Value(),
				      m_ZeroMask())))
		return spread(at, vectorOf(same), laneElements(*shuffle.getType()));
	for (unsigned lane = 0; lane < width; lane++) {
		for (int element : shuffle.getShuffleMask()) {
			bool isSecond = element >= int(count);
			int from = isSecond ? int(width * count) + element - int(count) : element;
			mask.push_back(element < 0 ? PoisonMaskElem : int(lane * count) + from);
		}
	}
	return at.CreateShuffleVector(vectorOf(first), vectorOf(shuffle.getOperand(1)), mask);
}

} // namespace weft
