/* SPDX-License-Identifier: MIT
 *
 * What is constant about two addresses.
 */
#ifndef WEFT_PASSES_ADDRESS_DIFFERENCE_H
#define WEFT_PASSES_ADDRESS_DIFFERENCE_H

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <optional>

namespace weft
{

/* a - b in bytes where that is a constant for every lane that accesses memory at both. They lie in one object then, so
 * an index of 32 bits does not wrap from one to the other. */
std::optional<int64_t> addressDifference(const llvm::Value *a, const llvm::Value *b,
					 const llvm::DataLayout &layout);

} // namespace weft

#endif
