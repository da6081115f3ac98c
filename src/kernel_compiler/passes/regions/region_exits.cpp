/* SPDX-License-Identifier: MIT
 *
 * Where work-items leave a region: labels run from the successors of each divergent branch, as in the uniformity
 * analysis, to the region's exits; different labels at different exits are work-items that part.
 */
#include "regions/region_exits.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <set>

using namespace llvm;

namespace weft
{

namespace
{

class ExitLabels
{
      public:
	ExitLabels(const RegionList &theRegions, unsigned theNumber)
	    : regions(theRegions), number(theNumber), region(theRegions.regions()[theNumber])
	{
		for (BasicBlock *block : region.blocks)
			order.try_emplace(block, order.size());
	}

	/* Fills `exits` with (start of the next region, label). */
	void run(BasicBlock &branch)
	{
		labels.clear();
		exits.clear();
		for (BasicBlock *successor : successors(&branch))
			visit(successor, successor);
		while (!pending.empty()) {
			BasicBlock *next = pending.begin()->second;
			pending.erase(pending.begin());
			if (next == &branch)
				continue;
			BasicBlock *label = labels[next];
			for (BasicBlock *successor : successors(next))
				visit(successor, label);
		}
	}

	std::set<std::pair<BasicBlock *, BasicBlock *>> exits;

      private:
	bool isExit(BasicBlock *block) const
	{
		unsigned other = regions.regionOf(block);
		return other != number || region.start == block;
	}

	void visit(BasicBlock *target, BasicBlock *label)
	{
		if (isExit(target)) {
			exits.insert({target, label});
			return;
		}
		BasicBlock *&known = labels[target];
		if (known == label || known == target)
			return;
		known = known ? target : label;
		pending.insert({order.lookup(target), target});
	}

	const RegionList &regions;
	unsigned number;
	const Region &region;
	DenseMap<BasicBlock *, unsigned> order;
	DenseMap<BasicBlock *, BasicBlock *> labels;
	std::set<std::pair<unsigned, BasicBlock *>> pending;
};

/* Work-items that take a way that all take, or none, are not parted from others. */
bool partsAt(BasicBlock &branch, const ExitLabels &labels, const BarrierBranches &barriers,
	     const SmallPtrSetImpl<BasicBlock *> &added)
{
	if (none_of(labels.exits, [&](const auto &exit) { return added.contains(exit.first); }))
		return false;
	SmallPtrSet<BasicBlock *, 4> common;
	for (BasicBlock *way : successors(&branch)) {
		if (barriers.takesAll(branch, *way))
			common.insert(way);
	}
	bool parts = false;
	for (const auto &[target, label] : labels.exits) {
		for (const auto &[other, otherLabel] : labels.exits)
			parts |= target != other && label != otherLabel &&
				 !common.contains(label) && !common.contains(otherLabel);
	}
	return parts;
}

} // namespace

SmallPtrSet<BasicBlock *, 16> findPartings(const RegionList &regions, const Uniformity &uniformity,
					   const BarrierBranches &barriers,
					   const SmallPtrSetImpl<BasicBlock *> &added)
{
	SmallPtrSet<BasicBlock *, 16> partings;
	for (unsigned i = 0; i < regions.size(); i++) {
		const Region &region = regions.regions()[i];
		if (region.successors.size() < 2)
			continue;
		ExitLabels labels(regions, i);
		for (BasicBlock *block : region.blocks) {
			if (!uniformity.isDivergent(*block))
				continue;
			labels.run(*block);
			if (!partsAt(*block, labels, barriers, added))
				continue;
			for (const auto &[target, label] : labels.exits)
				partings.insert(target);
		}
	}
	return partings;
}

bool returnsDivergently(const RegionList &regions, unsigned number, const Uniformity &uniformity)
{
	const Region &region = regions.regions()[number];
	if (!region.returns || region.successors.empty())
		return false;
	/* Backwards from the exits: which blocks lead to a return, which to another region? */
	SmallPtrSet<BasicBlock *, 16> returning, continuing;
	bool changed = true;
	while (changed) {
		changed = false;
		for (BasicBlock *block : reverse(region.blocks)) {
			bool returns = isa<ReturnInst>(block->getTerminator()), continues = false;
			for (BasicBlock *successor : successors(block)) {
				bool inside = regions.regionOf(successor) == number &&
					      successor != region.start;
				returns |= inside && returning.contains(successor);
				continues |= !inside || continuing.contains(successor);
			}
			changed |= returns && returning.insert(block).second;
			changed |= continues && continuing.insert(block).second;
		}
	}
	return any_of(region.blocks, [&](BasicBlock *block) {
		return uniformity.isDivergent(*block) && returning.contains(block) &&
		       continuing.contains(block);
	});
}

} // namespace weft
