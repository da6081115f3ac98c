/* SPDX-License-Identifier: MIT
 *
 * lower-cpu-functions: registers of 128, 256 or 512 bits, the last one filled up with values that are not used. Precompiled functions
 * have one length of registers, and branches.
 */
#include "finish/lower_cpu_functions.h"

#include "functions/internal_functions.h"
#include "functions/precompiled_functions.h"
#include "functions/typed_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVectorExtras.h>
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
constexpr unsigned takeLeast = 2;      /* by absolute values, with the first number's sign */
constexpr unsigned takeSignificand = 0xc; /* from 1 to 2, else as above */

using Values = SmallVector<Value *, 4>;

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
	/* Reciprocal */
	{{Intrinsic::x86_avx512_rcp14_ps_128, Intrinsic::x86_avx512_rcp14_ps_256,
	  Intrinsic::x86_avx512_rcp14_ps_512},
	 {Intrinsic::x86_avx512_rcp14_pd_128, Intrinsic::x86_avx512_rcp14_pd_256,
	  Intrinsic::x86_avx512_rcp14_pd_512}},
	/* Significand */
	{{Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
	  Intrinsic::x86_avx512_mask_getmant_ps_512},
	 {Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
	  Intrinsic::x86_avx512_mask_getmant_pd_512}},
	/* WithinOne */
	{{Intrinsic::x86_avx512_mask_range_ps_128, Intrinsic::x86_avx512_mask_range_ps_256,
	  Intrinsic::x86_avx512_mask_range_ps_512},
	 {Intrinsic::x86_avx512_mask_range_pd_128, Intrinsic::x86_avx512_mask_range_pd_256,
	  Intrinsic::x86_avx512_mask_range_pd_512}},
	/* Scale */
	{{Intrinsic::x86_avx512_mask_scalef_ps_128, Intrinsic::x86_avx512_mask_scalef_ps_256,
	  Intrinsic::x86_avx512_mask_scalef_ps_512},
	 {Intrinsic::x86_avx512_mask_scalef_pd_128, Intrinsic::x86_avx512_mask_scalef_pd_256,
	  Intrinsic::x86_avx512_mask_scalef_pd_512}},
};

/* The other forms take a mode of rounding with 512 bits. */
bool isEstimate(CpuFunction function)
{
	return function == CpuFunction::ReciprocalRoot || function == CpuFunction::Reciprocal;
}

/* All of a register's lanes. */
Value *computeRegister(IRBuilder<> &builder, CpuFunction function, ArrayRef<Value *> vectors)
{
	auto *type = cast<FixedVectorType>(vectors.front()->getType());
	auto bits = unsigned(type->getPrimitiveSizeInBits());
	const Forms &found = forms[size_t(function)];
	const bool isDouble = type->getElementType()->isDoubleTy();
	unsigned mask = std::max(type->getNumElements(), leastMask);

	SmallVector<Value *, 6> operands(vectors);
	if (function == CpuFunction::Mantissa)
		operands.push_back(builder.getInt32(takeMantissa));
	if (function == CpuFunction::WithinOne)
		operands.append({ConstantFP::get(type, 1), builder.getInt32(takeLeast)});
	if (function == CpuFunction::Significand)
		operands.push_back(builder.getInt32(takeSignificand));
	operands.push_back(Constant::getNullValue(type));
	operands.push_back(ConstantInt::getAllOnesValue(builder.getIntNTy(mask)));
	if (!isEstimate(function) && bits == mostBits)
		operands.push_back(builder.getInt32(byMode));
	return builder.CreateIntrinsic(
		(isDouble ? found.ofDouble : found.ofFloat)[Log2_32(bits / leastBits)], operands);
}

/* The machine code's function. From 256 bits on it leaves half of the registers as they are. */
Function *declareFor(Module &module, StringRef precompiled, ArrayRef<Value *> operands)
{
	auto *type = cast<FixedVectorType>(operands.front()->getType());
	const auto bits = unsigned(type->getPrimitiveSizeInBits());
	SmallVector<Type *, 4> parameters;
	for (const Value *operand : operands)
		parameters.push_back(operand->getType());
	std::string name =
		nameForType((precompiledPrefix + precompiled).str(), *type->getElementType());
	name += "_" + std::to_string(bits);
	auto *called = FunctionType::get(type, parameters, false);
	auto *declared = cast<Function>(module.getOrInsertFunction(name, called).getCallee());
	setComputes(*declared);
	declared->setVisibility(GlobalValue::HiddenVisibility);
	declared->setCallingConv(bits > leastBits ? CallingConv::Intel_OCL_BI : CallingConv::C);
	return declared;
}

CallInst *callPrecompiled(IRBuilder<> &builder, StringRef precompiled, ArrayRef<Value *> operands)
{
	Module &module = *builder.GetInsertBlock()->getModule();
	Function *called = declareFor(module, precompiled, operands);
	CallInst *call = builder.CreateCall(called, operands);
	call->setCallingConv(called->getCallingConv());
	return call;
}

/* The results of both. */
Values callPair(IRBuilder<> &builder, const PrecompiledPair &pair, ArrayRef<Value *> operands)
{
	BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
	Type *type = operands.front()->getType();
	auto *second = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
	Values all(operands);
	all.push_back(second);
	CallInst *call = callPrecompiled(builder, pair.both, all);
	Function &called = *call->getCalledFunction();
	called.setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Mod));
	called.addParamAttr(unsigned(operands.size()),
			    Attribute::getWithCaptureInfo(type->getContext(), CaptureInfo::none()));
	return {call, builder.CreateLoad(type, second)};
}

