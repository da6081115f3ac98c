/* SPDX-License-Identifier: MIT
 *
 * Two addresses side by side, down to where they are the same, constants being added up on the way.
 */
#include "ir/address_difference.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

using Difference = std::optional<int64_t>;

constexpr unsigned deepest = 8;

Difference sum(Difference a, Difference b)
{
	int64_t result;
	return a && b && !AddOverflow(*a, *b, result) ? Difference(result) : std::nullopt;
}

Difference product(Difference a, int64_t factor)
{
	int64_t result;
	return a && !MulOverflow(*a, factor, result) ? Difference(result) : std::nullopt;
}

Difference ofNumbers(const Value *a, const Value *b, unsigned depth);

/* Takes constants that are added off a number. */
const Value *withoutConstant(const Value *value, int64_t &constant)
{
	const Value *rest = nullptr;
	const APInt *added = nullptr;
	while (match(value, m_AddLike(m_Value(rest), m_APInt(added))) &&
	       added->getSignificantBits() <= 40) {
		constant += added->getSExtValue();
		value = rest;
	}
	return value;
}

Difference ofSums(const Operator &a, const Operator &b, unsigned depth)
{
	const Value *left = a.getOperand(0), *right = a.getOperand(1);
	Difference result = sum(ofNumbers(left, b.getOperand(0), depth),
				ofNumbers(right, b.getOperand(1), depth));
	if (result)
		return result;
	return sum(ofNumbers(left, b.getOperand(1), depth),
		   ofNumbers(right, b.getOperand(0), depth));
}

/* The difference of two results of one operation by one constant. */
Difference ofScaled(const Operator &a, const Operator &b, unsigned depth)
{
	const APInt *by = nullptr;
	if (a.getOperand(1) != b.getOperand(1) || !match(a.getOperand(1), m_APInt(by)) ||
	    by->getSignificantBits() > 40)
		return std::nullopt;
	Difference result = ofNumbers(a.getOperand(0), b.getOperand(0), depth);
	int64_t power = by->ule(32) ? int64_t(1) << by->getZExtValue() : 0;
	switch (a.getOpcode()) {
	case Instruction::Mul:
		return product(result, by->getSExtValue());
	case Instruction::Shl:
		return power ? product(result, power) : std::nullopt;
	case Instruction::AShr:
	case Instruction::LShr: /* the end of a number's being cut to 32 bits, as the next */
		return by->getBitWidth() == 64 && result && power && *result % power == 0
			       ? Difference(*result / power)
			       : std::nullopt;
	default: /* And */
		return by->isMask() && by->getBitWidth() == 64 && by->countr_one() >= 32
			       ? result
			       : std::nullopt;
	}
}

/* a - b, but for multiples of 2^32 that no address of the same object has. */
Difference ofNumbers(const Value *a, const Value *b, unsigned depth)
{
	int64_t aConstant = 0, bConstant = 0;
	a = withoutConstant(a, aConstant);
	b = withoutConstant(b, bConstant);
	int64_t constants = aConstant - bConstant;
	if (a == b)
		return constants;
	const auto *left = dyn_cast<Operator>(a), *right = dyn_cast<Operator>(b);
	if (!left || !right || left->getOpcode() != right->getOpcode() || depth == 0 ||
	    left->getType() != right->getType())
		return std::nullopt;
	const Value *from = left->getOperand(0);
	switch (left->getOpcode()) {
	case Instruction::Add:
		return sum(ofSums(*left, *right, depth - 1), constants);
	case Instruction::Mul:
	case Instruction::Shl:
	case Instruction::AShr:
	case Instruction::LShr:
	case Instruction::And:
		return sum(ofScaled(*left, *right, depth - 1), constants);
	case Instruction::SExt:
	case Instruction::ZExt:
		if (from->getType() != right->getOperand(0)->getType() ||
		    from->getType()->getScalarSizeInBits() < 32)
			return std::nullopt;
		return sum(ofNumbers(from, right->getOperand(0), depth - 1), constants);
	default:
		return std::nullopt;
	}
}

Difference ofPointers(const Value *a, const Value *b, const DataLayout &layout, unsigned depth)
{
	APInt aConstant(64, 0), bConstant(64, 0);
	a = a->stripAndAccumulateConstantOffsets(layout, aConstant, true);
	b = b->stripAndAccumulateConstantOffsets(layout, bConstant, true);
	Difference result = (aConstant - bConstant).getSExtValue();
	if (a == b)
		return result;
	const auto *left = dyn_cast<GEPOperator>(a), *right = dyn_cast<GEPOperator>(b);
	if (!left || !right || left->getNumOperands() != right->getNumOperands() ||
	    left->getSourceElementType() != right->getSourceElementType() || depth == 0)
		return std::nullopt;
	result = sum(result, ofPointers(left->getPointerOperand(), right->getPointerOperand(),
					layout, depth - 1));
	auto other = gep_type_begin(right);
	for (auto i = gep_type_begin(left), end = gep_type_end(left); i != end && result;
	     ++i, ++other) {
		const Value *index = i.getOperand(), *otherIndex = other.getOperand();
		if (index == otherIndex)
			continue;
		if (i.isStruct() || index->getType() != otherIndex->getType())
			return std::nullopt;
		auto unit = int64_t(i.getSequentialElementStride(layout).getFixedValue());
		result = sum(result, product(ofNumbers(index, otherIndex, depth - 1), unit));
	}
	return result;
}

} // namespace

std::optional<int64_t> addressDifference(const Value *a, const Value *b, const DataLayout &layout)
{
	if (a->getType() != b->getType() || a->getType()->isVectorTy())
		return std::nullopt;
	return ofPointers(a, b, layout, deepest);
}

} // namespace weft
