/* SPDX-License-Identifier: MIT
 *
 * prepare-kernels: all functions get one shape, whatever the build options were.
 * Expects: the merged module, as Clang and the built-ins left it.
 * Ensures: only kernels are visible from outside; every other function has the C calling convention and no
 *          `optnone` or `noinline`; internal functions carry the attributes that they have in truth; a
 *          structure passed by value is copied by the work-item and read-only in the argument block; floats are cast
 *          to no integers of less than 32 bits; behind a stored vector of three elements there is 0.
 * Keeps:   metadata, but the types of the members of a large structure that is copied; addresses of functions.
 * Why here: everything after it may rely on one shape of function, whatever the options were.
 */
#ifndef WEFT_PASSES_PREPARE_KERNELS_H
#define WEFT_PASSES_PREPARE_KERNELS_H

#include "ir/required_pass.h"

namespace weft
{

struct PrepareKernelsPass : llvm::PassInfoMixin<PrepareKernelsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
