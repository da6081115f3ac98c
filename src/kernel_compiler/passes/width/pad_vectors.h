/* SPDX-License-Identifier: MIT
 *
 * Vectors of three elements as vectors of four, as memory has them, so that those of all lanes can be packed (packed_vectors.h).
 */
#ifndef WEFT_PASSES_PAD_VECTORS_H
#define WEFT_PASSES_PAD_VECTORS_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* Elements of a value in a packed vector: laneElements(), but for a vector of three elements four times those of one. */
unsigned packedElements(const llvm::Type &type);

/* Whether a shuffle does nothing once vectors are padded: of one vector, its first three elements stay where they are. */
bool isPadding(const llvm::Instruction &instruction);

/* Computes with four elements where the kernel does with three. The fourth is any value; memory is accessed as before. Whether there
 * were any. */
bool padVectors(llvm::Function &kernel);

} // namespace weft

#endif
