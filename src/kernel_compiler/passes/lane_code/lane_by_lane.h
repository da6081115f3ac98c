/* SPDX-License-Identifier: MIT
 *
 * What has no vector form: an instruction once for each lane that runs, in the order of the lanes. What it takes and what
 * it gives lies in memory, an element for each lane; results that fit no vector (vectors of three, structures) stay there.
 */
#ifndef WEFT_PASSES_LANE_BY_LANE_H
#define WEFT_PASSES_LANE_BY_LANE_H

#include "lane_code/lane_masks.h"

namespace weft
{

class LaneByLane : public LanePart
{
      public:
	using LanePart::LanePart;

	/* A loop over the lanes that run. */
	void emitLoop(llvm::Instruction &instruction);
	/* Copies of an atomic update of local memory (isLocalUpdate), one behind the other, for all lanes, in their order. */
	void emitUpdates(llvm::AtomicRMWInst &update);

      private:
	/* Values whose lanes lie in memory. */
	using StagedLanes = llvm::SmallDenseMap<llvm::Value *, llvm::AllocaInst *, 4>;

	llvm::Value *operandAt(llvm::Value *operand, llvm::AllocaInst *kept, llvm::Value *lane,
			       bool isVolatile = false);
	bool isSimpleAddress(const llvm::Value *value, unsigned operations) const;
	void stage(llvm::Value *value, unsigned operations, StagedLanes &staged);
	llvm::Value *laneOf(llvm::Value *value, unsigned lane, unsigned operations,
			    const StagedLanes &staged);
	llvm::AllocaInst *newLanes(llvm::Type *type, const llvm::Twine &name);
	llvm::AllocaInst *lanesInMemory(llvm::Value *value);
	llvm::Value *elementAt(llvm::AllocaInst *lanes, llvm::Value *lane, llvm::Type *type);
	llvm::Value *runningBits(llvm::Type *bits);

	/* Results that fit no vector. */
	llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> inMemory;
};

} // namespace weft

#endif
