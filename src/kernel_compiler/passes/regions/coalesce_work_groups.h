/* SPDX-License-Identifier: MIT
 *
 * coalesce-work-groups: decides whether groups may run as one.
 * Expects: a kernel in SSA form for one work-item, barriers and local memory still to be seen.
 * Ensures: the attribute weft-coalesced-groups is CoalescesAll where nothing shows a work-item which group it is in: no
 *          barrier, no local memory, neither an id nor a size of the group, no sub-groups, no printing, whose order
 *          shows, and no loop or call that may wait for another group. It is CoalescesSingle where only ids and sizes
 *          along x do, which group-index-loops makes true. A kernel that may wait has WEFT_KERNEL_MAY_WAIT. One whose
 *          groups run one by one, for a CPU, has the attribute weft-groups-along-y where they access memory better in
 *          that order. No __weft_global_id is left.
 * Keeps:   control flow, and the kernel's meaning.
 * Why here: after simplification, which removes what a kernel only seems to ask; before work-items get loops.
 */
#ifndef WEFT_PASSES_COALESCE_WORK_GROUPS_H
#define WEFT_PASSES_COALESCE_WORK_GROUPS_H

#include "ir/required_pass.h"

namespace weft
{

struct CoalesceWorkGroupsPass : llvm::PassInfoMixin<CoalesceWorkGroupsPass>, RequiredPass {
	/* Without `theForCpu` no CoalescesSingle, and ids follow from groups' ids: entry points may not choose a group's first work-item. */
	CoalesceWorkGroupsPass(bool theForCpu = true) : forCpu(theForCpu)
	{
	}
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);

      private:
	bool forCpu;
};

} // namespace weft

#endif
