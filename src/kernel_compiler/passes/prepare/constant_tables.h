/* SPDX-License-Identifier: MIT
 *
 * Tables of constants: an index that such a table has is known where the place in it is.
 */
#ifndef WEFT_PASSES_CONSTANT_TABLES_H
#define WEFT_PASSES_CONSTANT_TABLES_H

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace weft
{

/* Private arrays that are copies of constants, and which nothing else writes to (`int order[] = {0, 2, 1, 3}`), are read from the
 * constants; whether there are any. */
bool readConstantTables(llvm::Function &function);

/* Whether a load reads constants. */
bool isLookup(const llvm::LoadInst &load);

} // namespace weft

#endif
