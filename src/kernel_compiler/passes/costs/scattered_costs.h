/* SPDX-License-Identifier: MIT
 *
 * What accesses cost that reach a different place for each lane, and how they had better be made. Slow gathers take about as
 * long as loads lane by lane. Bytes and shorts have no scatter at all, so their stores are taken apart.
 */
#ifndef WEFT_PASSES_SCATTERED_COSTS_H
#define WEFT_PASSES_SCATTERED_COSTS_H

#include "costs/cpu_costs.h"

#include <llvm/Analysis/TargetTransformInfo.h>

namespace weft
{

class ScatteredCosts
{
      public:
	ScatteredCosts(const llvm::TargetTransformInfo &target, const llvm::Module &module);

	/* The cost of elements of `size` bytes in so many lanes, in cycles. */
	uint64_t of(bool isStore, int64_t size, unsigned lanes) const;
	const CpuCosts &cpu() const
	{
		return *costs;
	}

	/* Whether loads are gathers: of all lanes, or of some. Slow ones still are better than a choice for each lane. */
	bool gathers(bool someLanes) const
	{
		return hasGathers && (someLanes || !areSlow);
	}
	/* Whether a gather does no more than as many loads. */
	bool isLaneByLane() const
	{
		return !hasGathers || areSlow;
	}

      private:
	const CpuCosts *costs; /* constant */
	bool hasGathers, areSlow;
};

} // namespace weft

#endif
