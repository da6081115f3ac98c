/* SPDX-License-Identifier: MIT
 *
 * Sums of steps, that is of what numbers and addresses grow by, where they are known.
 */
#ifndef WEFT_PASSES_CHECKED_SUM_H
#define WEFT_PASSES_CHECKED_SUM_H

#include <llvm/Support/MathExtras.h>

#include <optional>

namespace weft
{

/* a + b factor; none where either is not known, or it does not fit. */
inline std::optional<int64_t> checkedSum(std::optional<int64_t> a, std::optional<int64_t> b,
					 int64_t factor = 1)
{
	int64_t scaled = 0, result = 0;
	if (!a || !b || llvm::MulOverflow(*b, factor, scaled) ||
	    llvm::AddOverflow(*a, scaled, result))
		return std::nullopt;
	return result;
}

} // namespace weft

#endif
