/* SPDX-License-Identifier: MIT
 *
 * forward-local-stores: local memory that was stored as vectors is not loaded again, but shuffled out of them.
 * Expects: kernels' entry points, in vectors, best after LLVM's own optimisations, which unroll and forward whole vectors.
 * Ensures: elements of local memory that one block has stored before, in a few vectors, are not loaded in it, but shuffled out
 *          of these vectors. What is stored in local memory and then not loaded anywhere is not stored.
 * Keeps:   other memory, and what is computed.
 * Why here: a load that overlaps two stores waits until both are in the cache, and a gather for each of its lanes; LLVM
 *          forwards only what was stored as it is loaded, and knows of no memory that ends with the group.
 */
#ifndef WEFT_PASSES_FORWARD_LOCAL_STORES_H
#define WEFT_PASSES_FORWARD_LOCAL_STORES_H

#include "ir/required_pass.h"

namespace weft
{

struct ForwardLocalStoresPass : llvm::PassInfoMixin<ForwardLocalStoresPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
