/* SPDX-License-Identifier: MIT
 *
 * Functions that call one of several functions, by a number: what calls through pointers and calls of virtual functions become.
 */
#ifndef WEFT_PASSES_NUMBERED_CALLS_H
#define WEFT_PASSES_NUMBERED_CALLS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace weft
{

struct NumberedFunction {
	uint64_t number;
	llvm::Function *function;
};

/* How structures are passed, which the type of a function does not say: the call's own, as attributes of its arguments. */
llvm::AttributeList passingOf(const llvm::CallBase &call);
/* Whether the call may lead to the function: their types are the same, and how structures are passed. Pointers may be private ones for one and
 * generic ones for the other, as Clang's calls through pointers to member functions pass the object. */
bool mayLeadTo(const llvm::CallBase &call, const llvm::Function &target);

/* A function of a number, as a pointer of the type, and then of what the call passes: a branch by the number to a call of each target. Any other
 * number is a wrong call (declareWrongCall), with the result zero. Each target is called in one place. */
llvm::Function *createNumberedCall(llvm::CallBase &call, llvm::Type *numberType,
				   llvm::ArrayRef<NumberedFunction> targets);
/* Calls it in the call's place. */
void replaceByNumbered(llvm::CallBase &call, llvm::Function &numbered, llvm::Value *number);

/* An internal function of the name with a switch by its first parameter, a pointer; the switch's default is where `builder` is put, behind the
 * note of a wrong call. */
llvm::SwitchInst *createNumberSwitch(llvm::IRBuilder<> &builder, llvm::Module &module,
				     llvm::FunctionType *type, llvm::StringRef name);

} // namespace weft

#endif
