/* SPDX-License-Identifier: MIT
 *
 * Builds the loops over a kernel's work-items, region by region, and gives variables and ids their places in them.
 */
#ifndef WEFT_PASSES_LOOP_BUILDER_H
#define WEFT_PASSES_LOOP_BUILDER_H

#include "ir/regions.h"
#include "ir/uniformity.h"
#include "regions/private_variables.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace weft
{

struct RegionLoops {
	llvm::BasicBlock *before, *begin, *latch, *after;
	llvm::BasicBlock *end; /* of a work-item: the latch, or on the way to it */
	llvm::Value *ids[3];
	llvm::Value *item; /* x + width * (y + height * z) */
	/* Addresses, and the values that a work-item leaves there when it has returned, for calls that read those of all work-items. */
	llvm::SmallVector<std::pair<llvm::Value *, llvm::Constant *>, 1> left;
};

class LoopBuilder
{
      public:
	/* Of the kernel whose first region begins with `body`. */
	LoopBuilder(llvm::BasicBlock &body, const RegionList &regions,
		    const Uniformity *uniformity);

	void run();

      private:
	void makePrologue();
	void makeLoops(unsigned region);
	void addLoop(RegionLoops &loops, unsigned dimension, llvm::BasicBlock *outer,
		     llvm::BasicBlock *&inner);
	void keepCycles(RegionLoops &loops, unsigned region);
	llvm::Value *groupItems(llvm::IRBuilder<> &builder);
	llvm::Value *spilledBytes(const SpilledVariable &spilled, llvm::IRBuilder<> &builder);
	void placeSpillBases();
	llvm::Value *spillAddress(const SpilledVariable &spilled, llvm::IRBuilder<> &builder,
				  llvm::Value *item);
	void placeVariables();
	void placeUniform(llvm::AllocaInst &slot);
	void placeOnce(const SpilledVariable &spilled);
	void leaveNothing(const SpilledVariable &spilled, llvm::Constant &identity);
	void placeSpilled(const SpilledVariable &spilled);
	void placeScratch();
	void trackReturns();
	llvm::BasicBlock *goneBlock(const RegionLoops &loops);
	void replaceIds();
	void connect(unsigned region);
	llvm::BasicBlock *exitTo(unsigned region, llvm::BasicBlock *from, uint32_t next);
	void finish(unsigned region);
	llvm::BasicBlock *firstBlock(unsigned region)
	{
		return region == 0 ? body : regions.regions()[region].start;
	}
	bool choosesNext(unsigned region)
	{
		const Region &shape = regions.regions()[region];
		return shape.successors.size() + (shape.returns ? 1 : 0) > 1;
	}

	llvm::Function &kernel;
	llvm::LLVMContext &context;
	const RegionList &regions;
	PrivateVariables variables;
	llvm::SmallVector<RegionLoops, 8> loopsOf;
	llvm::SmallVector<bool, 8> leavesEarly;
	bool tracksReturns = false;
	llvm::BasicBlock *prologue, *body; /* the two blocks that region 0 begins with */
	llvm::BasicBlock *epilogue = nullptr;
	llvm::Value *size[3] = {}; /* the group's */
	llvm::Value *spill = nullptr;
	llvm::Value *cycles = nullptr; /* an array for the host */
	llvm::Value *enqueuedItems = nullptr;
	llvm::AllocaInst *next = nullptr; /* the number of the region that comes next */
	llvm::DenseMap<std::pair<unsigned, uint32_t>, llvm::BasicBlock *>
		exits; /* from a region to one */
	/* By size and unit: what all copies of such a variable take. */
	llvm::DenseMap<std::pair<uint64_t, uint64_t>, llvm::Value *> bytesOfItems;
	llvm::DenseMap<const llvm::AllocaInst *, llvm::Value *> spillBases; /* NULL: the flags */
};

} // namespace weft

#endif
