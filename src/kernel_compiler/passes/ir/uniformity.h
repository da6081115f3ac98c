/* SPDX-License-Identifier: MIT
 *
 * Uniformity, an analysis (`print<weft-uniformity>`): which values are the same for all work-items of a group
 * that compute them at the same place, and which branches they all take together. The lattice has two
 * points, uniform and varying; what is not proven uniform is varying. A branch with the metadata weft.uniform is uniform
 * (split-at-barriers).
 * Valid for kernels in the form of one work-item, before work-item loops are made.
 */
#ifndef WEFT_PASSES_UNIFORMITY_H
#define WEFT_PASSES_UNIFORMITY_H

#include "ir/required_pass.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>

namespace weft
{

class Uniformity
{
      public:
	Uniformity(llvm::Function &function, const llvm::PostDominatorTree &postDominators,
		   const llvm::CycleInfo &cycles);

	bool isVarying(const llvm::Value *value) const
	{
		return varying.contains(value);
	}
	/* Whether work-items may leave the block for different successors. */
	bool isDivergent(const llvm::BasicBlock &block) const;
	void print(llvm::raw_ostream &out) const;

      private:
	bool varies(const llvm::Instruction &instruction) const;
	void mark(const llvm::Value &value);
	void markUsers(const llvm::Value &value);
	void diverge(llvm::BasicBlock &block);
	void markJoin(llvm::BasicBlock &block);
	void leaveCycles(llvm::BasicBlock &block, const llvm::BasicBlock *reconvergence);

	llvm::Function &function;
	const llvm::PostDominatorTree &postDominators;
	const llvm::CycleInfo &cycles;
	llvm::DenseMap<const llvm::BasicBlock *, unsigned> order; /* reverse post-order */
	llvm::DenseSet<const llvm::Value *> varying;
	llvm::SmallVector<const llvm::Value *, 32> work;
	llvm::SmallPtrSet<const llvm::Cycle *, 8> left; /* by work-items at different times */
	bool isOrdered = false; /* by atomics, fences or calls, beside barriers */
	uint64_t steps = 0;     /* blocks looked at for divergent branches */
};

class UniformityAnalysis : public llvm::AnalysisInfoMixin<UniformityAnalysis>
{
	friend llvm::AnalysisInfoMixin<UniformityAnalysis>;
	static llvm::AnalysisKey Key;

      public:
	using Result = Uniformity;
	Result run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

struct UniformityPrinterPass : llvm::PassInfoMixin<UniformityPrinterPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
