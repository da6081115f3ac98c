/* SPDX-License-Identifier: MIT
 *
 * hash-switches: a switch over many numbers that are far apart becomes one over the places of a perfect hash table.
 * Expects: any function, after LLVM's optimisations.
 * Ensures: a switch of more than eight cases for which LLVM would make no jump table looks its number up by a product and two loads, and
 *          branches by the place where it is. A number of no case leads where it did.
 * Keeps:   all other control flow.
 * Why here: calls through pointers are such switches (lower-indirect-calls). LLVM makes a tree of comparisons of them, whose branches are
 *          hard to predict: of 256 functions that are called in random order each call took 50 ns longer. Vector code has no switches any more.
 */
#ifndef WEFT_PASSES_HASH_SWITCHES_H
#define WEFT_PASSES_HASH_SWITCHES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct HashSwitchesPass : llvm::PassInfoMixin<HashSwitchesPass> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
