/* SPDX-License-Identifier: MIT
 *
 * widen-loops: finds what pays, plans, and widens.
 */
#include "widen/widen_loops.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/item_loops.h"
#include "ir/remarks.h"
#include "kernel/argument_layout.h"
#include "lanes/clamp_versions.h"
#include "lanes/item_bounds.h"
#include "lanes/loop_forms.h"
#include "widen/body_copy.h"
#include "widen/neighbour_updates.h"
#include "widen/scalar_lanes.h"
#include "width/interleave_count.h"
#include "width/lane_cost.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <memory>
#include <vector>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

/* Interleaved vectors of a group of several rows whose size is not known: there may not be many more. */
constexpr unsigned mostOfRows = 4;
constexpr unsigned scalarLanes = 2;
/* Of so many vectors along x, two reach a picture's edges. */
constexpr unsigned mostAtEdges = 8;
/* Vector iterations that are unrolled, and the instructions that they come to: of one region, of all. */
constexpr uint64_t mostUnrolled = 16, mostOfRegion = 600, mostOfKernel = 5000;

/* All that one item loop becomes. The members refer to each other. */
class Widening
{
      public:
	Widening(const ItemLoop &theItem, const WideningTarget &theTarget, unsigned theWidth)
	    : item(theItem), nest(readItemNest(theItem)), target(theTarget), width(theWidth),
	      loads(findTransposableLoads({item, target.loops, target.dominators, target.aliases,
					   target.library, target.assumptions, target.costs, width,
					   target.registers.bits})),
	      shapes(item, target.loops, target.dominators, width)
	{
	}

	/* Whole vectors, and the item loop for the rest. */
	bool widen(bool forced)
	{
		fits = whole.make(item, shapes, loads, target, false, variables);
		if (!fits)
			return false;
		costs = bodyCosts(shapes, *whole.accesses, target.loops, width);
		return costs.gains() || forced;
	}

	/* Why widen has failed. */
	const char *reason() const
	{
		return fits ? "vectors would not be faster"
			    : "its control flow or data do not fit vectors";
	}

	/* Two interleaved scalars, which have no masks. */
	bool pair()
	{
		return widen(true) &&
		       none_of(shapes.blocks(),
			       [&](const BasicBlock *block) {
				       return whole.plan->at(block).maskOwner != nullptr;
			       }) &&
		       interleavedScalarsPay(shapes, target.loops);
	}

	/* An access of an image by all lanes takes little longer than one by a single work-item. */
	bool accessesImages() const
	{
		return any_of(make_pointee_range(shapes.blocks()), weft::accessesImages);
	}

	RowSharing rowSharing() const
	{
		return sharingOfRows(item, shapes, target.loops);
	}

	/* Several interleaved vectors before that, where it pays more, and two for what they leave. Expects whole
	 * vectors. */
	void interleave()
	{
		ScalarEvolution evolution(*item.header->getParent(), target.library,
					  target.assumptions, target.dominators, target.loops);
		unsigned vectors = interleaveCount(
			item, shapes,
			{target.loops, evolution, target.registers, target.scattered});
		if (item.row)
			vectors = std::min(vectors, bit_floor(mostVectorsOfRows()));
		if (vectors > 2)
			interleave(several, vectors);
		if (vectors > 1)
			interleave(twice, 2);
	}

	/* Unrolls the vector iterations of a group whose size is known, if they are few and short: LLVM then knows the
	 * addresses of each as numbers. Returns the instructions that they come to. */
	uint64_t unroll(uint64_t most)
	{
		uint32_t size[3];
		readSizes(*item.header->getParent(), "reqd_work_group_size", size);
		uint64_t iterations = size[0] / width, cost = 0;
		for (const BasicBlock *block : item.loop->blocks())
			cost += block->sizeWithoutDebug() * iterations;
		isUnrolled = !item.row && item.loop->isInnermost() && iterations > 1 &&
			     iterations <= mostUnrolled && cost <= std::min(most, mostOfRegion);
		return isUnrolled ? cost : 0;
	}

	ItemPart part() const
	{
		return item.part;
	}

	/* Work-items whose lanes would wait for each other for long run as scalars. Expects whole vectors. */
	void partUneven()
	{
		if (!twice.copy.widener && isWhole(item))
			uneven = findUnevenLoop(shapes, target.loops, target.scattered);
	}

