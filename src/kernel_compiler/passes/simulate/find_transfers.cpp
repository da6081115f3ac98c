/* SPDX-License-Identifier: MIT
 *
 * find-transfers: first loops, each before it is split into chunks; then accesses in no loop without a barrier.
 */
#include "simulate/find_transfers.h"

#include "functions/internal_functions.h"
#include "ir/address_difference.h"
#include "simulate/access_form.h"
#include "simulate/loop_chunks.h"
#include "simulate/transfer_sites.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

struct Access {
	Instruction *instruction;
	AccessForm form;
	int64_t offset, size; /* bytes, from the site's first access */
};

using Site = SmallVector<Access, 4>;

/* Where a work-item's part of a line begins, and how much of it is accessed. */
struct Extent {
	int64_t first, end, covered;
};

Extent extentOf(const Site &site)
{
	Site sorted = site;
	sort(sorted, [](const Access &a, const Access &b) { return a.offset < b.offset; });
	Extent extent = {sorted[0].offset, sorted[0].offset, 0};
	for (const Access &access : sorted) {
		int64_t from = std::max(access.offset, extent.end);
		int64_t to = std::max(access.offset + access.size, extent.end);
		extent.covered += to - from;
		extent.end = to;
	}
	return extent;
}

/* The dimension along which lines lie: the one with the smallest known step, if the accesses of work-items lie side by side
 * along it. A write must cover a whole line, a read half of it. */
std::optional<unsigned> lineOf(const Site &site)
{
	const AccessForm &form = site[0].form;
	std::optional<unsigned> along;
	for (unsigned d = 0; d <= WEFT_TRANSFER_ITERATIONS; d++) {
		const Step &step = form.steps[d];
		if (step.isKnown && step.value != 0 && isInt<32>(step.value) &&
		    (!along || std::abs(step.value) < std::abs(form.steps[*along].value)))
			along = d;
	}
	if (!along)
		return std::nullopt;
	const Extent extent = extentOf(site);
	int64_t step = std::abs(form.steps[*along].value);
	bool isWritten = isa<StoreInst>(site[0].instruction);
	bool fits = extent.end - extent.first <= step &&
		    (isWritten ? extent.covered == step : extent.covered * 2 >= step);
	return fits ? along : std::nullopt;
}

bool isTransferable(unsigned space)
{
	return space == GlobalSpace || space == ConstantSpace;
}

class TransferFinder
{
      public:
	TransferFinder(Function &theKernel, FunctionAnalysisManager &theAnalyses)
	    : kernel(theKernel), analyses(theAnalyses)
	{
	}

	bool run()
	{
		bool changed = false;
		while (chunkNext() || rotateNext())
			changed = true;
		for (BasicBlock &block : kernel) {
			const Loop *around = loops().getLoopFor(&block);
			if (!around || hasBarrier(*around))
				findSites(block, nullptr, around, 1);
		}
		return changed;
	}

      private:
	LoopInfo &loops()
	{
		return analyses.getResult<LoopAnalysis>(kernel);
	}

	bool hasBarrier(const Loop &loop)
	{
		auto [known, isNew] = barriers.try_emplace(loop.getHeader(), false);
		if (isNew)
			known->second = any_of(loop.blocks(), [](const BasicBlock *block) {
				return any_of(*block, isBarrier);
			});
		return known->second;
	}

	/* Splits one more loop with sites into chunks; false: there is none. */
	bool chunkNext()
	{
		for (Loop *loop : loops()) {
			if (tried.insert(loop->getHeader()).second && chunkLoop(*loop)) {
				analyses.invalidate(kernel, PreservedAnalyses::none());
				return true;
			}
		}
		return false;
	}

	/* If a loop tests at its end, its regions run whole in each iteration. */
	bool rotateNext()
	{
		for (Loop *loop : loops().getLoopsInPreorder()) {
			if (!rotated.insert(loop->getHeader()).second || testsAtEnd(*loop) ||
			    !loop->isLoopSimplifyForm() || !hasBarrier(*loop) || !loads(*loop))
				continue;
			rotateLoop(*loop);
			rotated.insert(loop->getHeader());
			analyses.invalidate(kernel, PreservedAnalyses::none());
			barriers.clear();
			return true;
		}
		return false;
	}

	bool loads(const Loop &loop)
	{
		return any_of(loop.blocks(), [&](const BasicBlock *block) {
			return loops().getLoopFor(block) == &loop &&
			       any_of(*block, [](const Instruction &instruction) {
				       const auto *load = dyn_cast<LoadInst>(&instruction);
				       return load &&
					      isTransferable(load->getPointerAddressSpace());
			       });
		});
	}

	void rotateLoop(Loop &loop)
	{
		rotate(loop, loops(), analyses.getResult<DominatorTreeAnalysis>(kernel),
		       analyses.getResult<ScalarEvolutionAnalysis>(kernel), analyses);
	}

	bool canBeChunked(Loop &loop)
	{
		return canChunk(loop, analyses.getResult<UniformityAnalysis>(kernel),
				analyses.getResult<PostDominatorTreeAnalysis>(kernel),
				analyses.getResult<ScalarEvolutionAnalysis>(kernel));
	}

	/* Whether the kernel has changed. */
	bool chunkLoop(Loop &loop)
	{
		if (!canBeChunked(loop) || !findSites(loop))
			return false;
		auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
		rotateLoop(loop);
		if (testsAtEnd(loop) && loop.isLoopSimplifyForm() &&
		    hasKnownIterations(loop, evolution))
			chunk(loop, evolution);
		else
			unmark(loop);
		tried.insert(loop.getHeader());
		barriers.clear();
		return true;
	}

