/* SPDX-License-Identifier: MIT
 *
 * Which values of a work-item are computed again behind a barrier, rather than kept in memory.
 * Valid for kernels in the form of one work-item, before values that live across barriers go to memory.
 */
#ifndef WEFT_PASSES_RECOMPUTED_VALUES_H
#define WEFT_PASSES_RECOMPUTED_VALUES_H

#include "ir/uniformity.h"

#include <llvm/IR/Instructions.h>

namespace weft
{

/* Whether a value is a sum of ids and uniform values, with uniform factors, which has a few terms. In vector code such a value is a
 * scalar. In memory nothing would be known of how it differs between work-items. */
bool isLinearInIds(const llvm::Value &value, const Uniformity &uniformity);

/* Whether computing the value again costs less than storing and loading it for each work-item. */
bool isCheapToRecompute(const llvm::Instruction &value, const Uniformity &uniformity);

} // namespace weft

#endif
