/* SPDX-License-Identifier: MIT
 *
 * The figures hold for 256 and 512 bits, on Ice Lake, Sapphire Rapids and Zen 3 and 4.
 */
#include "ir/scattered_costs.h"

#include <llvm/IR/DerivedTypes.h>

using namespace llvm;

namespace weft
{

constexpr char slowGathersFlag[] = "weft-slow-gathers";

void markSlowGathers(Module &module)
{
	module.setModuleFlag(Module::Max, slowGathersFlag, 1);
}

bool hasSlowGathers(const Module &module)
{
	return module.getModuleFlag(slowGathersFlag);
}

ScatteredCosts::ScatteredCosts(const TargetTransformInfo &target, const Module &module)
    : hasGathers(target.isLegalMaskedGather(
	      FixedVectorType::get(Type::getInt32Ty(module.getContext()), 8), Align(4))),
      areSlow(hasSlowGathers(module))
{
}

uint64_t ScatteredCosts::of(bool isStore, int64_t size, unsigned lanes) const
{
	if (isStore)
		return size < 4 ? lanes * 3 : lanes;
	if (isLaneByLane())
		return lanes * 3 / 2;
	return size < 4 ? lanes : lanes / 2;
}

} // namespace weft
