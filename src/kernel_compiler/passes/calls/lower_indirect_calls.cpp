/* SPDX-License-Identifier: MIT
 *
 * lower-indirect-calls: numbers in the place of addresses, and one function for each type that is called.
 */
#include "calls/lower_indirect_calls.h"

#include "ir/function_addresses.h"
#include "ir/internal_functions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace weft
{

namespace
{

/* Kernels' bodies are functions of their own, which may be called as others may be. */
void addressBodies(Module &module)
{
	for (Function *kernel : findAddressed(module)) {
		if (!isKernel(*kernel) || kernel->hasLocalLinkage())
			continue;
		Function *body =
			module.getFunction((Twine(kernelBodyPrefix) + kernel->getName()).str());
		replaceAddress(*kernel, body ? static_cast<Constant *>(body)
					     : ConstantPointerNull::get(kernel->getType()));
	}
}

/* A cast of the number to another address space is the number, too. */
void replaceByNumber(Function &function, uint64_t number)
{
	Constant *value = ConstantInt::get(Type::getInt64Ty(function.getContext()), number);
	for (User *user : make_early_inc_range(function.users())) {
		auto *cast = dyn_cast<ConstantExpr>(user);
		if (cast && cast->getOpcode() == Instruction::AddrSpaceCast)
			cast->replaceAllUsesWith(ConstantExpr::getIntToPtr(value, cast->getType()));
	}
	function.removeDeadConstantUsers();
	replaceAddress(function, ConstantExpr::getIntToPtr(value, function.getType()));
}

SmallVector<CallInst *, 8> findIndirectCalls(Module &module)
{
	SmallVector<CallInst *, 8> calls;
	for (Function &function : module) {
		for (Instruction &instruction : instructions(function)) {
			auto *call = dyn_cast<CallInst>(&instruction);
			if (call && !call->isInlineAsm() && !call->getFunctionType()->isVarArg() &&
			    !isa<GlobalObject>(call->getCalledOperand()->stripPointerCasts()))
				calls.push_back(call);
		}
	}
	return calls;
}

/* How structures are passed, which the type of a function does not say. `first`: the number of the first parameter in the result. */
AttributeList passingOf(LLVMContext &context, const AttributeList &attributes, unsigned parameters,
			unsigned first)
{
	AttributeList passing;
	for (unsigned i = 0; i < parameters; i++) {
		for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet}) {
			Attribute attribute = attributes.getParamAttr(i, kind);
			if (attribute.isValid())
				passing = passing.addParamAttribute(context, first + i, attribute);
		}
	}
	return passing;
}

class IndirectCalls
{
      public:
	IndirectCalls(Module &theModule, ArrayRef<Function *> theTargets,
		      ArrayRef<uint64_t> theNumbers)
	    : module(theModule), context(theModule.getContext()), targets(theTargets),
	      numbers(theNumbers)
	{
	}

	void lower(CallBase &call);

      private:
	Function *functionFor(const CallBase &call);
	bool isTarget(const Function &target, const CallBase &call) const;
	Function *build(const CallBase &call);
	void addCase(SwitchInst &choice, Function &target, uint64_t number);

	Module &module;
	LLVMContext &context;
	ArrayRef<Function *> targets;
	ArrayRef<uint64_t> numbers; /* of each target */
	std::map<std::tuple<const FunctionType *, const Type *, void *>, Function *> made;
};

bool IndirectCalls::isTarget(const Function &target, const CallBase &call) const
{
	const FunctionType *type = call.getFunctionType();
	const unsigned count = type->getNumParams();
	return target.getFunctionType() == type &&
	       passingOf(context, target.getAttributes(), count, 0) ==
		       passingOf(context, call.getAttributes(), count, 0);
}

void IndirectCalls::addCase(SwitchInst &choice, Function &target, uint64_t number)
{
	Function &caller = *choice.getFunction();
	auto *block = BasicBlock::Create(context, "", &caller);
	IRBuilder<> builder(block);
	SmallVector<Value *, 8> arguments;
	for (Argument &argument : drop_begin(caller.args()))
		arguments.push_back(&argument);
	CallInst *call = builder.CreateCall(&target, arguments);
	call->setCallingConv(target.getCallingConv());
	call->setAttributes(passingOf(context, target.getAttributes(), target.arg_size(), 0));
	if (call->getType()->isVoidTy())
		builder.CreateRetVoid();
	else
		builder.CreateRet(call);
	choice.addCase(builder.getInt64(number), block);
}

Function *IndirectCalls::build(const CallBase &call)
{
	const FunctionType *type = call.getFunctionType();
	SmallVector<Type *, 8> parameters = {call.getCalledOperand()->getType()};
	parameters.append(type->param_begin(), type->param_end());
	Function *function =
		Function::Create(FunctionType::get(type->getReturnType(), parameters, false),
				 GlobalValue::InternalLinkage, "weft.indirect_call", module);
	function->setCallingConv(CallingConv::SPIR_FUNC);
	function->setAttributes(passingOf(context, call.getAttributes(), type->getNumParams(), 1));
	function->setConvergent();
	function->addFnAttr(indirectCallAttribute);
	IRBuilder<> builder(BasicBlock::Create(context, "", function));
	auto *none = BasicBlock::Create(context, "", function);
	SwitchInst *choice = builder.CreateSwitch(
		builder.CreatePtrToInt(function->getArg(0), builder.getInt64Ty()), none);
	for (auto [target, number] : zip_equal(targets, numbers)) {
		if (isTarget(*target, call))
			addCase(*choice, *target, number);
	}
	builder.SetInsertPoint(none);
	builder.CreateCall(declareWrongCall(module));
	if (type->getReturnType()->isVoidTy())
		builder.CreateRetVoid();
	else
		builder.CreateRet(Constant::getNullValue(type->getReturnType()));
	return function;
}

Function *IndirectCalls::functionFor(const CallBase &call)
{
	const FunctionType *type = call.getFunctionType();
	Function *&function = made[{
		type, call.getCalledOperand()->getType(),
		passingOf(context, call.getAttributes(), type->getNumParams(), 0).getRawPointer()}];
	if (!function)
		function = build(call);
	return function;
}

void IndirectCalls::lower(CallBase &call)
{
	Function *function = functionFor(call);
	IRBuilder<> builder(&call);
	SmallVector<Value *, 8> arguments = {call.getCalledOperand()};
	arguments.append(call.arg_begin(), call.arg_end());
	CallInst *direct = builder.CreateCall(function, arguments);
	direct->setCallingConv(function->getCallingConv());
	direct->setAttributes(
		passingOf(context, call.getAttributes(), unsigned(call.arg_size()), 1));
	call.replaceAllUsesWith(direct);
	call.eraseFromParent();
}

} // namespace

PreservedAnalyses LowerIndirectCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	addressBodies(module);
	SmallVector<Function *, 8> targets = findAddressed(module);
	erase_if(targets, [](const Function *function) { return isKernel(*function); });
	const SmallVector<CallInst *, 8> calls = findIndirectCalls(module);
	const SmallVector<uint64_t, 8> numbers = functionNumbers(targets);
	for (auto [target, number] : zip_equal(targets, numbers))
		replaceByNumber(*target, number);
	IndirectCalls indirect(module, targets, numbers);
	for (CallInst *call : calls)
		indirect.lower(*call);
	return PreservedAnalyses::none();
}

} // namespace weft
