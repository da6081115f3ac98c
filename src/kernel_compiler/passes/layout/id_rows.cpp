/* SPDX-License-Identifier: MIT
 *
 * Queries of ids along x, and what is divided of them.
 */
#include "layout/id_rows.h"

#include "functions/internal_functions.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace weft
{

std::optional<IdDivision> findIdDivision(Function &kernel)
{
	return findIdDivision(
		kernel, [](const Value &value) { return isQueryOf(value, Query::GlobalId, 0); });
}

KnownSteps stepsAlongRows(Function &kernel)
{
	KnownSteps steps;
	const std::optional<IdDivision> division = findIdDivision(kernel);
	if (!division)
		return steps;
	const auto *number = dyn_cast<ConstantInt>(division->divisor);
	for (const Instruction *id : division->ids)
		steps[id] = number ? std::optional(number->getSExtValue()) : std::nullopt;
	for (const Instruction *quotient : division->quotients)
		steps[quotient] = 1;
	for (const Instruction *remainder : division->remainders)
		steps[remainder] = 0;
	return steps;
}

KnownSteps stepsWithinRow(const IdDivision &division)
{
	KnownSteps steps;
	for (const Instruction *quotient : division.quotients)
		steps[quotient] = 0;
	for (const Instruction *remainder : division.remainders)
		steps[remainder] = 1;
	return steps;
}

} // namespace weft
