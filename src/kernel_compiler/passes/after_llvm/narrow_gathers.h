/* SPDX-License-Identifier: MIT
 *
 * narrow-gathers: gathers and scatters get indices of 32 bits where that is enough.
 * Expects: any function, after LLVM's optimisations.
 * Ensures: where the addresses of a gather or scatter are one address plus indices of 32 bits, or lie in local memory, a
 *          private variable or a table, which are smaller than 2 GiB, they are written as one address plus a sign
 *          extension of 32-bit indices, beside the access. An index without sign counts from the middle of what it
 *          may lead to; a constant number of elements of each lane is added to the index, where the sum fits.
 * Keeps:   control flow.
 * Why here: code generation sees one block at a time. It makes one instruction of such an access where it would make two
 *          of 64-bit addresses, but earlier the optimisations would take the form apart again. lower-scattered needs the
 *          form, too.
 */
#ifndef WEFT_PASSES_NARROW_GATHERS_H
#define WEFT_PASSES_NARROW_GATHERS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct NarrowGathersPass : llvm::PassInfoMixin<NarrowGathersPass> {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
