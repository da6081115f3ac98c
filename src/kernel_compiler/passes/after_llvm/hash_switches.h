/* SPDX-License-Identifier: MIT
 *
 * hash-switches: a switch over many numbers that are far apart becomes one over their places in a hash table.
 * Expects: any function, after LLVM's optimisations.
 * Ensures: a switch of more than eight cases for which LLVM would make no jump table takes some bits of its number, or of a product of it, for a
 *          place in a table, compares the number there, and branches by the place. What is left, numbers that share a place and such of
 *          no case, goes on to a second switch, over the former. A number of no case leads where it did.
 *          On CPUs that predict branches (x86) bits next to the lowest ones, which all numbers lack, are the place if they tell the
 *          numbers apart as well; the table has the targets' addresses, too, to which an indirect branch leads.
 *          A switch of two to four such numbers, none of 32 bits, is comparisons with numbers in memory.
 * Keeps:   all other control flow.
 * Why here: calls through pointers are such switches (lower-indirect-calls). LLVM makes a tree of comparisons of them, whose branches are
 *          hard to predict: of 256 functions that are called in random order each call took 50 ns longer. A wrong prediction is known by so much
 *          later as finding the place takes; so a perfect hash, with a product and two loads, is slower than bits of the number
 *          and a few that share places. Vector code has no switches any more.
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
