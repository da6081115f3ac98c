/* SPDX-License-Identifier: MIT
 *
 * Ids that are places in a plane (id_division.h): how numbers grow from row to row, and along a row.
 * Valid until coalesce-work-groups.
 */
#ifndef WEFT_PASSES_ID_ROWS_H
#define WEFT_PASSES_ID_ROWS_H

#include "ir/id_division.h"

#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace weft
{

/* From one work-item to the next; nullopt: no constant. */
using KnownSteps = llvm::SmallDenseMap<const llvm::Value *, std::optional<int64_t>, 8>;

std::optional<IdDivision> findIdDivision(llvm::Function &kernel);

/* Of ids, quotients and remainders. Nothing is known where the kernel divides no ids. */
KnownSteps stepsAlongRows(llvm::Function &kernel);

/* Where rows are long, nearly always. */
KnownSteps stepsWithinRow(const IdDivision &division);

} // namespace weft

#endif
