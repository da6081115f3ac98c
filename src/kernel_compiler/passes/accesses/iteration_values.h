/* SPDX-License-Identifier: MIT
 *
 * Addresses and indices of a loop from iteration to iteration. Valid for any form of the kernel.
 */
#ifndef WEFT_PASSES_ITERATION_VALUES_H
#define WEFT_PASSES_ITERATION_VALUES_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>

#include <optional>

namespace weft
{

/* What values are in a loop's iterations: how they grow, and what they are in the first. */
class IterationValues
{
      public:
	explicit IterationValues(const llvm::Loop &theLoop) : loop(theLoop)
	{
	}

	/* From each iteration to the next: bytes for pointers, else units; none where it is not known to be a constant.
	 * An index of 32 bits does not wrap on the way: elements of four bytes would lead out of every object
	 * of less than 16 GiB, and those of smaller ones are known where the sums do not wrap by their flags. */
	std::optional<int64_t> stepOf(const llvm::Value *value, unsigned depth = deepest) const;

	/* In the preheader, of what has a step. */
	llvm::Value *inFirstIteration(llvm::Value *value, llvm::IRBuilder<> &at);

      private:
	static constexpr unsigned deepest = 16; /* operations that an address is made of */

	using Step = std::optional<int64_t>;

	bool isInside(const llvm::Value *value) const
	{
		const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
		return instruction && loop.contains(instruction);
	}
	Step stepOfPhi(const llvm::PHINode &phi) const;
	Step stepOfAddress(const llvm::GEPOperator &address, unsigned depth) const;
	bool mayWrap(const llvm::Value &value, bool isSigned, unsigned depth) const;
	Step stepOfFixed(const llvm::Instruction &instruction, unsigned depth) const;

	const llvm::Loop &loop;
	mutable unsigned visits = 0;
	mutable bool isExtended =
		false; /* some index on the way was of another width, and may have wrapped */
	llvm::DenseMap<llvm::Value *, llvm::Value *> first;
};

} // namespace weft

#endif
