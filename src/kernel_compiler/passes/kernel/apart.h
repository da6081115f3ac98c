/* SPDX-License-Identifier: MIT
 *
 * __weft_apart, which exists between passes only: whether what the kernel writes through an argument is in no memory that another
 * argument leads to (weft_ndrange.apart). Entry-points answers it.
 */
#ifndef WEFT_PASSES_APART_H
#define WEFT_PASSES_APART_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* A bit. */
llvm::CallInst *createApart(llvm::IRBuilderBase &builder);
bool isApart(const llvm::Value &value);

} // namespace weft

#endif
