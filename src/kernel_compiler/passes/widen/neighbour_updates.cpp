/* SPDX-License-Identifier: MIT
 *
 * By the shapes of their addresses.
 */
#include "widen/neighbour_updates.h"

#include "functions/internal_functions.h"
#include "ir/atomic_updates.h"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Of the store that an update becomes. */
constexpr char loweredMark[] = "weft.neighbour.update";

SmallVector<Instruction *, 8> atomicAccesses(const ItemLoop &item)
{
	SmallVector<Instruction *, 8> result;
	for (BasicBlock *block : item.loop->blocks()) {
		for (Instruction &instruction : *block) {
			if (instruction.isAtomic() && MemoryLocation::getOrNone(&instruction))
				result.push_back(&instruction);
		}
	}
	return result;
}

/* Whether there may be a load and a store for it. */
bool isPlainUpdate(const Instruction *access)
{
	const auto *update = dyn_cast<AtomicRMWInst>(access);
	return update && isOwnUpdate(*update) && !update->isVolatile();
}

/* Whether another such object is other memory: what one of several ways has chosen may be either. */
bool isOneObject(const Value &object)
{
	return isa<Argument, AllocaInst, GlobalVariable>(object) || queryOf(object);
}

/* Whether no other atomic access is of the same object at another place: there a lane may find what another lane has updated, which
 * accesses that are no atomic operations are taken not to do. */
bool isAlone(const AtomicRMWInst &update, ArrayRef<Instruction *> all)
{
	const Value *pointer = update.getPointerOperand(), *object = getUnderlyingObject(pointer);
	return all_of(all, [&](const Instruction *access) {
		const Value *other = MemoryLocation::get(access).Ptr;
		const Value *its = getUnderlyingObject(other);
		return other == pointer ||
		       (its != object && isOneObject(*its) && isOneObject(*object));
	});
}

bool lanesDiffer(const Value &place, Type &type, const LaneShapes &shapes)
{
	const Shape shape = shapes.of(&place);
	const TypeSize size = shapes.blocks()[0]->getDataLayout().getTypeStoreSize(&type);
	return shape.isLinear() && !shape.row &&
	       uint64_t(std::abs(shape.stride)) >= size.getFixedValue();
}

void lower(AtomicRMWInst &update)
{
	Instruction *next = update.getNextNode();
	lowerAtomicRMWInst(&update);
	next->getPrevNode()->setMetadata(loweredMark, MDNode::get(next->getContext(), {}));
}

} // namespace

void lowerNeighbourUpdates(ArrayRef<ItemLoop> items, const LoopInfo &loops,
			   const DominatorTree &dominators, unsigned width)
{
	for (const ItemLoop &item : items) {
		SmallVector<Instruction *, 8> atomics = atomicAccesses(item);
		if (none_of(atomics, isPlainUpdate))
			continue;
		LaneShapes shapes(item, loops, dominators, width);
		if (!shapes.isValid())
			continue;
		SmallVector<AtomicRMWInst *, 4> lowered;
		for (Instruction *access : atomics) {
			auto *update = dyn_cast<AtomicRMWInst>(access);
			if (isPlainUpdate(access) && isAlone(*update, atomics) &&
			    lanesDiffer(*update->getPointerOperand(), *update->getType(), shapes))
				lowered.push_back(update);
		}
		for (AtomicRMWInst *update : lowered)
			lower(*update);
	}
}

bool keepsUpdatesApart(const LaneShapes &shapes)
{
	return all_of(shapes.blocks(), [&](const BasicBlock *block) {
		return all_of(*block, [&](const Instruction &instruction) {
			if (!instruction.hasMetadata(loweredMark))
				return true;
			const auto &store = cast<StoreInst>(instruction);
			return lanesDiffer(*store.getPointerOperand(),
					   *store.getValueOperand()->getType(), shapes);
		});
	});
}

} // namespace weft
