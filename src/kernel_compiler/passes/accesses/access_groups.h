/* SPDX-License-Identifier: MIT
 *
 * Access groups: loads, or stores, of one block whose addresses differ by constants, such as the members of a structure
 * or the channels of a pixel. They are made together, in cells of 1 to 8 bytes that each hold whole members:
 *
 *   consecutive: the lanes' structures lie one behind the other, so vectors of cells and shuffles do for all of them; also
 *                if that is expected alone, for a test can say it;
 *   scattered:   one cell anywhere, so one gather or scatter does for all members;
 *   a record:    loads of 16 bytes anywhere, of which each lane loads a vector. These are transposed.
 *
 * Loads are made where the first of them stood, stores where the last did; nothing that conflicts changes places.
 */
#ifndef WEFT_PASSES_ACCESS_GROUPS_H
#define WEFT_PASSES_ACCESS_GROUPS_H

#include "costs/scattered_costs.h"
#include "lanes/lane_shapes.h"
#include "lanes/neighbour_index.h"

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include <memory>
#include <vector>

namespace weft
{

/* Bytes that a gather or scatter accesses for a lane, at most. */
constexpr int64_t widestCell = 8;
/* Between the first cells of two lanes that are consecutive. */
constexpr int64_t mostCells = 16;

struct AccessGroup {
	struct Member {
		llvm::Instruction *access;
		int64_t offset; /* bytes from the lane's first cell */
		int64_t size;   /* bytes */
	};
	llvm::SmallVector<Member, 4> members; /* in program order */
	bool isStore = false;
	int64_t stride =
		0; /* bytes between lanes, of consecutive ones; 0: scattered, or a record */
	bool isRecord = false;
	/* Of the first member: that they are consecutive is not certain. */
	std::optional<NeighbourIndex> expected;
	int64_t cell = 0;  /* bytes */
	llvm::Align align; /* of each lane's first cell */
	llvm::SmallBitVector
		cells; /* of a lane, up to the next one's: whether there is a member in it */

	/* The member in whose place all are accessed. */
	const Member &leader() const
	{
		return isStore ? members.back() : members.front();
	}
	unsigned cellOf(const Member &member) const
	{
		return unsigned(member.offset / cell);
	}
	unsigned bitOf(const Member &member) const
	{
		return unsigned(member.offset % cell * 8);
	}
};

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

} // namespace weft

#endif
