/* SPDX-License-Identifier: MIT
 *
 * lower-cpu-functions: registers of 128, 256 or 512 bits, the last one filled up with values that are not used.
 */
#include "finish/lower_cpu_functions.h"

#include "ir/internal_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned leastBits = 128, mostBits = 512;
constexpr unsigned leastMask = 8;      /* bits of a mask */
constexpr unsigned byMode = 4;         /* rounding as the CPU is set to */
constexpr unsigned takeMantissa = 0xf; /* from 3/4 to 3/2, of negative numbers NaN, of -0 as of 0 */

/* Of 128, 256 and 512 bits. */
struct Forms {
	Intrinsic::ID ofFloat[3], ofDouble[3];
};

constexpr Forms forms[] = {
	/* ReciprocalRoot */
	{{Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rsqrt14_ps_256,
	  Intrinsic::x86_avx512_rsqrt14_ps_512},
	 {Intrinsic::x86_avx512_rsqrt14_pd_128, Intrinsic::x86_avx512_rsqrt14_pd_256,
	  Intrinsic::x86_avx512_rsqrt14_pd_512}},
	/* Exponent */
	{{Intrinsic::x86_avx512_mask_getexp_ps_128, Intrinsic::x86_avx512_mask_getexp_ps_256,
	  Intrinsic::x86_avx512_mask_getexp_ps_512},
	 {Intrinsic::x86_avx512_mask_getexp_pd_128, Intrinsic::x86_avx512_mask_getexp_pd_256,
	  Intrinsic::x86_avx512_mask_getexp_pd_512}},
	/* Mantissa */
	{{Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
	  Intrinsic::x86_avx512_mask_getmant_ps_512},
	 {Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
	  Intrinsic::x86_avx512_mask_getmant_pd_512}},
};

/* All of a register's lanes. */
Value *computeRegister(IRBuilder<> &builder, CpuFunction function, Value *vector)
{
	auto *type = cast<FixedVectorType>(vector->getType());
	auto bits = unsigned(type->getPrimitiveSizeInBits());
	const Forms &found = forms[size_t(function)];
	const bool isDouble = type->getElementType()->isDoubleTy();
	unsigned mask = std::max(type->getNumElements(), leastMask);

	SmallVector<Value *, 5> operands = {vector};
	if (function == CpuFunction::Mantissa)
		operands.push_back(builder.getInt32(takeMantissa));
	operands.push_back(Constant::getNullValue(type));
	operands.push_back(ConstantInt::getAllOnesValue(builder.getIntNTy(mask)));
	if (function != CpuFunction::ReciprocalRoot && bits == mostBits)
		operands.push_back(builder.getInt32(byMode));
	return builder.CreateIntrinsic(
		(isDouble ? found.ofDouble : found.ofFloat)[Log2_32(bits / leastBits)], operands);
}

/* How many numbers of the type a register has that holds `lanes`, if any does; else the longest. */
unsigned registerLanes(const Type &element, unsigned lanes)
{
	unsigned bits = unsigned(element.getPrimitiveSizeInBits());
	return std::clamp(unsigned(PowerOf2Ceil(lanes)), leastBits / bits, mostBits / bits);
}

/* Lanes from the first, undefined ones behind the last. */
Value *lanesFrom(IRBuilder<> &builder, Value *vector, unsigned first, unsigned count)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	if (first == 0 && count == lanes)
		return vector;
	SmallVector<int, 16> places;
	for (unsigned i = first; i < first + count; i++)
		places.push_back(i < lanes ? int(i) : PoisonMaskElem);
	return builder.CreateShuffleVector(vector, places);
}

Value *computeVector(IRBuilder<> &builder, CpuFunction function, Value *vector)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	unsigned width = registerLanes(*vector->getType()->getScalarType(), lanes);
	SmallVector<Value *, 4> parts;
	for (unsigned first = 0; first < lanes; first += width)
		parts.push_back(computeRegister(builder, function,
						lanesFrom(builder, vector, first, width)));
	return lanesFrom(builder, concatenateVectors(builder, parts), 0, lanes);
}

Value *compute(IRBuilder<> &builder, CpuFunction function, Value *operand)
{
	if (operand->getType()->isVectorTy())
		return computeVector(builder, function, operand);
	auto *type =
		FixedVectorType::get(operand->getType(), registerLanes(*operand->getType(), 1));
	Value *vector = builder.CreateInsertElement(PoisonValue::get(type), operand, uint64_t(0));
	return builder.CreateExtractElement(computeRegister(builder, function, vector),
					    uint64_t(0));
}

} // namespace

PreservedAnalyses LowerCpuFunctionsPass::run(Module &module, ModuleAnalysisManager &)
{
	bool changed = false;
	for (Function &function : module) {
		std::optional<CpuFunction> which = cpuFunctionOf(function);
		if (!which)
			continue;
		for (User *user : make_early_inc_range(function.users())) {
			auto *call = dyn_cast<CallInst>(user);
			if (!call || call->getCalledFunction() != &function)
				continue;
			IRBuilder<> builder(call);
			call->replaceAllUsesWith(compute(builder, *which, call->getArgOperand(0)));
			call->eraseFromParent();
		}
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	preserved.preserve<FunctionAnalysisManagerModuleProxy>();
	return preserved;
}

} // namespace weft
