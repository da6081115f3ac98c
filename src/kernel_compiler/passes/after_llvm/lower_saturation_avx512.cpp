/* SPDX-License-Identifier: MIT
 *
 * lower-saturation-avx512: one instruction of LLVM's x86 intrinsics for each register of numbers.
 */
#include "after_llvm/lower_saturation_avx512.h"

#include "after_llvm/saturating_conversion.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <cmath>

using namespace llvm;
using namespace PatternMatch;

namespace weft
{

namespace
{

/* By the number's bits, the integer's bits and its sign: truncating and rounding conversions for 256 and for 512 bits of the longer
 * type. */
struct Conversion {
	unsigned numberBits;
	unsigned integerBits;
	bool isSigned;
	Intrinsic::ID truncating[2];
	Intrinsic::ID rounding[2];
};

constexpr Conversion conversions[] = {
	{32,
	 32,
	 true,
	 {Intrinsic::x86_avx_cvtt_ps2dq_256, Intrinsic::x86_avx512_mask_cvttps2dq_512},
	 {Intrinsic::x86_avx_cvt_ps2dq_256, Intrinsic::x86_avx512_mask_cvtps2dq_512}},
	{32,
	 32,
	 false,
	 {Intrinsic::x86_avx512_mask_cvttps2udq_256, Intrinsic::x86_avx512_mask_cvttps2udq_512},
	 {Intrinsic::x86_avx512_mask_cvtps2udq_256, Intrinsic::x86_avx512_mask_cvtps2udq_512}},
	{32,
	 64,
	 true,
	 {Intrinsic::x86_avx512_mask_cvttps2qq_256, Intrinsic::x86_avx512_mask_cvttps2qq_512},
	 {Intrinsic::x86_avx512_mask_cvtps2qq_256, Intrinsic::x86_avx512_mask_cvtps2qq_512}},
	{32,
	 64,
	 false,
	 {Intrinsic::x86_avx512_mask_cvttps2uqq_256, Intrinsic::x86_avx512_mask_cvttps2uqq_512},
	 {Intrinsic::x86_avx512_mask_cvtps2uqq_256, Intrinsic::x86_avx512_mask_cvtps2uqq_512}},
	{64,
	 32,
	 true,
	 {Intrinsic::x86_avx_cvtt_pd2dq_256, Intrinsic::x86_avx512_mask_cvttpd2dq_512},
	 {Intrinsic::x86_avx_cvt_pd2dq_256, Intrinsic::x86_avx512_mask_cvtpd2dq_512}},
	{64,
	 32,
	 false,
	 {Intrinsic::x86_avx512_mask_cvttpd2udq_256, Intrinsic::x86_avx512_mask_cvttpd2udq_512},
	 {Intrinsic::x86_avx512_mask_cvtpd2udq_256, Intrinsic::x86_avx512_mask_cvtpd2udq_512}},
	{64,
	 64,
	 true,
	 {Intrinsic::x86_avx512_mask_cvttpd2qq_256, Intrinsic::x86_avx512_mask_cvttpd2qq_512},
	 {Intrinsic::x86_avx512_mask_cvtpd2qq_256, Intrinsic::x86_avx512_mask_cvtpd2qq_512}},
	{64,
	 64,
	 false,
	 {Intrinsic::x86_avx512_mask_cvttpd2uqq_256, Intrinsic::x86_avx512_mask_cvttpd2uqq_512},
	 {Intrinsic::x86_avx512_mask_cvtpd2uqq_256, Intrinsic::x86_avx512_mask_cvtpd2uqq_512}},
};

constexpr unsigned longestRegisterBits = 512;

/* For 128, 256 and 512 bits: replaces numbers by their kind. */
constexpr Intrinsic::ID floatFixups[] = {Intrinsic::x86_avx512_mask_fixupimm_ps_128,
					 Intrinsic::x86_avx512_mask_fixupimm_ps_256,
					 Intrinsic::x86_avx512_mask_fixupimm_ps_512};
constexpr Intrinsic::ID doubleFixups[] = {Intrinsic::x86_avx512_mask_fixupimm_pd_128,
					  Intrinsic::x86_avx512_mask_fixupimm_pd_256,
					  Intrinsic::x86_avx512_mask_fixupimm_pd_512};
/* Four bits for each kind of number. The first two are NaNs, for which 8 is 0; for the others 0 is the number as it is. */
constexpr uint64_t zeroForNaN = 0x88;

constexpr uint64_t currentRounding = 4; /* as the register of modes says: to the nearest even */

/* What one conversion becomes. */
class Avx512Saturation
{
      public:
	explicit Avx512Saturation(IntrinsicInst &conversion)
	    : builder(&conversion), type(cast<FixedVectorType>(conversion.getType())),
	      isSigned(isSignedConversion(conversion)), number(conversion.getArgOperand(0)),
	      mayBeNaN(!isKnownNeverNaN(number,
					SimplifyQuery(conversion.getDataLayout(), &conversion)))
	{
		/* No rounding mode is set, so that rint rounds to the nearest even number. */
		Value *unrounded = nullptr;
		if (match(number,
			  m_CombineOr(m_Intrinsic<Intrinsic::rint>(m_Value(unrounded)),
				      m_Intrinsic<Intrinsic::roundeven>(m_Value(unrounded))))) {
			number = unrounded;
			isRounded = true;
		}
	}

