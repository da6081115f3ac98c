/* SPDX-License-Identifier: MIT
 *
 * Nothing behind the last lane's element is loaded: no memory may be there.
 */
#include "lane_code/nearby_loads.h"

#include "costs/vector_registers.h"
#include "lane_code/lane_permutations.h"
#include "lane_code/lane_vectors.h"

using namespace llvm;

namespace weft
{

bool NearbyLoads::arePossible(const LoadInst &load, const NeighbourIndex &index) const
{
	const Type *type = load.getType();
	const uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
	return (type->isIntegerTy() || type->isFloatingPointTy()) && (bits == 32 || bits == 64) &&
	       index.stride == 1 && uint64_t(index.bytes) == bits / 8 &&
	       permutedBits(*body.function.getParent()) > 0;
}

NearbyLoads::Distances NearbyLoads::distancesOf(const NeighbourIndex &index)
{
	Value *indices = values.vectorOf(index.index);
	Value *first = builder.CreateExtractElement(indices, uint64_t(0));
	Value *last = builder.CreateExtractElement(indices, uint64_t(width - 1));
	return {builder.CreateSub(indices, builder.CreateVectorSplat(width, first)),
		builder.CreateSub(last, first)};
}

Value *NearbyLoads::areNear(const NeighbourIndex &index, Value *mask)
{
	const Distances distances = distancesOf(index);
	Value *indices = values.vectorOf(index.index);
	Value *first = builder.CreateExtractElement(indices, uint64_t(0));
	Value *last = builder.CreateExtractElement(indices, uint64_t(width - 1));
	Value *isInOrder = index.isUnsigned() ? builder.CreateICmpULE(first, last)
					      : builder.CreateICmpSLE(first, last);
	Value *isNear = builder.CreateICmpULT(
		distances.last, ConstantInt::get(first->getType(), 2 * uint64_t(width)));
	Value *lanes = builder.CreateICmpULE(distances.all,
					     builder.CreateVectorSplat(width, distances.last));
	Value *bits = masks.bitsOf(mask ? builder.CreateAnd(lanes, mask) : lanes);
	return builder.CreateAnd(
		{isInOrder, isNear,
		 builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()))});
}

Value *NearbyLoads::emit(const LoadInst &load, const NeighbourIndex &index, Value *address)
{
	Type *type = body.vectorType(load.getType());
	auto *integers = body.vectorType(builder.getIntNTy(type->getScalarSizeInBits()));
	auto *numbers = body.vectorType(builder.getInt32Ty());
	const Distances distances = distancesOf(index);
	Value *count =
		builder.CreateAdd(distances.last, ConstantInt::get(distances.last->getType(), 1));
	SmallVector<Value *, 2> halves;
	for (uint64_t first = 0; first < 2 * width; first += width) {
		auto *size = ConstantInt::get(count->getType(), first);
		Value *start = builder.CreatePtrAdd(
			address, builder.getInt64(first * uint64_t(index.bytes)));
		Value *below = masks.lanesBelow(
			builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, count, size));
		halves.push_back(builder.CreateBitCast(loadLanes(builder, load, type, start, below),
						       integers));
	}
	Value *all = permutedByInstructions(builder, halves,
					    builder.CreateTrunc(distances.all, numbers));
	return all ? builder.CreateBitCast(all, type) : nullptr;
}

} // namespace weft
