/* SPDX-License-Identifier: MIT
 *
 * Functions whose addresses are values: which there are, and what stands in the addresses' places.
 */
#ifndef WEFT_PASSES_FUNCTION_ADDRESSES_H
#define WEFT_PASSES_FUNCTION_ADDRESSES_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

namespace weft
{

/* Whether a value of the module is the function's address. Labels of its blocks are none. */
bool hasAddress(const llvm::Function &function);
/* All that have one, in the module's order. */
llvm::SmallVector<llvm::Function *, 8> findAddressed(llvm::Module &module);
/* Puts the value where the function's address stands; calls of the function stay. */
void replaceAddress(llvm::Function &function, llvm::Constant *value);

} // namespace weft

#endif
