/* SPDX-License-Identifier: MIT
 *
 * The operations of a widened body that touch neither memory nor control: once for all lanes where they are linear, once
 * for each row, or on vectors. An operation on packed vectors works element by element as on others, or is a shuffle.
 */
#ifndef WEFT_PASSES_LANE_OPERATIONS_H
#define WEFT_PASSES_LANE_OPERATIONS_H

#include "lane_code/lane_masks.h"

#include <llvm/IR/IntrinsicInst.h>

namespace weft
{

class LaneOperations : public LanePart
{
      public:
	using LanePart::LanePart;

	/* A copy of the instruction that computes lane 0's value, or does for all lanes what has no result. */
	void emitScalar(llvm::Instruction &instruction);
	/* The scalar of a linear value, or its rows. */
	void emitLinear(llvm::Instruction &instruction);
	/* A call of __weft_lanes_between (lanes/clamp_versions.h). */
	void emitLanesBetween(llvm::CallInst &test);
	/* A call of __weft_first_lane. */
	void emitFirstLane(llvm::CallInst &call);
	/* The vector of a value; false where it has no vector form. */
	bool emitVector(llvm::Instruction &instruction);
	/* The instruction on vectors; NULL where there is none. Expects operands that fit vectors. */
	llvm::Value *widen(llvm::IRBuilder<> &at, llvm::Instruction &instruction);

      private:
	using Getter = llvm::function_ref<llvm::Value *(llvm::Value *)>;

	void emitRows(llvm::Instruction &instruction, Shape shape);
	std::optional<unsigned> rowsOfTest(const llvm::CallInst &test) const;
	void guardDivision(llvm::Instruction &division);
	llvm::Value *widenCall(llvm::IRBuilder<> &at, llvm::Instruction &instruction);
	llvm::Value *widenElements(llvm::IRBuilder<> &at, llvm::Instruction &instruction);
	llvm::Value *widenUniformSelect(llvm::IRBuilder<> &at, llvm::SelectInst &selection);
	llvm::Value *widenAddress(llvm::IRBuilder<> &at, llvm::GetElementPtrInst &step, bool scalar,
				  Getter operandOf);
	llvm::Value *laneMajorAddress(llvm::IRBuilder<> &at, llvm::GetElementPtrInst &step,
				      Getter operandOf);
	llvm::Value *widenIntrinsic(llvm::IRBuilder<> &at, llvm::IntrinsicInst &call);
	llvm::Value *widenExtract(llvm::IRBuilder<> &at, llvm::ExtractElementInst &extract);
	llvm::Value *widenInsert(llvm::IRBuilder<> &at, llvm::InsertElementInst &insert);
	llvm::Value *widenShuffle(llvm::IRBuilder<> &at, llvm::ShuffleVectorInst &shuffle);
	llvm::Value *folded(llvm::Instruction *copy) const;
};

} // namespace weft

#endif