	/* The rest becomes a whole vector that runs some work-items again, where it can. Expects whole vectors. */
	void repeatItems()
	{
		if (!uneven)
			repeated = findRepeatedItems(item, costs, target, width);
	}

	/* Rows that lanes write are looked at before each launch's lanes do. Expects whole vectors. */
	void testRows()
	{
		distances.emplace(item, shapes, target.loops);
	}

	/* The rest becomes a vector with a mask, where it can. Expects whole vectors. */
	bool maskLast()
	{
		return last.make(item, shapes, loads, target, true, variables);
	}

	/* All vectors are sub-groups: neighbours in the order of linear ids. No work-item is left for the item loop. */
	bool makeSubgroups(GroupKind kind)
	{
		if (!nest.before)
			kind.mayHaveRows = true;
		if (kind.mayHaveRows && (!widen(true) || !maskLast()))
			return false;
		if (!nest.before || !kind.mayBeLinear)
			return true;
		linearShapes = std::make_unique<LaneShapes>(item, target.loops, target.dominators,
							    width, &nest);
		return linear.make(item, *linearShapes, loads, target, true, variables);
	}

	void run()
	{
		if (several.copy.widener)
			several.copy.widener->createMainLoop(rows(), leastOfSeveral());
		if (twice.copy.widener)
			twice.copy.widener->createMainLoop(rows());
		if (whole.widener)
			enterWhole(whole.widener->createMainLoop(rows(), 0,
								 uneven ? &*uneven : nullptr,
								 repeated ? &*repeated : nullptr));
		if (last.widener)
			last.widener->createMaskedTail();
		else if (item.part == ItemPart::Whole && !distances)
			item.before->getTerminator()->replaceSuccessorWith(item.header, item.after);
		else
			markRestLoop(*item.latch);
		if (linear.widener)
			enterLinear(linear.widener->createLinearLoop(nest));
	}

	void finish(const DominatorTree &now, SmallVectorImpl<AllocaInst *> &temporary)
	{
		for (BodyCopy *copy : {&several.copy, &twice.copy, &whole, &last, &linear}) {
			if (copy->widener)
				copy->widener->finish(now, temporary);
		}
	}

      private:
	/* A copy with more lanes. */
	struct WiderCopy {
		std::unique_ptr<LaneShapes> shapes;
		WideVariables variables;
		BodyCopy copy;
	};

	/* NULL: lanes write no rows. */
	const RowDistances *rows() const
	{
		return distances ? &*distances : nullptr;
	}

	/* In a narrow picture most of several vectors reach its edge, where they take longer. */
	uint64_t leastOfSeveral() const
	{
		const bool hasEdges = any_of(shapes.blocks(), [](const BasicBlock *block) {
			return clampVersionOf(*block) == ClampVersion::General;
		});
		return hasEdges ? several.shapes->lanes() * mostAtEdges : 0;
	}

	/* As many as the rows of a group fill. */
	unsigned mostVectorsOfRows() const
	{
		uint32_t size[3];
		readSizes(*item.header->getParent(), "reqd_work_group_size", size);
		const uint64_t vectors = uint64_t(item.row) * size[1] / width;
		return size[0] > 0 ? unsigned(std::max<uint64_t>(vectors, 1)) : mostOfRows;
	}

	void interleave(WiderCopy &wider, unsigned vectors)
	{
		const unsigned lanes = vectors * width;
		wider.shapes =
			std::make_unique<LaneShapes>(item, target.loops, target.dominators, lanes);
		bool pays =
			keepsUpdatesApart(*wider.shapes) &&
			wider.copy.make(item, *wider.shapes, loads, target, false,
					wider.variables) &&
			bodyCosts(*wider.shapes, *wider.copy.accesses, target.loops, lanes).gains();
		if (!pays)
			wider.copy.widener.reset();
	}

	/* After two interleaved vectors there is one iteration at most. */
	void enterWhole(BasicBlock &latch)
	{
		if (twice.copy.widener)
			markSingleLoop(latch);
		else if (isUnrolled)
			markShortLoop(latch);
	}

