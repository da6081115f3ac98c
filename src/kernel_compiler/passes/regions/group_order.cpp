/* SPDX-License-Identifier: MIT
 *
 * By how much places grow from one group to the next: sums and products of the groups' ids, sizes and constants. A wrong answer costs time
 * alone.
 */
#include "regions/group_order.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Groups' places are near each other that are not farther apart. */
constexpr int64_t mostOfItem = 64, mostOfGroup = 1024; /* bytes for each work-item, and in all */
constexpr unsigned deepestPlace = 32;                  /* operations, one of another */
constexpr unsigned mostFactorBits = 40;

/* So much for each work-item that a group has along a dimension, and so much in all. */
struct GroupStep {
	int64_t ofItem = 0, ofGroup = 0;

	bool isZero() const
	{
		return ofItem == 0 && ofGroup == 0;
	}
	bool operator==(const GroupStep &other) const
	{
		return ofItem == other.ofItem && ofGroup == other.ofGroup;
	}
};

using Step = std::optional<GroupStep>; /* nullopt: unknown, and so far */

Step sumOf(const Step &left, const Step &right, int64_t factor)
{
	GroupStep sum;
	int64_t scaled[2];
	if (!left || !right || MulOverflow(right->ofItem, factor, scaled[0]) ||
	    MulOverflow(right->ofGroup, factor, scaled[1]) ||
	    AddOverflow(left->ofItem, scaled[0], sum.ofItem) ||
	    AddOverflow(left->ofGroup, scaled[1], sum.ofGroup))
		return std::nullopt;
	return sum;
}

bool isSizeOfGroup(const Value &value)
{
	const Value *whole = &value;
	while (const auto *cast = dyn_cast<CastInst>(whole))
		whole = cast->getOperand(0);
	const std::optional<Query> query = queryOf(*whole);
	return query == Query::LocalSize || query == Query::EnqueuedLocalSize;
}

class GroupSteps
{
      public:
	explicit GroupSteps(unsigned theDimension) : dimension(theDimension)
	{
	}

	Step of(const Value &value, unsigned depth = 0)
	{
		const auto *instruction = dyn_cast<Instruction>(&value);
		if (!instruction)
			return GroupStep();
		if (const auto found = steps.find(instruction); found != steps.end())
			return found->second;
		if (depth == deepestPlace)
			return std::nullopt;
		/* What a phi that depends on itself adds is the same in all groups. */
		steps[instruction] = GroupStep();
		const Step step = compute(*instruction, depth + 1);
		steps[instruction] = step;
		return step;
	}

      private:
	Step compute(const Instruction &instruction, unsigned depth)
	{
		if (const std::optional<Query> query = queryOf(instruction)) {
			const bool isThis =
				*query == Query::GroupId &&
				match(instruction.getOperand(0), m_SpecificInt(dimension));
			return GroupStep{0, isThis ? 1 : 0};
		}
		if (const auto *phi = dyn_cast<PHINode>(&instruction))
			return ofPhi(*phi, depth);
		if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
			return ofAddress(*address, depth);
		if (isa<CastInst, FreezeInst>(instruction))
			return of(*instruction.getOperand(0), depth);
		if (all_of(instruction.operands(), [&](const Use &use) {
			    const Step step = of(*use, depth);
			    return step && step->isZero();
		    }))
			return GroupStep();
		return isa<BinaryOperator>(instruction) ? ofArithmetic(instruction, depth)
							: std::nullopt;
	}

	Step ofPhi(const PHINode &phi, unsigned depth)
	{
		const Step first = of(*phi.getIncomingValue(0), depth);
		steps[&phi] = first;
		const bool isCommon = all_of(phi.incoming_values(), [&](const Use &use) {
			return of(*use, depth) == first;
		});
		return isCommon ? first : std::nullopt;
	}

	Step ofAddress(const GetElementPtrInst &address, unsigned depth)
	{
		Step step = of(*address.getPointerOperand(), depth);
		const DataLayout &layout = address.getDataLayout();
		for (auto i = gep_type_begin(address), end = gep_type_end(address); i != end; ++i) {
			if (i.isStruct())
				continue;
			const auto stride =
				int64_t(i.getSequentialElementStride(layout).getFixedValue());
			step = sumOf(step, of(*i.getOperand(), depth), stride);
		}
		return step;
	}

	Step ofArithmetic(const Instruction &instruction, unsigned depth)
	{
		const Value &first = *instruction.getOperand(0),
			    &second = *instruction.getOperand(1);
		const Step left = of(first, depth), right = of(second, depth);
		const APInt *factor;
		if (instruction.getOpcode() == Instruction::Add ||
		    match(&instruction, m_DisjointOr(m_Value(), m_Value())))
			return sumOf(left, right, 1);
		if (instruction.getOpcode() == Instruction::Sub)
			return sumOf(left, right, -1);
		if (match(&instruction, m_Shl(m_Value(), m_APInt(factor))) &&
		    factor->ult(mostFactorBits))
			return sumOf(GroupStep(), left, int64_t(1) << factor->getZExtValue());
		if (match(&instruction, m_AShr(m_Value(), m_APInt(factor))) &&
		    factor->ult(mostFactorBits))
			return quotientOf(left, int64_t(1) << factor->getZExtValue());
		if (instruction.getOpcode() != Instruction::Mul)
			return std::nullopt;
		return left && left->isZero() ? productOf(right, first) : productOf(left, second);
	}

	/* LLVM has extensions of 32 bits to 64 as two shifts. */
	static Step quotientOf(const Step &step, int64_t divisor)
	{
		if (!step || step->ofItem % divisor != 0 || step->ofGroup % divisor != 0)
			return std::nullopt;
		return GroupStep{step->ofItem / divisor, step->ofGroup / divisor};
	}

	static Step productOf(const Step &step, const Value &factor)
	{
		const APInt *number;
		if (match(&factor, m_APInt(number)) &&
		    number->getSignificantBits() <= mostFactorBits)
			return sumOf(GroupStep(), step, number->getSExtValue());
		if (!step || step->ofItem != 0 || !isSizeOfGroup(factor))
			return std::nullopt;
		return GroupStep{step->ofGroup, 0};
	}

	const unsigned dimension;
	DenseMap<const Instruction *, Step> steps;
};

bool isFar(const Step &step)
{
	return !step || std::abs(step->ofItem) > mostOfItem ||
	       std::abs(step->ofGroup) > mostOfGroup;
}

bool isNear(const Step &step)
{
	return step && !isFar(step) && !step->isZero();
}

/* Groups may wait for those before them, as programs have it although nothing says that they may. */
bool needsOrder(const Instruction &instruction)
{
	const bool isShared = instruction.isAtomic() || instruction.isVolatile();
	return isShared && !isa<FenceInst>(instruction);
}

} // namespace

bool groupsSuitY(const Function &kernel)
{
	GroupSteps alongX(0), alongY(1);
	bool result = false;
	for (const Instruction &instruction : instructions(kernel)) {
		if (needsOrder(instruction))
			return false;
		const Value *pointer = getLoadStorePointerOperand(&instruction);
		if (!pointer || !isSharedSpace(pointer->getType()->getPointerAddressSpace()))
			continue;
		const Step x = alongX.of(*pointer), y = alongY.of(*pointer);
		if (isFar(y))
			return false;
		result |= isa<StoreInst>(instruction) && isFar(x) && isNear(y);
	}
	return result;
}

} // namespace weft