	/* Null where no instruction is for these types and this many numbers. */
	Value *lowered()
	{
		const Type &from = *number->getType()->getScalarType();
		const unsigned numberBits = from.isHalfTy() ? 32 : from.getScalarSizeInBits();
		const unsigned bits = type->getScalarSizeInBits();
		if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
			return nullptr;
		isNarrow = bits < 32;
		/* What is narrow becomes an integer of 32 bits first, whose sign shows what was out of range. */
		integerBits = isNarrow ? 32 : bits;
		const Conversion *conversion = find_if(conversions, [&](const Conversion &row) {
			return row.numberBits == numberBits && row.integerBits == integerBits &&
			       row.isSigned == (isSigned || isNarrow);
		});
		if (conversion == std::end(conversions) || !findLength(*conversion))
			return nullptr;
		number = halvesAsFloats(builder, number);
		return isSigned ? signedInteger(*conversion) : unsignedInteger(*conversion);
	}

      private:
	bool findLength(const Conversion &conversion)
	{
		const unsigned longest = longestRegisterBits /
					 std::max(conversion.numberBits, conversion.integerBits);
		const unsigned count = type->getNumElements();
		isWhole = count % longest == 0;
		length = isWhole ? longest : longest / 2;
		return isWhole || count == length;
	}

	Constant *bound(double value) const
	{
		return ConstantFP::get(number->getType(), value);
	}

	Value *atMost(double highest)
	{
		return builder.CreateSelect(builder.CreateFCmpOLT(number, bound(highest)), number,
					    bound(highest));
	}

	/* NaN and all below are 0 before the conversion, which gives the greatest integer for what is above. */
	Value *unsignedInteger(const Conversion &conversion)
	{
		number = builder.CreateSelect(builder.CreateFCmpOGT(number, bound(0)), number,
					      bound(0));
		Value *integer = converted(conversion);
		return isNarrow ? narrowed(Intrinsic::umin, integer, false) : integer;
	}

	/* The conversion gives the least integer for what is below. */
	Value *signedInteger(const Conversion &conversion)
	{
		const double above = std::ldexp(1.0, int(type->getScalarSizeInBits()) - 1);
		if (mayBeNaN)
			number = withoutNaN(conversion.numberBits);
		if (type->getScalarSizeInBits() <= conversion.numberBits / 2) {
			number = atMost(above - 1);
			Value *integer = converted(conversion);
			return isNarrow ? narrowed(Intrinsic::smin, integer, true) : integer;
		}
		/* Instruction selection makes a masked conversion of this. */
		Value *isBelow = builder.CreateFCmpULT(number, bound(above));
		Constant *highest = ConstantInt::get(
			type, APInt::getSignedMaxValue(type->getScalarSizeInBits()));
		return builder.CreateSelect(isBelow, converted(conversion), highest);
	}

