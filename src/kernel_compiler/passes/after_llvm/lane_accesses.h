/* SPDX-License-Identifier: MIT
 *
 * Accesses of vectors at places that are numbers: loads, stores, masked ones, gathers and scatters. Each lane's distance from
 * a base that they share.
 */
#ifndef WEFT_PASSES_LANE_ACCESSES_H
#define WEFT_PASSES_LANE_ACCESSES_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

struct LaneAccess {
	llvm::Value *base = nullptr;
	llvm::Type *element = nullptr;
	int64_t size = 0;                                     /* of an element, in bytes */
	llvm::Value *stored = nullptr;                        /* NULL: a load */
	bool isScattered = false;                             /* lanes do not lie side by side */
	llvm::SmallVector<std::optional<int64_t>, 16> places; /* of lanes that run, in bytes */
};

/* Empty if the instruction is no such access. */
std::optional<LaneAccess> readLaneAccess(llvm::Instruction &instruction,
					 const llvm::DataLayout &layout);

} // namespace weft

#endif
