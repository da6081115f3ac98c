/* SPDX-License-Identifier: MIT
 *
 * What is the same for all rows of a group, such as a matrix's columns.
 */
#ifndef WEFT_PASSES_SAME_COLUMNS_H
#define WEFT_PASSES_SAME_COLUMNS_H

#include "ir/item_loops.h"

#include <llvm/ADT/SmallPtrSet.h>

namespace weft
{

/* Which values of an item loop are computed from a work-item's place along x, and which from its row. */
class PlaceDependence
{
      public:
	/* `y`: of the loop over rows, or NULL: then nothing is known to differ from row to row. */
	PlaceDependence(const ItemLoop &item, const llvm::PHINode *y, const llvm::LoopInfo &loops);

	/* Nothing depends on anything. */
	PlaceDependence() = default;

	/* Of a loop over the items of several rows (`row`), as collapse-dimensions makes it. */
	explicit PlaceDependence(const ItemLoop &rows);

	bool differsAlongX(const llvm::Value &value) const
	{
		return alongX.contains(&value);
	}
	bool differsAlongY(const llvm::Value &value) const
	{
		return alongY.contains(&value);
	}

      private:
	llvm::SmallPtrSet<const llvm::Value *, 32> alongX, alongY;
};

/* Whether a loop within the item loop reads what differs along x and is the same for all rows. */
bool readsSameInRows(const ItemLoop &item, const PlaceDependence &places,
		     const llvm::LoopInfo &loops);

} // namespace weft

#endif
