/* SPDX-License-Identifier: MIT
 *
 * What accesses cost that reach a different place for each lane, and how they had better be made. As measured: where a CPU
 * has good gathers, an element takes half a cycle; loaded lane by lane it takes one and a half, which is about what slow
 * gathers take, too; and one that is stored takes a cycle. Bytes and shorts have no scatter at all, so their stores are taken
 * apart.
 */
#ifndef WEFT_PASSES_SCATTERED_COSTS_H
#define WEFT_PASSES_SCATTERED_COSTS_H

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>

namespace weft
{

/* Says of the CPU that the module is for what LLVM does not know (weft_target.slow_gathers). */
void markSlowGathers(llvm::Module &module);
bool hasSlowGathers(const llvm::Module &module);

class ScatteredCosts
{
      public:
	ScatteredCosts(const llvm::TargetTransformInfo &target, const llvm::Module &module);

	/* The cost of elements of `size` bytes in so many lanes, in cycles. */
	uint64_t of(bool isStore, int64_t size, unsigned lanes) const;

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
	bool hasGathers, areSlow;
};

} // namespace weft

#endif
