/* SPDX-License-Identifier: MIT
 *
 * A pass of code generation, for x86. Expects that pseudo instructions are expanded. Ensures that no VPTERNLOG, by which AVX-512 makes
 * registers whose bits are all set, waits for what its own register held: processors know no such instruction that does not, and LLVM's
 * BreakFalseDeps does not know that. Why here: a loop whose condition counts down by such a register would wait in each round for the
 * result of the round before.
 */
#ifndef WEFT_FALSE_DEPENDENCIES_H
#define WEFT_FALSE_DEPENDENCIES_H

#include "llvm/CodeGen/TargetPassConfig.h"

namespace weft
{

void addBreakFalseDependencies(llvm::TargetPassConfig &config);

} // namespace weft

#endif
