/* SPDX-License-Identifier: MIT
 *
 * Questions about the ways out of regions, asked while they are being made.
 */
#ifndef WEFT_PASSES_REGION_EXITS_H
#define WEFT_PASSES_REGION_EXITS_H

#include "ir/regions.h"
#include "ir/uniformity.h"
#include "regions/barrier_branches.h"

#include <llvm/ADT/SmallPtrSet.h>

namespace weft
{

/* Between which starts of regions work-items that go on may part when they leave a region; none: they stay together. Barriers of the
 * source are trusted: the specification says that all work-items meet at one; `added` are the other starts.
 * Work-items that return are not counted: the others go on without them. */
llvm::SmallPtrSet<llvm::BasicBlock *, 16>
findPartings(const RegionList &regions, const Uniformity &uniformity,
	     const BarrierBranches &barriers,
	     const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &added);

/* Whether some work-items of a region may return while others go on to the next one. */
bool returnsDivergently(const RegionList &regions, unsigned region, const Uniformity &uniformity);

} // namespace weft

#endif
