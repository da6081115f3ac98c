/* SPDX-License-Identifier: MIT
 *
 * A pass of code generation in the place of a part of LLVM's peephole pass, which is off (docs/kernel_compiler.md). Instruction selection
 * makes a subtraction of each comparison, in case its difference is wanted: where it is not, it would take a register, and a copy of
 * what it is taken from. A comparison with a number that an operation before has compared already is left out.
 */
#ifndef WEFT_FOLD_COMPARES_H
#define WEFT_FOLD_COMPARES_H

#include "llvm/CodeGen/TargetPassConfig.h"

namespace weft
{

void addFoldCompares(llvm::TargetPassConfig &config);

} // namespace weft

#endif
