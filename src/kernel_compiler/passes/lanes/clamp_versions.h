/* SPDX-License-Identifier: MIT
 *
 * Versions of code for vectors of which all lanes keep within bounds. Where an index is clamped, as by clamp(x + dx, 0,
 * width - 1), or begins again at 0 at the end of a table, only vectors at the edge of the picture have lanes that read the same
 * element; in all others the lanes access neighbours. So a block with such accesses gets a copy without the clamps, and a test for
 * each vector decides between them (declareLanesBetween).
 */
#ifndef WEFT_PASSES_CLAMP_VERSIONS_H
#define WEFT_PASSES_CLAMP_VERSIONS_H

#include "ir/item_loops.h"

#include <llvm/IR/Dominators.h>

namespace weft
{

/* Makes the copies in the item loops, and brings `items`, `dominators` and `loops` up to date. */
void makeClampVersions(llvm::MutableArrayRef<ItemLoop> items, llvm::DominatorTree &dominators,
		       llvm::LoopInfo &loops, unsigned width);

/* Of a block with two versions: that of vectors within the bounds, which are most, or that of all other code. */
enum class ClampVersion { None, Inside, General };
ClampVersion clampVersionOf(const llvm::BasicBlock &block);

/* In code that was not widened: the general version, by constants in the place of the tests. */
void chooseGeneralVersions(llvm::Function &function);

} // namespace weft

#endif
