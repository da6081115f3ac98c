/* SPDX-License-Identifier: MIT
 *
 * Loads from small tables of constants (accesses/constant_tables.h) by the CPU's permutations.
 */
#ifndef WEFT_PASSES_TABLE_LOADS_H
#define WEFT_PASSES_TABLE_LOADS_H

#include "lane_code/lane_masks.h"

namespace weft
{

class TableLoads : public LanePart
{
      public:
	explicit TableLoads(const LanePart &part) : LanePart(part)
	{
	}

	/* Lanes that do not run have any element. False: it is no such load, and nothing was made. */
	bool emit(llvm::LoadInst &load);
};

} // namespace weft

#endif
