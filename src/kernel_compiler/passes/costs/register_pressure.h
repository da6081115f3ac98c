/* SPDX-License-Identifier: MIT
 *
 * Registers that values take where most of them are alive.
 */
#ifndef WEFT_PASSES_REGISTER_PRESSURE_H
#define WEFT_PASSES_REGISTER_PRESSURE_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>

namespace weft
{

/* The blocks are taken in their order: a value lives to its last use, in a loop that it comes from outside of to the
 * loop's end. */
unsigned mostAlive(llvm::ArrayRef<llvm::BasicBlock *> blocks, const llvm::LoopInfo &loops,
		   llvm::function_ref<unsigned(const llvm::Instruction &)> registersOf);

} // namespace weft

#endif
