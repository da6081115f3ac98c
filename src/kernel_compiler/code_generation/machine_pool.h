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

/* What a machine has learnt of its CPU depends on the level at which it did, so the level is never changed. */
struct MachineKey {
	llvm::CodeGenOptLevel level;
	llvm::Triple triple;
	llvm::StringRef cpu, features, abi;
};

/* NULL: there is none of these. */
std::unique_ptr<llvm::TargetMachine> takeMachine(const MachineKey &key);

/* Not for a machine whose call was left in the middle of its work. */
void keepMachine(std::unique_ptr<llvm::TargetMachine> machine);

} // namespace weft

#endif
