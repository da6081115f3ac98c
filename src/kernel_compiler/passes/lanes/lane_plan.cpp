/* SPDX-License-Identifier: MIT
 *
 * Planning, block by block in order: by then all that leads to a block forwards has been planned.
 */
#include "lanes/lane_plan.h"

#include "lanes/lane_data.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

LanePlan::LanePlan(const ItemLoop &theItem, const LaneShapes &theShapes, const LoopInfo &theLoops,
		   bool lanesMayLack)
    : item(theItem), shapes(theShapes), loops(theLoops), mayLackLanes(lanesMayLack),
      nodes(theShapes.blocks().size()), deferred(nodes.size()), parents(2 * nodes.size()),
      depths(2 * nodes.size())
{
	for (auto [number, block] : enumerate(shapes.blocks())) {
		nodes[number].block = block;
		nodes[number].loop = loops.getLoopFor(block);
	}
	for (LaneNode &node : nodes) {
		if (valid)
			planBlock(node);
	}
}

const Loop *LanePlan::leaves(const BasicBlock *from, const BasicBlock *to) const
{
	const Loop *outermost = nullptr;
	bool loses = false;
	for (const Loop *loop = loops.getLoopFor(from); loop != item.loop && !loop->contains(to);
	     loop = loop->getParentLoop()) {
		outermost = loop;
		loses |= shapes.losesLanes(loop);
	}
	return loses ? outermost : nullptr;
}

void LanePlan::planBlock(LaneNode &node)
{
	unsigned number = shapes.indexOf(node.block);
	unsigned start = 2 * number;
	unsigned dominator = 0;
	bool first = true;
	for (auto [block, skip] : node.before) {
		unsigned from = 2 * shapes.indexOf(block) + (skip ? 0 : 1);
		dominator = first ? from : meet(dominator, from);
		first = false;
	}
	if (first && node.block != item.header) {
		valid = false;
		return;
	}
	parents[start] = dominator;
	depths[start] = number == 0 ? 0 : depths[dominator] + 1;
	parents[start + 1] = start;
	depths[start + 1] = depths[start] + 1;
	bool isHeader = node.loop->getHeader() == node.block && node.loop != item.loop;
	if (isHeader && shapes.losesLanes(node.loop))
		add(deferred[number], node.loop->getLoopLatch());
	node.keepsEdges = true;
	SmallPtrSet<const BasicBlock *, 4> before;
	for (auto [block, skip] : node.before) {
		node.keepsEdges &= !skip && is_contained(successors(block), node.block) &&
				   !leaves(block, node.block);
		for (auto [successor, next] : at(block).ways)
			node.keepsEdges &= next != node.block || successor == node.block;
		before.insert(block);
	}
	for (const BasicBlock *block : predecessors(node.block))
		node.keepsEdges &= node.block == item.header || before.contains(block) ||
				   (isHeader && block == node.loop->getLoopLatch());
	findMask(node);
	findGuard(node);
	planEdges(node);
}

/* Whether every way here is one that the source has, taken by all lanes of one and the same mask. */
bool LanePlan::sharesMaskOfAll(const LaneNode &here) const
{
	if (!here.keepsEdges || here.before.empty())
		return false;
	const BasicBlock *owner = at(here.before.front().first).maskOwner;
	return all_of(here.before, [&](const auto &edge) {
		return at(edge.first).maskOwner == owner && !shapes.isDivergent(*edge.first);
	});
}

/* Whether the plan comes here only by the other block, or by jumping over that. */
bool LanePlan::comesAfter(const LaneNode &here, const BasicBlock *other) const
{
	unsigned place = 2 * shapes.indexOf(here.block), start = 2 * shapes.indexOf(other);
	while (depths[place] > depths[start])
		place = parents[place];
	return place == start;
}

void LanePlan::findMask(LaneNode &here)
{
	const BasicBlock *header = here.loop->getHeader();
	const BasicBlock *gathers = shapes.gathersFrom(here.block);
	if (here.loop == item.loop && !shapes.isPartial(here.block))
		here.maskOwner = mayLackLanes ? item.header : nullptr;
	else if (here.block == header)
		here.maskOwner = shapes.losesLanes(here.loop)
					 ? here.block
					 : at(here.loop->getLoopPreheader()).maskOwner;
	else if (!shapes.isPartial(here.block))
		here.maskOwner = at(header).maskOwner;
	else if (gathers && comesAfter(here, gathers))
		here.maskOwner = at(gathers).maskOwner;
	else if (sharesMaskOfAll(here))
		here.maskOwner = at(here.before.front().first).maskOwner;
	else
		here.maskOwner = here.block;
}

/* Whether a block that this one comes after in any case, with the same mask, was entered for some lane. */
bool LanePlan::isKnownNonEmpty(const LaneNode &here) const
{
	if (!here.maskOwner || here.maskOwner == item.header)
		return true;
	if (here.maskOwner == here.block && here.loop != item.loop &&
	    here.block == here.loop->getHeader())
		return true;
	unsigned place = 2 * shapes.indexOf(here.block);
	for (unsigned tries = 0; tries < 200 && place != 0; tries++) {
		place = parents[place];
		const LaneNode &other = nodes[place / 2];
		if (place % 2 == 1 && other.maskOwner == here.maskOwner && !other.mayBeEmpty)
			return true;
	}
	return false;
}

