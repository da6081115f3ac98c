/* SPDX-License-Identifier: MIT
 *
 * Places are numbers where an address is a base with numbers added, and a mask is made of numbers.
 */
#include "after_llvm/lane_accesses.h"

#include "functions/internal_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
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

/* Adds the numbers by which a step leads each lane away. */
bool addStep(Places &places, GEPOperator &step, const DataLayout &layout)
{
	for (auto i = gep_type_begin(step), end = gep_type_end(step); i != end; ++i) {
		const auto *indices = dyn_cast<Constant>(i.getOperand());
		if (!indices || i.isStruct() || i.getIndexedType()->isScalableTy())
			return false;
		const auto stride = int64_t(i.getSequentialElementStride(layout).getFixedValue());
		const bool isVector = indices->getType()->isVectorTy();
		for (auto [lane, place] : enumerate(places)) {
			const auto *index = dyn_cast_or_null<ConstantInt>(
				isVector ? indices->getAggregateElement(unsigned(lane)) : indices);
			place = place && index
					? std::optional(*place + index->getSExtValue() * stride)
					: std::nullopt;
		}
	}
	return true;
}

/* The lanes at vectors of numbers from a pointer. */
bool placeScattered(LaneAccess &access, Value &pointers, const DataLayout &layout)
{
	Value *from = &pointers;
	access.isScattered = true;
	access.places.assign(cast<FixedVectorType>(pointers.getType())->getNumElements(), 0);
	while (from->getType()->isVectorTy()) {
		auto *step = dyn_cast<GEPOperator>(from);
		if (!step || !addStep(access.places, *step, layout))
			return false;
		from = step->getPointerOperand();
	}
	if (!isLocal(*from))
		return false;
	int64_t offset = 0;
	access.base = GetPointerBaseWithConstantOffset(from, offset, layout);
	for (std::optional<int64_t> &place : access.places) {
		if (place)
			*place += offset;
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
