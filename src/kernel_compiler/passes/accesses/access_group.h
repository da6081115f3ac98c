/* SPDX-License-Identifier: MIT
 *
 * One of the groups that access_groups.h finds: its members, and the cells in which they are accessed.
 */
#ifndef WEFT_PASSES_ACCESS_GROUP_H
#define WEFT_PASSES_ACCESS_GROUP_H

#include "lanes/neighbour_index.h"

#include <llvm/ADT/SmallBitVector.h>

namespace weft
{

/* Bytes that a gather or scatter accesses for a lane, at most. */
constexpr int64_t widestCell = 8;
/* Of a record. */
constexpr int64_t recordSize = 16; /* bytes */
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
	/* A scattered cell begins at the last multiple of the alignment that is no more than the first member's address. */
	bool isFromMultiple = false;
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

} // namespace weft

#endif