	static void unmark(Loop &loop)
	{
		for (BasicBlock *block : loop.blocks()) {
			for (Instruction &instruction : *block)
				unmarkTransfer(instruction);
		}
	}

	/* Accesses that all iterations make. */
	bool findSites(Loop &loop)
	{
		auto &dominators = analyses.getResult<DominatorTreeAnalysis>(kernel);
		bool found = false;
		for (BasicBlock *block : loop.blocks()) {
			bool mayBeLast = block == loop.getExitingBlock() && !testsAtEnd(loop);
			if (dominators.dominates(block, loop.getLoopLatch()) && !mayBeLast)
				found |= findSites(*block, &loop, nullptr, chunkIterations);
		}
		return found;
	}

	std::optional<Access> accessOf(Instruction &instruction, const AccessForms &forms)
	{
		Value *pointer = getLoadStorePointerOperand(&instruction);
		if (!pointer)
			return std::nullopt;
		if (!isTransferable(pointer->getType()->getPointerAddressSpace()))
			return std::nullopt;
		std::optional<AccessForm> form = forms.of(*pointer);
		TypeSize size =
			kernel.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
		if (!form || size.isScalable())
			return std::nullopt;
		return Access{&instruction, *form, 0, int64_t(size.getFixedValue())};
	}

	/* Adds the access to a site whose accesses lie a constant distance apart, or to a new site. */
	void add(SmallVectorImpl<Site> &sites, Access access)
	{
		for (Site &site : sites) {
			Instruction &first = *site[0].instruction;
			if (first.getOpcode() != access.instruction->getOpcode() ||
			    !(site[0].form == access.form))
				continue;
			std::optional<int64_t> apart = addressDifference(
				getLoadStorePointerOperand(access.instruction),
				getLoadStorePointerOperand(&first), kernel.getDataLayout());
			if (!apart)
				continue;
			access.offset = *apart;
			site.push_back(access);
			return;
		}
		sites.push_back({access});
	}

	bool findSites(BasicBlock &block, const Loop *inner, const Loop *outer, uint32_t iterations)
	{
		const AccessForms forms(analyses.getResult<UniformityAnalysis>(kernel), inner,
					outer);
		SmallVector<Site, 4> sites;
		for (Instruction &instruction : block) {
			if (transferOf(instruction) || (inner && isa<StoreInst>(instruction)))
				continue;
			if (std::optional<Access> access = accessOf(instruction, forms))
				add(sites, *access);
		}
		bool found = false;
		for (const Site &site : sites)
			found |= take(site, inner ? inner : outer, iterations);
		return found;
	}

	/* Whether nothing in the loop writes what the site reads: then it can be read one iteration ahead. */
	bool isNeverWritten(const Site &site, const Loop &loop)
	{
		auto &aliases = analyses.getResult<AAManager>(kernel);
		auto writes = [&](const Instruction &other) {
			return isa<StoreInst>(other) && any_of(site, [&](const Access &access) {
				       return mayOverlap(other, *access.instruction, aliases);
			       });
		};
		return none_of(loop.blocks(),
			       [&](const BasicBlock *block) { return any_of(*block, writes); });
	}

	/* `repeats`: the loop that repeats the site; or NULL. */
	bool take(const Site &site, const Loop *repeats, uint32_t iterations)
	{
		std::optional<unsigned> along = lineOf(site);
		if (!along)
			return false;
		const AccessForm &form = site[0].form;
		bool isWritten = isa<StoreInst>(site[0].instruction);
		weft_transfer_desc desc = {};
		desc.along = *along;
		desc.unit = uint32_t(std::abs(form.steps[*along].value));
		desc.iterations = iterations;
		desc.accesses = uint32_t(site.size()) * iterations;
		for (unsigned d = 0; d <= WEFT_TRANSFER_ITERATIONS; d++)
			desc.lines |= d != *along && !form.steps[d].isZero() ? 1u << d : 0;
		if (isWritten)
			desc.flags |= WEFT_TRANSFER_WRITES;
		else if (repeats && form.isAhead && isNeverWritten(site, *repeats))
			desc.flags |= WEFT_TRANSFER_AHEAD;
		for (const Access &access : site)
			markTransfer(*access.instruction, {numSites, desc});
		numSites++;
		return true;
	}

	Function &kernel;
	FunctionAnalysisManager &analyses;
	SmallPtrSet<BasicBlock *, 8> tried, rotated; /* headers */
	DenseMap<const BasicBlock *, bool> barriers; /* of loops, by their headers */
	uint32_t numSites = 0;
};

/* Accesses are compared with each other; kernels with more are left alone. */
constexpr unsigned mostCompared = 512, mostBlocks = 1000;

bool isLarge(const Function &kernel)
{
	return kernel.size() > mostBlocks ||
	       size_t(count_if(instructions(kernel), isLoadOrStore)) > mostCompared;
}

/* Instructions that may order the group's accesses with those of other groups, or access memory that is not seen here. */
bool isUnknown(const Instruction &instruction)
{
	if (isBarrier(instruction) || queryOf(instruction) || isOnceCall(instruction))
		return false;
	if (instruction.isAtomic() || instruction.isVolatile() || isa<FenceInst>(instruction))
		return true;
	const auto *call = dyn_cast<CallBase>(&instruction);
	const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	return call && !(intrinsic && intrinsic->isAssumeLikeIntrinsic()) &&
	       !call->doesNotAccessMemory();
}

} // namespace

PreservedAnalyses FindTransfersPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function) || getKernelNumber(function, subgroupsAttribute) > 0 ||
	    isLarge(function) || any_of(instructions(function), isUnknown))
		return PreservedAnalyses::all();
	return TransferFinder(function, analyses).run() ? PreservedAnalyses::none()
							: PreservedAnalyses::all();
}

} // namespace weft
