/* SPDX-License-Identifier: MIT
 *
 * Functions without bodies that have a form for each type of their operands.
 */
#ifndef WEFT_PASSES_TYPED_FUNCTIONS_H
#define WEFT_PASSES_TYPED_FUNCTIONS_H

#include <llvm/IR/Function.h>

#include <string>

namespace weft
{

/* The name of the form of a function for floats, doubles, or vectors of them. */
std::string nameForType(llvm::StringRef function, const llvm::Type &type);
/* Gives a declaration the attributes of a function that computes its result and does nothing else. */
void setComputes(llvm::Function &function);

} // namespace weft

#endif
