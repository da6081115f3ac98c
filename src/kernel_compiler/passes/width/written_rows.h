/* SPDX-License-Identifier: MIT
 *
 * Work-items that each go through a row of memory of their own, from end to end, and write there. Lanes would store to as many cache lines
 * in each iteration as there are lanes, and come back to them in the next. Rows that lie a power of two apart share few places of the first
 * cache, so that each store would miss it. One work-item at a time writes whole lines, and LLVM makes vectors of its iterations where
 * these do not depend on each other. Where they do, lanes gain, unless rows lie at such distances (widen/row_distances.h).
 */
#ifndef WEFT_PASSES_WRITTEN_ROWS_H
#define WEFT_PASSES_WRITTEN_ROWS_H

#include "layout/item_steps.h"

#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

enum class WrittenRows {
	None,
	Independent, /* no iteration needs what an earlier one has made */
	Dependent
};

/* Other than none if all innermost loops of the kernel do so, and compute little for each element. */
WrittenRows writtenRows(const llvm::Function &kernel, const llvm::LoopInfo &loops,
			const Uniformity &uniformity, const ItemSteps &steps);

} // namespace weft

#endif
