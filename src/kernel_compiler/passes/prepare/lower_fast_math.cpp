/* SPDX-License-Identifier: MIT
 *
 * lower-fast-math: a function at a time, those that it calls before it. Sums look for their products in SSA form; a product
 * whose every use is such a sum costs nothing then.
 */
#include "prepare/lower_fast_math.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Instructions of a function whose calls are inlined, so that what it returns is part of its caller's sums. */
constexpr unsigned mostInlined = 100;

constexpr char divideName[] = "__weft_relaxed_divide";

/* What Clang says of a whole function. */
constexpr StringRef functionAttributes[] = {"approx-func-fp-math",     "less-precise-fpmad",
					    "no-infs-fp-math",         "no-nans-fp-math",
					    "no-signed-zeros-fp-math", "unsafe-fp-math"};

bool hasFlags(const Instruction &instruction)
{
	return isa<FPMathOperator>(instruction) && instruction.getFastMathFlags().any();
}

void promoteVariables(Function &function)
{
	SmallVector<AllocaInst *, 16> variables;
	for (Instruction &instruction : instructions(function)) {
		auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (variable && isAllocaPromotable(variable))
			variables.push_back(variable);
	}
	if (variables.empty())
		return;
	DominatorTree dominators(function);
	PromoteMemToReg(variables, dominators);
}

/* What an instruction is with its flags, if that is something simpler. What they make undefined stays what it is without. */
void foldAll(Function &function)
{
	const SimplifyQuery query(function.getDataLayout());
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!hasFlags(instruction) || isa<CallBase>(instruction))
			continue;
		Value *simpler = simplifyInstruction(&instruction, query);
		if (!simpler || match(simpler, m_Undef()))
			continue;
		instruction.replaceAllUsesWith(simpler);
		instruction.eraseFromParent();
	}
}

bool isSum(const Value &value)
{
	const auto *sum = dyn_cast<BinaryOperator>(&value);
	return sum && sum->hasAllowContract() &&
	       (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub);
}

/* The constant of a product that may be reordered; NULL: it has none. */
Constant *constantFactor(const Value &value)
{
	const auto *product = dyn_cast<BinaryOperator>(&value);
	return product && product->getOpcode() == Instruction::FMul && product->hasAllowReassoc()
		       ? dyn_cast<Constant>(product->getOperand(1))
		       : nullptr;
}

/* What a product of this constant has beside it; NULL: it is none. */
Value *withoutFactor(IRBuilder<> &builder, Value &value, const Constant &factor)
{
	Constant *constant = constantFactor(value);
	auto *product = dyn_cast<BinaryOperator>(&value);
	if (constant == &factor)
		return product->getOperand(0);
	if (!constant || constantFactor(*product->getOperand(0)) != &factor)
		return nullptr;
	return builder.CreateFMul(cast<BinaryOperator>(product->getOperand(0))->getOperand(0),
				  constant);
}

/* a * c + b * c as (a + b) * c; NULL: the sum is none of that form, or its products are of use elsewhere. */
Value *factored(IRBuilder<> &builder, BinaryOperator &sum)
{
	if (!sum.hasAllowReassoc() || !sum.hasNoSignedZeros())
		return nullptr;
	for (Value *value : sum.operands()) {
		Constant *factor = constantFactor(*value);
		if (!factor || !all_of(sum.operands(), [](const Value *product) {
			    return all_of(product->users(),
					  [](const User *user) { return isSum(*user); });
		    }))
			continue;
		Value *left = withoutFactor(builder, *sum.getOperand(0), *factor);
		Value *right = left ? withoutFactor(builder, *sum.getOperand(1), *factor) : nullptr;
		if (right)
			return builder.CreateFMul(builder.CreateBinOp(sum.getOpcode(), left, right),
						  factor);
	}
	return nullptr;
}

bool isNormal(const Constant &constant)
{
	return match(&constant,
		     m_CheckedFp([](const APFloat &number) { return number.isNormal(); }));
}

/* 1 / divisor; NULL where an element is zero, subnormal or not finite, in it or in the divisor. */
Constant *reciprocalOf(Constant &divisor, const DataLayout &layout)
{
	Constant *reciprocal = ConstantFoldBinaryOpOperands(
		Instruction::FDiv, ConstantFP::get(divisor.getType(), 1.0), &divisor, layout);
	return isNormal(divisor) && reciprocal && isNormal(*reciprocal) ? reciprocal : nullptr;
}

