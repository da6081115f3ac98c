/* SPDX-License-Identifier: MIT
 *
 * Elements of vectors by numbers that no constant says, with the instructions of x86: of AVX2 and AVX-512.
 */
#ifndef WEFT_PASSES_LANE_PERMUTATIONS_H
#define WEFT_PASSES_LANE_PERMUTATIONS_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* For each of `numbers` (32 bits, or as many as an element has) the element that it counts in the vectors `sources`, one behind the other; it counts modulo the number
 * of all elements. So many sources as a power of two, of 2 to 32 elements of 32 or 64 bits, as there are numbers. NULL: no instruction does that, or too many would. */
llvm::Value *permutedByInstructions(llvm::IRBuilder<> &builder,
				    llvm::ArrayRef<llvm::Value *> sources, llvm::Value *numbers);

} // namespace weft

#endif
