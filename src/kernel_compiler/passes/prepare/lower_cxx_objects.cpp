/* SPDX-License-Identifier: MIT
 *
 * lower-cxx-objects: the lists of constructors, the calls of atexit(), and what is left of a run-time library.
 */
#include "prepare/lower_cxx_objects.h"

#include "functions/function_addresses.h"
#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char constructorList[] = "llvm.global_ctors";
constexpr char registerName[] = "atexit";
constexpr StringRef freePrefix = "_ZdlP"; /* operator delete */
constexpr StringRef noFunctions[] = {"__cxa_pure_virtual", "__cxa_deleted_virtual"};

/* Whether the function can be called without arguments. */
bool isPlain(const Function *function)
{
	return function && !function->isDeclaration() && function->arg_empty() &&
	       function->getReturnType()->isVoidTy();
}

/* In the order in which they run. */
SmallVector<Function *, 4> constructorsOf(const Module &module)
{
	/* By priority, then by place. */
	SmallVector<std::pair<std::pair<uint64_t, size_t>, Function *>, 4> rows;
	SmallVector<Function *, 4> constructors;
	const GlobalVariable *list = module.getNamedGlobal(constructorList);
	if (!list || !list->hasInitializer() || !isa<ConstantArray>(list->getInitializer()))
		return constructors;
	for (const Use &use : cast<ConstantArray>(list->getInitializer())->operands()) {
		auto *row = dyn_cast<ConstantStruct>(use);
		if (!row || row->getNumOperands() < 2)
			continue;
		auto *priority = dyn_cast<ConstantInt>(row->getOperand(0));
		auto *function = dyn_cast<Function>(row->getOperand(1)->stripPointerCasts());
		if (priority && isPlain(function))
			rows.push_back({{priority->getLimitedValue(), rows.size()}, function});
	}
	sort(rows, less_first());
	for (auto &[order, function] : rows)
		constructors.push_back(function);
	return constructors;
}

/* Clang makes a kernel of a file's constructor. */
void makeFunction(Function &constructor)
{
	DISubprogram *lines = constructor.getSubprogram();
	constructor.setCallingConv(CallingConv::SPIR_FUNC);
	constructor.setComdat(nullptr);
	constructor.clearMetadata();
	constructor.setSubprogram(lines);
}

void addRegistrations(Function &function, SetVector<CallInst *> &calls)
{
	for (Instruction &instruction : instructions(function)) {
		auto *call = dyn_cast<CallInst>(&instruction);
		const Function *callee = call ? call->getCalledFunction() : nullptr;
		if (callee && callee->isDeclaration() && callee->getName() == registerName &&
		    call->arg_size() == 1 &&
		    isPlain(dyn_cast<Function>(call->getArgOperand(0)->stripPointerCasts())))
			calls.insert(call);
	}
}

/* The calls that register what destroys an object: those of constructors in their order, then those where functions' variables are
 * used first. */
SetVector<CallInst *> findRegistrations(Module &module, ArrayRef<Function *> constructors)
{
	SetVector<CallInst *> calls;
	for (Function *constructor : constructors) {
		for (Instruction &instruction : instructions(*constructor)) {
			auto *call = dyn_cast<CallInst>(&instruction);
			if (call && call->getCalledFunction())
				addRegistrations(*call->getCalledFunction(), calls);
		}
		addRegistrations(*constructor, calls);
	}
	for (Function &function : module)
		addRegistrations(function, calls);
	return calls;
}

Function *createHook(Module &module, const char *name, weft_program_hook which)
{
	LLVMContext &context = module.getContext();
	auto *type = FunctionType::get(Type::getVoidTy(context), false);
	Function *hook = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
	hook->setCallingConv(CallingConv::SPIR_KERNEL);
	hook->setConvergent();
	hook->setDoesNotThrow();
	setKernelNumber(*hook, hookAttribute, which);
	BasicBlock::Create(context, "", hook);
	return hook;
}

void callPlain(IRBuilder<> &builder, Function &function)
{
	builder.CreateCall(&function)->setCallingConv(function.getCallingConv());
}

void buildInitialiser(Module &module, ArrayRef<Function *> constructors)
{
	IRBuilder<> builder(
		&createHook(module, "weft.initialise", WEFT_PROGRAM_CONSTRUCTS)->getEntryBlock());
	for (Function *constructor : constructors) {
		makeFunction(*constructor);
		callPlain(builder, *constructor);
	}
	builder.CreateRetVoid();
}

/* A variable that says that the object is there takes the place of the call. */
GlobalVariable *replaceRegistration(CallInst &call)
{
	Module &module = *call.getModule();
	auto *type = Type::getInt8Ty(call.getContext());
	auto *constructed = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
					       ConstantInt::get(type, 0), "weft.constructed",
					       nullptr, GlobalValue::NotThreadLocal, GlobalSpace);
	IRBuilder<> builder(&call);
	builder.CreateStore(builder.getInt8(1), constructed);
	call.replaceAllUsesWith(Constant::getNullValue(call.getType()));
	call.eraseFromParent();
	return constructed;
}

void buildFinaliser(Module &module, const SetVector<CallInst *> &calls)
{
	LLVMContext &context = module.getContext();
	Function *hook = createHook(module, "weft.finalise", WEFT_PROGRAM_DESTROYS);
	IRBuilder<> builder(&hook->getEntryBlock());
	for (CallInst *call : reverse(calls)) {
		auto *destroy = cast<Function>(call->getArgOperand(0)->stripPointerCasts());
		GlobalVariable *constructed = replaceRegistration(*call);
		auto *doIt = BasicBlock::Create(context, "", hook);
		auto *next = BasicBlock::Create(context, "", hook);
		Value *is = builder.CreateLoad(builder.getInt8Ty(), constructed);
		builder.CreateCondBr(builder.CreateIsNotNull(is), doIt, next);
		builder.SetInsertPoint(doIt);
		callPlain(builder, *destroy);
		builder.CreateBr(next);
		builder.SetInsertPoint(next);
	}
	builder.CreateRetVoid();
}

void defineFreeing(Module &module)
{
	for (Function &function : module) {
		if (!function.isDeclaration() || !function.getName().starts_with(freePrefix) ||
		    !function.getReturnType()->isVoidTy())
			continue;
		function.setLinkage(GlobalValue::InternalLinkage);
		ReturnInst::Create(function.getContext(),
				   BasicBlock::Create(function.getContext(), "", &function));
	}
	for (StringRef name : noFunctions) {
		Function *function = module.getFunction(name);
		if (!function || !function->isDeclaration())
			continue;
		replaceAddress(*function, ConstantPointerNull::get(function->getType()));
	}
}

/* Of functions and variables for linkers and loaders, which kernels do not meet: what is to be kept though nothing uses it, what runs
 * first or last, annotations. */
void eraseLists(Module &module)
{
	for (GlobalVariable &list : make_early_inc_range(module.globals())) {
		if (list.hasAppendingLinkage() && list.getName().starts_with("llvm."))
			list.eraseFromParent();
	}
}

} // namespace

PreservedAnalyses LowerCxxObjectsPass::run(Module &module, ModuleAnalysisManager &)
{
	const SmallVector<Function *, 4> constructors = constructorsOf(module);
	const SetVector<CallInst *> registrations = findRegistrations(module, constructors);
	eraseLists(module);
	if (!constructors.empty())
		buildInitialiser(module, constructors);
	if (!registrations.empty())
		buildFinaliser(module, registrations);
	defineFreeing(module);
	return PreservedAnalyses::none();
}

} // namespace weft