	/* One instruction for each register. A comparison and what it masks would be two. */
	Value *withoutNaN(unsigned numberBits)
	{
		const unsigned count = type->getNumElements();
		const unsigned registerBits = std::min<uint64_t>(
			MinAlign(uint64_t(count) * numberBits, longestRegisterBits),
			longestRegisterBits);
		const Intrinsic::ID id =
			(numberBits == 64 ? doubleFixups
					  : floatFixups)[Log2_32(registerBits / 128)];
		return inParts(registerBits / numberBits, [&](Value *part) {
			const FunctionType *signature =
				Intrinsic::getType(builder.getContext(), id);
			const unsigned mask = 4;
			SmallVector<Value *, 6> arguments = {
				part, part,
				ConstantInt::get(signature->getParamType(2), zeroForNaN),
				builder.getInt32(0),
				Constant::getAllOnesValue(signature->getParamType(mask))};
			if (signature->getNumParams() > mask + 1)
				arguments.push_back(builder.getInt32(currentRounding));
			return builder.CreateIntrinsic(id, arguments);
		});
	}

	/* Instruction selection makes one saturating truncation of this. */
	Value *narrowed(Intrinsic::ID minimum, Value *integer, bool hasLowest)
	{
		const unsigned bits = type->getScalarSizeInBits();
		const auto constant = [&](const APInt &value) {
			return ConstantInt::get(integer->getType(), value);
		};
		const APInt highest =
			APInt::getLowBitsSet(integerBits, hasLowest ? bits - 1 : bits);
		integer = builder.CreateBinaryIntrinsic(minimum, integer, constant(highest));
		if (hasLowest)
			integer = builder.CreateBinaryIntrinsic(Intrinsic::smax, integer,
								constant(~highest));
		return builder.CreateTrunc(integer, type);
	}

	Value *converted(const Conversion &conversion)
	{
		return inParts(length,
			       [&](Value *part) { return convertedPart(conversion, part); });
	}

	/* The operation on so many of the numbers at a time. */
	Value *inParts(unsigned partLength, function_ref<Value *(Value *)> operation)
	{
		const unsigned count = type->getNumElements();
		SmallVector<Value *, 4> parts;
		for (unsigned first = 0; first < count; first += partLength) {
			Value *part = partLength == count
					      ? number
					      : builder.CreateShuffleVector(
							number,
							createSequentialMask(first, partLength, 0));
			parts.push_back(operation(part));
		}
		return concatenateVectors(builder, parts);
	}

	Value *convertedPart(const Conversion &conversion, Value *part)
	{
		const Intrinsic::ID id =
			(isRounded ? conversion.rounding : conversion.truncating)[isWhole];
		SmallVector<Value *, 4> arguments = {part};
		const FunctionType *signature = Intrinsic::getType(builder.getContext(), id);
		/* What masked lanes are, the mask, and the rounding. */
		if (signature->getNumParams() >= 3) {
			arguments.push_back(Constant::getNullValue(signature->getParamType(1)));
			arguments.push_back(Constant::getAllOnesValue(signature->getParamType(2)));
		}
		if (signature->getNumParams() == 4)
			arguments.push_back(builder.getInt32(currentRounding));
		return builder.CreateIntrinsic(id, arguments);
	}

	IRBuilder<> builder;
	FixedVectorType *type;
	bool isSigned;
	Value *number;
	bool mayBeNaN;
	bool isRounded = false;
	bool isNarrow = false;
	bool isWhole = false; /* whether each part fills a register */
	unsigned integerBits = 0;
	unsigned length = 0; /* of what one instruction converts, in numbers */
};

} // namespace

PreservedAnalyses LowerSaturationAvx512Pass::run(Function &function, FunctionAnalysisManager &)
{
	bool changed = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		IntrinsicInst *conversion = saturatingVectorConversion(instruction);
		Value *result = conversion ? Avx512Saturation(*conversion).lowered() : nullptr;
		if (!result)
			continue;
		conversion->replaceAllUsesWith(result);
		conversion->eraseFromParent();
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses kept;
	kept.preserveSet<CFGAnalyses>();
	return kept;
}

} // namespace weft
