/* SPDX-License-Identifier: MIT
 *
 * lower-saturation: saturating conversions of vectors become clamps, comparisons and plain conversions.
 * Expects: any function, after LLVM's optimisations.
 * Ensures: no vector is converted by llvm.fptosi.sat or llvm.fptoui.sat. Both give NaN as 0.
 * Keeps:   control flow, and what the function computes.
 * Why here: instruction selection would take such vectors apart, and convert one lane after the other; with AVX512-FP16 it makes -32768 of
 *          a NaN where vectors of halves become short. Up to here a conversion is
 *          one operation, which LLVM's passes and ours know. OpenCL C's convert_... functions are such conversions, with and
 *          without _sat. Conversions of scalars are left: instruction selection makes good code of them.
 */
#ifndef WEFT_PASSES_LOWER_SATURATION_H
#define WEFT_PASSES_LOWER_SATURATION_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct LowerSaturationPass : llvm::PassInfoMixin<LowerSaturationPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
