/* SPDX-License-Identifier: MIT
 *
 * Loads that all rows of a group have in common, such as those of a matrix's columns.
 */
#ifndef WEFT_PASSES_SAME_COLUMNS_H
#define WEFT_PASSES_SAME_COLUMNS_H

#include "ir/item_loops.h"

namespace weft
{

/* Whether a loop within the item loop reads what differs along x and is the same for all rows. `y`: of the loop over rows, or NULL. */
bool readsSameInRows(const ItemLoop &item, const llvm::PHINode *y, const llvm::LoopInfo &loops);

} // namespace weft

#endif
