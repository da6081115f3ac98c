/* SPDX-License-Identifier: MIT
 *
 * Floats for up to 16 bits, doubles for up to 32, and for 64 where vectors of them are converted by an instruction.
 */
#include "lane_code/float_division.h"

#include "lane_code/lane_vectors.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned floatBits = 16, longBits = 64;

/* What is divided by a divisor to get a reciprocal slightly past it: by 2^-51 of it in doubles, by 2^-22 in floats. A dividend's product
 * with it is not below the quotient, so that no whole quotient is missed, and reaches no next whole number, which is 1/divisor away from
 * the largest fraction: the product is past the quotient by less than 2^-5 of that, rounded by less than 2^-7. */
constexpr double doubleOne = 0x1.0000000000002p0, floatOne = 0x1.000004p0;
/* 1 - 2^-50, divided by the divisor of numbers of 64 bits. With the four roundings, each of at most 2^-53, of the two numbers, of the
 * reciprocal and of the product, a product is below the quotient by 4 to 12 times 2^-53 of it. So the first one lacks less than 13 * 2^11,
 * what remains is less than the divisor and that many divisors, and the second one lacks less than 1. */
constexpr double longOne = 0x1.ffffffffffff8p-1;

bool isSigned(const BinaryOperator &division)
{
	return division.getOpcode() == Instruction::SDiv ||
	       division.getOpcode() == Instruction::SRem;
}

unsigned lanesOf(const Type *type)
{
	const auto *vector = dyn_cast<FixedVectorType>(type);
	return vector ? vector->getNumElements() : 1;
}

Value *asReal(IRBuilder<> &at, Value *number, Type *real, bool isSignedNumber)
{
	/* What conversions are made for. */
	Type *whole = number->getType()->getWithNewType(at.getInt32Ty());
	return isSignedNumber ? at.CreateSIToFP(at.CreateSExt(number, whole), real)
			      : at.CreateUIToFP(at.CreateZExt(number, whole), real);
}

bool isRemainder(const BinaryOperator &division)
{
	return division.getOpcode() == Instruction::URem ||
	       division.getOpcode() == Instruction::SRem;
}

Value *repeatedFor(IRBuilder<> &at, Value *shared, const Type &vector)
{
	return shared->getType() == &vector
		       ? shared
		       : repeated(at, shared, lanesOf(&vector) / lanesOf(shared->getType()));
}

Value *magnitude(IRBuilder<> &at, Value *number, bool isSignedNumber)
{
	return isSignedNumber ? at.CreateBinaryIntrinsic(Intrinsic::abs, number, at.getFalse())
			      : number;
}

/* Numbers of 64 bits: what remains of the dividend's magnitude, and the quotient of magnitudes. */
struct LongQuotient {
	Value *quotient, *rest;

	void addPart(IRBuilder<> &at, Value *divisor, Value *reciprocal)
	{
		Value *part = at.CreateFPToUI(
			at.CreateFMul(at.CreateUIToFP(rest, reciprocal->getType()), reciprocal),
			rest->getType());
		rest = at.CreateSub(rest, at.CreateMul(part, divisor));
		quotient = quotient ? at.CreateAdd(quotient, part) : part;
	}
	void addLast(IRBuilder<> &at, Value *divisor)
	{
		Value *hasOne = at.CreateICmpUGE(rest, divisor);
		rest = at.CreateSelect(hasOne, at.CreateSub(rest, divisor), rest);
		quotient = at.CreateAdd(quotient, at.CreateZExt(hasOne, quotient->getType()));
	}
};

Value *divideLongs(IRBuilder<> &at, const BinaryOperator &division, Value *dividend, Value *divisor,
		   Value *shared)
{
	const bool hasSign = isSigned(division);
	Value *one = magnitude(at, shared ? shared : divisor, hasSign);
	Type *real = one->getType()->getWithNewType(at.getDoubleTy());
	Value *reciprocal =
		at.CreateFDiv(ConstantFP::get(real, longOne), at.CreateUIToFP(one, real));
	Type *type = dividend->getType();
	one = repeatedFor(at, one, *type);
	reciprocal = repeatedFor(at, reciprocal, *type->getWithNewType(at.getDoubleTy()));
	LongQuotient result = {nullptr, magnitude(at, dividend, hasSign)};
	result.addPart(at, one, reciprocal);
	result.addPart(at, one, reciprocal);
	result.addLast(at, one);
	Value *found = isRemainder(division) ? result.rest : result.quotient;
	if (!hasSign)
		return found;
	Value *signs = isRemainder(division) ? dividend : at.CreateXor(dividend, divisor);
	return at.CreateSelect(at.CreateICmpSLT(signs, Constant::getNullValue(type)),
			       at.CreateNeg(found), found);
}

} // namespace

Value *divideAsFloat(IRBuilder<> &at, const BinaryOperator &division, Value *dividend,
		     Value *divisor, Value *shared)
{
	const unsigned bits = division.getType()->getScalarSizeInBits();
	if (bits == longBits)
		return divideLongs(at, division, dividend, divisor, shared);
	const bool isShort = bits <= floatBits;
	Type *real = isShort ? at.getFloatTy() : at.getDoubleTy();
	Type *reals = dividend->getType()->getWithNewType(real);
	Type *whole = dividend->getType()->getWithNewType(at.getInt32Ty());
	Value *number = asReal(at, dividend, reals, isSigned(division));
	Value *quotient;
	if (shared) {
		Type *type = shared->getType()->getWithNewType(real);
		Value *reciprocal =
			at.CreateFDiv(ConstantFP::get(type, isShort ? floatOne : doubleOne),
				      asReal(at, shared, type, isSigned(division)));
		quotient = at.CreateFMul(number, repeatedFor(at, reciprocal, *reals));
	} else {
		quotient = at.CreateFDiv(number, asReal(at, divisor, reals, isSigned(division)));
	}
	quotient = isSigned(division) ? at.CreateFPToSI(quotient, whole)
				      : at.CreateFPToUI(quotient, whole);
	quotient = at.CreateTrunc(quotient, dividend->getType());
	if (!isRemainder(division))
		return quotient;
	return at.CreateSub(dividend, at.CreateMul(quotient, divisor));
}

} // namespace weft
