/* SPDX-License-Identifier: MIT
 *
 * What a work-item runs in each block, for a footprint (kernel_footprint.h).
 */
#ifndef WEFT_PASSES_FOOTPRINT_BLOCKS_H
#define WEFT_PASSES_FOOTPRINT_BLOCKS_H

#include "footprints/footprint_nodes.h"

#include <llvm/IR/Dominators.h>

namespace weft
{

weft_footprint_block describeBlock(const llvm::BasicBlock &block, const llvm::LoopInfo &loops,
				   const llvm::DominatorTree &dominators, FootprintNodes &nodes);

} // namespace weft

#endif
