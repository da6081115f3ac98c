/* SPDX-License-Identifier: MIT
 *
 * Branches by data, before lanes are chosen (lanes/lane_data.h: afterwards).
 */
#ifndef WEFT_PASSES_DATA_BRANCHES_H
#define WEFT_PASSES_DATA_BRANCHES_H

#include "ir/uniformity.h"

#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

/* Whether it is computed from what a work-item has read from a place of its own. */
bool comesFromMemory(const llvm::Value &value, const Uniformity &uniformity);

/* Whether a work-item by itself goes one way or the other at the end of the block by what it has read, as the CPU foresees half of the
 * time. Not at the ends of loops. */
bool branchesByData(const llvm::BasicBlock &block, const llvm::LoopInfo &loops,
		    const Uniformity &uniformity);

/* Whether the branch at the end of the block mostly goes one way: the source says so, or it is about whether any element of a vector is
 * special. */
bool isForeseen(const llvm::BasicBlock &block);

/* Whether both ways from the end of the block to another one are the same operations on other numbers: LLVM makes one of them, with numbers
 * chosen, and no branch. */
bool waysAreAlike(const llvm::BasicBlock &block);

} // namespace weft

#endif
