/* SPDX-License-Identifier: MIT
 *
 * Which of LLVM's passes run on what: those that only make versions of code are kept from code that runs seldom,
 * those that grow faster than what they look at from what is large, and from all what changes nothing.
 */
#ifndef WEFT_PASS_BUDGET_H
#define WEFT_PASS_BUDGET_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassInstrumentation.h>

namespace weft
{

/* How much there is to a function. */
struct FunctionSize {
	unsigned instructions = 0, blocks = 0, largestBlock = 0;
	unsigned loops = 0; /* back edges, near enough */
	unsigned masks = 0; /* selects of conditions, and freezes */
	unsigned reads = 0; /* calls that only read memory: loads with a mask, gathers */

	FunctionSize() = default;
	FunctionSize(const llvm::Function &function, bool withLoops);

	/* To the larger of each. */
	void raise(const FunctionSize &other);
};

class PassLimits
{
      public:
	/* Makes pass managers with these callbacks leave passes out. */
	explicit PassLimits(llvm::PassInstrumentationCallbacks &callbacks);

      private:
	bool runsOn(llvm::StringRef pass, const llvm::Loop &loop) const;
	bool runsOn(llvm::StringRef pass, const llvm::Function &function);

	llvm::DenseMap<std::pair<const llvm::Function *, const void *>, unsigned> runs;
};

/* What of LLVM's pipeline of -O3 is left out of it, whatever the code is. */
class UnneededPasses
{
      public:
	/* Of that pipeline alone, once: runs are counted. */
	explicit UnneededPasses(llvm::PassInstrumentationCallbacks &callbacks);

      private:
	bool isUnneeded(llvm::StringRef pass, const void *unit);

	llvm::DenseMap<std::pair<const void *, const void *>, unsigned> runs;
};

} // namespace weft

#endif
