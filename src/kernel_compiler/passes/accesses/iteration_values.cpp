/* SPDX-License-Identifier: MIT
 *
 * Steps from operands' steps, back to the loop's phis.
 */
#include "accesses/iteration_values.h"

#include "layout/checked_sum.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostVisits = 200; /* of values, for one address */

} // namespace

IterationValues::Step IterationValues::stepOfPhi(const PHINode &phi) const
{
	const Value *start = nullptr;
	const APInt *step = nullptr;
	if (phi.getParent() != loop.getHeader() || phi.getNumIncomingValues() != 2)
		return std::nullopt;
	const Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch());
	const auto *address = dyn_cast<GEPOperator>(next);
	if (address && address->getPointerOperand() == &phi) {
		APInt offset(64, 0);
		bool isFixed =
			address->accumulateConstantOffset(phi.getParent()->getDataLayout(), offset);
		return isFixed ? Step(offset.getSExtValue()) : std::nullopt;
	}
	if (phi.getType()->isIntegerTy() && match(next, m_Add(m_Value(start), m_APInt(step))) &&
	    start == &phi && step->getSignificantBits() <= 32)
		return step->getSExtValue();
	return std::nullopt;
}

IterationValues::Step IterationValues::stepOfAddress(const GEPOperator &address,
						     unsigned depth) const
{
	const DataLayout &layout = loop.getHeader()->getDataLayout();
	Step result = stepOf(address.getPointerOperand(), depth);
	for (auto i = gep_type_begin(address), end = gep_type_end(address); i != end; ++i) {
		if (i.isStruct())
			continue;
		auto unit = int64_t(i.getSequentialElementStride(layout).getFixedValue());
		const bool wasExtended = isExtended;
		isExtended = false;
		result = checkedSum(result, stepOf(i.getOperand(), depth), unit);
		if (isExtended && unit < 4)
			return std::nullopt;
		isExtended = wasExtended;
	}
	return result;
}

/* The same in all iterations, though it is computed in each. */
IterationValues::Step IterationValues::stepOfFixed(const Instruction &instruction,
						   unsigned depth) const
{
	if (!isa<BinaryOperator, CastInst, SelectInst, CmpInst>(instruction) ||
	    !isSafeToSpeculativelyExecute(&instruction))
		return std::nullopt;
	bool isFixed = all_of(instruction.operands(),
			      [&](const Use &use) { return stepOf(use, depth) == 0; });
	return isFixed ? Step(0) : std::nullopt;
}

/* Whether a sum may not fit its type in an iteration in which it is used. */
bool IterationValues::mayWrap(const Value &value, bool isSigned, unsigned depth) const
{
	const auto *sum = dyn_cast<OverflowingBinaryOperator>(&value);
	if (!isInside(&value))
		return false;
	if (depth == 0 || ++visits > mostVisits)
		return true;
	if (const auto *phi = dyn_cast<PHINode>(&value)) {
		const Value *next = phi->getParent() == loop.getHeader()
					    ? phi->getIncomingValueForBlock(loop.getLoopLatch())
					    : nullptr;
		sum = dyn_cast_if_present<OverflowingBinaryOperator>(next);
		return !sum || sum->getOperand(0) != phi ||
		       !(isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
	}
	return !sum || !(isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap()) ||
	       mayWrap(*sum->getOperand(0), isSigned, depth - 1) ||
	       mayWrap(*sum->getOperand(1), isSigned, depth - 1);
}

IterationValues::Step IterationValues::stepOf(const Value *value, unsigned depth) const
{
	if (!isInside(value))
		return 0;
	const auto &instruction = *cast<Instruction>(value);
	const Value *a = nullptr, *b = nullptr;
	const APInt *factor = nullptr;
	if (depth-- == 0 || ++visits > mostVisits || value->getType()->isVectorTy())
		return std::nullopt;
	if (const auto *phi = dyn_cast<PHINode>(value))
		return stepOfPhi(*phi);
	if (const auto *address = dyn_cast<GEPOperator>(value))
		return stepOfAddress(*address, depth);
	if (match(value, m_AddLike(m_Value(a), m_Value(b))))
		return checkedSum(stepOf(a, depth), stepOf(b, depth));
	if (match(value, m_Sub(m_Value(a), m_Value(b))))
		return checkedSum(stepOf(a, depth), stepOf(b, depth), -1);
	if (match(value, m_Mul(m_Value(a), m_APInt(factor))) && factor->getSignificantBits() <= 32)
		return checkedSum(0, stepOf(a, depth), factor->getSExtValue());
	if (match(value, m_Shl(m_Value(a), m_APInt(factor))) && factor->ult(32))
		return checkedSum(0, stepOf(a, depth), int64_t(1) << factor->getZExtValue());
	if (isa<SExtInst, ZExtInst, TruncInst>(value)) {
		const Value *from = instruction.getOperand(0);
		if (std::min(from->getType()->getScalarSizeInBits(),
			     value->getType()->getScalarSizeInBits()) >= 32) {
			isExtended = isExtended || isa<TruncInst>(value) ||
				     mayWrap(*from, isa<SExtInst>(value), depth);
			return stepOf(from, depth);
		}
	}
	return stepOfFixed(instruction, depth);
}

Value *IterationValues::inFirstIteration(Value *value, IRBuilder<> &at)
{
	if (!isInside(value))
		return value;
	if (auto *phi = dyn_cast<PHINode>(value))
		return phi->getIncomingValueForBlock(loop.getLoopPreheader());
	auto found = first.find(value);
	if (found != first.end())
		return found->second;
	Instruction *copy = cast<Instruction>(value)->clone();
	copy->dropPoisonGeneratingAnnotations();
	copy->dropUnknownNonDebugMetadata();
	for (Use &use : copy->operands())
		use.set(inFirstIteration(use, at));
	return first[value] = at.Insert(copy, value->getName() + ".first");
}

} // namespace weft
