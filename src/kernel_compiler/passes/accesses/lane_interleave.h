/* SPDX-License-Identifier: MIT
 *
 * Structures that are neighbours in memory, to vectors of their members and back: structures of n elements for as many lanes
 * as a vector has are n vectors in memory. Where n is even, elements at even and odd places part first, so that all
 * shuffles take two registers.
 */
#ifndef WEFT_PASSES_LANE_INTERLEAVE_H
#define WEFT_PASSES_LANE_INTERLEAVE_H

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/IR/IRBuilder.h>

namespace weft
{

using Vectors = llvm::SmallVector<llvm::Value *, 8>;

/* From memory's order to one vector for each element of the structures; NULL for those that are not wanted. An element
 * is `unit` elements of the vectors, 1 unless the structures' number of them is a power of two. */
Vectors deinterleave(llvm::IRBuilder<> &at, const Vectors &memory,
		     const llvm::SmallBitVector &wanted, unsigned unit = 1);

/* Rows to columns. Both have a power of two of elements, which fill 128 bits at least; there are no fewer rows than
 * columns. First within 128 bits, then of these: no shuffle takes more than one instruction. */
Vectors transpose(llvm::IRBuilder<> &at, const Vectors &rows);

/* And back. */
Vectors interleave(llvm::IRBuilder<> &at, const Vectors &elements);

/* How many shuffles either takes. */
unsigned interleavingCost(const llvm::SmallBitVector &wanted);

} // namespace weft

#endif
