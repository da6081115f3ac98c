/* SPDX-License-Identifier: MIT
 *
 * Places are numbers where an address is a base with numbers added, and a mask is made of numbers.
 */
#include "after_llvm/lane_accesses.h"

#include "ir/internal_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

using Places = SmallVectorImpl<std::optional<int64_t>>;

bool isLocal(const Value &pointer)
{
	return pointer.getType()->getPointerAddressSpace() == LocalSpace;
}

/* The lanes side by side from `pointer` on. */
void placeNeighbours(LaneAccess &access, Value &pointer, unsigned lanes, const DataLayout &layout)
{
	int64_t offset = 0;
	access.base = GetPointerBaseWithConstantOffset(&pointer, offset, layout);
	for (unsigned lane = 0; lane < lanes; lane++)
		access.places.push_back(offset + lane * access.size);
}

/* The lanes at a vector of numbers from a pointer. */
bool placeScattered(LaneAccess &access, Value &pointers, const DataLayout &layout)
{
	auto *step = dyn_cast<GEPOperator>(&pointers);
	if (!step || step->getNumIndices() != 1 ||
	    step->getPointerOperand()->getType()->isVectorTy() ||
	    step->getSourceElementType()->isScalableTy())
		return false;
	auto *indices = dyn_cast<Constant>(step->getOperand(1));
	if (!indices || !indices->getType()->isVectorTy() || !isLocal(*step->getPointerOperand()))
		return false;
	int64_t offset = 0;
	access.base = GetPointerBaseWithConstantOffset(step->getPointerOperand(), offset, layout);
	access.isScattered = true;
	auto scale = int64_t(layout.getTypeAllocSize(step->getSourceElementType()));
	unsigned lanes = cast<FixedVectorType>(indices->getType())->getNumElements();
	for (unsigned lane = 0; lane < lanes; lane++) {
		auto *index = dyn_cast_or_null<ConstantInt>(indices->getAggregateElement(lane));
		access.places.push_back(
			index ? std::optional(offset + index->getSExtValue() * scale)
			      : std::nullopt);
	}
	return true;
}

/* Lanes that do not run have no place, the others have one. */
bool applyMask(Places &places, const Value &mask)
{
	const auto *bits = dyn_cast<Constant>(&mask);
	for (unsigned lane = 0; bits && lane < places.size(); lane++) {
		const auto *runs = dyn_cast_or_null<ConstantInt>(bits->getAggregateElement(lane));
		if (!runs || (runs->isOne() && !places[lane]))
			return false;
		if (runs->isZero())
			places[lane].reset();
	}
	return bits;
}

/* Elements that lie in memory as they are, each in bytes of its own. */
bool setElement(LaneAccess &access, Type &type, const DataLayout &layout)
{
	access.element = type.getScalarType();
	if (isa<ScalableVectorType>(type) ||
	    (!access.element->isIntegerTy() && !access.element->isFloatingPointTy()))
		return false;
	access.size = int64_t(layout.getTypeAllocSize(access.element));
	return access.size <= 8 &&
	       layout.getTypeSizeInBits(access.element) == uint64_t(access.size) * 8;
}

bool readIntrinsic(LaneAccess &access, IntrinsicInst &call, const DataLayout &layout)
{
	Intrinsic::ID id = call.getIntrinsicID();
	bool isStore = id == Intrinsic::masked_store || id == Intrinsic::masked_scatter;
	bool isScattered = id == Intrinsic::masked_gather || id == Intrinsic::masked_scatter;
	if (!isStore && id != Intrinsic::masked_load && id != Intrinsic::masked_gather)
		return false;
	access.stored = isStore ? call.getArgOperand(0) : nullptr;
	Type *type = isStore ? access.stored->getType() : call.getType();
	Value &pointer = *call.getArgOperand(isStore ? 1 : 0);
	if (!setElement(access, *type, layout) || (!isScattered && !isLocal(pointer)))
		return false;
	if (!isScattered)
		placeNeighbours(access, pointer, cast<FixedVectorType>(type)->getNumElements(),
				layout);
	else if (!placeScattered(access, pointer, layout))
		return false;
	return applyMask(access.places, *call.getArgOperand(isStore ? 2 : 1));
}

} // namespace

std::optional<LaneAccess> readLaneAccess(Instruction &instruction, const DataLayout &layout)
{
	LaneAccess access;
	if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
		return readIntrinsic(access, *call, layout) ? std::optional(access) : std::nullopt;
	auto *load = dyn_cast<LoadInst>(&instruction);
	auto *store = dyn_cast<StoreInst>(&instruction);
	if (!(load && load->isSimple()) && !(store && store->isSimple()))
		return std::nullopt;
	access.stored = store ? store->getValueOperand() : nullptr;
	Type *type = store ? access.stored->getType() : load->getType();
	Value &pointer = *getLoadStorePointerOperand(&instruction);
	if (!isLocal(pointer) || !setElement(access, *type, layout))
		return std::nullopt;
	const auto *vector = dyn_cast<FixedVectorType>(type);
	placeNeighbours(access, pointer, vector ? vector->getNumElements() : 1, layout);
	return access;
}

} // namespace weft
