/* SPDX-License-Identifier: MIT
 *
 * inline-image-accesses: in a specialisation, accesses of images become code for their format.
 * Expects: kernels in SSA form, flat; the code of the accesses (lib/builtins/image_access.cl).
 * Ensures: where parameters bear weft-image-constant, samplers and formats are these constants. A call of a __weft_image_
 *          function for such an image is code for its format, its sampler and the coordinates that it has. What kernels load
 *          from the structures of these images is loaded once, at the kernel's beginning. No code of accesses is left.
 * Keeps:   accesses of images whose format is not known, which stay calls.
 * Why here: an image leads to a parameter once variables are values; and vectors are decided about by what accesses are.
 */
#ifndef WEFT_PASSES_INLINE_IMAGE_ACCESSES_H
#define WEFT_PASSES_INLINE_IMAGE_ACCESSES_H

#include "ir/required_pass.h"

namespace weft
{

struct InlineImageAccessesPass : llvm::PassInfoMixin<InlineImageAccessesPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
