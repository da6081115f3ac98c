/* SPDX-License-Identifier: MIT
 *
 * choose-width: decides how many work-items a vector has.
 * Expects: kernels in SSA form, for one work-item.
 * Ensures: the attribute weft-vector-width says how many work-items a kernel's loops will do at once, 1 for
 *          none; weft-subgroups, that these are its sub-groups. Where it is more than 1, the kernel's own vectors are split into scalars.
 * Keeps:   control flow, and the kernel's meaning.
 * Why here: before values are kept across barriers, so that each element gets a place beside those of its
 *          neighbours.
 */
#ifndef WEFT_PASSES_CHOOSE_WIDTH_H
#define WEFT_PASSES_CHOOSE_WIDTH_H

#include "ir/required_pass.h"

namespace weft
{

struct ChooseWidthPass : llvm::PassInfoMixin<ChooseWidthPass>, RequiredPass {
	/* 0: by the CPU and the kernel; else this width, a power of two up to mostLanes, at any cost. The second number is
	 * for kernels that see their sub-groups. */
	ChooseWidthPass(unsigned theRequest = 0, unsigned theSubgroupSize = 0)
	    : request(theRequest), subgroupSize(theRequest ? theRequest : theSubgroupSize)
	{
	}
	/* One work-item at once, but in kernels that see their sub-groups. */
	static ChooseWidthPass scalar(unsigned theSubgroupSize)
	{
		ChooseWidthPass pass(1);
		pass.subgroupSize = theSubgroupSize;
		return pass;
	}
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);

      private:
	unsigned request, subgroupSize;
};

} // namespace weft

#endif
