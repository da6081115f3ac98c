/* SPDX-License-Identifier: MIT
 *
 * spill-at-barriers: values that live across barriers get variables.
 * Expects: a kernel split into regions (split-at-barriers), still for one work-item.
 * Ensures: no value is used in another region than its own, but through an alloca; those of uniform values
 *          carry the metadata weft.uniform. Cheap values (ids, and arithmetic on them and on uniform
 *          values) are computed again instead.
 * Keeps:   control flow, and the kernel's meaning for one work-item.
 * Why here: afterwards "what lives across barriers" is a question about allocas alone, which
 *          work-item-loops answers for private arrays too.
 */
#ifndef WEFT_PASSES_SPILL_AT_BARRIERS_H
#define WEFT_PASSES_SPILL_AT_BARRIERS_H

#include "ir/required_pass.h"

namespace weft
{

struct SpillAtBarriersPass : llvm::PassInfoMixin<SpillAtBarriersPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
