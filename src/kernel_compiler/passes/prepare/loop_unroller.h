/* SPDX-License-Identifier: MIT
 *
 * A loop whose iterations are known comes to stand as that many copies of its body, by LLVM's UnrollLoop.
 */
#ifndef WEFT_PASSES_LOOP_UNROLLER_H
#define WEFT_PASSES_LOOP_UNROLLER_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

/* Base of passes that look for such loops. */
class LoopUnroller
{
      public:
	LoopUnroller(llvm::Function &theFunction, llvm::FunctionAnalysisManager &theAnalyses);

      protected:
	/* How often the header runs; 0 if that is not known or more than `most`, or if the loop is left elsewhere than in its header or
	 * latch. */
	unsigned roundsOf(const llvm::Loop &loop, unsigned most) const;
	/* Whether all that is in the loop may stand there several times; barriers, only where all iterations stay. */
	static bool mayCopy(const llvm::Loop &loop, bool withBarriers);
	/* Unrolls all iterations, whose number is known. False if a part of the loop is left. */
	bool unroll(llvm::Loop &loop);

	llvm::Function &function;
	llvm::FunctionAnalysisManager &analyses;
	llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution;
};

} // namespace weft

#endif
