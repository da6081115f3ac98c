/* SPDX-License-Identifier: MIT
 *
 * Functions whose addresses are values: which there are, and what stands in the addresses' places; and in those of classes' tables.
 */
#ifndef WEFT_PASSES_FUNCTION_ADDRESSES_H
#define WEFT_PASSES_FUNCTION_ADDRESSES_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

namespace weft
{

/* Whether a value of the module is the function's address. Labels of its blocks are none. */
bool hasAddress(const llvm::Function &function);
/* All that have one, in the module's order. */
llvm::SmallVector<llvm::Function *, 8> findAddressed(llvm::Module &module);
/* The number that stands for a function's address: of its name alone (weft/function_numbers.h), so it is the same on every device, in every program and
 * at every optimisation. A multiple of 16, and no address that a CPU has. */
uint64_t functionNumber(const llvm::Function &function);
/* The same for a class with virtual functions: of the name of its table, and which of the pointers in an object it is for. */
uint64_t classNumber(llvm::StringRef table, unsigned pointer);
/* Makes numbers differ that are equal. */
void tellApart(llvm::MutableArrayRef<uint64_t> numbers);
/* Of each function, in their order; no two are equal. */
llvm::SmallVector<uint64_t, 8> functionNumbers(llvm::ArrayRef<llvm::Function *> functions);
/* Puts the value where the function's address stands; calls of the function stay. */
void replaceAddress(llvm::Function &function, llvm::Constant *value);

} // namespace weft

#endif
