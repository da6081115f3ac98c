/* SPDX-License-Identifier: MIT
 *
 * lower-saturation-avx512: saturating conversions of vectors by what AVX-512's conversions give beyond their range.
 * Expects: a function for an x86 CPU with AVX-512 and its conversions of 64 bits, after LLVM's optimisations.
 * Ensures: vectors of 4, 8 or 16 numbers, and of more where these fill whole registers, are converted to 8, 16, 32 or 64 bits by
 *          instructions. A number out of range, or NaN, is the least signed or the greatest unsigned integer: that is one of the two
 *          bounds, and the other one is a minimum or maximum. Rounding to the nearest even number beforehand is done by the
 *          conversion. NaN is 0.
 * Keeps:   control flow, what the function computes, and other saturating conversions, which lower-saturation takes.
 * Why here: as lower-saturation, whose comparisons for both bounds take up to twice as many instructions.
 */
#ifndef WEFT_PASSES_LOWER_SATURATION_AVX512_H
#define WEFT_PASSES_LOWER_SATURATION_AVX512_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerSaturationAvx512Pass : llvm::PassInfoMixin<LowerSaturationAvx512Pass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