/* A block gets a guard if it costs more than the jump, or must not run without a lane: accesses and calls that are made once
 * for all lanes, and branches on a value that is not computed then. */
bool LanePlan::wantsGuard(const LaneNode &here) const
{
	const BasicBlock &block = *here.block;
	if (here.loop != item.loop && &block == here.loop->getLoopLatch())
		return false;
	const BasicBlock *only = block.getSingleSuccessor();
	if (only && loops.isLoopHeader(only))
		return true;
	if (block.getTerminator()->getNumSuccessors() > 1 && !shapes.isDivergent(block))
		return true;
	unsigned size = 0;
	const bool isByData = runsByData(block, shapes);
	for (const Instruction &instruction : block) {
		size++;
		const Value *pointer = getLoadStorePointerOperand(&instruction);
		if (pointer ? shapes.isUniform(pointer) || !shapes.of(pointer).isLinear()
			    : instruction.mayReadOrWriteMemory())
			return true;
		const bool isCall = isa<CallBase>(instruction) &&
				    !(isByData && isa<IntrinsicInst>(instruction));
		if (isCall || instruction.isIntDivRem())
			return true;
	}
	return size > (isByData ? dataGuardSize : guardSize);
}

void LanePlan::findGuard(LaneNode &here)
{
	if (isKnownNonEmpty(here))
		return;
	const Targets &pending = deferred[shapes.indexOf(here.block)];
	/* Nothing pending in this loop: all lanes of its iteration are here, or have left the loop in it. */
	if (pending.empty() || !here.loop->contains(pending.front())) {
		here.mayBeEmpty = here.maskOwner == here.block && shapes.losesLanes(here.loop);
		return;
	}
	if (wantsGuard(here))
		here.skipTo = pass(here, true, pending);
	else
		here.mayBeEmpty = true;
}

void LanePlan::planEdges(LaneNode &here)
{
	BasicBlock *block = here.block;
	if (block == item.latch)
		return;
	const Targets &pending = deferred[shapes.indexOf(block)];
	bool isInnerLatch = here.loop != item.loop && block == here.loop->getLoopLatch();
	if (isInnerLatch) {
		if (!shapes.losesLanes(here.loop))
			return;
		Targets targets = pending;
		SmallVector<BasicBlock *, 4> exits;
		here.loop->getUniqueExitBlocks(exits);
		for (BasicBlock *exit : exits)
			add(targets, exit);
		here.next = pass(here, false, targets);
		return;
	}
	bool divergent = shapes.isDivergent(*block);
	Targets targets = pending;
	for (BasicBlock *successor : successors(block)) {
		if (leaves(block, successor))
			continue;
		if (divergent) {
			add(targets, successor);
			continue;
		}
		Targets one = pending;
		add(one, successor);
		if (!here.ways.count(successor))
			here.ways[successor] = pass(here, false, one);
		here.next = here.ways[successor];
	}
	if (divergent || !here.next)
		here.next = pass(here, false, targets);
	/* An edge out of a loop that loses lanes is left at the latch: until then, on to what comes next. */
	for (BasicBlock *successor : successors(block)) {
		if (!divergent && leaves(block, successor)) {
			if (pending.empty())
				valid = false;
			else
				here.ways[successor] = pass(here, false, pending);
		}
	}
}

/* Goes to the first of the targets, and leaves the others pending there. */
BasicBlock *LanePlan::pass(LaneNode &from, bool skip, Targets targets)
{
	if (targets.empty()) {
		valid = false;
		return item.latch;
	}
	BasicBlock *next = targets.front();
	unsigned here = shapes.indexOf(from.block), there = shapes.indexOf(next);
	/* A loop that keeps its lanes is left, and gone through, with nothing pending within. */
	bool leavesLoop = !from.loop->contains(next);
	bool isLatch = from.block == from.loop->getLoopLatch();
	if (there <= here || (leavesLoop && !isLatch && shapes.losesLanes(from.loop)))
		valid = false;
	for (BasicBlock *target : drop_begin(targets)) {
		add(deferred[there], target);
		if (leavesLoop && from.loop->contains(target))
			valid = false;
	}
	auto edge = std::make_pair(from.block, skip);
	if (!is_contained(nodes[there].before, edge))
		nodes[there].before.push_back(edge);
	return next;
}

void LanePlan::add(Targets &targets, BasicBlock *block) const
{
	auto place = lower_bound(targets, block, [&](BasicBlock *a, BasicBlock *b) {
		return shapes.indexOf(a) < shapes.indexOf(b);
	});
	if (place == targets.end() || *place != block)
		targets.insert(place, block);
}

unsigned LanePlan::meet(unsigned a, unsigned b) const
{
	while (a != b) {
		unsigned &deeper = depths[a] >= depths[b] ? a : b;
		deeper = parents[deeper];
	}
	return a;
}

} // namespace weft
