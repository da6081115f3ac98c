/* SPDX-License-Identifier: MIT
 *
 * The accesses of an item loop that are not made each by itself, in vectors of one width; and what the others cost.
 */
#ifndef WEFT_PASSES_WIDE_ACCESSES_H
#define WEFT_PASSES_WIDE_ACCESSES_H

#include "accesses/access_groups.h"
#include "accesses/transposed_loads.h"
#include "costs/scattered_costs.h"

namespace weft
{

struct WideAccesses {
	AccessGroups groups;
	TransposedLoads transposed;
	ScatteredCosts costs;
};

} // namespace weft

#endif