	/* Where a row ends within a vector, the vector goes on in the next row. */
	void enterLinear(BasicBlock &start)
	{
		Instruction *end = nest.before->getTerminator();
		IRBuilder<> builder(end);
		if (!whole.widener) {
			builder.CreateBr(&start);
			end->eraseFromParent();
			return;
		}
		Value *rows = builder.CreateNUWMul(nest.sizeY, nest.sizeZ);
		Value *part = builder.CreateAnd(item.size, builder.getInt64(width - 1));
		Value *isRow = builder.CreateICmpEQ(rows, builder.getInt64(1));
		Value *isFull = builder.CreateICmpEQ(part, builder.getInt64(0));
		Value *isPlain = builder.CreateOr(isRow, isFull);
		builder.CreateCondBr(isPlain, end->getSuccessor(0), &start);
		end->eraseFromParent();
	}

	ItemLoop item;
	ItemNest nest;
	const WideningTarget &target;
	unsigned width;
	bool isUnrolled = false;
	bool fits = false; /* a vector's lanes */
	TransposableLoads loads;
	LaneShapes shapes;
	std::unique_ptr<LaneShapes> linearShapes;
	WideVariables variables;
	BodyCopy whole, last, linear;
	WiderCopy twice, several;
	std::optional<UnevenLoop> uneven;
	std::optional<RowDistances> distances;
	std::optional<RepeatedItems> repeated;
	BodyCosts costs;
};

using WideningList = std::vector<std::unique_ptr<Widening>>;

/* What widening a function starts from. */
struct Widenable {
	Function &function;
	MutableArrayRef<ItemLoop> items;
	const WideningTarget &target;

	std::unique_ptr<Widening> at(const ItemLoop &item, unsigned width) const
	{
		return std::make_unique<Widening>(item, target, width);
	}
};

unsigned countWidened(const WideningList &list)
{
	return unsigned(count_if(
		list, [](const auto &widening) { return widening->part() != ItemPart::Rest; }));
}

/* All of the kernel's item loops, or none. */
WideningList planSubgroups(const Widenable &from, unsigned width)
{
	WideningList list;
	if (from.items.size() != markedLatches(from.function).size())
		return list;
	for (const ItemLoop &item : from.items) {
		list.push_back(from.at(item, width));
		if (!list.back()->makeSubgroups(GroupKind(from.function, width)))
			return {};
	}
	return list;
}

/* Of two item loops of a kernel: elements count for more than the lines that they are in. */
RowSharing sharedByBoth(RowSharing one, RowSharing other)
{
	return one == SharesElements || other == SharesNothing ? one : other;
}

/* Those item loops that it pays for. */
WideningList planWidening(const Widenable &from, unsigned width)
{
	bool forced = getKernelNumber(from.function, forcedWidthAttribute) > 0;
	bool masked = getKernelNumber(from.function, maskedTailAttribute) > 0;
	/* Groups with barriers are seldom so wide, but for those of several rows. */
	const bool isAlone =
		countRegions(markedLatches(from.function)) == 1 ||
		getKernelNumber(from.function, coalescedGroupsAttribute) != CoalescesNone;
	uint64_t unrolled = 0;
	RowSharing shared = SharesNothing;
	WideningList list;
	for (ItemLoop &item : from.items) {
		/* Several interleaved vectors begin at a multiple of their lanes. */
		const bool isRest = item.part == ItemPart::Rest;
		const bool interleaves = !forced && (isAlone || item.row);
		boundItems(item, from.target.loops, width, !interleaves && !isRest);
		auto widening = from.at(item, width);
		if (!widening->widen(forced)) {
			addRemark(from.function,
				  Twine("a region runs one work-item after the other: ") +
					  widening->reason());
			continue;
		}
		shared = sharedByBoth(shared, widening->rowSharing());
		if (interleaves)
			widening->interleave();
		if (!forced)
			widening->partUneven();
		if (!isAlone && hasFixedSize(from.function))
			unrolled += widening->unroll(mostOfKernel - unrolled);
		const bool isWhole = item.part == ItemPart::Whole;
		if (!isWhole && (masked || widening->accessesImages()))
			widening->maskLast();
		else if (getKernelNumber(from.function, writtenRowsAttribute) > 0)
			widening->testRows();
		else if (!isWhole && isAlone)
			widening->repeatItems();
		list.push_back(std::move(widening));
	}
	if (shared != SharesNothing)
		setKernelNumber(from.function, sharesRowsAttribute, shared);
	return list;
}

/* All of the kernel's item loops, or none: where vectors do not pay. */
WideningList planPairs(const Widenable &from)
{
	WideningList list;
	for (const ItemLoop &item : from.items) {
		list.push_back(from.at(item, scalarLanes));
		if (!list.back()->pair())
			return {};
	}
	return list;
}

