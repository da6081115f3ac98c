/* SPDX-License-Identifier: MIT
 *
 * By calls of the functions that widening knows (declareLanesBetween, declareFirstLane).
 */
#include "lanes/clamp_tests.h"

#include "functions/internal_functions.h"
#include "lanes/clamps.h"

using namespace llvm;

namespace weft
{

static Module &moduleOf(IRBuilder<> &builder)
{
	return *builder.GetInsertBlock()->getModule();
}

Value *testOfOrder(CmpInst::Predicate predicate, Value &number, Value &bound, IRBuilder<> &builder)
{
	Type *type = number.getType();
	const unsigned bits = type->getIntegerBitWidth();
	Value *zero = ConstantInt::get(type, 0), *one = ConstantInt::get(type, 1);
	Value *least = ConstantInt::get(type, APInt::getSignedMinValue(bits));
	Value *most = ConstantInt::get(type, APInt::getSignedMaxValue(bits));
	Value *low = CmpInst::isUnsigned(predicate) ? zero : least;
	Function *function = declareLanesBetween(moduleOf(builder), type);
	auto isBetween = [&](Value *from, Value *to) {
		return builder.CreateCall(function, {&number, from, to});
	};
	auto isBelow = [&] {
		return builder.CreateAnd(builder.CreateICmpNE(&bound, least),
					 isBetween(low, builder.CreateSub(&bound, one)));
	};
	auto isAbove = [&] {
		return builder.CreateAnd(builder.CreateICmpNE(&bound, most),
					 isBetween(builder.CreateAdd(&bound, one), most));
	};
	auto isPositive = [&] { return builder.CreateICmpSLE(zero, &bound); };
	switch (predicate) {
	case CmpInst::ICMP_SLE:
	case CmpInst::ICMP_ULE:
		return isBetween(low, &bound);
	case CmpInst::ICMP_SLT:
	case CmpInst::ICMP_ULT:
		return isBelow();
	case CmpInst::ICMP_SGE:
		return isBetween(&bound, most);
	case CmpInst::ICMP_UGE:
		return builder.CreateAnd(isPositive(), isBetween(&bound, most));
	case CmpInst::ICMP_SGT:
		return isAbove();
	case CmpInst::ICMP_UGT:
		return builder.CreateAnd(isPositive(), isAbove());
	default: /* not equal */
		return builder.CreateOr(isBelow(), isAbove());
	}
}

LaneTest testOfBits(const Instruction &clamp, Value &number, Value &bits, unsigned lanes,
		    IRBuilder<> &builder)
{
	Module &module = moduleOf(builder);
	Type *type = number.getType();
	Value *one = ConstantInt::get(type, 1);
	const bool isMask = clamp.getOpcode() == Instruction::And;
	Value *low = isMask ? &bits : ConstantInt::get(type, lanes - 1);
	Value *begin = builder.CreateCall(declareFirstLane(module, type), {&number});
	begin = builder.CreateAnd(begin, builder.CreateNot(low));
	Value *isWhole = builder.CreateIsNull(
		builder.CreateAnd(&bits, isMask ? builder.CreateAdd(&bits, one) : low));
	Value *taken = isMask ? begin : builder.CreateSub(begin, builder.CreateXor(begin, &bits));
	Value *isBetween = builder.CreateCall(declareLanesBetween(module, type),
					      {&number, begin, builder.CreateOr(begin, low)});
	return {builder.CreateAnd(isWhole, isBetween), taken, nullptr};
}

LaneTest testOfQuotient(const Instruction &division, Value &number, Value &bound,
			IRBuilder<> &builder)
{
	Module &module = moduleOf(builder);
	Type *type = number.getType();
	const bool isShift = division.isShift();
	Value *one = ConstantInt::get(type, 1), *zero = ConstantInt::get(type, 0);
	Value *divisor =
		isShift ? &bound : builder.CreateBinaryIntrinsic(Intrinsic::smax, &bound, one);
	Value *first = builder.CreateCall(declareFirstLane(module, type), {&number});
	Value *quotient =
		builder.CreateBinOp(Instruction::BinaryOps(division.getOpcode()), first, divisor);
	Value *size = isShift ? builder.CreateShl(one, divisor) : divisor;
	Value *begin = isShift ? builder.CreateShl(quotient, divisor)
			       : builder.CreateMul(quotient, divisor);
	Value *end = builder.CreateAdd(begin, builder.CreateSub(size, one));
	Value *isPositive = builder.CreateICmpSGE(begin, zero);
	if (!isShift) /* rows of lanes may have one number each, which is the same */
		isPositive = builder.CreateAnd(isPositive, builder.CreateICmpSGE(&bound, one));
	Value *isBetween =
		builder.CreateCall(declareLanesBetween(module, type), {&number, begin, end});
	return {builder.CreateAnd(isPositive, isBetween), begin, quotient};
}

} // namespace weft
