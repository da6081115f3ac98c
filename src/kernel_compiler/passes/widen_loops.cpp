/* SPDX-License-Identifier: MIT
 *
 * widen-loops, and the printer of lane shapes: brings the loops within an item loop into the form that the
 * analysis and the plan need, then asks, plans and widens.
 */
#include "widen_loops.h"

#include "access_groups.h"
#include "choose_width.h"
#include "internal_functions.h"
#include "item_loops.h"
#include "lane_cost.h"
#include "lane_plan.h"
#include "lane_shapes.h"
#include "loop_widener.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Metadata.h>
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

/* Instructions of an item loop past which it is not widened. */
constexpr unsigned widenBudget = 40000;
constexpr int64_t cacheLine = 64; /* bytes */

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

/* What is left is a few iterations: not worth a second vector form, or unrolling. */
void markRemainder(BasicBlock &latch)
{
	LLVMContext &context = latch.getContext();
	auto hint = [&](StringRef name) {
		return MDNode::get(context, MDString::get(context, name));
	};
	auto *no = ConstantAsMetadata::get(ConstantInt::getFalse(context));
	MDNode *plain =
		MDNode::get(context, {MDString::get(context, "llvm.loop.vectorize.enable"), no});
	MDNode *loop =
		MDNode::getDistinct(context, {nullptr, plain, hint("llvm.loop.unroll.disable")});
	loop->replaceOperandWith(0, loop);
	latch.getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
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
		if (size > widenBudget || loop->getExitingBlock() != latch ||
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
	      registers{costs.getNumberOfRegisters(costs.getRegisterClassForType(true)),
			vectorRegisterBits(costs)}
	{
	}
};

/* An item loop's body at one width. The parts refer to each other. */
struct Widening {
	LaneShapes shapes;
	std::unique_ptr<AccessGroups> groups;
	std::unique_ptr<LanePlan> plan;
	std::unique_ptr<LoopWidener> widener;

	Widening(ItemLoop &item, const LoopInfo &loops, const DominatorTree &dominators,
		 const Target &target, unsigned width, bool forced)
	    : shapes(item, loops, dominators, width)
	{
		if (shapes.isValid())
			plan = std::make_unique<LanePlan>(item, shapes, loops);
		if (!plan || !plan->isValid())
			return;
		groups =
			std::make_unique<AccessGroups>(shapes, target.aliases, target.costs, width);
		widener = std::make_unique<LoopWidener>(item, shapes, *groups, *plan, target.costs,
							width);
		if (!widener->isPossible() ||
		    (!forced && !widensWithGain(shapes, *groups, loops, width)))
			widener.reset();
	}
};

/* Whether what one row of work-items uses is more than what lies side by side for them, so that the next row may well
 * use the same: in loops, and where lanes' accesses lie apart. */
bool sharesRows(const ItemLoop &item, const LaneShapes &shapes, const LoopInfo &loops)
{
	for (const BasicBlock *block : shapes.blocks()) {
		if (loops.getLoopFor(block) != item.loop)
			return true;
		for (const Instruction &instruction : *block) {
			const Value *pointer = getLoadStorePointerOperand(&instruction);
			Shape shape = pointer ? shapes.of(pointer) : Shape::uniform();
			if (!shape.isLinear() || std::abs(shape.stride) > cacheLine)
				return true;
		}
	}
	return false;
}

/* First everything is looked at, then made, then put in order: so each step has the analyses once. */
unsigned widenItemLoops(Function &function, DominatorTree &dominators, LoopInfo &loops,
			FunctionAnalysisManager &analyses, unsigned width)
{
	bool forced = getKernelNumber(function, forcedWidthAttribute) > 0;
	SmallVector<ItemLoop, 4> items = prepareItemLoops(function, dominators, loops);
	std::vector<std::unique_ptr<Widening>> list;
	analyses.invalidate(function, PreservedAnalyses::none());
	const Target target(function, analyses);
	/* Groups whose work-items meet at barriers are seldom so wide. */
	const bool mayInterleave = !forced && items.size() == 1 && 2 * width <= mostLanes;
	unsigned count = 0;
	for (ItemLoop &item : items) {
		auto once =
			std::make_unique<Widening>(item, loops, dominators, target, width, forced);
		if (!once->widener)
			continue;
		if (sharesRows(item, once->shapes, loops))
			setKernelNumber(function, sharesRowsAttribute, 1);
		if (mayInterleave && interleaves(once->shapes, loops, width, target.registers))
			list.push_back(std::make_unique<Widening>(item, loops, dominators, target,
								  width * 2, forced));
		list.push_back(std::move(once));
		markRemainder(*item.latch);
		count++;
	}
	for (auto &widening : list) {
		if (widening->widener)
			widening->widener->run();
	}
	DominatorTree after(function);
	SmallVector<AllocaInst *, 16> variables;
	for (auto &widening : list) {
		if (widening->widener)
			widening->widener->finish(after, variables);
	}
	PromoteMemToReg(variables, after);
	return count;
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
	weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %u of %zu regions widened to %u lanes",
		 function.getName().str().c_str(), widened, latches.size(), width);
	if (widened == 0)
		setKernelNumber(function, vectorWidthAttribute, 1);
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
