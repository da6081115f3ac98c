/* SPDX-License-Identifier: MIT
 *
 * Vectors of lanes.
 */
#include "lane_code/lane_vectors.h"

#include "lanes/lane_elements.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

static unsigned elementsOf(const Value *vector)
{
	return cast<FixedVectorType>(vector->getType())->getNumElements();
}

FixedVectorType *lanesOf(Type *type, unsigned lanes)
{
	return FixedVectorType::get(type->getScalarType(), laneElements(*type) * lanes);
}

Value *repeated(IRBuilder<> &at, Value *value, unsigned lanes)
{
	unsigned count = laneElements(*value->getType());
	if (!value->getType()->isVectorTy())
		return at.CreateVectorSplat(lanes, value);
	SmallVector<int, 64> mask;
	for (unsigned i = 0; i < lanes * count; i++)
		mask.push_back(int(i % count));
	return at.CreateShuffleVector(value, mask);
}

Value *spread(IRBuilder<> &at, Value *vector, unsigned elements)
{
	if (elements == 1)
		return vector;
	return at.CreateShuffleVector(vector, createReplicatedMask(elements, elementsOf(vector)));
}

/* Numbers as long as each lane's vector; NULL where none is, or it has one element. */
static FixedVectorType *cellsOf(const Value *vector, unsigned lanes)
{
	const Type *type = vector->getType();
	const unsigned elements = elementsOf(vector) / lanes;
	const unsigned bits = elements * type->getScalarSizeInBits();
	if (elements == 1 || !is_contained({16U, 32U, 64U}, bits))
		return nullptr;
	return FixedVectorType::get(IntegerType::get(type->getContext(), bits), lanes);
}

Value *asCells(IRBuilder<> &at, Value *vector, Type *cells)
{
	if (vector->getType() == cells)
		return vector;
	const bool isWhole = isGuaranteedNotToBePoison(vector);
	return at.CreateBitCast(isWhole ? vector : at.CreateFreeze(vector), cells);
}

Value *selected(IRBuilder<> &at, Value *mask, Value *value, Value *otherwise)
{
	Type *type = value->getType();
	if (FixedVectorType *cells = cellsOf(value, elementsOf(mask))) {
		Value *cell = at.CreateSelect(mask, asCells(at, value, cells),
					      asCells(at, otherwise, cells));
		return at.CreateBitCast(cell, type);
	}
	unsigned elements = elementsOf(value) / elementsOf(mask);
	return at.CreateSelect(spread(at, mask, elements), value, otherwise);
}

Value *partOf(IRBuilder<> &at, Value *vector, unsigned width, unsigned first, unsigned lanes)
{
	unsigned count = elementsOf(vector) / width;
	return at.CreateShuffleVector(vector,
				      createSequentialMask(first * count, lanes * count, 0));
}

Value *vectorOfLanes(IRBuilder<> &at, ArrayRef<Value *> lanes)
{
	Type *type = lanes.front()->getType();
	if (type->isVectorTy())
		return concatenateVectors(at, lanes);
	Value *all = PoisonValue::get(FixedVectorType::get(type, unsigned(lanes.size())));
	for (auto [lane, value] : enumerate(lanes))
		all = at.CreateInsertElement(all, value, uint64_t(lane));
	return all;
}

Value *reversed(IRBuilder<> &at, Value *vector, unsigned width)
{
	unsigned all = elementsOf(vector), count = all / width;
	SmallVector<int, 64> mask;
	for (unsigned i = 0; i < all; i++)
		mask.push_back(int((width - 1 - i / count) * count + i % count));
	return at.CreateShuffleVector(vector, mask);
}

Value *plusOffsets(IRBuilder<> &at, Value *base, Constant *offsets)
{
	return base->getType()->isPtrOrPtrVectorTy() ? at.CreateGEP(at.getInt8Ty(), base, offsets)
						     : at.CreateAdd(base, offsets);
}

Constant *laneOffsets(const Type &base, int64_t stride, unsigned lanes, unsigned row)
{
	Type *type = base.isPtrOrPtrVectorTy() ? Type::getInt64Ty(base.getContext())
					       : base.getScalarType();
	SmallVector<Constant *, 16> offsets;
	for (unsigned lane = 0; lane < lanes; lane++)
		offsets.push_back(
			ConstantInt::get(type, uint64_t(stride) * (lane % row), false, true));
	return ConstantVector::get(offsets);
}

Value *stepped(IRBuilder<> &at, Value *base, int64_t stride, unsigned lanes)
{
	Constant *offsets = laneOffsets(*base->getType(), stride, lanes, lanes);
	bool isAddress = base->getType()->isPointerTy();
	return plusOffsets(at, isAddress ? base : at.CreateVectorSplat(lanes, base), offsets);
}

Value *moved(IRBuilder<> &at, Value *base, Value *units)
{
	if (base->getType()->isPtrOrPtrVectorTy())
		return at.CreatePtrAdd(base, units);
	Type *type = base->getType()->isVectorTy() ? units->getType() : base->getType();
	return at.CreateAdd(base, at.CreateTrunc(units, type));
}

/* ---- in memory ---------------------------------------------------------------------------------------- */

int64_t elementSize(Type *type, const DataLayout &layout)
{
	if (!laneElements(*type) || layout.getTypeSizeInBits(type->getScalarType()) % 8 != 0 ||
	    layout.getTypeStoreSize(type) != layout.getTypeAllocSize(type))
		return 0;
	return int64_t(layout.getTypeAllocSize(type).getFixedValue());
}

/* What the source's access says of other accesses, the vector's says too. */
static void copyAliasing(Instruction &access, const Instruction &source)
{
	for (unsigned kind :
	     {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
		access.setMetadata(kind, source.getMetadata(kind));
}

Value *loadLanes(IRBuilder<> &at, const LoadInst &source, Type *type, Value *address, Value *mask)
{
	Instruction *load = nullptr;
	if (mask)
		load = at.CreateMaskedLoad(type, address, source.getAlign(),
					   spread(at, mask, laneElements(*source.getType())));
	else
		load = at.CreateAlignedLoad(type, address, source.getAlign());
	copyAliasing(*load, source);
	load->setMetadata(LLVMContext::MD_invariant_load,
			  source.getMetadata(LLVMContext::MD_invariant_load));
	/* LLVM 22 makes a masked load and a later selection by its mask one load, in the later place, past stores that may
	 * be in between. A freeze keeps them apart. */
	return mask ? at.Insert(new FreezeInst(load)) : load;
}

void storeLanes(IRBuilder<> &at, const StoreInst &source, Value *values, Value *address,
		Value *mask)
{
	const Type *type = source.getValueOperand()->getType();
	Instruction *store = nullptr;
	if (mask)
		store = at.CreateMaskedStore(values, address, source.getAlign(),
					     spread(at, mask, laneElements(*type)));
	else
		store = at.CreateAlignedStore(values, address, source.getAlign());
	copyAliasing(*store, source);
}

Value *shiftedUp(IRBuilder<> &builder, Value *vector, Value *filling, unsigned width,
		 unsigned distance)
{
	SmallVector<int, 32> lanes;
	for (unsigned lane = 0; lane < width; lane++)
		lanes.push_back(int(lane < distance ? width + lane : lane - distance));
	return builder.CreateShuffleVector(vector, filling, lanes);
}

} // namespace weft
