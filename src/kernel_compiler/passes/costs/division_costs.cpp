/* SPDX-License-Identifier: MIT
 *
 * By the CPU's row of costs.
 */
#include "costs/division_costs.h"

#include "costs/integer_divisions.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

bool isSquareRoot(const Instruction &instruction)
{
	const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::sqrt;
}

static unsigned bitsOf(const Instruction &instruction)
{
	return instruction.getType()->getScalarSizeInBits();
}

static bool isLong(const Instruction &instruction)
{
	return bitsOf(instruction) > 32;
}

unsigned scalarDivisionCost(const Instruction &instruction, const CpuCosts &cpu)
{
	const bool isOfLongs = isLong(instruction);
	if (isDivision(instruction))
		return isOfLongs ? cpu.division64 : cpu.division32;
	if (instruction.getOpcode() == Instruction::FDiv)
		return isOfLongs ? cpu.quotient64 : cpu.quotient32;
	if (isSquareRoot(instruction))
		return isOfLongs ? cpu.root64 : cpu.root32;
	return 0;
}

static unsigned elementCost(const Instruction &instruction, bool isShared, const CpuCosts &cpu)
{
	const bool isOfLongs = isLong(instruction);
	if (dividesAsFloat(instruction)) {
		if (bitsOf(instruction) <= 16)
			return isShared ? cpu.wideShared16 : cpu.wideDivision16;
		if (isOfLongs)
			return isShared ? cpu.wideShared64 : cpu.wideDivision64;
		return isShared ? cpu.wideShared32 : cpu.wideDivision32;
	}
	if (instruction.getOpcode() == Instruction::FDiv)
		return isOfLongs ? cpu.wideQuotient64 : cpu.wideQuotient32;
	if (isSquareRoot(instruction))
		return isOfLongs ? cpu.wideRoot64 : cpu.wideRoot32;
	return 0;
}

unsigned wideDivisionCost(const Instruction &instruction, bool isShared, const CpuCosts &cpu)
{
	const auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
	return (vector ? vector->getNumElements() : 1) * elementCost(instruction, isShared, cpu);
}

} // namespace weft
