/* SPDX-License-Identifier: MIT
 *
 * A loop whose rounds are known comes to stand as that many copies of its body, by LLVM's UnrollLoop.
 */
#ifndef WEFT_PASSES_LOOP_UNROLLER_H
#define WEFT_PASSES_LOOP_UNROLLER_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

/* What a pass that looks for such loops derives from. */
class LoopUnroller
{
      public:
	LoopUnroller(llvm::Function &theFunction, llvm::FunctionAnalysisManager &theAnalyses);

      protected:
	/* How often the header runs; 0: not known, more than `most`, or the loop is left elsewhere than where it begins or
	 * ends. */
	unsigned roundsOf(const llvm::Loop &loop, unsigned most) const;
	/* Whether all that is in the loop may stand there several times; barriers, only where all rounds stay. */
	static bool mayCopy(const llvm::Loop &loop, bool withBarriers);
	/* All of its rounds, which are known. False: some of a loop is left. */
	bool unroll(llvm::Loop &loop);

	llvm::Function &function;
	llvm::FunctionAnalysisManager &analyses;
	llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution;
};

} // namespace weft

#endif
