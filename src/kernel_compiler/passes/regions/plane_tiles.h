/* SPDX-License-Identifier: MIT
 *
 * Indices that are places in a plane, row `i / n` and column `i % n`, where what is accessed is far apart along a row and near each
 * other from row to row: a transposition. Along a row each such access has a cache line of its own, which the next row needs again. Tiles
 * of some rows use whole lines. The indices are those of a grid-stride loop, or ids.
 * Valid for kernels in the form of one work-item, after coalesce-work-groups.
 */
#ifndef WEFT_PASSES_PLANE_TILES_H
#define WEFT_PASSES_PLANE_TILES_H

#include "ir/id_division.h"
#include "regions/grid_stride_loops.h"

#include <llvm/IR/IRBuilder.h>

#include <optional>

namespace weft
{

/* Indices, as places in the range: the index is `first` more. Numbers of 64 bits. */
struct Piece {
	llvm::Value *begin, *end, *first;
};

/* What is done for an index. */
struct PlaneBody {
	llvm::SmallVector<llvm::BasicBlock *, 8> blocks; /* the first one is where it begins */
	llvm::BasicBlock *exit; /* of a loop; nothing: the blocks are a kernel's, and return */
	unsigned dimension;     /* of the range */
};

/* Whether columns are far apart and rows are near each other: tiles suit what is loaded. */
bool isTransposed(const IdDivision &division);

/* How the loop divides its index, where tiles suit what it loads. */
std::optional<IdDivision> findTiledPlane(const GridStrideLoop &from);

/* Adds a copy of the body, at the builder's place, which goes through the whole rows of the piece tile by tile. Work-items are
 * columns. Leaves the builder in a block behind it. Returns which places that were: none where rows are few, or short. */
Piece addPlaneTiles(llvm::IRBuilder<> &builder, const PlaneBody &body, const IdDivision &division,
		    const Piece &piece);

} // namespace weft

#endif
