/* SPDX-License-Identifier: MIT
 *
 * For passes that move accesses out of loops: the analyses, and whether accesses of a loop may reach the same memory, one of
 * which has the same address in all iterations. They are told apart by LLVM's alias analysis, or by their distance, which scalar
 * evolution knows for all iterations.
 */
#ifndef WEFT_PASSES_LOOP_ACCESSES_H
#define WEFT_PASSES_LOOP_ACCESSES_H

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace weft
{

/* What passes ask that move loads and stores out of loops. */
struct LoopAnalyses {
	llvm::DominatorTree &dominators;
	llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution;
	llvm::AAResults &aliases;
	llvm::AssumptionCache &assumptions;
};

LoopAnalyses loopAnalyses(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/* Whether the two may meet, in any two iterations. Both are simple loads or stores; the address of `fixed` does not change in the loop. */
bool mayMeet(llvm::Instruction &fixed, llvm::Instruction &other, llvm::AAResults &aliases,
	     llvm::ScalarEvolution &evolution);

} // namespace weft

#endif
