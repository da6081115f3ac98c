/* SPDX-License-Identifier: MIT
 *
 * Packed vectors: those of neighbouring work-items one behind the other in a register, as memory has them, instead of a
 * register for each element. A float4 of four work-items fills 512 bits; it is loaded, computed with and stored as it is,
 * where elements as lanes' scalars would be shuffled on their way from memory and back, and sixteen work-items' float4 lie
 * on four cache lines, which CPUs foresee less well than one.
 */
#ifndef WEFT_PASSES_PACKED_VECTORS_H
#define WEFT_PASSES_PACKED_VECTORS_H

#include "costs/scattered_costs.h"
#include "costs/vector_registers.h"
#include "ir/uniformity.h"

#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

/* How many work-items' longest vectors fill a register, or more of them, `most` at most, where most of the work is shared by all; 0 where a kernel's vectors should not be packed. They should where
 * all are computed with element by element, neighbours are loaded and stored, and the shuffles of those accesses would cost
 * more than what is lost: fewer lanes for scalars, and a shuffle for each element that is taken out or put in. */
unsigned packedLanes(llvm::Function &kernel, const llvm::LoopInfo &loops,
		     const Uniformity &uniformity, VectorRegisters registers,
		     const ScatteredCosts &costs, unsigned most);

} // namespace weft

#endif
