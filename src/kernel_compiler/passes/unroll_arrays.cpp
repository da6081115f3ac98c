/* SPDX-License-Identifier: MIT
 *
 * unroll-arrays: an array is worth it when all of its addresses are constants but for the rounds of such loops, and the
 * loops with all that is in them stay within a budget.
 */
#include "unroll_arrays.h"

#include "internal_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostRounds = 64;
/* Instructions that all unrolled loops of a kernel come to. A tile of 16x16 complex products has 4,000. */
constexpr uint64_t budget = 8000;

using LoopSet = SmallSetVector<Loop *, 4>;

class ArrayUnroller
{
      public:
	ArrayUnroller(Function &theFunction, FunctionAnalysisManager &analyses)
	    : function(theFunction), loops(analyses.getResult<LoopAnalysis>(function)),
	      evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
	      dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
	      assumptions(analyses.getResult<AssumptionAnalysis>(function)),
	      target(analyses.getResult<TargetIRAnalysis>(function)),
	      remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function))
	{
	}

	bool run();

      private:
	bool findLoops(const AllocaInst &array, LoopSet &found);
	bool addLoopsOf(const SCEV &address, LoopSet &found);
	bool mayUnroll(const Loop &loop);
	unsigned roundsOf(const Loop &loop);
	uint64_t costOf(const Loop &loop, const LoopSet &unrolled);
	uint64_t costOf(const LoopSet &unrolled);
	void unroll(Loop &loop);

	Function &function;
	LoopInfo &loops;
	ScalarEvolution &evolution;
	DominatorTree &dominators;
	AssumptionCache &assumptions;
	TargetTransformInfo &target;
	OptimizationRemarkEmitter &remarks;
};

/* How often the header runs; 0: not known, or too often. */
unsigned ArrayUnroller::roundsOf(const Loop &loop)
{
	unsigned rounds = evolution.getSmallConstantTripCount(&loop);
	return rounds <= mostRounds ? rounds : 0;
}

bool ArrayUnroller::mayUnroll(const Loop &loop)
{
	const BasicBlock *exiting = loop.getExitingBlock();
	const BasicBlock *latch = loop.getLoopLatch();
	if (!latch || !exiting || (exiting != latch && exiting != loop.getHeader()) ||
	    roundsOf(loop) == 0)
		return false;
	return none_of(loop.blocks(), [](const BasicBlock *block) {
		return any_of(*block, [](const Instruction &instruction) {
			const auto *call = dyn_cast<CallBase>(&instruction);
			return isa<IndirectBrInst, CallBrInst>(instruction) ||
			       (call && (call->cannotDuplicate() || call->isConvergent()));
		});
	});
}

/* The loops that an address steps through; false if it depends on anything else. */
bool ArrayUnroller::addLoopsOf(const SCEV &address, LoopSet &found)
{
	struct Visitor {
		LoopSet &loops;
		bool simple = true;

		bool follow(const SCEV *part)
		{
			if (const auto *step = dyn_cast<SCEVAddRecExpr>(part))
				loops.insert(const_cast<Loop *>(step->getLoop()));
			const auto *unknown = dyn_cast<SCEVUnknown>(part);
			simple &= (!unknown || isa<AllocaInst>(unknown->getValue())) &&
				  !isa<SCEVCouldNotCompute>(part);
			return simple;
		}
		bool isDone() const
		{
			return !simple;
		}
	};
	Visitor visitor{found};
	visitAll(&address, visitor);
	return visitor.simple;
}

/* False if SROA could not make values of the elements even then. */
bool ArrayUnroller::findLoops(const AllocaInst &array, LoopSet &found)
{
	SmallVector<const Value *, 16> work = {&array};
	while (!work.empty()) {
		const Value *pointer = work.pop_back_val();
		for (const User *user : pointer->users()) {
			const auto *load = dyn_cast<LoadInst>(user);
			const auto *store = dyn_cast<StoreInst>(user);
			const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
			if ((load && load->isSimple()) ||
			    (store && store->isSimple() && store->getValueOperand() != pointer) ||
			    (intrinsic &&
			     (intrinsic->isLifetimeStartOrEnd() || isa<MemIntrinsic>(intrinsic))))
				continue;
			const auto *step = dyn_cast<GetElementPtrInst>(user);
			if (!step || step->getType()->isVectorTy() ||
			    !addLoopsOf(*evolution.getSCEV(const_cast<GetElementPtrInst *>(step)),
					found))
				return false;
			work.push_back(step);
		}
	}
	return all_of(found, [&](const Loop *loop) { return mayUnroll(*loop); });
}

uint64_t ArrayUnroller::costOf(const Loop &loop, const LoopSet &unrolled)
{
	uint64_t cost = 0;
	for (const BasicBlock *block : loop.blocks()) {
		if (loops.getLoopFor(block) == &loop)
			cost += block->size();
	}
	for (const Loop *inner : loop)
		cost += costOf(*inner, unrolled);
	return unrolled.contains(const_cast<Loop *>(&loop)) ? cost * roundsOf(loop) : cost;
}

uint64_t ArrayUnroller::costOf(const LoopSet &unrolled)
{
	uint64_t cost = 0;
	for (const Loop *loop : loops)
		cost += costOf(*loop, unrolled);
	return cost;
}

void ArrayUnroller::unroll(Loop &loop)
{
	UnrollLoopOptions options = {};
	options.Count = roundsOf(loop);
	options.Force = true;
	options.ForgetAllSCEV = true;
	simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, true);
	formLCSSARecursively(loop, dominators, &loops, &evolution);
	UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
		   true);
}

bool ArrayUnroller::run()
{
	LoopSet wanted;
	for (Instruction &instruction : function.getEntryBlock()) {
		const auto *array = dyn_cast<AllocaInst>(&instruction);
		LoopSet found;
		if (!array || !array->isStaticAlloca() || !findLoops(*array, found))
			continue;
		found.insert_range(wanted);
		if (costOf(found) <= budget)
			wanted = found;
	}
	if (wanted.empty())
		return false;
	/* Inner ones first: what they become is a part of the outer ones' rounds. */
	SmallVector<Loop *, 8> order(wanted.begin(), wanted.end());
	sort(order,
	     [](const Loop *a, const Loop *b) { return a->getLoopDepth() > b->getLoopDepth(); });
	for (Loop *loop : order)
		unroll(*loop);
	return true;
}

} // namespace

PreservedAnalyses UnrollArraysPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	bool hasBarriers = isKernel(function) && any_of(instructions(function), isBarrier);
	if (!hasBarriers || !ArrayUnroller(function, analyses).run())
		return PreservedAnalyses::all();
	return PreservedAnalyses::none();
}

} // namespace weft
