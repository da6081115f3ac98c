/* SPDX-License-Identifier: MIT
 *
 * widen-loops, and the printer of lane shapes: brings the loops within an item loop into the form that the
 * analysis and the plan need, then asks, plans and widens.
 */
#include "widen_loops.h"

#include "access_groups.h"
#include "argument_layout.h"
#include "choose_width.h"
#include "fuse_groups.h"
#include "internal_functions.h"
#include "item_bounds.h"
#include "item_loops.h"
#include "lane_cost.h"
#include "lane_plan.h"
#include "lane_shapes.h"
#include "loop_widener.h"
#include "side_by_side.h"
#include "subgroup_functions.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/BreakCriticalEdges.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
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

/* Vectors of a group of several rows that are done side by side: there are not many more. */
constexpr unsigned mostOfRows = 4;
cl::opt<unsigned> widenBudget("weft-widen-budget", cl::init(40000), cl::Hidden,
			      cl::desc("Instructions of a kernel past which it is not widened"));
cl::opt<unsigned> blockBudget("weft-widen-blocks", cl::init(2000), cl::Hidden,
			      cl::desc("Blocks of an item loop past which it is not widened"));

/* Whether LLVM can be expected to deal with a copy of the loop in vectors. Sub-groups are worth more time. */
bool fitsBudget(const Function &function, const Loop &loop, unsigned size)
{
	bool hasSubgroups = getKernelNumber(function, subgroupsAttribute) > 0;
	if (size <= widenBudget && (hasSubgroups || loop.getNumBlocks() <= blockBudget))
		return true;
	weft_log(WEFT_LOG_INFO, "compiler",
		 "%s: %u instructions, %u blocks in a region: past the budget, not widened",
		 function.getName().str().c_str(), size, loop.getNumBlocks());
	return false;
}

