/* SPDX-License-Identifier: MIT
 *
 * The widened copy of one item loop's body, as far as its blocks go: which block begins, and which one ends, the code of
 * each source block, and where code is being made. The other parts of a widener share it. One source block is current at
 * a time; new blocks belong to it.
 */
#ifndef WEFT_PASSES_WIDE_BODY_H
#define WEFT_PASSES_WIDE_BODY_H

#include "lanes/lane_plan.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>

namespace weft
{

class WideBody
{
      public:
	WideBody(const ItemLoop &item, const LaneShapes &shapes, const LanePlan &plan,
		 const llvm::TargetTransformInfo &target);
	WideBody(const WideBody &) = delete;
	WideBody &operator=(const WideBody &) = delete;

	const ItemLoop &item;
	const LaneShapes &shapes;
	const LanePlan &plan;
	const llvm::TargetTransformInfo &target;
	const unsigned width; /* the number of lanes */
	llvm::Function &function;
	const llvm::DataLayout &layout;
	llvm::IRBuilder<> builder; /* where code is being made */

	/* A block for each of the source, and `before` in front of them, in which code is made next. */
	void createBlocks();
	llvm::BasicBlock &before() const
	{
		return *front;
	}
	llvm::BasicBlock *startOf(const llvm::BasicBlock *source) const
	{
		return starts[shapes.indexOf(source)];
	}
	llvm::BasicBlock *endOf(const llvm::BasicBlock *source) const
	{
		return ends[shapes.indexOf(source)];
	}

	/* Makes a source block the current one; code is made at its start. */
	void begin(const llvm::BasicBlock *source);
	/* The current block's code ends where the builder is. */
	void end();
	const LaneNode &current() const
	{
		return plan.at(currentSource);
	}
	/* A new part of the current block's code, behind the builder's block. */
	llvm::BasicBlock *newBlock(const llvm::Twine &name);

	/* All blocks of the body, and the source block that each belongs to. */
	llvm::ArrayRef<llvm::BasicBlock *> blocks() const
	{
		return made;
	}
	const llvm::BasicBlock *originOf(const llvm::BasicBlock *block) const
	{
		return origins.lookup(block);
	}

	/* Whether a value of the source is computed outside the item loop. */
	bool isOutside(const llvm::Value *value) const;
	/* Places `at` behind a value of the widened code; for one from outside, at the end of `before`. */
	void placeBehind(llvm::IRBuilder<> &at, llvm::Value *value) const;
	llvm::FixedVectorType *vectorType(llvm::Type *type) const;
	llvm::AllocaInst *newVariable(llvm::Type *type, const llvm::Twine &name) const;

      private:
	llvm::BasicBlock *front = nullptr;
	llvm::SmallVector<llvm::BasicBlock *, 16> starts, ends; /* by the source block's index */
	llvm::SmallVector<llvm::BasicBlock *, 32> made;
	llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> origins;
	const llvm::BasicBlock *currentSource = nullptr;
};

} // namespace weft

#endif
