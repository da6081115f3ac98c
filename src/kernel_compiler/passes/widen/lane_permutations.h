/* SPDX-License-Identifier: MIT
 *
 * Elements of vectors by numbers that no constant says, with the instructions of x86: of AVX2 and AVX-512.
 */
#ifndef WEFT_PASSES_LANE_PERMUTATIONS_H
#define WEFT_PASSES_LANE_PERMUTATIONS_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* Says in what vectors the module's CPU permutes 32-bit elements by an instruction: of 512 bits (AVX-512), of 256 (AVX2), or none, 0. */
void setPermutedBits(llvm::Module &module, unsigned bits);
bool hasPermutations(const llvm::Module &module);

/* For each of `numbers` (32 bits) the element that it counts in the vectors `sources`, one behind the other; it counts modulo the number
 * of all elements. One or two sources, of 2 to 32 elements of 32 or 64 bits. NULL: no instruction does that, or too many would. */
llvm::Value *permutedByInstructions(llvm::IRBuilder<> &builder,
				    llvm::ArrayRef<llvm::Value *> sources, llvm::Value *numbers);

} // namespace weft

#endif
