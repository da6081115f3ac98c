/* SPDX-License-Identifier: MIT
 *
 * Tables of virtual functions: their names, the places in them, their entries.
 */
#include "functions/class_tables.h"

#include "functions/function_addresses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Operator.h>

#include <set>

using namespace llvm;

namespace weft
{

/* Of classes, and of classes while a class derived from them is constructed. */
static constexpr StringRef tablePrefixes[] = {"_ZTV", "_ZTC"};

bool isClassTable(const GlobalVariable &variable)
{
	return any_of(tablePrefixes,
		      [&](StringRef prefix) { return variable.getName().starts_with(prefix); });
}

bool isDefinedTable(const GlobalVariable &table)
{
	return !table.isDeclarationForLinker() && table.hasInitializer();
}

bool loadsClass(const Instruction &instruction)
{
	const auto *load = dyn_cast<LoadInst>(&instruction);
	const MDNode *tag = load ? load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
	return tag && load->getType()->isPointerTy() && tag->isTBAAVtableAccess();
}

static std::set<uint64_t> usedOffsets(const GlobalVariable &table)
{
	const DataLayout &layout = table.getDataLayout();
	std::set<uint64_t> offsets;
	for (const User *user : table.users()) {
		APInt offset(64, 0);
		const auto *address = dyn_cast<GEPOperator>(user);
		if (address && address->accumulateConstantOffset(layout, offset))
			offsets.insert(offset.getZExtValue());
	}
	return offsets;
}

/* Bytes before the first function. */
static uint64_t offsetsBytes(const ConstantArray &entries, const DataLayout &layout)
{
	unsigned first = 0;
	while (first < entries.getNumOperands() &&
	       !isa<Function>(entries.getOperand(first)->stripPointerCasts()))
		first++;
	return first * layout.getTypeAllocSize(entries.getType()->getElementType());
}

/* A table is a structure of arrays, one for each place: offsets, and then, from the place on, functions. A first function that no object
 * calls there, since a virtual base lies elsewhere, is null, as an offset may be: where the place is used, that says where it is. */
static std::set<uint64_t> placesOf(const GlobalVariable &table)
{
	std::set<uint64_t> used = usedOffsets(table);
	if (!table.hasInitializer())
		return used;
	const DataLayout &layout = table.getDataLayout();
	const auto *all = dyn_cast<ConstantStruct>(table.getInitializer());
	std::set<uint64_t> places;
	for (unsigned index = 0; all && index < all->getNumOperands(); index++) {
		const auto *entries = dyn_cast<ConstantArray>(all->getOperand(index));
		if (!entries)
			continue;
		const uint64_t begin =
			layout.getStructLayout(all->getType())->getElementOffset(index);
		const uint64_t end = begin + layout.getTypeAllocSize(entries->getType());
		const auto place = used.upper_bound(begin);
		places.insert(place != used.end() && *place <= end
				      ? *place
				      : begin + offsetsBytes(*entries, layout));
	}
	return places;
}

SmallVector<ClassPlace, 8> findClassPlaces(Module &module)
{
	SmallVector<ClassPlace, 8> places;
	SmallVector<uint64_t, 8> numbers;
	for (GlobalVariable &table : module.globals()) {
		if (!isClassTable(table))
			continue;
		for (auto [index, offset] : enumerate(placesOf(table))) {
			places.push_back({&table, offset, 0});
			numbers.push_back(classNumber(table.getName(), unsigned(index)));
		}
	}
	tellApart(numbers);
	for (auto [place, number] : zip_equal(places, numbers))
		place.number = number;
	return places;
}

Constant *entryOf(const ClassPlace &place, int64_t offset, Type *type)
{
	if (!isDefinedTable(*place.table))
		return nullptr;
	return ConstantFoldLoadFromConst(place.table->getInitializer(), type,
					 APInt(64, place.offset + uint64_t(offset)),
					 place.table->getDataLayout());
}

} // namespace weft
