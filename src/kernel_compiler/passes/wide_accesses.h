/* SPDX-License-Identifier: MIT
 *
 * The accesses of an item loop that are not made each by itself, in waves of one width.
 */
#ifndef WEFT_PASSES_WIDE_ACCESSES_H
#define WEFT_PASSES_WIDE_ACCESSES_H

#include "access_groups.h"
#include "lane_walks.h"

namespace weft
{

struct WideAccesses {
	AccessGroups groups;
	WalkedLoads walks;
};

} // namespace weft

#endif
