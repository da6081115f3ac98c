/* SPDX-License-Identifier: MIT
 *
 * By the shapes of their addresses.
 */
#include "widen/neighbour_updates.h"

#include "ir/atomic_updates.h"
#include "lanes/lane_shapes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace weft
{

namespace
{

SmallVector<AtomicRMWInst *, 4> ownUpdates(const ItemLoop &item)
{
	SmallVector<AtomicRMWInst *, 4> result;
	for (BasicBlock *block : item.loop->blocks()) {
		for (Instruction &instruction : *block) {
			auto *update = dyn_cast<AtomicRMWInst>(&instruction);
			if (update && isOwnUpdate(*update) && !update->isVolatile())
				result.push_back(update);
		}
	}
	return result;
}

/* Whether one is of the same object at another place: there a lane may find what another lane has updated, which accesses
 * that are no atomic operations are taken not to do. */
bool isAlone(const AtomicRMWInst &update, ArrayRef<AtomicRMWInst *> all)
{
	const Value *pointer = update.getPointerOperand(), *object = getUnderlyingObject(pointer);
	return all_of(all, [&](const AtomicRMWInst *other) {
		return other->getPointerOperand() == pointer ||
		       getUnderlyingObject(other->getPointerOperand()) != object;
	});
}

bool lanesDiffer(const AtomicRMWInst &update, const LaneShapes &shapes)
{
	const Shape shape = shapes.of(update.getPointerOperand());
	const TypeSize size = update.getDataLayout().getTypeStoreSize(update.getType());
	return shape.isLinear() && !shape.row &&
	       uint64_t(std::abs(shape.stride)) >= size.getFixedValue();
}

} // namespace

void lowerNeighbourUpdates(ArrayRef<ItemLoop> items, const LoopInfo &loops,
			   const DominatorTree &dominators, unsigned width)
{
	for (const ItemLoop &item : items) {
		SmallVector<AtomicRMWInst *, 4> updates = ownUpdates(item);
		if (updates.empty())
			continue;
		LaneShapes shapes(item, loops, dominators, width);
		if (!shapes.isValid())
			continue;
		SmallVector<AtomicRMWInst *, 4> lowered;
		copy_if(updates, std::back_inserter(lowered), [&](const AtomicRMWInst *update) {
			return isAlone(*update, updates) && lanesDiffer(*update, shapes);
		});
		for (AtomicRMWInst *update : lowered)
			lowerAtomicRMWInst(update);
	}
}

} // namespace weft
