/* SPDX-License-Identifier: MIT
 *
 * lower-saturation-avx512: saturating conversions of vectors by what AVX-512's conversions give beyond their range.
 * Expects: a function for an x86 CPU with AVX-512 and its conversions of 64 bits, after LLVM's optimisations.
 * Ensures: vectors of 4, 8 or 16 numbers, and of more where these fill whole registers, are converted to 8, 16, 32 or 64 bits by
 *          instructions. Of a number out of range, or NaN, an instruction makes the least signed or the greatest unsigned integer.
 *          That is right beyond one of the two bounds; a minimum or maximum sees to the other one. A NaN becomes 0 before, by an
 *          instruction that replaces numbers by their kind. Where the number was rounded to the nearest even one before, the
 *          conversion does that.
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
