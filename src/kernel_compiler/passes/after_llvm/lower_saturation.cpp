/* SPDX-License-Identifier: MIT
 *
 * lower-saturation: a maximum and a minimum of floats where the floating-point type holds both bounds. Else the lower bound is
 * a maximum of floats, for it is 0 or a power of two, and the upper bound is selected after the conversion.
 */
#include "after_llvm/lower_saturation.h"

#include "after_llvm/saturating_conversion.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

#include <cmath>

using namespace llvm;

namespace weft
{

namespace
{

/* What one conversion becomes. */
class Saturation
{
      public:
	explicit Saturation(IntrinsicInst &conversion)
	    : builder(&conversion), type(conversion.getType()),
	      number(halvesAsFloats(builder, conversion.getArgOperand(0))),
	      isSigned(isSignedConversion(conversion)),
	      mayBeNaN(!isKnownNeverNaN(conversion.getArgOperand(0),
					SimplifyQuery(conversion.getDataLayout(), &conversion))),
	      bits(type->getScalarSizeInBits() - (isSigned ? 1 : 0))
	{
	}

	Value *lowered()
	{
		const fltSemantics &format = number->getType()->getScalarType()->getFltSemantics();
		return bits <= APFloat::semanticsPrecision(format) ? clamped() : boundSelected();
	}

      private:
	Constant *bound(double value) const
	{
		return ConstantFP::get(number->getType(), value);
	}

	/* NaN becomes the bound. */
	Value *atLeastLowest()
	{
		Constant *lowest = bound(isSigned ? -std::ldexp(1.0, int(bits)) : 0.0);
		return builder.CreateSelect(builder.CreateFCmpOGT(number, lowest), number, lowest);
	}

	Value *converted(Value *value)
	{
		return isSigned ? builder.CreateFPToSI(value, type)
				: builder.CreateFPToUI(value, type);
	}

	/* An unsigned NaN has become 0 already. */
	Value *zeroForNaN(Value *value)
	{
		if (!isSigned || !mayBeNaN)
			return value;
		Value *isNumber = builder.CreateFCmpORD(number, bound(0));
		return builder.CreateSelect(isNumber, value,
					    Constant::getNullValue(value->getType()));
	}

	Value *clamped()
	{
		Value *value = atLeastLowest();
		Constant *highest = bound(std::ldexp(1.0, int(bits)) - 1);
		value = builder.CreateSelect(builder.CreateFCmpOLT(value, highest), value, highest);
		return converted(zeroForNaN(value));
	}

	Value *boundSelected()
	{
		Value *isAbove = builder.CreateFCmpOGE(number, bound(std::ldexp(1.0, int(bits))));
		Constant *highest = ConstantInt::get(
			type, APInt::getLowBitsSet(type->getScalarSizeInBits(), bits));
		return zeroForNaN(
			builder.CreateSelect(isAbove, highest, converted(atLeastLowest())));
	}

	IRBuilder<> builder;
	Type *type;
	Value *number;
	bool isSigned, mayBeNaN;
	unsigned bits; /* without the sign */
};

} // namespace

PreservedAnalyses LowerSaturationPass::run(Function &function, FunctionAnalysisManager &)
{
	bool changed = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		IntrinsicInst *conversion = saturatingVectorConversion(instruction);
		if (!conversion)
			continue;
		conversion->replaceAllUsesWith(Saturation(*conversion).lowered());
		conversion->eraseFromParent();
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
