/* SPDX-License-Identifier: MIT
 *
 * place-transfers: which accesses stand between a request and the accesses that it replaces.
 *
 * A work-item that accesses what another one writes in that region would race with it, which no kernel may do (OpenCL 3.0,
 * 3.3.6.1). So only the order of each work-item's accesses counts: before an access that is read at the region's beginning
 * there may be no write to that memory; after an access that is written at the region's end there may be no access to it.
 */
#include "simulate/place_transfers.h"

#include "functions/internal_functions.h"
#include "ir/regions.h"
#include "kernel/transfer_list.h"
#include "simulate/loop_chunks.h"
#include "simulate/transfer_sites.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

using Accesses = SmallVector<Instruction *, 4>;

class TransferPlacer
{
      public:
	TransferPlacer(Function &theKernel, FunctionAnalysisManager &analyses)
	    : kernel(theKernel), regions(analyses.getResult<RegionAnalysis>(theKernel)),
	      loops(analyses.getResult<LoopAnalysis>(theKernel)),
	      dominators(analyses.getResult<DominatorTreeAnalysis>(theKernel)),
	      aliases(analyses.getResult<AAManager>(theKernel))
	{
	}

	void run()
	{
		MapVector<uint32_t, Accesses> sites;
		for (Instruction &instruction : instructions(kernel)) {
			if (std::optional<TransferSite> site = transferOf(instruction))
				sites[site->number].push_back(&instruction);
		}
		SmallVector<weft_transfer_desc, 4> placed;
		for (auto &[before, accesses] : sites) {
			std::optional<TransferSite> site = transferOf(*accesses[0]);
			if (!site)
				continue;
			weft_transfer_desc desc = site->desc;
			desc.region = regions.regionOf(accesses[0]->getParent());
			bool stays =
				placed.size() < WEFT_MOST_TRANSFERS && canPlace(accesses, desc);
			auto number = uint32_t(placed.size());
			for (Instruction *access : accesses) {
				unmarkTransfer(*access);
				if (stays)
					markTransfer(*access, {number, desc});
			}
			if (stays)
				placed.push_back(desc);
		}
		setTransfers(kernel, placed);
	}

      private:
	bool canPlace(const Accesses &accesses, const weft_transfer_desc &desc)
	{
		const BasicBlock *block = accesses[0]->getParent();
		bool isTogether = all_of(accesses, [&](const Instruction *access) {
			return access->getParent() == block;
		});
		return desc.region < regions.size() && isTogether &&
		       isInAllIterations(*block, desc) &&
		       none_of(
			       accesses,
			       [&](Instruction *access) { return isDisturbed(*access, accesses); });
	}

	bool repeatsRegion(const Loop *loop, unsigned region)
	{
		return !loop || loop->contains(regions.regions()[region].start);
	}

	/* Whether all work-items reach the block in each run of its region, as often as `iterations` says. */
	bool isInAllIterations(const BasicBlock &block, const weft_transfer_desc &desc)
	{
		const Loop *loop = loops.getLoopFor(&block);
		const BasicBlock *entry = &block;
		if (desc.iterations > 1) {
			if (!loop || iterationsOf(*loop) != desc.iterations ||
			    !dominators.dominates(&block, loop->getLoopLatch()))
				return false;
			entry = loop->getHeader();
			loop = loop->getParentLoop();
		}
		return repeatsRegion(loop, desc.region) && endsBehind(*entry, desc.region);
	}

	/* Whether all ways out of the region lead through the block. */
	bool endsBehind(const BasicBlock &block, unsigned region)
	{
		return all_of(regions.regions()[region].blocks, [&](const BasicBlock *end) {
			bool leaves = succ_empty(end) ||
				      any_of(successors(end), [&](const BasicBlock *next) {
					      return regions.regionOf(next) != region ||
						     next == regions.regions()[region].start;
				      });
			return !leaves || dominators.dominates(&block, end);
		});
	}

	/* Whether the other access, of the same region, may come before this one in one run of the region. */
	bool mayPrecede(const Instruction &other, const Instruction &access, unsigned region)
	{
		const Loop *loop = loops.getLoopFor(access.getParent());
		if (loop && !repeatsRegion(loop, region) && loop->contains(other.getParent()))
			return true;
		if (other.getParent() == access.getParent())
			return other.comesBefore(&access);
		return !dominators.properlyDominates(access.getParent(), other.getParent());
	}

	bool isDisturbed(const Instruction &access, const Accesses &site)
	{
		unsigned region = regions.regionOf(access.getParent());
		bool isWritten = isa<StoreInst>(access);
		for (const BasicBlock *block : regions.regions()[region].blocks) {
			for (const Instruction &other : *block) {
				if (!isLoadOrStore(other) || is_contained(site, &other) ||
				    (!isWritten && isa<LoadInst>(other)) ||
				    !mayOverlap(access, other, aliases))
					continue;
				bool isBetween = isWritten
							 ? isa<StoreInst>(other) ||
								   mayPrecede(access, other, region)
							 : mayPrecede(other, access, region);
				if (isBetween)
					return true;
			}
		}
		return false;
	}

	Function &kernel;
	const RegionList &regions;
	LoopInfo &loops;
	DominatorTree &dominators;
	AAResults &aliases;
};

} // namespace

PreservedAnalyses PlaceTransfersPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (isKernel(function))
		TransferPlacer(function, analyses).run();
	return PreservedAnalyses::all();
}

} // namespace weft
