/* SPDX-License-Identifier: MIT
 *
 * Private variables of a widened loop: how the lanes' copies lie, and who reads them.
 */
#include "lanes/lane_shapes.h"

#include "ir/variables.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

void LaneShapes::findVariables()
{
	for (Instruction &instruction : item.header->getParent()->getEntryBlock()) {
		auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (!variable || !isPrivate(*variable))
			continue;
		variables[variable] = alignTo(sizeOfVariable(*variable), variable->getAlign());
		layOutVariable(*variable);
	}
}

/* The lanes' copies of an element are neighbours if all accesses are to elements of one size, at multiples of it. */
void LaneShapes::layOutVariable(const AllocaInst &variable)
{
	SmallVector<const Value *, 16> work = {&variable};
	SmallVector<const Value *, 16> pointers;
	SmallVector<const GetElementPtrInst *, 16> addresses;
	uint64_t element = 0;
	auto access = [&](Type *type) {
		uint64_t size = layout.getTypeStoreSize(type);
		bool same = !type->isVectorTy() && !type->isAggregateType() &&
			    size == layout.getTypeAllocSize(type) && (!element || element == size);
		element = size;
		return same;
	};
	while (!work.empty()) {
		const Value *pointer = work.pop_back_val();
		pointers.push_back(pointer);
		for (const User *user : pointer->users()) {
			const auto *load = dyn_cast<LoadInst>(user);
			const auto *store = dyn_cast<StoreInst>(user);
			const auto *call = dyn_cast<IntrinsicInst>(user);
			if (load && load->isSimple() && access(load->getType()))
				continue;
			if (store && store->isSimple() && store->getValueOperand() != pointer &&
			    access(store->getValueOperand()->getType()))
				continue;
			if (call && call->isLifetimeStartOrEnd())
				continue;
			const auto *step = dyn_cast<GetElementPtrInst>(user);
			if (!step || step->getType()->isVectorTy())
				return;
			addresses.push_back(step);
			work.push_back(step);
		}
	}
	if (!element)
		return;
	for (const GetElementPtrInst *step : addresses) {
		SmallMapVector<Value *, APInt, 4> factors;
		APInt constant(layout.getIndexTypeSizeInBits(step->getType()), 0);
		if (!step->collectOffset(layout, constant.getBitWidth(), factors, constant) ||
		    constant.srem(int64_t(element)) != 0 ||
		    any_of(factors, [&](const auto &factor) {
			    return factor.second.srem(int64_t(element)) != 0;
		    }))
			return;
	}
	laneMajor[&variable] = element;
	for (const Value *pointer : pointers)
		laneMajorPointers[pointer] = &variable;
}

bool LaneShapes::isReadBelow(const AllocaInst &variable, const BasicBlock &block) const
{
	return all_of(laneMajorPointers, [&](const auto &entry) {
		return entry.second != &variable ||
		       all_of(entry.first->users(), [&](const User *user) {
			       const auto *load = dyn_cast<LoadInst>(user);
			       return !load || !item.loop->contains(load) ||
				      dominators.dominates(&block, load->getParent());
		       });
	});
}

} // namespace weft
