/* SPDX-License-Identifier: MIT
 *
 * Loads are compared with stores of any work-item, so only the objects that they lead to tell them apart, and types.
 */
#include "lanes/idempotent_items.h"

#include "functions/internal_functions.h"
#include "ir/variables.h"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostCompared = 2048; /* pairs of accesses */

/* All that the access may reach in any iteration. `restrict` of an inlined function's arguments holds for one call, so its scopes are
 * dropped. */
MemoryLocation reachOf(const Instruction &access)
{
	MemoryLocation place =
		MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access));
	place.AATags.TBAA = access.getMetadata(LLVMContext::MD_tbaa);
	return place;
}

/* The kernel's argument that leads to global memory. */
const Argument *argumentOf(const Instruction &access)
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	const unsigned space = pointer->getType()->getPointerAddressSpace();
	const auto *argument = dyn_cast<Argument>(getUnderlyingObject(pointer, 0));
	return space == GlobalSpace || space == ConstantSpace ? argument : nullptr;
}

/* A work-item's own variable, of which nothing is kept from loop to loop: what it loads it has stored before. */
bool isOwn(const Instruction &access, const ItemLoop &item)
{
	const auto *variable =
		dyn_cast<AllocaInst>(getUnderlyingObject(getLoadStorePointerOperand(&access), 0));
	return variable && isPrivate(*variable) && all_of(variable->users(), [&](const User *user) {
		       return item.loop->contains(cast<Instruction>(user));
	       });
}

struct Accesses {
	SmallVector<const Instruction *, 16> loads, stores;

	/* False: there is something else, which may do more the second time. */
	bool collect(const ItemLoop &item, AAResults &aliases)
	{
		for (const BasicBlock *block : item.loop->blocks()) {
			for (const Instruction &instruction : *block) {
				if (instruction.mayReadOrWriteMemory() &&
				    !add(instruction, item, aliases))
					return false;
			}
		}
		return true;
	}

      private:
	bool add(const Instruction &instruction, const ItemLoop &item, AAResults &aliases)
	{
		const auto *load = dyn_cast<LoadInst>(&instruction);
		const auto *store = dyn_cast<StoreInst>(&instruction);
		const auto *hint = dyn_cast<IntrinsicInst>(&instruction);
		if (hint && hint->isAssumeLikeIntrinsic())
			return true;
		if (!(load && load->isSimple()) && !(store && store->isSimple()))
			return false;
		const bool isConstant =
			load && (load->hasMetadata(LLVMContext::MD_invariant_load) ||
				 !isModSet(aliases.getModRefInfoMask(reachOf(instruction))));
		if (!isConstant && !isOwn(instruction, item))
			(load ? loads : stores).push_back(&instruction);
		return true;
	}
};

} // namespace

Idempotence idempotenceOf(const ItemLoop &item, AAResults &aliases)
{
	Accesses accesses;
	if (!accesses.collect(item, aliases) ||
	    accesses.loads.size() * accesses.stores.size() > mostCompared)
		return Idempotence::No;
	Idempotence found = Idempotence::Yes;
	for (const Instruction *load : accesses.loads) {
		for (const Instruction *store : accesses.stores) {
			if (aliases.isNoAlias(reachOf(*load), reachOf(*store)))
				continue;
			const Argument *from = argumentOf(*load), *to = argumentOf(*store);
			if (!from || !to || from == to)
				return Idempotence::No;
			found = Idempotence::IfApart;
		}
	}
	return found;
}

} // namespace weft
