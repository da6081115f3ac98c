/* SPDX-License-Identifier: MIT
 *
 * count-cycles: each block counts what it costs a processing element.
 * Expects: kernels for one work-item, split into regions, values across barriers spilled; made without regard to the CPU,
 *          so that they are the same on each.
 * Ensures: every block adds what its instructions cost a processing element to the kernel's variable with the metadata
 *          weft.cycles, for work-item-loops; functions that are called have one more parameter for theirs.
 * Keeps:   control flow, and what kernels compute.
 * Why here: what work-items keep across barriers costs accesses, and must be there; address spaces and classes of
 *          instructions must be still. What comes after, widening too, keeps what the variable holds.
 */
#ifndef WEFT_PASSES_COUNT_CYCLES_H
#define WEFT_PASSES_COUNT_CYCLES_H

#include "compiler.h"

#include <llvm/IR/PassManager.h>

namespace weft
{

/* For weft-opt: each class by a digit of its own. */
constexpr weft_costs testCosts = {
	.integer = 1,
	.multiply = 10,
	.divide = 100,
	.real = 1000,
	.real_divide = 10000,
	.wide = 100000,
	.wide_divide = 1000000,
	.branch = 10000000,
	.local_access = 100000000,
	.global_access = 1000000000,
	.item = 0,
	.transfers = 1,
};

struct CountCyclesPass : llvm::PassInfoMixin<CountCyclesPass> {
	CountCyclesPass(const weft_costs &theCosts = testCosts) : costs(theCosts)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}

      private:
	weft_costs costs;
};

} // namespace weft

#endif
