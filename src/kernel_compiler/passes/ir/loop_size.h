/* SPDX-License-Identifier: MIT
 *
 * How large a loop is, for budgets of code.
 */
#ifndef WEFT_PASSES_LOOP_SIZE_H
#define WEFT_PASSES_LOOP_SIZE_H

#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

/* Instructions of all its blocks, those of inner loops, too. */
inline size_t instructionsIn(const llvm::Loop &loop)
{
	size_t count = 0;
	for (const llvm::BasicBlock *block : loop.blocks())
		count += block->size();
	return count;
}

} // namespace weft

#endif
