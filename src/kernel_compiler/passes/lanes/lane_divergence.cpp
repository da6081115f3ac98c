/* SPDX-License-Identifier: MIT
 *
 * The control part of lane shapes: where lanes part, where they come together, and which loops they leave at
 * different times.
 */
#include "lanes/lane_shapes.h"

#include <llvm/IR/CFG.h>

#include <set>

using namespace llvm;

namespace weft
{

bool LaneShapes::isDivergent(const BasicBlock &block) const
{
	const Instruction *end = block.getTerminator();
	if (end->getNumSuccessors() < 2 || &block == item.latch)
		return false;
	Shape::Kind kind = of(end->getOperand(0)).kind;
	return kind != Shape::Uniform && kind != Shape::Undefined;
}

/* Lanes that went different ways come together here. */
void LaneShapes::joinAt(BasicBlock &block)
{
	for (PHINode &phi : block.phis()) {
		if (!phi.hasConstantValue())
			joins.insert(&phi);
	}
}

/* Lanes leave `from` for the starts. */
void LaneShapes::spread(ArrayRef<BasicBlock *> starts, const Loop *context, const BasicBlock *from)
{
	DenseMap<BasicBlock *, BasicBlock *> labels;
	std::set<std::pair<unsigned, BasicBlock *>> pending;
	bool escapes = false;
	auto visit = [&](BasicBlock *target, BasicBlock *label) {
		if (!context->contains(target)) {
			escapes = true;
			return;
		}
		BasicBlock *&known = labels[target];
		if (known && known != label)
			joinAt(*target);
		known = known && known != label ? target : label;
		pending.insert({index.lookup(target), target});
	};
	for (BasicBlock *start : starts)
		visit(start, start);
	while (!pending.empty() && (pending.size() > 1 || escapes)) {
		auto [number, block] = *pending.begin();
		pending.erase(pending.begin());
		/* In an inner loop all lanes that enter run the same blocks, up to a branch of that loop. */
		if (loops.getLoopFor(block) == context)
			partial.insert(block);
		for (BasicBlock *next : successors(block)) {
			if (!context->contains(next) || index.lookup(next) > number)
				visit(next, labels[block]);
		}
		if (++steps > stepLimit)
			return;
	}
	if (!pending.empty()) {
		BasicBlock *meeting = pending.begin()->second;
		const BasicBlock *&known = gathering[meeting];
		if (dominators.dominates(from, meeting) &&
		    (!known || index.lookup(from) < index.lookup(known)))
			known = from;
	}
	if (escapes)
		loseLanes(*context);
}

void LaneShapes::loseLanes(const Loop &loop)
{
	if (!losing.insert(&loop).second)
		return;
	SmallVector<BasicBlock *, 4> exits;
	loop.getUniqueExitBlocks(exits);
	for (BasicBlock *exit : exits) {
		for (PHINode &phi : exit->phis()) {
			const Value *only = phi.hasConstantValue();
			const auto *instruction = dyn_cast_or_null<Instruction>(only);
			if (!only || (instruction && loop.contains(instruction)))
				joins.insert(&phi);
		}
	}
	spread(exits, loop.getParentLoop(), loop.getLoopPreheader());
}

} // namespace weft
