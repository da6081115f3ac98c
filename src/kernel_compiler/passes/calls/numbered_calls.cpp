/* SPDX-License-Identifier: MIT
 *
 * Switches over numbers, and the calls that they choose between.
 */
#include "calls/numbered_calls.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

/* `first`: the number of the first parameter in the result. */
static AttributeList passingOf(LLVMContext &context, const AttributeList &attributes,
			       unsigned parameters, unsigned first)
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

AttributeList passingOf(const CallBase &call)
{
	return passingOf(call.getContext(), call.getAttributes(), unsigned(call.arg_size()), 0);
}

/* A generic pointer is a private one as well, if the caller says so. */
static bool isPassed(const Type *value, const Type *parameter)
{
	if (value == parameter)
		return true;
	if (!value->isPointerTy() || !parameter->isPointerTy())
		return false;
	const unsigned from = value->getPointerAddressSpace();
	const unsigned to = parameter->getPointerAddressSpace();
	return (to == GenericSpace && from != ConstantSpace) ||
	       (to == PrivateSpace && from == GenericSpace);
}

bool mayLeadTo(const CallBase &call, const Function &target)
{
	const FunctionType *type = call.getFunctionType();
	const FunctionType *own = target.getFunctionType();
	return type->getReturnType() == own->getReturnType() && !own->isVarArg() &&
	       type->getNumParams() == own->getNumParams() &&
	       all_of_zip(type->params(), own->params(), isPassed) &&
	       passingOf(target.getContext(), target.getAttributes(), unsigned(target.arg_size()),
			 0) == passingOf(call);
}

SwitchInst *createNumberSwitch(IRBuilder<> &builder, Module &module, FunctionType *type,
			       StringRef name)
{
	LLVMContext &context = module.getContext();
	Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
	function->setCallingConv(CallingConv::SPIR_FUNC);
	function->setConvergent();
	function->addFnAttr(indirectCallAttribute);
	builder.SetInsertPoint(BasicBlock::Create(context, "", function));
	auto *none = BasicBlock::Create(context, "", function);
	SwitchInst *choice = builder.CreateSwitch(
		builder.CreatePtrToInt(function->getArg(0), builder.getInt64Ty()), none);
	builder.SetInsertPoint(none);
	builder.CreateCall(declareWrongCall(module));
	return choice;
}

/* A block that calls the target with what its function has got, and returns the result. */
static BasicBlock *createCall(Function &caller, Function &target)
{
	LLVMContext &context = caller.getContext();
	auto *block = BasicBlock::Create(context, "", &caller);
	IRBuilder<> builder(block);
	SmallVector<Value *, 8> arguments;
	for (auto [argument, parameter] : zip_equal(drop_begin(caller.args()), target.args()))
		arguments.push_back(builder.CreateAddrSpaceCast(&argument, parameter.getType()));
	CallInst *call = builder.CreateCall(&target, arguments);
	call->setCallingConv(target.getCallingConv());
	call->setAttributes(
		passingOf(context, target.getAttributes(), unsigned(target.arg_size()), 0));
	if (call->getType()->isVoidTy())
		builder.CreateRetVoid();
	else
		builder.CreateRet(call);
	return block;
}

Function *createNumberedCall(CallBase &call, Type *numberType, ArrayRef<NumberedFunction> targets)
{
	const FunctionType *type = call.getFunctionType();
	Type *result = type->getReturnType();
	SmallVector<Type *, 8> parameters = {numberType};
	parameters.append(type->param_begin(), type->param_end());
	IRBuilder<> builder(call.getContext());
	SwitchInst *choice = createNumberSwitch(builder, *call.getModule(),
						FunctionType::get(result, parameters, false),
						"weft.indirect_call");
	Function *function = choice->getFunction();
	const AttributeList passing =
		passingOf(call.getContext(), call.getAttributes(), type->getNumParams(), 1);
	for (unsigned i = 1; i < function->arg_size(); i++)
		function->addParamAttrs(i,
					AttrBuilder(call.getContext(), passing.getParamAttrs(i)));
	if (result->isVoidTy())
		builder.CreateRetVoid();
	else
		builder.CreateRet(Constant::getNullValue(result));
	MapVector<Function *, BasicBlock *> blocks;
	for (const NumberedFunction &target : targets) {
		BasicBlock *&block = blocks[target.function];
		if (!block)
			block = createCall(*function, *target.function);
		choice->addCase(builder.getInt64(target.number), block);
	}
	return function;
}

void replaceByNumbered(CallBase &call, Function &numbered, Value *number)
{
	IRBuilder<> builder(&call);
	SmallVector<Value *, 8> arguments = {number};
	arguments.append(call.arg_begin(), call.arg_end());
	CallInst *direct = builder.CreateCall(&numbered, arguments);
	direct->setCallingConv(numbered.getCallingConv());
	direct->setAttributes(
		passingOf(call.getContext(), call.getAttributes(), unsigned(call.arg_size()), 1));
	call.replaceAllUsesWith(direct);
	call.eraseFromParent();
}

} // namespace weft
