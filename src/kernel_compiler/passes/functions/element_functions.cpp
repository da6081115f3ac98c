/* SPDX-License-Identifier: MIT
 *
 * Recognises element functions by their bodies.
 */
#include "functions/element_functions.h"

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

unsigned elementsOf(const Value &vector)
{
	return cast<FixedVectorType>(vector.getType())->getNumElements();
}

/* Whether the value is an argument's element of this number, or a scalar argument. */
bool isElement(const Value &value, unsigned number, unsigned elements)
{
	if (isa<Argument>(value))
		return !value.getType()->isVectorTy();
	const auto *extract = dyn_cast<ExtractElementInst>(&value);
	const auto *known = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
	return known && known->equalsInt(number) && isa<Argument>(extract->getVectorOperand()) &&
	       elementsOf(*extract->getVectorOperand()) == elements;
}

/* The function that is called for the element of this number. */
Function *calledFor(const Value &value, unsigned number, unsigned elements)
{
	const auto *call = dyn_cast<CallInst>(&value);
	Function *callee = call ? call->getCalledFunction() : nullptr;
	if (!callee || callee->isDeclaration() || !callee->doesNotAccessMemory() ||
	    callee->getFunctionType() != call->getFunctionType() ||
	    !all_of(call->args(),
		    [&](const Value *value) { return isElement(*value, number, elements); }))
		return nullptr;
	return callee;
}

} // namespace

Function *scalarOf(const Function &function)
{
	const auto *type = dyn_cast<FixedVectorType>(function.getReturnType());
	if (!type || function.size() != 1)
		return nullptr;
	const auto *end = dyn_cast<ReturnInst>(function.front().getTerminator());
	const Value *result = end ? end->getReturnValue() : nullptr;
	Function *scalar = nullptr;
	const unsigned elements = type->getNumElements();
	SmallBitVector found(elements);
	while (const auto *insert = dyn_cast_or_null<InsertElementInst>(result)) {
		const auto *number = dyn_cast<ConstantInt>(insert->getOperand(2));
		if (!number || number->uge(elements) || found.test(number->getZExtValue()))
			return nullptr;
		const auto index = unsigned(number->getZExtValue());
		Function *called = calledFor(*insert->getOperand(1), index, elements);
		if (!called || (scalar && called != scalar))
			return nullptr;
		found.set(index);
		scalar = called;
		result = insert->getOperand(0);
	}
	return found.all() ? scalar : nullptr;
}

Function *elementFunctionCalledBy(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallInst>(&instruction);
	Function *callee = call ? call->getCalledFunction() : nullptr;
	return callee && scalarOf(*callee) ? callee : nullptr;
}

/* With the scalar function in it. */
static void inlineElementCall(CallInst &call)
{
	const Function *scalar = scalarOf(*call.getCalledFunction());
	InlineFunctionInfo calls;
	if (!InlineFunction(call, calls, true).isSuccess())
		return;
	/* The last call comes first: instructions behind a call move to another block. */
	for (CallBase *inner : reverse(calls.InlinedCallSites)) {
		InlineFunctionInfo info;
		if (inner->getCalledFunction() == scalar)
			InlineFunction(*inner, info, true);
	}
}

bool inlineElementCalls(Function &function, function_ref<bool(const CallInst &)> stays)
{
	SmallVector<CallInst *, 8> calls;
	for (Instruction &instruction : instructions(function)) {
		if (elementFunctionCalledBy(instruction) && !stays(cast<CallInst>(instruction)))
			calls.push_back(cast<CallInst>(&instruction));
	}
	for (CallInst *call : reverse(calls))
		inlineElementCall(*call);
	return !calls.empty();
}

} // namespace weft
