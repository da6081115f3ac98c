/* SPDX-License-Identifier: MIT
 *
 * Atomic operations whose order does not matter, and copies of what they update that a thread keeps for itself.
 */
#ifndef WEFT_PASSES_ATOMIC_UPDATES_H
#define WEFT_PASSES_ATOMIC_UPDATES_H

#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* Whether the order of two such operations on one place does not matter, if no result is used. */
bool isCommutative(const llvm::AtomicRMWInst &update);

/* The value that changes nothing. */
llvm::Constant *identityOf(llvm::AtomicRMWInst::BinOp operation, llvm::Type &type);

/* What a parameter points to is counted in a copy, whose elements are applied to it at the end of an entry point. */
struct UpdatedCopy {
	llvm::AtomicRMWInst::BinOp operation; /* by which the copy is applied */
	unsigned bits;                        /* of an element */
	unsigned elements;
};

void setUpdatedCopy(llvm::Argument &argument, UpdatedCopy copy);
std::optional<UpdatedCopy> updatedCopyOf(const llvm::Argument &argument);
/* Marks an update of such a copy. */
void markOwnUpdate(llvm::AtomicRMWInst &update);

/* Whether no other thread reaches what it updates: local memory, or such a copy. */
bool isOwnUpdate(const llvm::AtomicRMWInst &update);

} // namespace weft

#endif
