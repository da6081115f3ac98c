/* SPDX-License-Identifier: MIT
 *
 * Promoted numbers are found from where they are extended; those of which more than 16 bits are used are then left out.
 */
#include "width/small_integers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

bool isSmall(const Type &type)
{
	return type.isIntegerTy(8) || type.isIntegerTy(16);
}

/* Each bit of its result depends on no higher ones of its operands, but for shifts to the right, products' sums and the order of numbers,
 * which lanes of small numbers still compute in fewer registers. */
bool isArithmetic(const Instruction &instruction)
{
	if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
		return isa<MinMaxIntrinsic>(call) || call->getIntrinsicID() == Intrinsic::abs;
	return isa<BinaryOperator, SelectInst>(instruction) && !instruction.isIntDivRem();
}

/* The numbers that an operation computes with, without a condition. */
iterator_range<User::const_value_op_iterator> numbersOf(const Instruction &instruction)
{
	auto numbers = instruction.operand_values();
	if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
		return {numbers.begin(), std::next(numbers.begin(), call->arg_size())};
	return {std::next(numbers.begin(), isa<SelectInst>(instruction) ? 1 : 0), numbers.end()};
}

class PromotedNumbers
{
      public:
	explicit PromotedNumbers(const Function &kernel)
	{
		for (const Instruction &instruction : instructions(kernel)) {
			if (isa<ZExtInst, SExtInst>(instruction) &&
			    isSmall(*instruction.getOperand(0)->getType()) &&
			    instruction.getType()->isIntegerTy(32))
				found.insert(&instruction);
		}
		grow();
		shrink();
	}

	SmallPtrSet<const Value *, 32> found;

      private:
	bool isMadeOfFound(const Instruction &instruction) const
	{
		return instruction.getType()->isIntegerTy(32) && isArithmetic(instruction) &&
		       all_of(numbersOf(instruction), [&](const Value *number) {
			       return isa<Constant>(number) || found.contains(number);
		       });
	}

	void grow()
	{
		SmallVector<const Value *, 32> open(found.begin(), found.end());
		while (!open.empty()) {
			for (const User *user : open.pop_back_val()->users()) {
				const auto *instruction = dyn_cast<Instruction>(user);
				if (instruction && isMadeOfFound(*instruction) &&
				    found.insert(instruction).second)
					open.push_back(instruction);
			}
		}
	}

	bool isKeptShort(const Value &value) const
	{
		return all_of(value.users(), [&](const User *user) {
			return found.contains(user) || isa<ICmpInst>(user) ||
			       (isa<TruncInst>(user) && isSmall(*user->getType()));
		});
	}

	/* What is used in full is no small number, and neither is what it is made of. */
	void shrink()
	{
		SmallVector<const Value *, 32> open(found.begin(), found.end());
		while (!open.empty()) {
			const Value *value = open.pop_back_val();
			if (!found.contains(value) || isKeptShort(*value))
				continue;
			found.erase(value);
			for (const Value *number : cast<Instruction>(value)->operand_values()) {
				if (found.contains(number))
					open.push_back(number);
			}
		}
	}
};

} // namespace

SmallIntegers smallIntegers(const Function &kernel)
{
	SmallIntegers result;
	const PromotedNumbers promoted(kernel);
	for (const Instruction &instruction : instructions(kernel)) {
		const Value *number =
			isa<CmpInst>(instruction) ? instruction.getOperand(0) : &instruction;
		if (isSmall(*number->getType()) || promoted.found.contains(number))
			result.insert(&instruction);
	}
	return result;
}

} // namespace weft
