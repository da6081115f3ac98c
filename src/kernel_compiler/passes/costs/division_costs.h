/* SPDX-License-Identifier: MIT
 *
 * What divisions and square roots take, of integers and in floating point, when others follow that do not need their results. In tenths of a
 * cycle; 0: the instruction is none of them.
 */
#ifndef WEFT_PASSES_DIVISION_COSTS_H
#define WEFT_PASSES_DIVISION_COSTS_H

#include "costs/cpu_costs.h"

#include <llvm/IR/Instructions.h>

namespace weft
{

bool isSquareRoot(const llvm::Instruction &instruction);

/* Of a scalar. */
unsigned scalarDivisionCost(const llvm::Instruction &instruction, const CpuCosts &cpu);
/* For each lane of a vector, with all elements of a vector of the source. `isShared`: all lanes have one divisor. 0 as well for
 * integers that vectors do not divide (costs/integer_divisions.h). */
unsigned wideDivisionCost(const llvm::Instruction &instruction, bool isShared, const CpuCosts &cpu);

} // namespace weft

#endif
