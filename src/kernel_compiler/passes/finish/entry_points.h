/* SPDX-License-Identifier: MIT
 *
 * entry-points: adds the loops over the groups of a range, reads arguments, answers queries.
 * Expects: kernels that execute one work-group (work-item-loops), with queries left.
 * Ensures: each kernel is an internal function of type weft_kernel_entry (kernel_abi.h) under its own name: a
 *          loop over the work-groups of a range, arguments read from the packed block, queries answered
 *          from the NDRange and the loop. Where the kernel coalesces groups (coalesce-work-groups) an iteration runs neighbours
 *          along x as one group, or a tile of work-items (item_tiles.h). What a kernel only updates (privatize-updates) is a
 *          copy on the stack, applied to what the argument points to behind the loop. Uses of the kernel are uses of the entry
 *          point. No kernel calling convention and no internal function is left.
 * Keeps:   the kernel's attributes.
 * Why here: last of ours; the descriptors, which need the kernel's signature, have been made.
 */
#ifndef WEFT_PASSES_ENTRY_POINTS_H
#define WEFT_PASSES_ENTRY_POINTS_H

#include "ir/required_pass.h"

namespace weft
{

struct EntryPointsPass : llvm::PassInfoMixin<EntryPointsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
