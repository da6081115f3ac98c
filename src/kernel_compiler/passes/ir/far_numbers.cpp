/* SPDX-License-Identifier: MIT
 *
 * What LLVM takes for dense.
 */
#include "ir/far_numbers.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace weft
{

/* LLVM makes a jump table of a switch with at least one case in so many numbers. */
constexpr uint64_t sparse = 10;

bool isFarApart(const SwitchInst &choice)
{
	const auto *type = dyn_cast<IntegerType>(choice.getCondition()->getType());
	if (!type || type->getBitWidth() > 64)
		return false;
	int64_t least = INT64_MAX, most = INT64_MIN; /* LLVM orders the numbers as signed ones */
	for (const auto &row : choice.cases()) {
		const int64_t number = row.getCaseValue()->getSExtValue();
		least = std::min(least, number);
		most = std::max(most, number);
	}
	return uint64_t(most) - uint64_t(least) >= sparse * choice.getNumCases();
}

} // namespace weft
