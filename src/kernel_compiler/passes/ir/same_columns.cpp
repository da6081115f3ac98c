/* SPDX-License-Identifier: MIT
 *
 * By what the loads' addresses are computed from.
 */
#include "ir/same_columns.h"

#include <llvm/ADT/SmallPtrSet.h>

using namespace llvm;

namespace weft
{

using Dependents = SmallPtrSet<const Instruction *, 32>;

/* The loop's instructions that a value flows into. */
static Dependents dependentsOf(const Instruction &value, const Loop &loop)
{
	Dependents found;
	SmallVector<const Instruction *, 16> pending = {&value};
	while (!pending.empty()) {
		for (const User *user : pending.pop_back_val()->users()) {
			const auto *next = cast<Instruction>(user);
			if (loop.contains(next) && found.insert(next).second)
				pending.push_back(next);
		}
	}
	return found;
}

bool readsSameInRows(const ItemLoop &item, const PHINode *y, const LoopInfo &loops)
{
	const Loop &items = *item.loop;
	const Dependents alongX = dependentsOf(*item.x, items);
	/* What all work-items of a row share may be computed before the row. */
	const Dependents alongY =
		y ? dependentsOf(*y, *loops.getLoopFor(y->getParent())) : Dependents();
	for (const BasicBlock *block : items.blocks()) {
		if (loops.getLoopFor(block) == &items)
			continue;
		for (const Instruction &instruction : *block) {
			const auto *load = dyn_cast<LoadInst>(&instruction);
			const auto *address =
				load ? dyn_cast<Instruction>(load->getPointerOperand()) : nullptr;
			if (alongX.contains(address) && !alongY.contains(address))
				return true;
		}
	}
	return false;
}

} // namespace weft
