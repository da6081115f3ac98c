/* SPDX-License-Identifier: MIT
 *
 * split-private-accesses: vectors of private variables are loaded and stored in parts that fit a vector register.
 * Expects: kernels after widen-loops, in which a region may store a variable of several rows and another one load it of one.
 * Ensures: a simple load or store of private memory has no vector that is a whole number of registers long, but for one.
 * Keeps:   what is accessed, and in which order.
 * Why here: the code is the same, but LLVM's GVN, which replaces loads by what was stored, takes a part of a longer vector
 *          out of it by way of an integer of 512 bits, which code generation does element by element.
 */
#ifndef WEFT_PASSES_SPLIT_PRIVATE_ACCESSES_H
#define WEFT_PASSES_SPLIT_PRIVATE_ACCESSES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct SplitPrivateAccessesPass : llvm::PassInfoMixin<SplitPrivateAccessesPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
