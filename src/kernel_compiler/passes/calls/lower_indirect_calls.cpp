/* SPDX-License-Identifier: MIT
 *
 * lower-indirect-calls: numbers in the place of addresses, and one function for each type that is called.
 */
#include "calls/lower_indirect_calls.h"

#include "calls/numbered_calls.h"
#include "functions/function_addresses.h"
#include "functions/internal_functions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
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

/* Clang passes the object to a member function that a pointer leads to as a private one, whatever its memory; the function takes a generic pointer.
 * Passes what is not private as it is, so that no pass takes it for private. */
CallBase &withoutPrivateCasts(CallBase &call)
{
	SmallVector<Value *, 8> arguments;
	SmallVector<Type *, 8> types;
	bool changes = false;
	for (Value *argument : call.args()) {
		auto *cast = dyn_cast<AddrSpaceCastInst>(argument);
		if (cast && cast->getDestAddressSpace() == PrivateSpace) {
			argument = cast->getPointerOperand();
			changes = true;
		}
		arguments.push_back(argument);
		types.push_back(argument->getType());
	}
	if (!changes)
		return call;
	CallInst *changed =
		IRBuilder<>(&call).CreateCall(FunctionType::get(call.getType(), types, false),
					      call.getCalledOperand(), arguments);
	changed->setCallingConv(call.getCallingConv());
	changed->setAttributes(call.getAttributes());
	changed->setDebugLoc(call.getDebugLoc());
	call.replaceAllUsesWith(changed);
	call.eraseFromParent();
	return *changed;
}

/* One function for each type that is called. */
class IndirectCalls
{
      public:
	explicit IndirectCalls(ArrayRef<NumberedFunction> theTargets) : targets(theTargets)
	{
	}

	void lower(CallBase &given)
	{
		CallBase &call = withoutPrivateCasts(given);
		Value *number = call.getCalledOperand();
		Function *&function = made[{call.getFunctionType(), number->getType(),
					    passingOf(call).getRawPointer()}];
		if (!function)
			function = build(call);
		replaceByNumbered(call, *function, number);
	}

      private:
	Function *build(CallBase &call) const
	{
		SmallVector<NumberedFunction, 8> possible;
		copy_if(targets, std::back_inserter(possible), [&](const NumberedFunction &target) {
			return mayLeadTo(call, *target.function);
		});
		return createNumberedCall(call, call.getCalledOperand()->getType(), possible);
	}

	ArrayRef<NumberedFunction> targets;
	std::map<std::tuple<const FunctionType *, const Type *, void *>, Function *> made;
};

} // namespace

PreservedAnalyses LowerIndirectCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	addressBodies(module);
	SmallVector<Function *, 8> targets = findAddressed(module);
	erase_if(targets, [](const Function *function) { return isKernel(*function); });
	const SmallVector<CallInst *, 8> calls = findIndirectCalls(module);
	SmallVector<NumberedFunction, 8> numbered;
	for (auto [target, number] : zip_equal(targets, functionNumbers(targets))) {
		replaceByNumber(*target, number);
		numbered.push_back({number, target});
	}
	IndirectCalls indirect(numbered);
	for (CallInst *call : calls)
		indirect.lower(*call);
	return PreservedAnalyses::none();
}

} // namespace weft
