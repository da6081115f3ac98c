/* SPDX-License-Identifier: MIT
 *
 * By what values are computed from.
 */
#include "ir/same_columns.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

/* The loop's instructions that a value flows into. */
static SmallPtrSet<const Value *, 32> dependentsOf(const Instruction &value, const Loop &loop)
{
	SmallPtrSet<const Value *, 32> found;
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

/* What all work-items of a row share may be computed before the row. */
PlaceDependence::PlaceDependence(const ItemLoop &item, const PHINode *y, const LoopInfo &loops)
    : alongX(dependentsOf(*item.x, *item.loop))
{
	if (y)
		alongY = dependentsOf(*y, *loops.getLoopFor(y->getParent()));
}

/* x and y are parts of the item. */
PlaceDependence::PlaceDependence(const ItemLoop &rows)
{
	for (const User *user : rows.x->users()) {
		const auto *part = cast<Instruction>(user);
		const bool isNext = is_contained(rows.x->operands(), part);
		if (isNext || !rows.loop->contains(part))
			continue;
		const bool isX = match(part, m_And(m_Value(), m_SpecificInt(rows.row - 1)));
		auto found = dependentsOf(*part, *rows.loop);
		(isX ? alongX : alongY).insert(part);
		(isX ? alongX : alongY).insert(found.begin(), found.end());
	}
}

bool readsSameInRows(const ItemLoop &item, const PlaceDependence &places, const LoopInfo &loops)
{
	for (const BasicBlock *block : item.loop->blocks()) {
		if (loops.getLoopFor(block) == item.loop)
			continue;
		for (const Instruction &instruction : *block) {
			const auto *load = dyn_cast<LoadInst>(&instruction);
			if (load && places.differsAlongX(*load->getPointerOperand()) &&
			    !places.differsAlongY(*load->getPointerOperand()))
				return true;
		}
	}
	return false;
}

} // namespace weft
