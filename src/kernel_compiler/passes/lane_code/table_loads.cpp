/* SPDX-License-Identifier: MIT
 *
 * The table's vectors are constants: they are loaded before the loop.
 */
#include "lane_code/table_loads.h"

#include "accesses/constant_tables.h"
#include "lane_code/lane_permutations.h"

using namespace llvm;

namespace weft
{

namespace
{

/* The table's bits, and zeros behind it, in vectors of so many elements. */
SmallVector<Value *, 4> vectorsOf(const ConstantDataSequential &table, unsigned lanes)
{
	auto *integer =
		IntegerType::get(table.getContext(), table.getElementType()->getScalarSizeInBits());
	const uint64_t count = table.getNumElements();
	SmallVector<Constant *, 32> elements(std::max(PowerOf2Ceil(count), uint64_t(lanes)),
					     ConstantInt::get(integer, 0));
	for (unsigned i = 0; i < count; i++)
		elements[i] = ConstantExpr::getBitCast(table.getElementAsConstant(i), integer);
	SmallVector<Value *, 4> vectors;
	for (ArrayRef<Constant *> rest = elements; !rest.empty(); rest = rest.drop_front(lanes))
		vectors.push_back(ConstantVector::get(rest.take_front(lanes)));
	return vectors;
}

} // namespace

bool TableLoads::emit(LoadInst &load)
{
	std::optional<TableLoad> found = tableLoadOf(load);
	if (!found)
		return false;
	auto *numbers = body.vectorType(builder.getIntNTy(load.getType()->getScalarSizeInBits()));
	Value *index = builder.CreateZExtOrTrunc(values.vectorOf(found->index), numbers);
	index = builder.CreateAdd(index, ConstantInt::get(numbers, found->first));
	Value *all = permutedByInstructions(builder, vectorsOf(*found->table, width), index);
	if (all)
		values.setVector(&load,
				 builder.CreateBitCast(all, body.vectorType(load.getType())));
	return all != nullptr;
}

} // namespace weft
