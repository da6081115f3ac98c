/* SPDX-License-Identifier: MIT
 *
 * unroll-for-sroa: an array is worth it when all of its addresses are constants but for the iterations of such loops, and what such
 * iterations look up in tables of constants, and the loops with all that is in them stay within a budget.
 */
#include "prepare/unroll_for_sroa.h"

#include "functions/internal_functions.h"
#include "prepare/constant_tables.h"
#include "prepare/loop_unroller.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostIterationsUnrolled = 64;
/* Instructions that all loops of a kernel come to when some are unrolled. A tile of 16x16 complex products has 4,000. */
constexpr uint64_t budgetWithBarriers = 8000;
/* Without barriers an array lies in memory as vectors of lanes, and LLVM may still unroll what is small. */
constexpr uint64_t budgetWithoutBarriers = 1500;

using LoopSet = SmallSetVector<Loop *, 4>;

class ArrayUnroller : LoopUnroller
{
      public:
	using LoopUnroller::LoopUnroller;
	bool run(uint64_t budget);

      private:
	bool findLoops(const AllocaInst &array, LoopSet &found);
	bool addLoopsOf(const SCEV &address, LoopSet &found);
	uint64_t costOf(const Loop &loop, const LoopSet &unrolled);
	uint64_t costOf(const LoopSet &unrolled);
};

/* The loops that an address steps through, also in what it looks up in tables; false if it depends on anything else. */
bool ArrayUnroller::addLoopsOf(const SCEV &address, LoopSet &found)
{
	struct Visitor {
		LoopSet &loops;
		SmallSetVector<const LoadInst *, 4> lookups;
		bool simple = true;

		bool follow(const SCEV *part)
		{
			if (const auto *step = dyn_cast<SCEVAddRecExpr>(part))
				loops.insert(const_cast<Loop *>(step->getLoop()));
			simple &= !isa<SCEVCouldNotCompute>(part);
			if (const auto *unknown = dyn_cast<SCEVUnknown>(part))
				add(*unknown->getValue());
			return simple;
		}
		void add(const Value &value)
		{
			const auto *load = dyn_cast<LoadInst>(&value);
			if (load && isLookup(*load))
				lookups.insert(load);
			else
				simple &= isa<AllocaInst, GlobalVariable>(value);
		}
		bool isDone() const
		{
			return !simple;
		}
	};
	Visitor visitor{found, {}};
	visitAll(&address, visitor);
	for (unsigned i = 0; visitor.simple && i < visitor.lookups.size(); i++) {
		const Value *place = visitor.lookups[i]->getPointerOperand();
		visitAll(evolution.getSCEV(const_cast<Value *>(place)), visitor);
	}
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
	return all_of(found, [&](const Loop *loop) {
		return roundsOf(*loop, mostIterationsUnrolled) > 0 && mayCopy(*loop, false);
	});
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
	return unrolled.contains(const_cast<Loop *>(&loop))
		       ? cost * roundsOf(loop, mostIterationsUnrolled)
		       : cost;
}

uint64_t ArrayUnroller::costOf(const LoopSet &unrolled)
{
	uint64_t cost = 0;
	for (const Loop *loop : loops)
		cost += costOf(*loop, unrolled);
	return cost;
}

bool ArrayUnroller::run(uint64_t budget)
{
	const bool isChanged = readConstantTables(function);
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
		return isChanged;
	/* Inner ones first: what they become is a part of the outer ones' iterations. */
	SmallVector<Loop *, 8> order(wanted.begin(), wanted.end());
	sort(order,
	     [](const Loop *a, const Loop *b) { return a->getLoopDepth() > b->getLoopDepth(); });
	for (Loop *loop : order)
		unroll(*loop);
	return true;
}

} // namespace

PreservedAnalyses UnrollForSroaPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	const bool hasBarriers = any_of(instructions(function), isBarrier);
	if (onlyWithBarriers && !hasBarriers)
		return PreservedAnalyses::all();
	if (!ArrayUnroller(function, analyses)
		     .run(hasBarriers ? budgetWithBarriers : budgetWithoutBarriers))
		return PreservedAnalyses::all();
	return PreservedAnalyses::none();
}

} // namespace weft
