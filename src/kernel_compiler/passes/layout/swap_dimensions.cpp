/* SPDX-License-Identifier: MIT
 *
 * swap-dimensions: what the accesses of a vector along each dimension cost, by the steps of their addresses.
 */
#include "layout/swap_dimensions.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "kernel/argument_layout.h"
#include "kernel/shown_group.h"
#include "kernel/swapped_dimension.h"
#include "kernel_abi.h"
#include "layout/access_step.h"
#include "layout/data_branches.h"
#include "layout/id_rows.h"
#include "layout/item_steps.h"
#include "layout/small_data.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <numeric>

using namespace llvm;

namespace weft
{

namespace
{

/* x costs more than so many times what the other dimension costs. */
constexpr uint64_t leastSwapGain = 2;
/* Along a dimension of a group that has one work-item along x. */
constexpr uint32_t leastSwapItems = 4;

/* Layers of a volume are mostly multiples of 4 KiB apart, so that a core's first cache holds 8 to 12 lines of different layers. Vectors of
 * more lanes that each store to another layer lose theirs before the next work-items store there. Loads lose theirs as well, but wait for the
 * next cache together. */
constexpr unsigned farLanes = 8;
/* What work-items compute for each such store, at most: more takes longer than waiting for the next cache. Rows of a plane are fewer
 * than those of a volume's layers, and stay in the next cache: lanes are worth more there, tiles without lanes are not. */
constexpr uint64_t mostOperations = 1000, mostOfPlane = 64, mostSelecting = 64,
		   operationsOfCall = 50;

using GroupSizes = std::array<uint32_t, 3>;

/* The dimensions besides x that the kernel asks for ids of, a bit for each; 0 where it must stay as it is. */
unsigned swappable(const Function &kernel)
{
	unsigned asked = 0;
	if (getKernelNumber(kernel, flagsAttribute) & WEFT_KERNEL_PRINTS)
		return 0;
	for (const Instruction &instruction : instructions(kernel)) {
		const auto *call = dyn_cast<CallInst>(&instruction);
		if (!call)
			continue;
		if (isOnceCall(*call) || subgroupCallOf(*call) || imageCallOf(*call) ||
		    (call->getCalledFunction() && call->getCalledFunction()->getName() == "printf"))
			return 0;
		const std::optional<Query> query = queryOf(*call);
		if (!query || !takesDimension(*query))
			continue;
		const auto *dimension = dyn_cast<ConstantInt>(call->getArgOperand(0));
		if (!dimension)
			return 0;
		if (*query == Query::LocalId || *query == Query::GlobalId)
			asked |= 1u << dimension->getLimitedValue(3);
	}
	return asked & 6;
}

/* What an access of shared memory costs, as often as it runs. */
struct AccessCost {
	uint64_t cost, nearly; /* also where data change its place by little */
	const BasicBlock *block;
	bool isStore;
	bool isSame; /* one place */
};

using AccessCosts = SmallVector<AccessCost, 8>;

uint64_t sumOf(const AccessCosts &costs, uint64_t AccessCost::*cost)
{
	return std::accumulate(
		costs.begin(), costs.end(), uint64_t(0),
		[&](uint64_t sum, const AccessCost &access) { return sum + access.*cost; });
}

/* Whether a store is farther apart in `other`. */
bool losesStore(const AccessCosts &costs, const AccessCosts &other)
{
	return any_of(zip_equal(costs, other), [](const auto &both) {
		return std::get<0>(both).isStore && std::get<1>(both).cost > std::get<0>(both).cost;
	});
}

/* By steps, and by those that data change by little. */
AccessCosts costsBy(const ItemSteps &steps, const ItemSteps &nearly, const Function &kernel,
		    const LoopInfo &loops)
{
	AccessCosts result;
	for (const Instruction &instruction : instructions(kernel)) {
		const Value *pointer = getLoadStorePointerOperand(&instruction);
		if (!pointer || !isSharedSpace(pointer->getType()->getPointerAddressSpace()))
			continue;
		const uint64_t size = instruction.getDataLayout()
					      .getTypeStoreSize(getLoadStoreType(&instruction))
					      .getFixedValue();
		const bool isStore = isa<StoreInst>(instruction);
		const std::optional<int64_t> step = steps.of(*pointer);
		const uint64_t cost = costOfStep(step, size, isStore);
		const bool isByData = !step && nearly.of(*pointer) && !isStore;
		const uint64_t near = isByData ? costOfNearStep(nearly.of(*pointer), size) : cost;
		const uint64_t times = timesRun(instruction, loops);
		result.push_back(
			{cost * times, near * times, instruction.getParent(), isStore, step == 0});
	}
	return result;
}

/* Updates have no steps here: they may be as far apart as stores. */
bool hasUpdates(const Function &kernel)
{
	return any_of(instructions(kernel), [](const Instruction &instruction) {
		return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction);
	});
}

/* Whether vectors that go from row to row of a plane, whose places are ids, access memory better than those along a row. Stores that are near
 * each other stay so: a transposition takes longer where its stores are far apart. */
bool suitsRows(Function &kernel, const LoopInfo &loops, const Uniformity &uniformity)
{
	const std::optional<IdDivision> division = findIdDivision(kernel);
	if (!division || shownTo(kernel) != Shown::Nothing)
		return false;
	const ItemSteps rowSteps(kernel, uniformity, stepsAlongRows(kernel));
	const ItemSteps columnSteps(kernel, uniformity, stepsWithinRow(*division));
	const AccessCosts alongRows = costsBy(rowSteps, rowSteps, kernel, loops);
	const AccessCosts withinRow = costsBy(columnSteps, columnSteps, kernel, loops);
	return !losesStore(withinRow, alongRows) &&
	       sumOf(alongRows, &AccessCost::cost) * leastSwapGain <
		       sumOf(withinRow, &AccessCost::cost);
}

struct FarAccesses {
	uint64_t stores = 0, loads = 0;
};

class DimensionChooser
{
      public:
	/* `candidates`: the dimensions besides x that may be x. */
	DimensionChooser(Function &theKernel, const LoopInfo &theLoops,
			 const Uniformity &theUniformity, unsigned theCandidates)
	    : kernel(theKernel), loops(theLoops), uniformity(theUniformity),
	      candidates(theCandidates), shown(shownTo(theKernel)), updates(hasUpdates(theKernel)),
	      smallData(stepsOfSmallData(theKernel))
	{
		readSizes(kernel, "reqd_work_group_size", required.data());
		for (unsigned d = 0; d < 3; d++) {
			if (isAsked(d))
				costs[d] = costsAlong(d);
		}
	}

