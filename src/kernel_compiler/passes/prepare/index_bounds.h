/* SPDX-License-Identifier: MIT
 *
 * How large an index may be where it is used: by its bits, and by the comparisons that lead there.
 */
#ifndef WEFT_PASSES_INDEX_BOUNDS_H
#define WEFT_PASSES_INDEX_BOUNDS_H

#include <llvm/IR/Dominators.h>

#include <optional>

namespace weft
{

/* The largest value that an integer may have at an instruction; nothing if it may be negative there, or have more than 32 bits. */
std::optional<uint64_t> largestIndex(const llvm::Value &index, const llvm::Instruction &at,
				     const llvm::DominatorTree &dominators);

} // namespace weft

#endif
