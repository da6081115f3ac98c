/* SPDX-License-Identifier: MIT
 *
 * Divisions of integers, which CPUs have no instruction for in vectors, and which of them vectors do all the same.
 */
#ifndef WEFT_PASSES_INTEGER_DIVISIONS_H
#define WEFT_PASSES_INTEGER_DIVISIONS_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* Whether it is a quotient or remainder of integers, or of vectors of them, by what is no constant. */
bool isDivision(const llvm::Instruction &instruction);

/* Whether it is one that vectors do in floating point (lane_code/float_division.h): of up to 32 bits, and of 64 where the module's CPU
 * converts vectors of 64-bit integers to doubles and back by an instruction, and multiplies them (AVX-512). */
bool dividesAsFloat(const llvm::Instruction &instruction);

} // namespace weft

#endif
