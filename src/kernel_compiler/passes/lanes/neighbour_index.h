/* SPDX-License-Identifier: MIT
 *
 * Indices that may differ from lane to lane by a constant, although that is not certain: clamped ones, and ones that were
 * floats. Filters clamp the coordinates of pixels at the borders of a picture, so in nearly all vectors no lane is clamped.
 */
#ifndef WEFT_PASSES_NEIGHBOUR_INDEX_H
#define WEFT_PASSES_NEIGHBOUR_INDEX_H

#include "lanes/lane_shapes.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* Of a load: if its index is lane 0's plus `stride` for each lane, the lanes load neighbouring elements, the first lane the
 * first of them. */
struct NeighbourIndex {
	llvm::Value *index; /* up to 32 bits */
	int64_t stride;
	/* From the index to the address: each takes the one before, and otherwise uniform values. */
	llvm::SmallVector<llvm::Instruction *, 4> steps;
};

/* None: the address is linear, or nothing says that the lanes may be neighbours. */
std::optional<NeighbourIndex> neighbourIndex(const llvm::LoadInst &load, const LaneShapes &shapes);

} // namespace weft

#endif
