/* SPDX-License-Identifier: MIT
 *
 * By the shape of the address.
 */
#include "accesses/access_cost.h"

#include "accesses/constant_tables.h"
#include "lanes/lane_elements.h"
#include "lanes/neighbour_index.h"

using namespace llvm;

namespace weft
{

uint64_t accessCost(const Instruction &access, const LaneShapes &shapes,
		    const ScatteredCosts &costs, unsigned width)
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	Shape shape = shapes.of(pointer);
	const Type *type = getLoadStoreType(&access);
	auto size = int64_t(type->getPrimitiveSizeInBits().getFixedValue() / 8);
	if (shape.kind == Shape::Uniform)
		return 1;
	if (shape.row && shape.isLinear() && (std::abs(shape.stride) == size || shape.stride == 0))
		return width / shape.row;
	if (!shape.row && shape.isLinear() && (shape.stride == size || shape.stride == -size))
		return 1;
	const auto *load = dyn_cast<LoadInst>(&access);
	if (load && tableLoadOf(*load))
		return (width * uint64_t(size) - 1) / tableRegister + 1;
	/* Each is put into its place as it is loaded. */
	if (load && isLongVector(*type) && shape.isLinear() && !shape.row)
		return width;
	/* A test, and mostly one vector. */
	std::optional<NeighbourIndex> index = neighbourIndex(access, shapes);
	const uint64_t scattered = type->isVectorTy() && !cellOf(*type)
					   ? width * laneCost / 2
					   : costs.of(isa<StoreInst>(access), size, width);
	const bool isTested =
		index && (index->bytes == size || (index->bytes == 0 && isa<LoadInst>(access)));
	return isTested ? 4 + scattered / 8 : scattered;
}

} // namespace weft
