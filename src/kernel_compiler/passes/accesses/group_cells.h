/* SPDX-License-Identifier: MIT
 *
 * The cells in which an access group is made: how many bytes each has, and which member lies in which.
 */
#ifndef WEFT_PASSES_GROUP_CELLS_H
#define WEFT_PASSES_GROUP_CELLS_H

#include "accesses/access_group.h"

#include <llvm/Analysis/TargetTransformInfo.h>

namespace weft
{

/* The bytes of a group, counted as its offsets are. */
struct Span {
	int64_t begin = INT64_MAX, end = INT64_MIN;

	void add(int64_t offset, int64_t size)
	{
		begin = std::min(begin, offset);
		end = std::max(end, offset + size);
	}
};

Span spanOf(const AccessGroup &group);

/* Bytes that the members of a group may span: the stride, a record, or one cell. */
int64_t roomOf(const AccessGroup &group);

/* Sets the group's cells. False where there are none that hold whole members, and nothing else that may not be accessed. */
bool chooseCells(AccessGroup &group, const llvm::TargetTransformInfo &target, unsigned width);

} // namespace weft

#endif
