/* SPDX-License-Identifier: MIT
 *
 * Branches that accesses make by their masks. Behind a guard such as `if (i < n)` nearly always all lanes run, and an
 * access without a mask neither waits for the mask nor asks which lane is the first that runs: a filter of bytes takes half
 * of the time. LLVM joins the branches of accesses that follow each other. Where a page is not there a masked access takes
 * hundreds of cycles even if no lane runs (Zen 4: 370 for a store, 770 for a load), so that case gets a branch too.
 */
#ifndef WEFT_PASSES_MASK_BRANCHES_H
#define WEFT_PASSES_MASK_BRANCHES_H

#include "lane_code/lane_masks.h"

namespace weft
{

class MaskBranches : public LanePart
{
      public:
	/* Makes accesses of the source, and sets the vectors of those that are loads. */
	using Emitter = llvm::function_ref<void()>;

	using LanePart::LanePart;

	/* By `all` where all lanes run, else by `some`; by neither where no lane may run and none does. */
	void byMask(llvm::Value *mask, llvm::ArrayRef<llvm::Instruction *> accesses, Emitter all,
		    Emitter some);
	/* By `all` where the bit is set, else by `some`. */
	void byTest(llvm::Value *test, llvm::ArrayRef<llvm::Instruction *> accesses, Emitter all,
		    Emitter some);
	/* Whether as many branches have been made as may be. */
	bool areMany() const
	{
		return branches >= mostBranches;
	}
	/* Whether there are so many that a gather had better stay one. */
	bool areSome() const
	{
		return branches >= mostBranches / 4;
	}
	/* Whether an access to neighbours behind a mask would become a branch for each lane: CPUs lack masks of bytes and shorts. */
	bool lacksMasks(const llvm::Instruction &access) const;
	/* Whether an access to neighbours, with the current mask, had better have none of these branches: its data decide, which the
	 * CPU does not foresee (lanes/lane_data.h). */
	bool arePoor(const llvm::Instruction &access) const;
	/* Whether data decide which lanes run. */
	bool areByData() const;
	/* By `some`, unless no lane runs. */
	void unlessEmpty(llvm::Value *mask, llvm::Instruction &access, Emitter some);

      private:
	using Way = std::pair<llvm::BasicBlock *, Emitter>;

	void joinWays(llvm::ArrayRef<Way> ways, llvm::BasicBlock *without, llvm::BasicBlock *done,
		      llvm::ArrayRef<llvm::Instruction *> accesses);

	/* In one item loop: each is two branches of the code. */
	static constexpr unsigned mostBranches = 100;
	unsigned branches = 0;
};

} // namespace weft

#endif
