/* SPDX-License-Identifier: MIT
 *
 * inline-image-accesses: a copy of the code of an access for each format, sampler and kind of coordinates. A copy is simplified by its
 * constants before the functions that it calls are inlined, and again after that, so that it never has what other formats need.
 */
#include "prepare/inline_image_accesses.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace weft
{

namespace
{

std::optional<uint64_t> constantOf(const Value &value)
{
	const auto *argument = dyn_cast<Argument>(&value);
	uint64_t constant = 0;
	if (!argument)
		return std::nullopt;
	Attribute attribute = argument->getParent()->getAttributes().getParamAttr(
		argument->getArgNo(), imageConstantAttribute);
	if (!attribute.isValid() || attribute.getValueAsString().getAsInteger(10, constant))
		return std::nullopt;
	return constant;
}

struct FieldLoad {
	LoadInst *load;
	uint64_t offset;
};

/* Loads at constant places of the structure. */
SmallVector<FieldLoad, 16> fieldLoads(Value &image, const DataLayout &layout)
{
	SmallVector<FieldLoad, 16> found;
	SmallVector<std::pair<Value *, uint64_t>, 8> work = {{&image, 0}};
	while (!work.empty()) {
		const auto [pointer, offset] = work.pop_back_val();
		for (User *user : pointer->users()) {
			APInt step(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
			auto *load = dyn_cast<LoadInst>(user);
			auto *address = dyn_cast<GEPOperator>(user);
			if (load && load->isSimple())
				found.push_back({load, offset});
			else if (address && address->accumulateConstantOffset(layout, step))
				work.push_back({address, offset + step.getZExtValue()});
		}
	}
	return found;
}

void replaceFormat(Value &image, uint64_t format, const DataLayout &layout)
{
	for (const auto &[load, offset] : fieldLoads(image, layout)) {
		if (offset != offsetof(weft_image, format) || !load->getType()->isIntegerTy(32))
			continue;
		load->replaceAllUsesWith(ConstantInt::get(load->getType(), format));
		load->eraseFromParent();
	}
}

/* The structure does not change while the kernel runs, and is always there. */
void loadFieldsOnce(Argument &image, const DataLayout &layout)
{
	std::map<std::pair<uint64_t, Type *>, LoadInst *> loads;
	BasicBlock &entry = image.getParent()->getEntryBlock();
	IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
	for (const auto &[load, offset] : fieldLoads(image, layout)) {
		LoadInst *&first = loads[{offset, load->getType()}];
		if (!first)
			first = loadInvariant(builder, load->getType(), &image, offset,
					      load->getAlign());
		load->replaceAllUsesWith(first);
		load->eraseFromParent();
	}
}

/* The code of accesses makes integers of floats alone that are within their range (image_addressing.h). */
void dropSaturation(Function &code)
{
	for (Instruction &instruction : make_early_inc_range(instructions(code))) {
		auto *call = dyn_cast<IntrinsicInst>(&instruction);
		if (!call || call->getIntrinsicID() != Intrinsic::fptosi_sat)
			continue;
		IRBuilder<> builder(call);
		call->replaceAllUsesWith(
			builder.CreateFPToSI(call->getArgOperand(0), call->getType()));
		call->eraseFromParent();
	}
}

class AccessInliner
{
      public:
	AccessInliner(Module &theModule, FunctionAnalysisManager &theAnalyses)
	    : module(theModule), layout(theModule.getDataLayout()), analyses(theAnalyses)
	{
		simplification.addPass(SROAPass(SROAOptions::ModifyCFG));
		simplification.addPass(EarlyCSEPass());
		simplification.addPass(SCCPPass());
		simplification.addPass(SimplifyCFGPass());
	}

	void run(Function &kernel)
	{
		replaceConstants(kernel);
		SmallVector<CallBase *, 32> calls;
		for (Instruction &instruction : instructions(kernel)) {
			if (imageCallOf(instruction))
				calls.push_back(cast<CallBase>(&instruction));
		}
		/* The last call first: what follows a call moves to another block when it is inlined. */
		for (CallBase *call : reverse(calls))
			inlineAccess(*call);
		for (Argument &argument : kernel.args()) {
			if (constantOf(argument) && argument.getType()->isPointerTy())
				loadFieldsOnce(argument, layout);
		}
		analyses.invalidate(kernel, PreservedAnalyses::none());
	}

      private:
	using Key = std::tuple<Function *, uint64_t, uint64_t, uint64_t>;

	void simplify(Function &function)
	{
		analyses.invalidate(function, PreservedAnalyses::none());
		analyses.invalidate(function, simplification.run(function, analyses));
	}

	void replaceConstants(Function &kernel)
	{
		for (Argument &argument : kernel.args()) {
			std::optional<uint64_t> constant = constantOf(argument);
			if (!constant)
				continue;
			if (argument.getType()->isPointerTy())
				replaceFormat(argument, *constant, layout);
			else
				argument.replaceAllUsesWith(
					ConstantInt::get(argument.getType(), *constant));
		}
		analyses.invalidate(kernel, PreservedAnalyses::none());
		analyses.invalidate(kernel, EarlyCSEPass().run(kernel, analyses));
	}

	void inlineAccess(CallBase &call)
	{
		const Function &access = *call.getCalledFunction();
		Function *code = module.getFunction((access.getName() + imageCodeSuffix).str());
		std::optional<uint64_t> format = constantOf(*imageOf(call));
		InlineFunctionInfo info;
		if (!code || code->isDeclaration() || !format)
			return;
		/* The attributes of the call say that it accesses no memory that other instructions do. */
		call.setAttributes(AttributeList());
		call.setCalledFunction(copyFor(call, *code, *format));
		InlineFunction(call, info);
	}

	Function *copyFor(const CallBase &call, Function &code, uint64_t format)
	{
		SmallVector<std::pair<unsigned, ConstantInt *>, 2> constants;
		SmallVector<uint64_t, 2> numbers = {~uint64_t(0), ~uint64_t(0)};
		for (const Use &use : call.args()) {
			auto *constant = dyn_cast<ConstantInt>(use);
			if (!isUniformOperand(call, use) || !constant)
				continue;
			numbers[constants.size()] = constant->getZExtValue();
			constants.push_back({call.getArgOperandNo(&use), constant});
		}
		Function *&copy = copies[{&code, format, numbers[0], numbers[1]}];
		if (copy)
			return copy;
		ValueToValueMapTy values;
		copy = CloneFunction(&code, values);
		copy->setLinkage(GlobalValue::InternalLinkage);
		for (const auto &[number, constant] : constants)
			copy->getArg(number)->replaceAllUsesWith(constant);
		specialise(*copy, format);
		return copy;
	}

	void specialise(Function &copy, uint64_t format)
	{
		do {
			replaceFormat(*copy.getArg(0), format, layout);
			simplify(copy);
		} while (inlineCalls(copy));
		dropSaturation(copy);
	}

	/* False: there is none left. */
	static bool inlineCalls(Function &copy)
	{
		SmallVector<CallBase *, 16> calls;
		for (Instruction &instruction : instructions(copy)) {
			auto *call = dyn_cast<CallBase>(&instruction);
			if (call && call->getCalledFunction() &&
			    !call->getCalledFunction()->isDeclaration())
				calls.push_back(call);
		}
		for (CallBase *call : reverse(calls)) {
			InlineFunctionInfo info;
			InlineFunction(*call, info);
		}
		return !calls.empty();
	}

	Module &module;
	const DataLayout &layout;
	FunctionAnalysisManager &analyses;
	FunctionPassManager simplification;
	std::map<Key, Function *> copies;
};

} // namespace

PreservedAnalyses InlineImageAccessesPass::run(Module &module, ModuleAnalysisManager &analyses)
{
	SmallVector<Function *, 4> kernels;
	for (Function &function : module) {
		if (isKernel(function) && any_of(function.args(), [](const Argument &argument) {
			    return constantOf(argument).has_value();
		    }))
			kernels.push_back(&function);
	}
	if (kernels.empty())
		return PreservedAnalyses::all();
	AccessInliner inliner(
		module,
		analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager());
	for (Function *kernel : kernels)
		inliner.run(*kernel);
	for (Function &function : module) {
		if (isImageCode(function))
			function.setLinkage(GlobalValue::InternalLinkage);
	}
	GlobalDCEPass().run(module, analyses);
	return PreservedAnalyses::none();
}

} // namespace weft