	/* The dimension that is to be x: 0 for x itself. */
	unsigned first() const
	{
		const bool isAlone = required[0] == 1 && shown == Shown::Other;
		if (isAlone)
			return longest();
		uint64_t least = UINT64_MAX;
		unsigned chosen = 0;
		for (unsigned d = 1; d < 3; d++) {
			if (!isAsked(d) || !hasItems(d))
				continue;
			/* Stores that are far apart take longer than loads near each other gain. */
			const bool isNear = !updates && !losesStore(costs[0], costs[d]);
			const auto which = isNear ? &AccessCost::nearly : &AccessCost::cost;
			const uint64_t cost = sumOf(costs[d], which);
			if (cost < least && cost * leastSwapGain < sumOf(costs[0], which)) {
				least = cost;
				chosen = d;
			}
		}
		return chosen;
	}

	/* The dimension besides `first` in which what is far apart along `first` is nearest: a block of both has what a cache line has in
	 * common. Of z and the others, where neither is nearer: y, since numbers that follow each other along z do so along y next. */
	unsigned second(unsigned first) const
	{
		unsigned chosen = first == 0 ? 1 : 0;
		uint64_t least = UINT64_MAX;
		for (unsigned d : {1u, 0u, 2u}) {
			if (d == first || !isAsked(d))
				continue;
			uint64_t cost = 0;
			for (auto [along, beside] : zip_equal(costs[first], costs[d]))
				cost += std::min(along.cost, beside.cost);
			if (cost < least) {
				least = cost;
				chosen = d;
			}
		}
		return chosen;
	}

	/* How often accesses run that are far apart along `first` and near each other along `second`, those of some blocks. None if there are
	 * such stores in other blocks only. */
	FarAccesses farAccesses(unsigned first, unsigned second,
				function_ref<bool(const BasicBlock &)> counts) const
	{
		FarAccesses result;
		bool storesElsewhere = false;
		for (auto [along, beside] : zip_equal(costs[first], costs[second])) {
			if (along.cost <= beside.cost || beside.isSame)
				continue;
			if (counts(*along.block))
				(along.isStore ? result.stores : result.loads) += beside.cost;
			else
				storesElsewhere |= along.isStore;
		}
		return storesElsewhere && result.stores == 0 ? FarAccesses() : result;
	}

      private:
	bool isAsked(unsigned d) const
	{
		return d == 0 || (candidates & 1u << d);
	}

	/* Whether a vector along the dimension may have several lanes: groups that show nothing are coalesced. */
	bool hasItems(unsigned d) const
	{
		return shown == Shown::Nothing || required[d] == 0 || required[d] >= leastSwapItems;
	}

	unsigned longest() const
	{
		unsigned chosen = 0;
		for (unsigned d = 1; d < 3; d++) {
			if (isAsked(d) && required[d] >= leastSwapItems &&
			    required[d] > required[chosen])
				chosen = d;
		}
		return chosen;
	}

	AccessCosts costsAlong(unsigned dimension) const
	{
		return costsBy(ItemSteps(kernel, uniformity, dimension),
			       ItemSteps(kernel, uniformity, smallData, dimension), kernel, loops);
	}

