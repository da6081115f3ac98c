/* SPDX-License-Identifier: MIT
 *
 * Functions that get further parameters, and their calls.
 */
#ifndef WEFT_PASSES_ADDED_PARAMETERS_H
#define WEFT_PASSES_ADDED_PARAMETERS_H

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace weft
{

/* Makes a function with the name, the attributes and the body of `function`, and with further parameters behind its own. The
 * old one is left without a body; its calls are the caller's to replace. It may be speculated no longer. */
llvm::Function &addParameters(llvm::Function &function, llvm::ArrayRef<llvm::Type *> types);

/* Puts a call of `made`, which addParameters has made, in the place of a call of the old function. `arguments` are those of the
 * new parameters. What the old call was said to access is not said of the new one. Returns the new call. */
llvm::CallInst &replaceCall(llvm::CallInst &call, llvm::Function &made,
			    llvm::ArrayRef<llvm::Value *> arguments);

} // namespace weft

#endif
