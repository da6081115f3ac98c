/* SPDX-License-Identifier: MIT
 *
 * A few slots without a lock, so that a call may be left anywhere, and a process may fork. No call uses a machine that is in a slot.
 */
#include "code_generation/machine_pool.h"

#include <atomic>

namespace
{

using Slot = std::atomic<llvm::TargetMachine *>;

Slot slots[8]; /* as many calls as usually run at once */

bool isFor(const llvm::TargetMachine &machine, const weft::MachineKey &key)
{
	return machine.getTargetTriple() == key.triple && machine.getOptLevel() == key.level &&
	       machine.getTargetCPU() == key.cpu &&
	       machine.getTargetFeatureString() == key.features;
}

/* Leaves the machine where it is if the slot is full. */
void put(Slot &slot, std::unique_ptr<llvm::TargetMachine> &machine)
{
	llvm::TargetMachine *none = nullptr, *kept = machine.release();
	if (!slot.compare_exchange_strong(none, kept, std::memory_order_release,
					  std::memory_order_relaxed))
		machine.reset(kept);
}

} // namespace

namespace weft
{

std::unique_ptr<llvm::TargetMachine> takeMachine(const MachineKey &key)
{
	for (Slot &slot : slots) {
		std::unique_ptr<llvm::TargetMachine> machine(
			slot.exchange(nullptr, std::memory_order_acquire));
		if (!machine)
			continue;
		if (isFor(*machine, key))
			return machine;
		put(slot, machine);
	}
	return nullptr;
}

void keepMachine(std::unique_ptr<llvm::TargetMachine> machine)
{
	for (Slot &slot : slots) {
		put(slot, machine);
		if (!machine)
			return;
	}
	/* the slots may be full of other machines */
	machine.reset(slots[0].exchange(machine.release(), std::memory_order_acq_rel));
}

} // namespace weft