	Function &kernel;
	const LoopInfo &loops;
	const Uniformity &uniformity;
	const unsigned candidates;
	const Shown shown;
	const bool updates;
	const KnownSteps smallData;
	GroupSizes required;
	std::array<AccessCosts, 3> costs;
};

/* What each work-item computes, by operations: those of a vector of the source are one for each element. */
uint64_t operationsOf(const Function &kernel, const LoopInfo &loops, const Uniformity &uniformity)
{
	uint64_t result = 0;
	for (const Instruction &instruction : instructions(kernel)) {
		const bool isCall = isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
		const auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
		if (uniformity.isVarying(&instruction) && !queryOf(instruction))
			result += timesRun(instruction, loops) * (isCall ? operationsOfCall : 1) *
				  (vector ? vector->getNumElements() : 1);
	}
	return result;
}

/* How much work-items may compute to have few lanes. Those that part by their places have more: sizes that a kernel guards are no powers of
 * two as a rule. Most branches by data are selections; others take lanes of all ways. */
uint64_t mostOperationsOf(const Function &kernel, const LoopInfo &loops,
			  const Uniformity &uniformity, bool isPlane)
{
	uint64_t result = isPlane ? mostOfPlane : mostOperations;
	for (const BasicBlock &block : kernel) {
		if (!uniformity.isDivergent(block))
			continue;
		if (!branchesByData(block, loops, uniformity))
			return 0;
		result = mostSelecting;
	}
	return result;
}

/* Whether no branch by what work-items differ in leads past the block. */
bool isUnguarded(const BasicBlock &block, const DominatorTree &tree, const PostDominatorTree &ends,
		 const Uniformity &uniformity)
{
	for (const DomTreeNode *node = tree.getNode(&block); node && node->getIDom();
	     node = node->getIDom()) {
		const BasicBlock &branch = *node->getIDom()->getBlock();
		if (uniformity.isDivergent(branch) && !ends.dominates(node->getBlock(), &branch))
			return false;
	}
	return true;
}

/* The required size, in the kernel's order. */
void orderRequiredSize(Function &kernel)
{
	const MDNode *node = kernel.getMetadata("reqd_work_group_size");
	if (!node)
		return;
	SmallVector<Metadata *, 3> sizes;
	for (unsigned d = 0; d < 3; d++)
		sizes.push_back(node->getOperand(sourceDimension(kernel, d)));
	kernel.setMetadata("reqd_work_group_size", MDNode::get(kernel.getContext(), sizes));
}

void orderQueries(Function &kernel)
{
	std::array<unsigned, 3> places;
	for (unsigned d = 0; d < 3; d++)
		places[sourceDimension(kernel, d)] = d;
	for (Instruction &instruction : instructions(kernel)) {
		const std::optional<Query> query = queryOf(instruction);
		if (!query || !takesDimension(*query))
			continue;
		auto &call = cast<CallInst>(instruction);
		const auto *asked = cast<ConstantInt>(call.getArgOperand(0));
		if (asked->getValue().ult(3))
			call.setArgOperand(0, ConstantInt::get(asked->getType(),
							       places[asked->getZExtValue()]));
	}
}

} // namespace

PreservedAnalyses SwapDimensionsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	const auto &loops = analyses.getResult<LoopAnalysis>(function);
	const auto &uniformity = analyses.getResult<UniformityAnalysis>(function);
	const unsigned candidates = swappable(function);
	if (candidates == 0) {
		if (suitsRows(function, loops, uniformity))
			setKernelNumber(function, interchangedIdsAttribute, 1);
		return PreservedAnalyses::all();
	}
	const DimensionChooser chooser(function, loops, uniformity, candidates);
	const unsigned first = chooser.first(), second = chooser.second(first);
	if (first != 0)
		setKernelNumber(function, swappedDimensionAttribute, first);
	if (second != secondDimension(function))
		setKernelNumber(function, secondDimensionAttribute, second);
	const bool isPlane = first != 2 && second != 2;
	/* In a plane, tiles lose more than they gain where few work-items store. */
	const auto counts = [&](const BasicBlock &block) {
		return !isPlane ||
		       isUnguarded(block, analyses.getResult<DominatorTreeAnalysis>(function),
				   analyses.getResult<PostDominatorTreeAnalysis>(function),
				   uniformity);
	};
	/* In a plane it is for tiles, which only groups that show nothing have. */
	const FarAccesses far = isPlane && shownTo(function) != Shown::Nothing
					? FarAccesses()
					: chooser.farAccesses(first, second, counts);
	const uint64_t operations =
		far.stores + far.loads > 0 ? operationsOf(function, loops, uniformity) : 0;
	if (far.stores + far.loads > 0 && isPlane &&
	    operations <= (far.stores + far.loads) * mostOperations)
		setKernelNumber(function, turnedPlaneAttribute, 1);
	if (far.stores > 0 &&
	    operations <= far.stores * mostOperationsOf(function, loops, uniformity, isPlane))
		setKernelNumber(function, farLanesAttribute, farLanes);
	if (first == 0 && second == 1)
		return PreservedAnalyses::all();
	orderQueries(function);
	orderRequiredSize(function);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
