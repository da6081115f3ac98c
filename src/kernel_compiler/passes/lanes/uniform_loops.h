/* SPDX-License-Identifier: MIT
 *
 * Loops within an item loop that all work-items run alike: with the same numbers from the same places of shared memory, and without
 * a trace but their results. One of them stands for all, before the item loop.
 */
#ifndef WEFT_PASSES_UNIFORM_LOOPS_H
#define WEFT_PASSES_UNIFORM_LOOPS_H

#include "ir/item_loops.h"

#include <llvm/IR/Dominators.h>

namespace weft
{

/* Whether another work-item that wrote what the instruction loads would be a data race, before a work-item has written itself. */
bool isParallel(const llvm::LoadInst &load);

/* The loop of the item loop's body to which the block leads without a condition, and which ends in one place; or NULL. */
llvm::Loop *loopBehind(const llvm::BasicBlock &block, const ItemLoop &item,
		       const llvm::LoopInfo &loops);

/* Whether all work-items run the loop alike, before they write. What it takes from before it is computed before `end`. */
bool makeUniform(const llvm::Loop &loop, const ItemLoop &item, llvm::Instruction &end);

/* Moves a uniform loop behind the block to before `end`, which is outside of the item loop, and stays the same instruction. The
 * item loop must be read again. */
void moveLoop(llvm::Loop &loop, llvm::BasicBlock &block, const ItemLoop &item,
	      llvm::Instruction &end, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

} // namespace weft

#endif
