/* SPDX-License-Identifier: MIT
 *
 * What one instruction of a work-item costs a processing element (struct weft_costs). It depends on the instruction alone,
 * not on the CPU that simulates the element.
 */
#ifndef WEFT_PASSES_ELEMENT_COST_H
#define WEFT_PASSES_ELEMENT_COST_H

#include "compiler.h"

#include <llvm/IR/Instructions.h>

namespace weft
{

/* In cycles. Annotations, moves between registers and output cost nothing. */
uint64_t elementCost(const llvm::Instruction &instruction, const weft_costs &costs);

} // namespace weft

#endif
