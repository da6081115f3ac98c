// SPDX-License-Identifier: MIT
//
// Calls of built-in functions, by the names that the library has.
#include "spirv/builtins/builtin_calls.h"

#include "link/builtins_library.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace weft::spirv
{

BuiltinCall::BuiltinCall(IRBuilderBase &code, const Instruction &instruction, StringRef function)
    : builder(code), user(instruction), name(function)
{
}

BuiltinCall &BuiltinCall::add(llvm::Value *value, const BuiltinType &type)
{
	values.push_back(value);
	types.push_back(type);
	return *this;
}

BuiltinCall &BuiltinCall::add(llvm::Value *value, Sign sign)
{
	std::optional<BuiltinType> type = builtinType(*value->getType(), sign);
	if (!type)
		user.fail("an operand has a type that " + name + " does not take");
	return add(value, *type);
}

BuiltinCall &BuiltinCall::addPointer(llvm::Value *value, const BuiltinType &element)
{
	user.require(value->getType()->isPointerTy(), "an operand is no pointer");
	return add(value, element.pointer(value->getType()->getPointerAddressSpace()));
}

BuiltinCall &BuiltinCall::addConstPointer(llvm::Value *value, const BuiltinType &element)
{
	user.require(value->getType()->isPointerTy(), "an operand is no pointer");
	return add(value, element.constPointer(value->getType()->getPointerAddressSpace()));
}

BuiltinCall &BuiltinCall::addSize(llvm::Value *value)
{
	user.require(value->getType()->isIntegerTy(), "an offset or count is no integer");
	return add(builder.CreateZExtOrTrunc(value, builder.getInt64Ty()), BuiltinType{"m"});
}

BuiltinCall &BuiltinCall::addUint(uint32_t value)
{
	return add(builder.getInt32(value), BuiltinType{"j"});
}

BuiltinCall &BuiltinCall::addEnumerant(StringRef type, uint32_t value)
{
	return add(builder.getInt32(value), namedType(type));
}

BuiltinCall &BuiltinCall::convergent()
{
	isConvergent = true;
	return *this;
}

Function *BuiltinCall::declare(llvm::Type *result, const std::string &mangled) const
{
	SmallVector<llvm::Type *, 8> parameters;
	for (llvm::Value *value : values)
		parameters.push_back(value->getType());
	FunctionType *type = FunctionType::get(result, parameters, false);
	Module &module = *builder.GetInsertBlock()->getModule();
	auto *function = dyn_cast<Function>(module.getOrInsertFunction(mangled, type).getCallee());
	if (!function || function->getFunctionType() != type)
		user.fail("another object of the module is named as the built-in function " +
			  mangled);
	function->setCallingConv(CallingConv::SPIR_FUNC);
	function->setDoesNotThrow();
	if (isConvergent)
		function->setConvergent();
	return function;
}

CallInst *BuiltinCall::make(llvm::Type *result)
{
	std::string mangled = mangleBuiltin(name, types);
	if (!isBuiltin(mangled))
		user.fail("there is no function " + name + " for operands of these types (" +
			  mangled + ")");
	CallInst *call = builder.CreateCall(declare(result, mangled), values);
	call->setCallingConv(CallingConv::SPIR_FUNC);
	if (isConvergent)
		call->setConvergent();
	return call;
}

} // namespace weft::spirv
