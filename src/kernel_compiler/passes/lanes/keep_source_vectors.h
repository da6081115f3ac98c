/* SPDX-License-Identifier: MIT
 *
 * Whether vectors that a kernel's source computes with stay vectors, one work-item after the other, or their elements
 * become lanes' scalars like all others.
 */
#ifndef WEFT_PASSES_KEEP_SOURCE_VECTORS_H
#define WEFT_PASSES_KEEP_SOURCE_VECTORS_H

#include "ir/uniformity.h"
#include "lanes/vector_registers.h"

#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

/* Those that fill registers by themselves stay when their elements, of all lanes, would not fit the registers and they
 * are most of what the kernel computes, loops counting more than what stands around them. Elsewhere, by what is lost and
 * won: each access of memory shuffles elements into lanes, those of half a register, too, if they are long; scalars are computed
 * for all lanes at once, and a loop whose iterations wait for each other then has a critical path for each element. */
bool keepsVectors(llvm::Function &kernel, const llvm::LoopInfo &loops, const Uniformity &uniformity,
		  VectorRegisters registers);

} // namespace weft

#endif
