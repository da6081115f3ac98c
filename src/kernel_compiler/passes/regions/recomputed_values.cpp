/* SPDX-License-Identifier: MIT
 *
 * Operands are followed as far as a limit allows.
 */
#include "regions/recomputed_values.h"

#include "functions/internal_functions.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Instructions of a linear value at most: an address of three ids has about twelve. */
constexpr unsigned mostLinear = 16;

/* Instructions that follow each other at most, in a value of any form. */
constexpr unsigned deepest = 4;

/* Whether the operation is linear in all its operands that differ between work-items. */
bool isLinearOperation(const Instruction &value, const Uniformity &uniformity)
{
	if (isa<GetElementPtrInst, SExtInst, ZExtInst, TruncInst>(value) ||
	    match(&value, m_DisjointOr(m_Value(), m_Value())))
		return true;
	switch (value.getOpcode()) {
	case Instruction::Add:
	case Instruction::Sub:
		return true;
	case Instruction::Mul:
		return any_of(value.operands(),
			      [&](const Use &use) { return !uniformity.isVarying(use); });
	case Instruction::AShr: /* behind a shift to the left it is an extension of the sign */
		return value.isExact() && !uniformity.isVarying(value.getOperand(1));
	case Instruction::Shl:
		return !uniformity.isVarying(value.getOperand(1));
	default:
		return false;
	}
}

bool isLinear(const Value &value, const Uniformity &uniformity, unsigned &left)
{
	if (!uniformity.isVarying(&value))
		return true;
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || instruction->getType()->isVectorTy())
		return false;
	if (queryOf(*instruction))
		return true;
	if (left == 0 || !isLinearOperation(*instruction, uniformity))
		return false;
	left--;
	return all_of(instruction->operands(),
		      [&](const Use &use) { return isLinear(*use, uniformity, left); });
}

bool isShallow(const Instruction &value, const Uniformity &uniformity, unsigned depth)
{
	if (queryOf(value))
		return true;
	if (depth == deepest || value.getType()->isVectorTy())
		return false;
	if (!isa<CastInst, GetElementPtrInst, ICmpInst>(value) &&
	    !(isa<BinaryOperator>(value) && !value.isIntDivRem() && !value.isFPDivRem()))
		return false;
	return all_of(value.operands(), [&](const Use &use) {
		const auto *operand = dyn_cast<Instruction>(use);
		return !operand || isa<AllocaInst>(operand) || !uniformity.isVarying(operand) ||
		       isShallow(*operand, uniformity, depth + 1);
	});
}

} // namespace

bool isLinearInIds(const Value &value, const Uniformity &uniformity)
{
	unsigned left = mostLinear;
	return isLinear(value, uniformity, left);
}

bool isCheapToRecompute(const Instruction &value, const Uniformity &uniformity)
{
	return isShallow(value, uniformity, 0) || isLinearInIds(value, uniformity);
}

} // namespace weft
