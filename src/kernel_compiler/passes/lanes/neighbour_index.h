/* SPDX-License-Identifier: MIT
 *
 * Indices that may differ from lane to lane by a constant, although that is not certain: those that were clamped, wrapped around
 * or mirrored, those that were floats, and the other one of a pair (`i ^ stride`). Filters clamp the coordinates of pixels at the
 * borders of a picture, so in nearly all vectors no lane is clamped. The constant may be 0: a quotient (`i / width`) is the same
 * in all lanes but where a row ends.
 */
#ifndef WEFT_PASSES_NEIGHBOUR_INDEX_H
#define WEFT_PASSES_NEIGHBOUR_INDEX_H

#include "lanes/lane_shapes.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* Of an access: if its index is lane 0's plus `stride` for each lane, its address is lane 0's plus `bytes` for each. */
struct NeighbourIndex {
	llvm::Value *index; /* of 32 or 64 bits */
	int64_t stride;
	int64_t bytes; /* 0: all lanes load from one place */
	/* From the index to the address: each takes the one before, and otherwise uniform values. */
	llvm::SmallVector<llvm::Instruction *, 4> steps;

	/* Whether the first step extends the index to 64 bits as an unsigned number. */
	bool isUnsigned() const
	{
		return llvm::isa<llvm::ZExtInst>(steps.front());
	}
};

/* Of a load or a store. None: the address is linear, or nothing says that it may be. */
std::optional<NeighbourIndex> neighbourIndex(const llvm::Instruction &access,
					     const LaneShapes &shapes);

} // namespace weft

#endif