/* x / c as a product; NULL: it is none of that form, or may not be one. */
Value *byConstant(IRBuilder<> &builder, BinaryOperator &division)
{
	auto *divisor = dyn_cast<Constant>(division.getOperand(1));
	Constant *reciprocal = divisor && division.hasAllowReciprocal()
				       ? reciprocalOf(*divisor, division.getDataLayout())
				       : nullptr;
	return reciprocal ? builder.CreateFMul(division.getOperand(0), reciprocal) : nullptr;
}

/* x * a * b as x * (a * b), unless it is part of a sum; NULL: the product is none of that form. */
Value *merged(IRBuilder<> &builder, BinaryOperator &product)
{
	Constant *factor = constantFactor(product);
	Constant *inner = factor ? constantFactor(*product.getOperand(0)) : nullptr;
	if (!inner || all_of(product.users(), [](const User *user) { return isSum(*user); }))
		return nullptr;
	auto *both = dyn_cast<Constant>(builder.CreateFMul(inner, factor));
	return both && isNormal(*both)
		       ? builder.CreateFMul(cast<Instruction>(product.getOperand(0))->getOperand(0),
					    both)
		       : nullptr;
}

Value *reordered(IRBuilder<> &builder, BinaryOperator &operation)
{
	switch (operation.getOpcode()) {
	case Instruction::FMul:
		if (isa<Constant>(operation.getOperand(0)))
			operation.swapOperands();
		return merged(builder, operation);
	case Instruction::FDiv:
		return byConstant(builder, operation);
	default:
		return isSum(operation) ? factored(builder, operation) : nullptr;
	}
}

/* Whether all that is done with the product are sums, this one among them. */
bool takesProduct(const BinaryOperator &sum, const Value &value)
{
	const auto *product = dyn_cast<BinaryOperator>(&value);
	return product && product->getOpcode() == Instruction::FMul &&
	       product->hasAllowContract() && sum.getOperand(0) != sum.getOperand(1) &&
	       all_of(product->users(), [](const User *user) { return isSum(*user); });
}

/* NULL: none of its operands is a product that it takes. */
Value *contracted(IRBuilder<> &builder, BinaryOperator &sum)
{
	const bool subtracts = sum.getOpcode() == Instruction::FSub;
	for (unsigned i = 0; i < 2; i++) {
		if (!takesProduct(sum, *sum.getOperand(i)))
			continue;
		auto *product = cast<BinaryOperator>(sum.getOperand(i));
		Value *factor = product->getOperand(0), *other = sum.getOperand(1 - i);
		if (subtracts && i == 0)
			other = builder.CreateFNeg(other);
		else if (subtracts)
			factor = builder.CreateFNeg(factor);
		return builder.CreateIntrinsic(Intrinsic::fmuladd, {sum.getType()},
					       {factor, product->getOperand(1), other});
	}
	return nullptr;
}

/* Of floats, or of vectors of the lengths that OpenCL C has. NULL: of something else, or the function's name is the program's. */
Value *estimatedQuotient(IRBuilder<> &builder, BinaryOperator &division)
{
	static constexpr unsigned lengths[] = {2, 3, 4, 8, 16};
	Type *type = division.getType();
	const auto *vector = dyn_cast<FixedVectorType>(type);
	if (!type->getScalarType()->isFloatTy() ||
	    (vector && !is_contained(lengths, vector->getNumElements())))
		return nullptr;
	const std::string arguments =
		vector ? "Dv" + std::to_string(vector->getNumElements()) + "_fS_" : "ff";
	const std::string name = "_Z" + std::to_string(strlen(divideName)) + divideName + arguments;
	FunctionType *signature = FunctionType::get(type, {type, type}, false);
	FunctionCallee callee = division.getModule()->getOrInsertFunction(name, signature);
	auto *function = dyn_cast<Function>(callee.getCallee());
	if (!function || function->getFunctionType() != signature || !function->isDeclaration())
		return nullptr;
	function->setCallingConv(CallingConv::SPIR_FUNC);
	CallInst *call =
		builder.CreateCall(callee, {division.getOperand(0), division.getOperand(1)});
	call->setCallingConv(CallingConv::SPIR_FUNC);
	return call;
}

