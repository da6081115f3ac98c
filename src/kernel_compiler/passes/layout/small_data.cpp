/* SPDX-License-Identifier: MIT
 *
 * Forward from the bytes: all that has other operands too, or grows by more than small factors, is none.
 */
#include "layout/small_data.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostRounds = 20;
constexpr uint64_t mostFactor = 16; /* of what it is multiplied by */

bool isLoadedByte(const Instruction &instruction)
{
	return isa<LoadInst>(instruction) && instruction.getType()->isIntegerTy(8);
}

bool isSmallNumber(const Value &value)
{
	const auto *number = dyn_cast<ConstantInt>(&value);
	return number && number->getValue().abs().ule(mostFactor);
}

/* Whether a result is as small as the operands, nearly. */
bool keepsSize(const Instruction &instruction)
{
	switch (instruction.getOpcode()) {
	case Instruction::Mul:
		return isSmallNumber(*instruction.getOperand(1));
	case Instruction::Shl:
	case Instruction::Xor:
		return false;
	default:
		return isa<BinaryOperator, CastInst, PHINode, FreezeInst, SelectInst,
			   MinMaxIntrinsic>(instruction);
	}
}

class SmallData
{
      public:
	explicit SmallData(Function &kernel)
	{
		ReversePostOrderTraversal<Function *> order(&kernel);
		for (const BasicBlock *block : order) {
			for (const Instruction &instruction : *block) {
				if (isOne(instruction))
					steps.try_emplace(&instruction, 0);
			}
		}
		/* A loop's value is one by what comes from outside until its other ways are known. */
		bool isNew = true;
		for (unsigned pass = 0; isNew && pass < mostRounds; pass++)
			isNew = removeMistaken(order);
		if (isNew)
			steps.clear();
	}

	KnownSteps steps;

      private:
	bool isNumber(const Value &value) const
	{
		return isa<ConstantInt>(value) || steps.contains(&value);
	}

	bool hasOne(const Instruction &instruction) const
	{
		return any_of(instruction.operands(),
			      [&](const Use &use) { return steps.contains(use); });
	}

	bool isOne(const Instruction &instruction) const
	{
		if (!instruction.getType()->isIntegerTy())
			return false;
		const bool isOpen = isa<PHINode>(instruction);
		return isLoadedByte(instruction) ||
		       (keepsSize(instruction) && hasOne(instruction) &&
			(isOpen || hasOthers(instruction)));
	}

	/* Whether all operands are such numbers, of a selection those that it chooses from. */
	bool hasOthers(const Instruction &instruction) const
	{
		const unsigned first = isa<SelectInst>(instruction) ? 1 : 0;
		const auto *call = dyn_cast<CallBase>(&instruction);
		const auto operands = call ? call->args() : instruction.operands();
		return all_of(drop_begin(operands, first),
			      [&](const Use &use) { return isNumber(*use); });
	}

	bool removeMistaken(const ReversePostOrderTraversal<Function *> &order)
	{
		bool isNew = false;
		for (const BasicBlock *block : order) {
			for (const Instruction &instruction : *block)
				isNew |= steps.contains(&instruction) &&
					 !isLoadedByte(instruction) && !hasOthers(instruction) &&
					 steps.erase(&instruction);
		}
		return isNew;
	}
};

} // namespace

KnownSteps stepsOfSmallData(Function &kernel)
{
	return SmallData(kernel).steps;
}

} // namespace weft
