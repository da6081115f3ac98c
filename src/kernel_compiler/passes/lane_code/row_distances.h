/* SPDX-License-Identifier: MIT
 *
 * How far apart the rows are that work-items write, each from end to end (width/written_rows.h). Rows that lie about a multiple of half a
 * way of the first cache apart have their lines in few places of it, and lanes that write there miss it with each store.
 */
#ifndef WEFT_PASSES_ROW_DISTANCES_H
#define WEFT_PASSES_ROW_DISTANCES_H

#include "lanes/lane_shapes.h"

#include <llvm/IR/IRBuilder.h>

namespace weft
{

class RowDistances
{
      public:
	/* Of an item loop whose innermost loops write rows. */
	RowDistances(const ItemLoop &item, const LaneShapes &shapes, const llvm::LoopInfo &loops);

	/* In front of the item loop: whether lanes may write. NULL: nothing is known of any row. */
	llvm::Value *areGood(llvm::IRBuilder<> &builder) const;

      private:
	const ItemLoop &item;
	const llvm::LoopInfo &loops;
	llvm::SmallVector<llvm::Value *, 4> places;
};

} // namespace weft

#endif
