/* SPDX-License-Identifier: MIT
 *
 * count-cycles: each block counts what it costs a processing element.
 * Expects: kernels for one work-item, split into regions, with values across barriers spilled; compiled without regard to the
 *          CPU, so that they are equal on every CPU.
 * Ensures: every block adds the cost of its instructions to the kernel's variable with the metadata weft.cycles, for
 *          work-item-loops. Functions that are called have one more parameter, a pointer to the caller's variable.
 *          With weft_costs.executed: nothing is added; accesses that a transfer may replace have a mark at their block's end.
 * Keeps:   control flow, and what kernels compute.
 * Why here: values that work-items keep across barriers cost accesses, which must be there; address spaces and classes of
 *          instructions do not change after this pass. Later passes, such as widening, keep what the variable holds.
 */
#ifndef WEFT_PASSES_COUNT_CYCLES_H
#define WEFT_PASSES_COUNT_CYCLES_H

#include "compiler.h"
#include "ir/required_pass.h"

namespace weft
{

/* For weft-opt: each class counts in another digit. */
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
	.executed = 0,
};

struct CountCyclesPass : llvm::PassInfoMixin<CountCyclesPass>, RequiredPass {
	CountCyclesPass(const weft_costs &theCosts = testCosts) : costs(theCosts)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

      private:
	weft_costs costs;
};

} // namespace weft

#endif
