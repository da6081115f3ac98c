/* SPDX-License-Identifier: MIT
 *
 * lower-cpu-functions: functions that the CPU has, such as estimates of reciprocal roots, become its instructions.
 * Expects: kernels after widening, for an x86 CPU with AVX-512 where they have any.
 * Ensures: a CPU's function (internal_functions.h), of one number or of a vector of any size, is its instruction.
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
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
