/* SPDX-License-Identifier: MIT
 *
 * A function's type is fixed, so its body moves to another function.
 */
#include "functions/added_parameters.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

Function &addParameters(Function &function, ArrayRef<Type *> types)
{
	FunctionType *type = function.getFunctionType();
	SmallVector<Type *, 8> parameters(type->params());
	append_range(parameters, types);
	auto *made = Function::Create(FunctionType::get(type->getReturnType(), parameters, false),
				      function.getLinkage(), function.getAddressSpace());
	function.getParent()->getFunctionList().insert(function.getIterator(), made);
	made->copyAttributesFrom(&function);
	made->removeFnAttr(Attribute::Speculatable);
	made->takeName(&function);
	made->copyMetadata(&function, 0);
	made->setDSOLocal(true);
	function.clearMetadata();
	made->splice(made->begin(), &function);
	for (Argument &argument : function.args()) {
		Argument *other = made->getArg(argument.getArgNo());
		argument.replaceAllUsesWith(other);
		other->takeName(&argument);
	}
	return *made;
}

CallInst &replaceCall(CallInst &call, Function &made, ArrayRef<Value *> arguments)
{
	SmallVector<Value *, 8> all(call.args());
	append_range(all, arguments);
	CallInst *replacement = IRBuilder<>(&call).CreateCall(&made, all);
	replacement->setCallingConv(call.getCallingConv());
	replacement->setAttributes(
		call.getAttributes().removeFnAttribute(call.getContext(), Attribute::Memory));
	replacement->takeName(&call);
	call.replaceAllUsesWith(replacement);
	call.eraseFromParent();
	return *replacement;
}

} // namespace weft
