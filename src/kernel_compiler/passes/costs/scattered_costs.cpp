/* SPDX-License-Identifier: MIT
 *
 * Elements of less than 32 bits: a store is a scalar one, a load gathers the 32 bits around them.
 */
#include "costs/scattered_costs.h"

#include <llvm/IR/DerivedTypes.h>

using namespace llvm;

namespace weft
{

constexpr uint64_t smallStore = 30, smallGather = 10; /* tenths of a cycle */

ScatteredCosts::ScatteredCosts(const TargetTransformInfo &target, const Module &module)
    : costs(&cpuCosts(module)),
      hasGathers(target.isLegalMaskedGather(
	      FixedVectorType::get(Type::getInt32Ty(module.getContext()), 8), Align(4))),
      areSlow(hasSlowGathers(module))
{
}

uint64_t ScatteredCosts::of(bool isStore, int64_t size, unsigned lanes) const
{
	const uint64_t gather = size == 8 ? costs->gather64 : costs->gather32;
	uint64_t tenths = costs->load;

	if (isStore)
		tenths = size < 4 ? smallStore : costs->scatter;
	else if (!isLaneByLane())
		tenths = size < 4 ? smallGather : gather;
	return lanes * tenths / tenthsOfCycle;
}

} // namespace weft