/* Whether every loop has one entry. */
bool isReducible(const Function &function, const LoopInfo &loops)
{
	ReversePostOrderTraversal<const Function *> order(&function);
	return !containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

/* Loops with one entry each. Of two edges from one block to two entries LLVM's pass would lose one, so edges get
 * blocks of their own. */
void makeReducible(Function &function, FunctionAnalysisManager &analyses)
{
	analyses.invalidate(function, PreservedAnalyses::none());
	if (isReducible(function, analyses.getResult<LoopAnalysis>(function)))
		return;
	analyses.invalidate(function, LowerSwitchPass().run(function, analyses));
	analyses.invalidate(function, BreakCriticalEdgesPass().run(function, analyses));
	analyses.invalidate(function, FixIrreduciblePass().run(function, analyses));
}

/* Ways that are never taken, such as the default of a switch over all that there is, would lead out of the
 * item loop. */
void dropImpossibleWays(Function &function)
{
	for (BasicBlock &block : function) {
		if (!isa<UnreachableInst>(&*block.getFirstNonPHIOrDbg()))
			continue;
		SmallSetVector<BasicBlock *, 4> before(pred_begin(&block), pred_end(&block));
		for (BasicBlock *predecessor : before) {
			Instruction *end = predecessor->getTerminator();
			auto *choice = dyn_cast<SwitchInst>(end);
			auto *branch = dyn_cast<BranchInst>(end);
			if (choice && choice->getDefaultDest() == &block &&
			    choice->getNumCases() > 0) {
				choice->setDefaultDest(choice->case_begin()->getCaseSuccessor());
				choice->removeCase(choice->case_begin());
				block.removePredecessor(predecessor);
			} else if (branch && branch->isConditional()) {
				unsigned other = branch->getSuccessor(0) == &block ? 1 : 0;
				BasicBlock *only = branch->getSuccessor(other);
				block.removePredecessor(predecessor);
				BranchInst::Create(only, branch->getIterator());
				branch->eraseFromParent();
			}
		}
	}
}

/* A latch that does nothing but go back. */
void separateLatch(Loop &loop, DominatorTree &dominators, LoopInfo &loops)
{
	BasicBlock *latch = loop.getLoopLatch();
	if (latch->size() == 1 && latch->getSingleSuccessor() && latch != loop.getHeader())
		return;
	Instruction *end = latch->getTerminator();
	MDNode *hints = end->getMetadata(LLVMContext::MD_loop);
	end->setMetadata(LLVMContext::MD_loop, nullptr);
	BasicBlock *own = SplitEdge(latch, loop.getHeader(), &dominators, &loops);
	own->getTerminator()->setMetadata(LLVMContext::MD_loop, hints);
}

/* Preheaders, single latches, exits of their own, and values that leave through phis. False where a loop cannot
 * have them. */
bool simplifyLoops(Loop &outer, DominatorTree &dominators, LoopInfo &loops)
{
	std::vector<Loop *> within = outer.getSubLoops();
	for (Loop *loop : within)
		simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
	SmallVector<Loop *, 4> all = outer.getLoopsInPreorder();
	for (Loop *loop : drop_begin(all)) {
		if (!loop->isLoopSimplifyForm())
			return false;
		separateLatch(*loop, dominators, loops);
	}
	formLCSSARecursively(outer, dominators, &loops, nullptr);
	return true;
}

unsigned sizeOf(const Loop &loop)
{
	size_t size = 0;
	for (const BasicBlock *block : loop.blocks())
		size += block->size();
	return unsigned(size);
}

/* The item loops that can be looked at, the loops within simplified. */
SmallVector<ItemLoop, 4> prepareItemLoops(Function &function, DominatorTree &dominators,
					  LoopInfo &loops)
{
	SmallVector<ItemLoop, 4> items;
	unsigned size = 0;
	if (!isReducible(function, loops))
		return items;
	for (BasicBlock *latch : markedLatches(function)) {
		Loop *loop = loops.getLoopFor(latch);
		size += sizeOf(*loop);
		if (!fitsBudget(function, *loop, size) || loop->getExitingBlock() != latch ||
		    !simplifyLoops(*loop, dominators, loops))
			continue;
		items.push_back(readItemLoop(*latch, loops));
	}
	return items;
}

/* What LLVM knows of the function and the CPU, as long as the function does not change. */
struct Target {
	AAResults &aliases;
	const TargetTransformInfo &costs;
	VectorRegisters registers;

	Target(Function &function, FunctionAnalysisManager &analyses)
	    : aliases(analyses.getResult<AAManager>(function)),
	      costs(analyses.getResult<TargetIRAnalysis>(function)),
	      registers(vectorRegisters(costs))
	{
	}
};

/* A copy of an item loop's body, for some of its waves. */
struct WaveCopy {
	std::unique_ptr<AccessGroups> groups;
	std::unique_ptr<LanePlan> plan;
	std::unique_ptr<LoopWidener> widener;

	/* `mayLackLanes`: other waves than whole ones. */
	bool make(ItemLoop &item, const LaneShapes &shapes, const LoopInfo &loops,
		  const Target &target, bool mayLackLanes, WideVariables &variables)
	{
		unsigned width = shapes.lanes();
		if (!shapes.isValid())
			return false;
		plan = std::make_unique<LanePlan>(item, shapes, loops, mayLackLanes);
		if (!plan->isValid())
			return false;
		groups =
			std::make_unique<AccessGroups>(shapes, target.aliases, target.costs, width);
		widener = std::make_unique<LoopWidener>(item, shapes, *groups, *plan, target.costs,
							variables);
		if (!widener->isPossible())
			widener.reset();
		return widener != nullptr;
	}
};

/* What a kernel's work-groups are known to be. */
struct GroupKind {
	bool mayHaveRows = true; /* of full waves, or one row alone */
	bool mayBeLinear = true; /* rows with parts of waves */

	GroupKind(const Function &kernel, unsigned width)
	{
		uint32_t size[3];
		readSizes(kernel, "reqd_work_group_size", size);
		if (!size[0])
			return;
		mayHaveRows = size[0] % width == 0 || (size[1] == 1 && size[2] == 1);
		mayBeLinear = !mayHaveRows;
	}
};

/* One item loop on its way. The parts refer to each other. */
class Widening
{
      public:
	Widening(const ItemLoop &theItem, const LoopInfo &theLoops,
		 const DominatorTree &theDominators, const Target &theTarget, unsigned theWidth)
	    : item(theItem), nest(readItemNest(theItem)), loops(theLoops),
	      dominators(theDominators), target(theTarget), width(theWidth),
	      shapes(item, theLoops, theDominators, theWidth)
	{
	}

	/* Whole waves, and the item loop for what is left. */
	bool widen(bool forced)
	{
		return whole.make(item, shapes, loops, target, false, variables) &&
		       (forced || widensWithGain(shapes, *whole.groups, loops, width));
	}

	bool hasSharedRows() const
	{
		return sharesRows(item, shapes, loops);
	}

	/* Several vectors side by side before that, where it pays more, and two for what they leave. Expects whole
	 * waves. */
	void interleave()
	{
		unsigned vectors = vectorsSideBySide(shapes, loops, target.registers);
		if (item.row)
			vectors = std::min(vectors, mostOfRows);
		if (vectors > 2)
			interleave(several, vectors);
		if (vectors > 1)
			interleave(twice, 2);
	}

	/* What is left becomes a wave too, where it can. Expects whole waves. */
	bool maskLast()
	{
		return last.make(item, shapes, loops, target, true, variables);
	}

	/* All waves are sub-groups: neighbours in the order of linear ids, and none is done item by item. */
	bool makeSubgroups(GroupKind kind)
	{
		if (!nest.before)
			kind.mayHaveRows = true;
		if (kind.mayHaveRows && (!widen(true) || !maskLast()))
			return false;
		if (!nest.before || !kind.mayBeLinear)
			return true;
		linearShapes = std::make_unique<LaneShapes>(item, loops, dominators, width, &nest);
		return linear.make(item, *linearShapes, loops, target, true, variables);
	}

	void run()
	{
		for (WaveCopy *copy : {&several.copy, &twice.copy}) {
			if (copy->widener)
				copy->widener->runWhole();
		}
		if (whole.widener)
			enterWhole(whole.widener->runWhole());
		if (last.widener)
			last.widener->runLast();
		else
			markRestLoop(*item.latch);
		if (linear.widener)
			enterLinear(linear.widener->runLinear(nest));
	}

	void finish(const DominatorTree &now, SmallVectorImpl<AllocaInst *> &temporary)
	{
		for (WaveCopy *copy : {&several.copy, &twice.copy, &whole, &last, &linear}) {
			if (copy->widener)
				copy->widener->finish(now, temporary);
		}
	}

      private:
	/* A copy for waves of more lanes. */
	struct WiderCopy {
		std::unique_ptr<LaneShapes> shapes;
		WideVariables variables;
		WaveCopy copy;
	};

	void interleave(WiderCopy &wider, unsigned vectors)
	{
		const unsigned lanes = vectors * width;
		wider.shapes = std::make_unique<LaneShapes>(item, loops, dominators, lanes);
		bool pays = wider.copy.make(item, *wider.shapes, loops, target, false,
					    wider.variables) &&
			    widensWithGain(*wider.shapes, *wider.copy.groups, loops, lanes);
		if (!pays)
			wider.copy.widener.reset();
	}

	/* After two vectors side by side there is one wave at most. */
	void enterWhole(BasicBlock &latch)
	{
		if (twice.copy.widener)
			markSingleLoop(latch);
	}

	/* Where a row ends within a wave, waves go on in the next row. */
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
	const LoopInfo &loops;
	const DominatorTree &dominators;
	const Target &target;
	unsigned width;
	LaneShapes shapes;
	std::unique_ptr<LaneShapes> linearShapes;
	WideVariables variables;
	WaveCopy whole, last, linear;
	WiderCopy twice, several;
};

using WideningList = std::vector<std::unique_ptr<Widening>>;

/* What widening a function starts from. */
struct Widenable {
	Function &function;
	LoopInfo &loops;
	DominatorTree &dominators;
	MutableArrayRef<ItemLoop> items;
	const Target &target;

	std::unique_ptr<Widening> at(const ItemLoop &item, unsigned width) const
	{
		return std::make_unique<Widening>(item, loops, dominators, target, width);
	}
};

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

/* Those item loops that it pays for. */
WideningList planWidening(const Widenable &from, unsigned width)
{
	bool forced = getKernelNumber(from.function, forcedWidthAttribute) > 0;
	bool masked = getKernelNumber(from.function, maskedTailAttribute) > 0;
	/* Groups whose work-items meet at barriers are seldom so wide, but for those of several rows. */
	const bool isAlone = from.items.size() == 1 ||
			     getKernelNumber(from.function, fusesGroupsAttribute) == FusesSingle;
	WideningList list;
	for (ItemLoop &item : from.items) {
		/* Of several vectors each begins where a multiple of them does. */
		const bool interleaves = !forced && (isAlone || item.row);
		boundItems(item, from.loops, width, !interleaves);
		auto widening = from.at(item, width);
		if (!widening->widen(forced))
			continue;
		if (widening->hasSharedRows())
			setKernelNumber(from.function, sharesRowsAttribute, 1);
		if (interleaves)
			widening->interleave();
		if (masked)
			widening->maskLast();
		list.push_back(std::move(widening));
	}
	return list;
}

/* First everything is looked at, then made, then put in order: so each step has the analyses once. */
unsigned widenItemLoops(Function &function, DominatorTree &dominators, LoopInfo &loops,
			FunctionAnalysisManager &analyses, unsigned width)
{
	SmallVector<ItemLoop, 4> items = prepareItemLoops(function, dominators, loops);
	analyses.invalidate(function, PreservedAnalyses::none());
	const Target target(function, analyses);
	const Widenable from = {function, loops, dominators, items, target};
	bool hasSubgroups = getKernelNumber(function, subgroupsAttribute) > 0;
	WideningList list = hasSubgroups ? planSubgroups(from, width) : planWidening(from, width);
	for (auto &widening : list)
		widening->run();
	DominatorTree after(function);
	SmallVector<AllocaInst *, 16> variables;
	for (auto &widening : list)
		widening->finish(after, variables);
	PromoteMemToReg(variables, after);
	return unsigned(list.size());
}

/* The kernel's work-items stay alone. */
void giveUp(Function &function)
{
	setKernelNumber(function, vectorWidthAttribute, 1);
	makeSubgroupsOfOne(function);
	if (uint32_t required = requiredSubgroupSize(function))
		reportError(function, "error: kernel '" + function.getName() +
					      "' requires sub-groups of " + Twine(required) +
					      ", but its control flow or its private variables "
					      "do not fit vector lanes");
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
		dropImpossibleWays(function);
		makeReducible(function, analyses);
		DominatorTree dominators(function);
		LoopInfo loops(dominators);
		widened = widenItemLoops(function, dominators, loops, analyses, width);
	}
	for (BasicBlock *latch : latches)
		unmarkItemLoop(*latch);
	unmarkItemNests(function);
	weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %u of %zu regions widened to %u lanes",
		 function.getName().str().c_str(), widened, latches.size(), width);
	/* Item loops that masked waves have taken the place of. */
	EliminateUnreachableBlocks(function);
	if (widened == 0)
		giveUp(function);
	return PreservedAnalyses::none();
}

PreservedAnalyses ShapePrinterPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	auto width = unsigned(getKernelNumber(function, vectorWidthAttribute));
	errs() << "shapes of " << function.getName() << ":\n";
	dropImpossibleWays(function);
	makeReducible(function, analyses);
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	for (const ItemLoop &item : prepareItemLoops(function, dominators, loops))
		LaneShapes(item, loops, dominators, width).print(errs());
	return PreservedAnalyses::none();
}

} // namespace weft
