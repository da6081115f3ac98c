/* SPDX-License-Identifier: MIT
 *
 * The dimension of the source that is a kernel's x (swap-dimensions). The source's x has its place then. All passes after it know the
 * kernel's own order, but for those that read or describe an NDRange.
 */
#ifndef WEFT_PASSES_SWAPPED_DIMENSION_H
#define WEFT_PASSES_SWAPPED_DIMENSION_H

#include "functions/internal_functions.h"

namespace weft
{

constexpr char swappedDimensionAttribute[] = "weft-swapped-dimension"; /* 0: x itself */
/* The source's dimension along which accesses are near each other that are far apart along x. Where it has no number, the first one that
 * is not x. */
constexpr char secondDimensionAttribute[] = "weft-second-dimension";

/* The source's dimension that is dimension `d` of the kernel, and the other way around. */
inline unsigned sourceDimension(const llvm::Function &kernel, unsigned d)
{
	const auto swapped = unsigned(getKernelNumber(kernel, swappedDimensionAttribute));
	return d == 0 ? swapped : d == swapped ? 0 : d;
}

/* The source's dimension that groups are blocks of, beside that of vectors. */
inline unsigned secondDimension(const llvm::Function &kernel)
{
	const auto second = unsigned(getKernelNumber(kernel, secondDimensionAttribute));
	return second == sourceDimension(kernel, 0) ? 1 : second;
}

} // namespace weft

#endif
