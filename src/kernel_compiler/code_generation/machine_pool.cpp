/* SPDX-License-Identifier: MIT
 *
 * A few slots without a lock, so that a call may be left anywhere, and a process may fork. A machine in a slot is nobody's.
 */
#include "code_generation/machine_pool.h"

#include <atomic>

namespace
{

using Slot = std::atomic<llvm::TargetMachine *>;

Slot slots[8]; /* as many calls as usually run at once */

/* Whether the machine lies there now. */
bool put(Slot &slot, llvm::TargetMachine *machine)
{
	llvm::TargetMachine *none = nullptr;
	return slot.compare_exchange_strong(none, machine, std::memory_order_release,
					    std::memory_order_relaxed);
}

} // namespace

namespace weft
{

std::unique_ptr<llvm::TargetMachine> takeMachine(llvm::StringRef cpu, llvm::StringRef features)
{
	for (Slot &slot : slots) {
		std::unique_ptr<llvm::TargetMachine> machine(
			slot.exchange(nullptr, std::memory_order_acquire));
		if (!machine)
			continue;
		if (machine->getTargetCPU() == cpu && machine->getTargetFeatureString() == features)
			return machine;
		if (put(slot, machine.get()))
			(void)machine.release();
	}
	return nullptr;
}

void keepMachine(std::unique_ptr<llvm::TargetMachine> machine)
{
	for (Slot &slot : slots) {
		if (put(slot, machine.get())) {
			(void)machine.release();
			return;
		}
	}
	/* the slots may be full of machines for other CPUs */
	machine.reset(slots[0].exchange(machine.release(), std::memory_order_acq_rel));
}

} // namespace weft
