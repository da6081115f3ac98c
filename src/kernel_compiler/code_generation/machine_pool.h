/* SPDX-License-Identifier: MIT
 *
 * Target machines that calls of the compiler have done with, for the next calls. To make one, with its description of the CPU, takes
 * most of a millisecond.
 */
#ifndef WEFT_MACHINE_POOL_H
#define WEFT_MACHINE_POOL_H

#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace weft
{

/* NULL: there is none for this CPU. */
std::unique_ptr<llvm::TargetMachine> takeMachine(llvm::StringRef cpu, llvm::StringRef features);

/* Not for a machine whose call was left in the middle of its work. */
void keepMachine(std::unique_ptr<llvm::TargetMachine> machine);

} // namespace weft

#endif
