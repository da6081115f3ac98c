/* SPDX-License-Identifier: MIT
 *
 * Access groups: loads, or stores, of one block whose addresses differ by constants, such as the members of a structure
 * or the channels of a pixel. They are made together, in cells of 1 to 8 bytes that each hold whole members:
 *
 *   consecutive: the lanes' structures lie one behind the other, so vectors of cells and shuffles do for all of them; also
 *                if that is expected alone, for a test can say it;
 *   scattered:   one cell anywhere, so one gather or scatter does for all members. A cell that is loaded may begin before its first
 *                member, where it is not known in which part of an aligned word that is;
 *   a record:    loads of 16 bytes anywhere, of which each lane loads a vector. These are transposed.
 *
 * Loads are made where the first of them stood, stores where the last did; nothing that conflicts changes places.
 */
#ifndef WEFT_PASSES_ACCESS_GROUPS_H
#define WEFT_PASSES_ACCESS_GROUPS_H

#include "accesses/access_group.h"
#include "costs/scattered_costs.h"
#include "lanes/lane_shapes.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include <memory>
#include <vector>

namespace weft
{

class AccessGroups
{
      public:
	AccessGroups(const LaneShapes &shapes, llvm::AAResults &aliases,
		     const llvm::TargetTransformInfo &target, unsigned width);

	/* NULL for an access that is made alone. */
	const AccessGroup *of(const llvm::Instruction &access) const
	{
		return groups.lookup(&access);
	}

      private:
	std::vector<std::unique_ptr<AccessGroup>> list;
	llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> groups;
};

/* The cost of all accesses of the group, in vector operations. */
uint64_t groupCost(const AccessGroup &group, const ScatteredCosts &costs, unsigned width);
/* Of a record of so many cells. */
uint64_t recordCost(uint64_t cells, const ScatteredCosts &costs, unsigned width);

} // namespace weft

#endif
