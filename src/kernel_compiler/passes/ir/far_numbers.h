/* SPDX-License-Identifier: MIT
 *
 * Switches over numbers that are far apart, as those that stand for functions are.
 */
#ifndef WEFT_PASSES_FAR_NUMBERS_H
#define WEFT_PASSES_FAR_NUMBERS_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* Whether LLVM would make no jump table of a switch with many cases, as too few of the numbers between the least and the most have one. False for
 * numbers of more than 64 bits. */
bool isFarApart(const llvm::SwitchInst &choice);

} // namespace weft

#endif
