/* SPDX-License-Identifier: MIT
 *
 * From the address of the group's memory through sums to accesses. A number that is added to the address itself leads to a variable;
 * what is added to that stays in it. One address may be two: the end of the first variable, and the start of the next one.
 */
#include "layout/local_arrays.h"

#include "functions/internal_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostAccesses = 200;

SmallVector<LocalArray, 4> readVariables(const Function &kernel)
{
	SmallVector<LocalArray, 4> arrays;
	SmallVector<StringRef, 8> rows;
	kernel.getFnAttribute(localVariablesAttribute)
		.getValueAsString()
		.split(rows, ',', -1, false);
	for (StringRef row : rows) {
		LocalArray array;
		const auto [start, size] = row.split(':');
		if (!start.getAsInteger(10, array.start) && !size.getAsInteger(10, array.size))
			arrays.push_back(array);
	}
	return arrays;
}

class Follower
{
      public:
	Follower(SmallVectorImpl<LocalArray> &theArrays, LinearPlaces &thePlaces)
	    : arrays(theArrays), places(thePlaces)
	{
	}

	/* False where the address goes elsewhere. */
	bool follow(Instruction &memory)
	{
		work.push_back({&memory, {}, nullptr, nullptr});
		while (!work.empty()) {
			const Address address = work.pop_back_val();
			for (User *user : address.value->users()) {
				if (count++ > mostAccesses || !visit(address, *user))
					return false;
			}
		}
		return true;
	}

      private:
	struct Address {
		Instruction *value;
		LinearPlace place;
		LocalArray *array; /* NULL: of no array yet */
		/* NULL, or the one that ends where the array starts, and may be meant. */
		LocalArray *before;
	};

	LocalArray *arrayAt(int64_t offset) const
	{
		for (LocalArray &array : arrays) {
			if (uint64_t(offset) >= array.start &&
			    uint64_t(offset) < array.start + array.size)
				return &array;
		}
		return nullptr;
	}

	/* To a place in the first one, and to its end, a number leads from the memory's address. */
	LocalArray *firstThatEndsAt(int64_t offset) const
	{
		auto *first = find_if(arrays, [offset](const LocalArray &array) {
			return array.start == 0 && array.size == uint64_t(offset);
		});
		return first == arrays.end() ? nullptr : first;
	}

	bool visit(const Address &address, User &user)
	{
		if (auto *step = dyn_cast<GetElementPtrInst>(&user))
			return addStep(address, *step);
		auto *access = cast<Instruction>(&user);
		if (const auto *call = dyn_cast<IntrinsicInst>(access))
			return call->isAssumeLikeIntrinsic() && call->getType()->isVoidTy();
		const Value *pointer = getLoadStorePointerOperand(access);
		Type *type = pointer ? getLoadStoreType(access) : nullptr;
		if (auto *update = dyn_cast<AtomicRMWInst>(access)) {
			pointer = update->getPointerOperand();
			type = update->getType();
		}
		const auto *store = dyn_cast<StoreInst>(access);
		if (pointer != address.value || (store && store->getValueOperand() == pointer))
			return false;
		addAccess(address, *access, *type);
		return true;
	}

	/* Of a variable that begins behind this one's start: a number in bytes (lower-local-memory). */
	bool addStep(const Address &address, GetElementPtrInst &step)
	{
		if (step.getType()->isVectorTy() || step.getPointerOperand() != address.value)
			return false;
		auto place = places.ofStep(step);
		if (!place || !place->add(address.place, 1))
			return false;
		LocalArray *array = address.array, *before = address.before;
		if (!array) {
			const bool isNumber = place->terms.empty();
			array = arrayAt(isNumber ? place->constant : address.place.constant);
			before = isNumber ? firstThatEndsAt(place->constant) : nullptr;
		}
		if (!array)
			return false;
		work.push_back({&step, *place, array, before});
		return true;
	}

	void addAccess(const Address &address, Instruction &access, Type &type)
	{
		LocalArray *array = address.array ? address.array : arrayAt(address.place.constant);
		if (!array)
			return;
		const TypeSize bits = access.getDataLayout().getTypeSizeInBits(&type);
		const auto size = bits.isScalable() ? 0 : int64_t(bits.getFixedValue() / 8);
		LocalAccess found = {&access, address.place};
		found.place.constant -= int64_t(array->start);
		array->isKnown &= size > 0 && bits.getFixedValue() % 8 == 0 &&
				  (array->element == 0 || array->element == size) &&
				  found.place.constant % size == 0 &&
				  all_of(found.place.terms, [size](const auto &term) {
					  return term.second % size == 0;
				  });
		if (address.before && places.boundsAt(found.place, access).least.value_or(-1) < 0)
			array->isKnown = address.before->isKnown = false;
		array->element = size;
		array->accesses.push_back(std::move(found));
	}

	SmallVectorImpl<LocalArray> &arrays;
	LinearPlaces &places;
	SmallVector<Address, 16> work;
	size_t count = 0;
};

} // namespace

SmallVector<LocalArray, 4> localArrays(Function &kernel, LinearPlaces &places)
{
	SmallVector<LocalArray, 4> arrays = readVariables(kernel);
	Follower follower(arrays, places);
	for (Instruction &instruction : instructions(kernel)) {
		if (queryOf(instruction) == Query::LocalMemory && !follower.follow(instruction))
			return {};
	}
	return arrays;
}

} // namespace weft
