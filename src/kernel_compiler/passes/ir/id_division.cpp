/* SPDX-License-Identifier: MIT
 *
 * Powers of two divide by shifts and masks, too.
 */
#include "ir/id_division.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Operations that a value goes through at most. */
constexpr unsigned mostCasts = 8;
/* Of a number that ids are divided by. */
constexpr unsigned mostDivisorBits = 31;

/* What a division or a remainder is of; neither: no dividend. */
struct Part {
	Value *dividend = nullptr, *divisor = nullptr;
	bool isQuotient = false;
};

ConstantInt *divisorOf(const Instruction &instruction, const APInt &number)
{
	return ConstantInt::get(Type::getInt64Ty(instruction.getContext()),
				number.getLimitedValue());
}

Part partOf(Instruction &instruction)
{
	Value *dividend, *divisor;
	const APInt *number;
	unsigned bits = 64;
	if (match(&instruction, m_And(m_Value(dividend), m_APInt(number))) && number->isMask() &&
	    number->getActiveBits() < mostDivisorBits)
		return {dividend, divisorOf(instruction, *number + 1), false};
	if (match(&instruction, m_Shr(m_Value(dividend), m_APInt(number))) &&
	    number->ult(mostDivisorBits))
		return {dividend,
			divisorOf(instruction,
				  APInt::getOneBitSet(64, unsigned(number->getZExtValue()))),
			true};
	const bool isQuotient = match(&instruction, m_IDiv(m_Value(dividend), m_Value(divisor)));
	if (!isQuotient && !match(&instruction, m_IRem(m_Value(dividend), m_Value(divisor))))
		return {};
	if (match(divisor, m_APInt(number)))
		return number->isStrictlyPositive() && number->getActiveBits() <= mostDivisorBits
			       ? Part{dividend, divisorOf(instruction, *number), isQuotient}
			       : Part{};
	divisor = withoutCasts(divisor, bits);
	return bits < 32 ? Part{} : Part{dividend, divisor, isQuotient};
}

/* lower-division has `number ? number : 1` for a divisor, if it is signed also for -1. */
bool isDivisor(const Value &divisor, Value &number)
{
	unsigned bits = 64;
	const Value *plain = withoutCasts(&number, bits);
	return &divisor == plain ||
	       match(&divisor, m_Select(m_Value(), m_One(), m_Specific(&number)));
}

/* Quotients by -1 are negated: `divisor == -1 ? -quotient : quotient`. */
void addNegated(IdDivision &division)
{
	for (unsigned i = 0; i < division.quotients.size(); i++) {
		Instruction *quotient = division.quotients[i];
		for (User *user : quotient->users()) {
			Value *number;
			if (match(user,
				  m_Select(m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(number),
							  m_AllOnes()),
					   m_Neg(m_Specific(quotient)), m_Specific(quotient))) &&
			    isDivisor(*division.divisor, *number))
				division.quotients.push_back(cast<Instruction>(user));
		}
	}
}

} // namespace

Value *withoutCasts(Value *value, unsigned &bits)
{
	for (unsigned i = 0; i < mostCasts; i++) {
		const unsigned width = value->getType()->getScalarSizeInBits();
		uint64_t left, right;
		Value *inner;
		if (match(value, m_ZExtOrSExt(m_Value(inner))))
			bits = std::min(bits, inner->getType()->getScalarSizeInBits());
		else if (match(value, m_Trunc(m_Value(inner))))
			bits = std::min(bits, width);
		else if (match(value, m_AShr(m_Shl(m_Value(inner), m_ConstantInt(left)),
					     m_ConstantInt(right))) &&
			 left == right && left < width)
			bits = std::min(bits, width - unsigned(left));
		else
			break;
		value = inner;
	}
	return value;
}

std::optional<IdDivision> findIdDivision(Function &kernel, function_ref<bool(const Value &)> isId)
{
	SmallMapVector<Value *, IdDivision, 4> found;
	SmallVector<Instruction *, 4> ids;
	for (Instruction &instruction : instructions(kernel)) {
		if (isId(instruction))
			ids.push_back(&instruction);
		if (!instruction.getType()->isIntegerTy())
			continue;
		const Part part = partOf(instruction);
		unsigned bits = 64;
		if (!part.dividend || !isId(*withoutCasts(part.dividend, bits)) || bits < 32)
			continue;
		IdDivision &division = found[part.divisor];
		(part.isQuotient ? division.quotients : division.remainders)
			.push_back(&instruction);
	}
	IdDivision *most = nullptr;
	for (auto &[divisor, division] : found) {
		division.divisor = divisor;
		if (!division.quotients.empty() && !division.remainders.empty() &&
		    (!most || division.quotients.size() > most->quotients.size()))
			most = &division;
	}
	if (!most)
		return std::nullopt;
	addNegated(*most);
	most->ids = std::move(ids);
	return std::move(*most);
}

} // namespace weft
