/* SPDX-License-Identifier: MIT
 *
 * The analysis of parallel regions.
 */
#include "ir/regions.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace weft
{

AnalysisKey RegionAnalysis::Key;

bool startsWithBarrier(const BasicBlock &block)
{
	return isBarrier(*block.getFirstNonPHIOrDbg());
}

bool startsWithAdded(const BasicBlock &block)
{
	return startsWithBarrier(block) && block.getFirstNonPHIOrDbg()->hasMetadata(addedMetadata);
}

RegionList::RegionList(Function &function)
{
	/* In reverse post-order some predecessor has been seen, and all predecessors within a region agree. */
	ReversePostOrderTraversal<Function *> order(&function);
	for (BasicBlock *block : order) {
		unsigned region = ~0u;
		if (block->isEntryBlock() || startsWithBarrier(*block)) {
			region = unsigned(list.size());
			list.emplace_back().start = block;
		}
		for (BasicBlock *predecessor : predecessors(block)) {
			if (region == ~0u)
				region = regionOf(predecessor);
		}
		index[block] = region;
		list[region].blocks.push_back(block);
	}
	connect();
	findCycles(function);
}

void RegionList::connect()
{
	for (Region &region : list) {
		for (BasicBlock *block : region.blocks) {
			region.returns |= isa<ReturnInst>(block->getTerminator());
			for (BasicBlock *successor : successors(block)) {
				unsigned next = index[successor];
				if (list[next].start == successor &&
				    !is_contained(region.successors, next))
					region.successors.push_back(next);
			}
		}
	}
}

/* A region repeats when its start lies on a cycle of the control flow. */
void RegionList::findCycles(Function &function)
{
	for (auto component = scc_begin(&function); !component.isAtEnd(); ++component) {
		if (!component.hasCycle())
			continue;
		for (BasicBlock *block : *component) {
			Region &region = list[index[block]];
			region.repeats |= region.start == block;
		}
	}
}

unsigned RegionList::regionOf(const Use &use) const
{
	if (const auto *phi = dyn_cast<PHINode>(use.getUser()))
		return regionOf(phi->getIncomingBlock(use));
	return regionOf(cast<Instruction>(use.getUser())->getParent());
}

bool RegionList::isValid() const
{
	for (const auto &[block, region] : index) {
		if (list[region].start == block)
			continue;
		for (const BasicBlock *predecessor : predecessors(block)) {
			unsigned other = regionOf(predecessor);
			if (other != ~0u && other != region)
				return false;
		}
	}
	return true;
}

void RegionList::print(raw_ostream &out) const
{
	for (auto [number, region] : enumerate(list)) {
		out << "region " << number << ":";
		for (const BasicBlock *block : region.blocks) {
			out << ' ';
			block->printAsOperand(out, false);
		}
		out << " ->";
		for (unsigned next : region.successors)
			out << ' ' << next;
		out << (region.returns ? " return" : "") << (region.repeats ? " repeats" : "")
		    << '\n';
	}
}

RegionList RegionAnalysis::run(Function &function, FunctionAnalysisManager &)
{
	return RegionList(function);
}

PreservedAnalyses RegionPrinterPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	errs() << "regions of " << function.getName() << ":\n";
	analyses.getResult<RegionAnalysis>(function).print(errs());
	return PreservedAnalyses::all();
}

} // namespace weft