void run(WideningList &list, Function &function)
{
	for (auto &widening : list)
		widening->run();
	DominatorTree after(function);
	SmallVector<AllocaInst *, 16> variables;
	for (auto &widening : list)
		widening->finish(after, variables);
	PromoteMemToReg(variables, after);
}

/* Guards would make masks: the loops end there instead. */
unsigned pairItemLoops(const Widenable &from, DominatorTree &dominators, LoopInfo &loops,
		       FunctionAnalysisManager &analyses)
{
	for (ItemLoop &item : from.items)
		cutItems(item, dominators, loops);
	analyses.invalidate(from.function, PreservedAnalyses::none());
	const WideningTarget target(from.function, loops, dominators, analyses);
	WideningList list = planPairs({from.function, from.items, target});
	if (!list.empty()) {
		setKernelNumber(from.function, vectorWidthAttribute, scalarLanes);
		setKernelNumber(from.function, scalarLanesAttribute, 1);
	}
	run(list, from.function);
	return countWidened(list);
}

/* First all item loops are looked at, then all are widened, then all are completed: each step has the analyses once. */
unsigned widenItemLoops(Function &function, DominatorTree &dominators, LoopInfo &loops,
			FunctionAnalysisManager &analyses, unsigned width)
{
	bool hasSubgroups = getKernelNumber(function, subgroupsAttribute) > 0;
	SmallVector<ItemLoop, 4> items = prepareItemLoops(function, dominators, loops);
	if (!hasSubgroups) {
		lowerNeighbourUpdates(items, loops, dominators, width);
		makeClampVersions(items, dominators, loops, width);
	}
	analyses.invalidate(function, PreservedAnalyses::none());
	const WideningTarget target(function, loops, dominators, analyses);
	const Widenable from = {function, items, target};
	WideningList list = hasSubgroups ? planSubgroups(from, width) : planWidening(from, width);
	if (list.empty() && !hasSubgroups && getKernelNumber(function, forcedWidthAttribute) == 0)
		return pairItemLoops(from, dominators, loops, analyses);
	run(list, function);
	return countWidened(list);
}

/* Each work-item stays a scalar, and a sub-group. */
void keepScalar(Function &function)
{
	setKernelNumber(function, vectorWidthAttribute, 1);
	makeSubgroupsOfOne(function);
	if (uint32_t required = requiredSubgroupSize(function))
		reportError(function, "error: kernel '" + function.getName() +
					      "' requires sub-groups of " + Twine(required) +
					      ", but its control flow or data do not fit lanes");
}

void reportWidth(const Function &kernel, unsigned widened, unsigned regions)
{
	if (widened == 0)
		addRemark(kernel, "all regions run one work-item after the other");
	else
		addRemark(kernel, Twine(widened) + " of " + Twine(regions) +
					  " regions run vectors of " +
					  Twine(getKernelNumber(kernel, vectorWidthAttribute)) +
					  " work-items");
}

} // namespace

PreservedAnalyses WidenLoopsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	auto width = unsigned(getKernelNumber(function, vectorWidthAttribute));
	SmallVector<BasicBlock *, 4> latches = markedLatches(function);
	unsigned widened = 0;
	if (width > 1 && !latches.empty()) {
		straightenLoops(function, analyses);
		DominatorTree dominators(function);
		LoopInfo loops(dominators);
		widened = widenItemLoops(function, dominators, loops, analyses, width);
	} else if (latches.size() > 1 && getKernelNumber(function, forcedWidthAttribute) == 0) {
		boundScalarLoops(function, analyses);
	}
	chooseGeneralVersions(function);
	const unsigned regions = countRegions(latches);
	for (BasicBlock *latch : latches)
		unmarkItemLoop(*latch);
	unmarkItemNests(function);
	weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %u of %u regions widened to %u lanes",
		 function.getName().str().c_str(), widened, regions,
		 unsigned(getKernelNumber(function, vectorWidthAttribute)));
	reportWidth(function, widened, regions);
	/* Item loops in whose place there are vectors with masks. */
	EliminateUnreachableBlocks(function);
	if (widened == 0)
		keepScalar(function);
	if (getKernelNumber(function, scalarLanesAttribute) > 0)
		makeScalars(function, analyses);
	return PreservedAnalyses::none();
}

} // namespace weft
