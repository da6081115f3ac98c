/* SPDX-License-Identifier: MIT
 *
 * Ids that a kernel of one dimension takes for places in a plane: row `i / n`, column `i % n`.
 * Valid for kernels in the form of one work-item.
 */
#ifndef WEFT_PASSES_ID_DIVISION_H
#define WEFT_PASSES_ID_DIVISION_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* 1: where the launch is large enough, work-items follow each other from row to row (interchange-items). */
constexpr char interchangedIdsAttribute[] = "weft-interchanged-ids";

/* The value before extensions and truncations; `bits` becomes the least of their widths, if that is less. */
llvm::Value *withoutCasts(llvm::Value *value, unsigned &bits);

/* Of the ids along x. Quotients and remainders are those of numbers that are not negative, and fit 31 bits. */
struct IdDivision {
	llvm::Value *divisor; /* a constant of 64 bits, or any value */
	llvm::SmallVector<llvm::Instruction *, 4> ids, quotients, remainders;
};

/* The division by the number of which there are most, if there are quotients and remainders. */
std::optional<IdDivision> findIdDivision(llvm::Function &kernel,
					 llvm::function_ref<bool(const llvm::Value &)> isId);

} // namespace weft

#endif
