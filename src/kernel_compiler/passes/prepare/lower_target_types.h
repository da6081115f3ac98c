/* SPDX-License-Identifier: MIT
 *
 * lower-target-types: opaque types become pointers and numbers.
 * Expects: any module.
 * Ensures: no target("spirv.…") type is left: an image is the address of its struct weft_image in constant memory, a sampler
 *          a weft_sampler (kernel_image.h), an event and the like a pointer. Kernels' parameters say what they were
 *          (weft-image with weft-image-access, weft-sampler). Fields of images are loads that may move.
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
