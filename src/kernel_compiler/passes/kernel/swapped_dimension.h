/* SPDX-License-Identifier: MIT
 *
 * The order of dimensions in a kernel (swap-dimensions): which of the source is its x, which its y. All passes after it know the kernel's
 * own order, but for those that read or describe an NDRange.
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

/* Vectors are to have no more lanes than so many; 0: nothing is said. */
constexpr char farLanesAttribute[] = "weft-far-lanes";
/* 1: in a plane, accesses are far apart along x and near each other along y. */
constexpr char turnedPlaneAttribute[] = "weft-turned-plane";

/* The source's dimension that is the kernel's y, along which work-items follow each other next. */
inline unsigned secondDimension(const llvm::Function &kernel)
{
	const auto second = unsigned(getKernelNumber(kernel, secondDimensionAttribute));
	return second == unsigned(getKernelNumber(kernel, swappedDimensionAttribute)) ? 1 : second;
}

/* The source's dimension that is dimension `d` of the kernel. */
inline unsigned sourceDimension(const llvm::Function &kernel, unsigned d)
{
	const auto first = unsigned(getKernelNumber(kernel, swappedDimensionAttribute));
	const unsigned second = secondDimension(kernel);
	return d == 0 ? first : d == 1 ? second : 3 - first - second;
}

} // namespace weft

#endif
