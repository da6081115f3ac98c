/* SPDX-License-Identifier: MIT
 *
 * Clamps: values of a block that keep an index within bounds, and are the index itself in all vectors but those at the bounds.
 */
#ifndef WEFT_PASSES_CLAMPS_H
#define WEFT_PASSES_CLAMPS_H

#include "lanes/lane_shapes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* A value that is another one, its source, where a number has an order to a bound: minima and maxima, selects, absolute values,
 * remainders and masks; a number of which the same bits are changed in all lanes; and a quotient, which is the same in all lanes where
 * no multiple of the divisor lies between them. The number is linear in the lane, and all lanes share the bound. */
struct Clamp {
	llvm::Instruction *place;
	unsigned sourceNumber; /* of the source among the operands */
	unsigned
		testedNumber; /* of the number among the operands of the compare that a select asks */
	llvm::CmpInst::Predicate predicate;

	/* Operands are read from the instruction: the copy of another block may have changed them. */
	const llvm::ICmpInst *compare() const;
	llvm::Value *source() const
	{
		return place->getOperand(sourceNumber);
	}
	llvm::Value *tested() const
	{
		return compare() ? compare()->getOperand(testedNumber) : source();
	}
	llvm::Value *bound() const;
};

/* What a value is in the copy. */
enum class Form { Uniform, Linear, Other };

/* What can be computed earlier, and in lanes that do not run. */
bool isSum(const llvm::Instruction &instruction);

/* Whether a number past a bound begins again at 0, if a bound that is a mask has the form of one. */
bool wrapsAround(const llvm::Instruction &instruction);

/* Whether it changes bits of a number, to get the other one of a pair: `i ^ stride`. The bits are its bound. */
bool changesBits(const llvm::Instruction &instruction);

/* Whether it is a quotient: a division or a shift to the right. */
bool isQuotient(const llvm::Instruction &instruction);

/* The clamps of a block, in order. */
class BlockClamps
{
      public:
	BlockClamps(llvm::BasicBlock &block, const LaneShapes &shapes);

	/* What a value is where no clamp decides. */
	Form formOf(const llvm::Value *value, unsigned steps = 0);
	/* NULL: it is none. */
	const Clamp *of(const llvm::Value *value) const
	{
		auto found = clamps.find(value);
		return found == clamps.end() ? nullptr : &found->second;
	}
	const llvm::MapVector<const llvm::Value *, Clamp> &list() const
	{
		return clamps;
	}

      private:
	std::optional<Clamp> clampOf(llvm::Instruction &instruction);
	std::optional<Clamp> wrapOf(llvm::Instruction &instruction);
	std::optional<Clamp> clampOfXor(llvm::Instruction &instruction);
	std::optional<Clamp> clampOfQuotient(llvm::Instruction &instruction);
	std::optional<Clamp> clampOfSelect(llvm::SelectInst &select);
	Form findForm(const llvm::Value &value, unsigned steps);
	bool isComputedOnce(const llvm::Instruction &instruction, unsigned steps);

	llvm::BasicBlock &block;
	const LaneShapes &shapes;
	llvm::MapVector<const llvm::Value *, Clamp> clamps;
	llvm::DenseMap<const llvm::Value *, Form> forms;
};

} // namespace weft

#endif