Value *lowered(IRBuilder<> &builder, BinaryOperator &operation)
{
	if (isSum(operation))
		return contracted(builder, operation);
	return operation.getOpcode() == Instruction::FDiv && operation.hasAllowReciprocal() &&
			       operation.hasApproxFunc()
		       ? estimatedQuotient(builder, operation)
		       : nullptr;
}

/* Replaces operations with flags, unless there is nothing to replace one by. What was part of them goes with its last use. */
void replaceAll(Function &function,
		function_ref<Value *(IRBuilder<> &, BinaryOperator &)> replacementOf)
{
	SmallVector<WeakTrackingVH, 16> parts;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		auto *operation = dyn_cast<BinaryOperator>(&instruction);
		if (!operation || !hasFlags(instruction))
			continue;
		IRBuilder<> builder(operation);
		builder.setFastMathFlags(operation->getFastMathFlags());
		Value *other = replacementOf(builder, *operation);
		if (!other)
			continue;
		parts.append(operation->op_begin(), operation->op_end());
		operation->replaceAllUsesWith(other);
		operation->eraseFromParent();
	}
	RecursivelyDeleteTriviallyDeadInstructionsPermissive(parts);
}

bool dropAttributes(Function &function)
{
	const AttributeList before = function.getAttributes();
	for (StringRef name : functionAttributes)
		function.removeFnAttr(name);
	function.removeRetAttr(Attribute::NoFPClass);
	for (unsigned i = 0; i < function.arg_size(); i++)
		function.removeParamAttr(i, Attribute::NoFPClass);
	return function.getAttributes() != before;
}

void dropFlags(Instruction &instruction)
{
	if (isa<FPMathOperator>(instruction))
		instruction.copyFastMathFlags(FastMathFlags());
	auto *call = dyn_cast<CallBase>(&instruction);
	if (!call)
		return;
	for (StringRef name : functionAttributes)
		call->removeFnAttr(name);
	call->removeRetAttr(Attribute::NoFPClass);
	for (unsigned i = 0; i < call->arg_size(); i++)
		call->removeParamAttr(i, Attribute::NoFPClass);
}

/* Lowers functions with flags in the order of their calls. */
class FunctionLowering
{
      public:
	explicit FunctionLowering(Module &module)
	{
		for (Function &function : module) {
			if (any_of(instructions(function), hasFlags))
				relaxed.insert(&function);
		}
	}

	bool run()
	{
		const SmallVector<Function *, 16> functions(relaxed.begin(), relaxed.end());
		for (Function *function : functions)
			lower(*function);
		return !functions.empty();
	}

      private:
	void lower(Function &function)
	{
		if (!begun.insert(&function).second)
			return;
		for (CallInst *call : calls(function))
			lower(*call->getCalledFunction());
		for (CallInst *call : calls(function)) {
			InlineFunctionInfo info;
			if (call->getCalledFunction()->getInstructionCount() <= mostInlined)
				(void)InlineFunction(*call, info, true);
		}
		promoteVariables(function);
		foldAll(function);
		replaceAll(function, reordered);
		replaceAll(function, lowered);
	}

	/* Of other functions with flags. */
	SmallVector<CallInst *, 16> calls(Function &function) const
	{
		SmallVector<CallInst *, 16> found;
		for (Instruction &instruction : instructions(function)) {
			auto *call = dyn_cast<CallInst>(&instruction);
			Function *callee = call ? call->getCalledFunction() : nullptr;
			if (callee && callee != &function && relaxed.contains(callee) &&
			    callee->getFunctionType() == call->getFunctionType())
				found.push_back(call);
		}
		return found;
	}

	SetVector<Function *> relaxed;
	DenseSet<Function *> begun;
};

} // namespace

PreservedAnalyses LowerFastMathPass::run(Module &module, ModuleAnalysisManager &)
{
	bool changed = FunctionLowering(module).run();
	for (Function &function : module) {
		changed |= dropAttributes(function);
		for (Instruction &instruction : instructions(function))
			dropFlags(instruction);
	}
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft
