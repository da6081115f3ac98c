/* SPDX-License-Identifier: MIT
 *
 * lower-division: divisions and shifts that cannot trap.
 * Expects: any function, before LLVM's optimisations.
 * Ensures: no integer division or remainder traps or is undefined: by zero the quotient is the dividend and
 *          the remainder 0; the least integer by -1 is itself, with remainder 0. No shift is by more than
 *          its width: amounts are taken modulo the width (OpenCL C section 6.3 j), where Clang has not. Where
 *          Clang has divided constants by zero is 0.
 * Keeps:   control flow.
 * Why here: LLVM treats these as undefined and may delete the code around them.
 */
#ifndef WEFT_PASSES_LOWER_DIVISION_H
#define WEFT_PASSES_LOWER_DIVISION_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerDivisionPass : llvm::PassInfoMixin<LowerDivisionPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
