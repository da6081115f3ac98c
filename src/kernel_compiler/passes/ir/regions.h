/* SPDX-License-Identifier: MIT
 *
 * The parallel regions of a kernel, an analysis (`print<weft-regions>`). A region starts at the function's entry
 * or at a block that begins with a barrier, and holds the blocks that its start dominates before the next
 * barriers. All work-items of a group execute one region before any executes the next.
 * Valid for functions that fission has been through: then each block belongs to exactly one region and a
 * region is entered at its start alone.
 */
#ifndef WEFT_PASSES_REGIONS_H
#define WEFT_PASSES_REGIONS_H

#include "ir/required_pass.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>

namespace weft
{

struct Region {
	llvm::BasicBlock *start = nullptr;
	llvm::SmallVector<llvm::BasicBlock *, 8> blocks; /* in reverse post-order, start first */
	llvm::SmallVector<unsigned, 2> successors;       /* regions that may come next */
	bool returns = false;                            /* work-items may end here */
	bool repeats = false; /* may be its own successor, over others too */
};

class RegionList
{
      public:
	RegionList(llvm::Function &function);

	llvm::ArrayRef<Region> regions() const
	{
		return list;
	}
	unsigned size() const
	{
		return unsigned(list.size());
	}
	/* Unreachable blocks belong to no region: ~0u. */
	unsigned regionOf(const llvm::BasicBlock *block) const
	{
		auto found = index.find(block);
		return found == index.end() ? ~0u : found->second;
	}
	/* The region in which a use reads its value: for a phi, where the edge comes from. */
	unsigned regionOf(const llvm::Use &use) const;
	/* Whether a block other than the start has a predecessor of another region. */
	bool isValid() const;
	void print(llvm::raw_ostream &out) const;

      private:
	void connect();
	void findCycles(llvm::Function &function);

	llvm::SmallVector<Region, 4> list;
	llvm::DenseMap<const llvm::BasicBlock *, unsigned> index;
};

/* Metadata of a barrier that is in the place of a meeting (internal_functions.h): the source does not have it, and does not say that all
 * work-items come to it. */
constexpr char addedMetadata[] = "weft.added";

/* Whether the block begins with a barrier. */
bool startsWithBarrier(const llvm::BasicBlock &block);
/* Whether that is in the place of a meeting. */
bool startsWithAdded(const llvm::BasicBlock &block);

class RegionAnalysis : public llvm::AnalysisInfoMixin<RegionAnalysis>
{
	friend llvm::AnalysisInfoMixin<RegionAnalysis>;
	static llvm::AnalysisKey Key;

      public:
	using Result = RegionList;
	Result run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

struct RegionPrinterPass : llvm::PassInfoMixin<RegionPrinterPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
