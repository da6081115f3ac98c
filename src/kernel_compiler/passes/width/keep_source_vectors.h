/* SPDX-License-Identifier: MIT
 *
 * Whether vectors that a kernel's source computes with stay vectors, one work-item after the other, or their elements
 * become lanes' scalars like all others.
 */
#ifndef WEFT_PASSES_KEEP_SOURCE_VECTORS_H
#define WEFT_PASSES_KEEP_SOURCE_VECTORS_H

#include "costs/scattered_costs.h"
#include "costs/vector_registers.h"
#include "ir/uniformity.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace weft
{

/* Whether the kernel computes or reads vectors of its source. */
bool hasVectors(const llvm::Function &kernel);

/* What the decision is made by. */
struct KernelVectors {
	const llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution;
	const Uniformity &uniformity;
	VectorRegisters registers;
	const ScatteredCosts &costs;
	unsigned lanes; /* that elements would be in */
};

/* Those that fill registers stay when their elements, of all lanes, would not fit the registers and they are most of what the
 * kernel computes, loops counting more than what stands around them. Elsewhere, by what is lost and won. Lost: neighbours'
 * long vectors are shuffled into lanes; where vectors lie anywhere, each element is a gather or a scatter of its own. Won:
 * one operation for all lanes; and a loop whose iterations wait for each other has a critical path for each element. */
bool keepsVectors(llvm::Function &function, const KernelVectors &kernel);

} // namespace weft

#endif
