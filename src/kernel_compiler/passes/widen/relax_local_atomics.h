/* SPDX-License-Identifier: MIT
 *
 * relax-local-atomics: atomic operations on memory that no other thread reaches become loads and stores.
 * Expects: a kernel that executes one work-group, all its work-items in one thread (widen-loops).
 * Ensures: no atomic operation on local memory, or on a copy of privatize-updates, is left: each is a load, the operation and a
 *          store.
 * Keeps:   control flow, and what the kernel computes.
 * Why here: local memory belongs to one work-group and so to one thread, but before widening such an operation must
 *          stay one piece, since lanes may meet in one place.
 */
#ifndef WEFT_PASSES_RELAX_LOCAL_ATOMICS_H
#define WEFT_PASSES_RELAX_LOCAL_ATOMICS_H

#include "ir/required_pass.h"

namespace weft
{

struct RelaxLocalAtomicsPass : llvm::PassInfoMixin<RelaxLocalAtomicsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
