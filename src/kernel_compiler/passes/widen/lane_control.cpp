/* SPDX-License-Identifier: MIT
 *
 * What phis become where lanes that came different ways come together.
 */
#include "widen/loop_widener.h"

using namespace llvm;

namespace weft
{

/* In place of a phi: for each lane, what it brings along the way that it has come. */
Value *LoopWidener::blend(const PHINode &phi, bool scalar, Getter valueOf)
{
	Value *result = nullptr;
	AllocaInst *common = nullptr; /* keeps what all ways so far have brought */
	SmallPtrSet<const BasicBlock *, 4> seen;
	for (auto [from, use] : zip_equal(phi.blocks(), phi.incoming_values())) {
		if (!seen.insert(from).second)
			continue;
		auto found = leaving.find({from, phi.getParent()});
		AllocaInst *kept =
			found != leaving.end() ? found->second.values.lookup(use) : nullptr;
		if (result && kept && kept == common)
			continue;
		common = result ? nullptr : kept;
		Value *value =
			kept ? builder.CreateLoad(kept->getAllocatedType(), kept) : valueOf(use);
		if (!result) {
			result = value;
			continue;
		}
		Value *mask = incomingMask(from, phi.getParent());
		result = scalar ? builder.CreateSelect(isAny(mask), value, result)
				: selected(builder, mask, value, result);
	}
	return result;
}

void LoopWidener::emitBlends(const LaneNode &node)
{
	DenseMap<Value *, Value *> newScalars, newVectors;
	DenseMap<Value *, SmallVector<Value *, 4>> newRows;
	for (PHINode &phi : node.block->phis()) {
		Shape shape = shapes.of(&phi);
		for (unsigned row = 0; shape.row && row < rowsOf(shape); row++)
			newRows[&phi].push_back(blend(
				phi, true, [&](Value *value) { return rowOf(value, shape, row); }));
		if (shape.row)
			continue;
		if (shape.isLinear())
			newScalars[&phi] =
				blend(phi, true, [&](Value *value) { return scalarOf(value); });
		else
			newVectors[&phi] =
				blend(phi, false, [&](Value *value) { return vectorOf(value); });
	}
	for (PHINode &phi : node.block->phis()) {
		if (newRows.contains(&phi))
			rows[&phi] = newRows[&phi];
		else if (newScalars.contains(&phi))
			scalars[&phi] = newScalars[&phi];
		else
			vectors[&phi] = newVectors[&phi];
	}
}

} // namespace weft