/* How many numbers of the type a register has that holds `lanes`, if any does; else the longest. */
unsigned registerLanes(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	const unsigned lanes = vector ? vector->getNumElements() : 1;
	unsigned bits = unsigned(type.getScalarType()->getPrimitiveSizeInBits());
	return std::clamp(unsigned(PowerOf2Ceil(lanes)), leastBits / bits, mostBits / bits);
}

/* What stands in lanes behind the last: nothing, or the first number again, with which no way is taken that no other lane takes. */
enum class Filling { None, First };

/* Lanes from the first. */
Value *lanesFrom(IRBuilder<> &builder, Value *vector, unsigned first, unsigned count,
		 Filling filling = Filling::None)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	if (first == 0 && count == lanes)
		return vector;
	SmallVector<int, 16> places;
	const int behind = filling == Filling::First ? int(first) : PoisonMaskElem;
	for (unsigned i = first; i < first + count; i++)
		places.push_back(i < lanes ? int(i) : behind);
	return builder.CreateShuffleVector(vector, places);
}

Value *firstLane(IRBuilder<> &builder, Value *number, unsigned count, Filling filling)
{
	if (filling == Filling::First)
		return builder.CreateVectorSplat(count, number);
	Value *none = PoisonValue::get(FixedVectorType::get(number->getType(), count));
	return builder.CreateInsertElement(none, number, uint64_t(0));
}

/* Of numbers, or of vectors in registers of `width` lanes. */
Values compute(IRBuilder<> &builder, ArrayRef<Value *> operands, unsigned width, Filling filling,
	       function_ref<Values(ArrayRef<Value *>)> ofRegisters)
{
	auto *type = dyn_cast<FixedVectorType>(operands.front()->getType());
	const unsigned lanes = type ? type->getNumElements() : 1;
	SmallVector<Values, 2> parts; /* of each result */
	for (unsigned first = 0; first < lanes; first += width) {
		Values registers;
		for (Value *operand : operands)
			registers.push_back(
				type ? lanesFrom(builder, operand, first, width, filling)
				     : firstLane(builder, operand, width, filling));
		Values results = ofRegisters(registers);
		parts.resize(results.size());
		for (auto [part, result] : zip_equal(parts, results))
			part.push_back(result);
	}
	return map_to_vector<4>(parts, [&](const Values &part) {
		return type ? lanesFrom(builder, concatenateVectors(builder, part), 0, lanes)
			    : builder.CreateExtractElement(part.front(), uint64_t(0));
	});
}

void replace(CallInst &call, Value *value)
{
	call.replaceAllUsesWith(value);
	call.eraseFromParent();
}

void lowerCpuCall(CallInst &call, CpuFunction function)
{
	IRBuilder<> builder(&call);
	const Values operands(call.args());
	Values results = compute(builder, operands, registerLanes(*call.getType()), Filling::None,
				 [&](ArrayRef<Value *> vectors) {
					 return Values{computeRegister(builder, function, vectors)};
				 });
	replace(call, results.front());
}

/* The call that makes a pair with `call`, of the same arguments, and the pair. */
std::pair<CallInst *, const PrecompiledPair *> partnerOf(CallInst &call,
							 ArrayRef<CallInst *> others)
{
	for (CallInst *other : others) {
		const PrecompiledPair *pair =
			precompiledPairOf(*precompiledCallOf(call), *precompiledCallOf(*other));
		if (pair && equal(call.args(), other->args()))
			return {other, pair};
	}
	return {nullptr, nullptr};
}

/* The call, and its partner, which comes later in the block, where it has one. */
void lowerPrecompiled(CallInst &call, CallInst *partner, const PrecompiledPair *pair, unsigned bits)
{
	IRBuilder<> builder(&call);
	const StringRef name = precompiledCallOf(call)->name;
	const Values operands(call.args());
	const auto width = unsigned(bits / call.getType()->getScalarSizeInBits());
	auto callWith = [&](ArrayRef<Value *> vectors) {
		return pair ? callPair(builder, *pair, vectors)
			    : Values{callPrecompiled(builder, name, vectors)};
	};
	Values results = compute(builder, operands, width, Filling::First, callWith);
	if (pair && pair->first != name)
		std::swap(results[0], results[1]);
	replace(call, results[0]);
	if (partner)
		replace(*partner, results[1]);
}

/* Of one block, in the order of the code. */
void lowerPrecompiled(SmallVectorImpl<CallInst *> &calls, unsigned bits)
{
	while (!calls.empty()) {
		CallInst *call = calls.front();
		calls.erase(calls.begin());
		auto [partner, pair] = partnerOf(*call, calls);
		if (partner)
			calls.erase(find(calls, partner));
		lowerPrecompiled(*call, partner, pair, bits);
	}
}

void lowerBlock(BasicBlock &block, unsigned bits)
{
	SmallVector<CallInst *, 8> precompiled;
	for (Instruction &instruction : make_early_inc_range(block)) {
		if (std::optional<CpuFunction> function = cpuCallOf(instruction))
			lowerCpuCall(cast<CallInst>(instruction), *function);
		else if (precompiledCallOf(instruction))
			precompiled.push_back(cast<CallInst>(&instruction));
	}
	lowerPrecompiled(precompiled, bits);
}

} // namespace

PreservedAnalyses LowerCpuFunctionsPass::run(Module &module, ModuleAnalysisManager &)
{
	if (none_of(module, [](const Function &function) {
		    return cpuFunctionOf(function) || precompiledFunctionOf(function);
	    }))
		return PreservedAnalyses::all();
	for (Function &function : module) {
		for (BasicBlock &block : function)
			lowerBlock(block, precompiledBits);
	}
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	preserved.preserve<FunctionAnalysisManagerModuleProxy>();
	return preserved;
}

} // namespace weft
