/* SPDX-License-Identifier: MIT
 *
 * lower-cxx-objects: constructors and destructors of program-scope objects become two kernels that the loader runs.
 * Expects: a front end's module with all objects of the program: llvm.global_ctors names its constructors, calls of atexit() the
 *          functions that destroy objects.
 * Ensures: one calls the constructors in their order, one destroys what was constructed, the last first. They bear hookAttribute;
 *          there is none of the two where there is nothing to do. LLVM's lists for linkers and loaders are gone.
 *          What else C++ wants of a run-time library is there: pure virtual functions are null, freeing does nothing.
 * Keeps:   all else.
 * Why here: code generation would leave the lists to a loader that does not know them.
 */
#ifndef WEFT_PASSES_LOWER_CXX_OBJECTS_H
#define WEFT_PASSES_LOWER_CXX_OBJECTS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerCxxObjectsPass : llvm::PassInfoMixin<LowerCxxObjectsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
