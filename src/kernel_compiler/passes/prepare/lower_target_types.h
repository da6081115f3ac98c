/* SPDX-License-Identifier: MIT
 *
 * lower-target-types: opaque types become pointers.
 * Expects: any module.
 * Ensures: no target("spirv.…") type is left: events, queues and the like are pointers, and samplers that the
 *          source writes down numbers made pointers.
 * Keeps:   everything else; names of functions.
 * Why here: the host's code generator knows no opaque type, and inlining must see equal signatures.
 */
#ifndef WEFT_PASSES_LOWER_TARGET_TYPES_H
#define WEFT_PASSES_LOWER_TARGET_TYPES_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerTargetTypesPass : llvm::PassInfoMixin<LowerTargetTypesPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
