/* SPDX-License-Identifier: MIT
 *
 * lower-cpu-functions: a CPU's estimates of reciprocal roots and their kind, and calls of precompiled functions.
 * Expects: kernels after widening, for an x86 CPU, with AVX-512 where they have its instructions.
 * Ensures: a CPU's function (internal_functions.h), of one number or of a vector of any size, is its instruction; a precompiled one
 *          (precompiled_functions.h) is calls of its form for vectors of `precompiledBits`, and a pair of them in one block one call.
 * Keeps:   control flow.
 * Why here: before it only the scalar form or whole vectors of lanes are to be told apart; LLVM's optimisations, which come
 *          next, would take a call for one.
 */
#ifndef WEFT_PASSES_LOWER_CPU_FUNCTIONS_H
#define WEFT_PASSES_LOWER_CPU_FUNCTIONS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerCpuFunctionsPass : llvm::PassInfoMixin<LowerCpuFunctionsPass>, RequiredPass {
	explicit LowerCpuFunctionsPass(unsigned bits = 512) : precompiledBits(bits)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

	unsigned precompiledBits; /* of a vector (code_generation.h) */
};

} // namespace weft

#endif
