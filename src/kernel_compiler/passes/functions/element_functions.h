/* SPDX-License-Identifier: MIT
 *
 * Element functions: functions of vectors that call one scalar function for each element and do nothing else, as the built-ins
 * for vectors do. inline-functions leaves calls of them; choose-width inlines them where elements become scalars, and
 * widen-elements makes vector code of the others.
 */
#ifndef WEFT_PASSES_ELEMENT_FUNCTIONS_H
#define WEFT_PASSES_ELEMENT_FUNCTIONS_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* The scalar function, which accesses no memory; nullptr: it is no element function. */
llvm::Function *scalarOf(const llvm::Function &function);

/* The element function that is called; nullptr: it is no such call. */
llvm::Function *elementFunctionCalledBy(const llvm::Instruction &instruction);

/* Inlines the element functions that a function calls, and the scalar functions that these call, but for the calls that stay.
 * Returns whether there are any. */
bool inlineElementCalls(llvm::Function &function,
			llvm::function_ref<bool(const llvm::CallInst &)> stays);

} // namespace weft

#endif
