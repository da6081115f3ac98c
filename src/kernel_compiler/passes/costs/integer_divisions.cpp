/* SPDX-License-Identifier: MIT
 *
 * By the instruction, and by what vectors the CPU permutes.
 */
#include "costs/integer_divisions.h"

#include "costs/vector_registers.h"

using namespace llvm;

namespace weft
{

constexpr unsigned avx512Bits = 512;

static bool convertsLongs(const Module &module)
{
	return permutedBits(module) == avx512Bits;
}

bool isDivision(const Instruction &instruction)
{
	return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1));
}

bool dividesAsFloat(const Instruction &instruction)
{
	const unsigned bits = instruction.getType()->getScalarSizeInBits();
	return isDivision(instruction) &&
	       (bits <= 32 || (bits == 64 && convertsLongs(*instruction.getModule())));
}

} // namespace weft
