/* SPDX-License-Identifier: MIT
 *
 * widen-loops: adds loops that run as many work-items at once as a vector has lanes.
 * Expects: a kernel that executes one work-group, its item loops marked (work-item-loops), and the attribute
 *          weft-vector-width (choose-width).
 * Ensures: in front of each item loop that can be widened stands a loop that does weft-vector-width work-items
 *          at once; the item loop does the last ones or, with weft-masked-tail or where images are accessed, one more
 *          vector with a mask does; or one without a mask, which runs some work-items twice, where that is known to change no
 *          result. No mark is left. Where nothing could be widened the attribute is 1.
 *          With weft-subgroups all item loops have been widened, or none, and vectors are sub-groups: neighbours
 *          in the order of linear local ids, of which only the last may lack lanes; a group with rows that are
 *          no multiple of the width has a loop over linear ids. No sub-group function is left; where nothing
 *          was widened each work-item is a sub-group, an error if the kernel requires another size.
 * Keeps:   what the kernel computes, bit for bit; the order of accesses of each work-item.
 * Why here: lanes are work-items that no barrier separates, and their loops are plain control flow by now.
 */
#ifndef WEFT_PASSES_WIDEN_LOOPS_H
#define WEFT_PASSES_WIDEN_LOOPS_H

#include "ir/required_pass.h"

namespace weft
{

struct WidenLoopsPass : llvm::PassInfoMixin<WidenLoopsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
