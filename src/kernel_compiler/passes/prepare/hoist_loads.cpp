/* SPDX-License-Identifier: MIT
 *
 * hoist-loads: which loads no store of the loop may reach (loop_accesses.h), and what may be loaded early.
 */
#include "prepare/hoist_loads.h"

#include "functions/internal_functions.h"
#include "kernel/argument_layout.h"
#include "prepare/loop_accesses.h"

#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostHoisted = 8;  /* of a loop: they take registers */
constexpr size_t mostPairs = 4096; /* of a load and a store that are compared */

class LoopHoister
{
      public:
	LoopHoister(Loop &theLoop, LoopAnalyses &analyses, TargetLibraryInfo &theLibrary)
	    : loop(theLoop), known(analyses), library(theLibrary)
	{
	}

	bool run()
	{
		if (!loop.getLoopPredecessor() || !collect() || loads.empty() ||
		    loads.size() * stores.size() > mostPairs)
			return false;
		SimpleLoopSafetyInfo safety;
		safety.computeLoopSafetyInfo(&loop);
		SmallVector<LoadInst *, 8> moved;
		for (LoadInst *load : loads) {
			if (moved.size() < mostHoisted && isSafe(*load, safety) &&
			    none_of(stores, [&](StoreInst *store) {
				    return mayMeet(*load, *store, known.aliases, known.evolution);
			    }))
				moved.push_back(load);
		}
		return !moved.empty() && hoist(moved);
	}

      private:
	/* False if anything but plain stores may write to memory. */
	bool collect()
	{
		for (BasicBlock *block : loop.blocks()) {
			for (Instruction &instruction : *block) {
				auto *load = dyn_cast<LoadInst>(&instruction);
				auto *store = dyn_cast<StoreInst>(&instruction);
				auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
				if (store && store->isSimple())
					stores.push_back(store);
				else if (instruction.mayWriteToMemory() &&
					 !(intrinsic && intrinsic->isAssumeLikeIntrinsic()))
					return false;
				if (load && load->isSimple() &&
				    isSharedSpace(load->getPointerAddressSpace()) &&
				    isOnePlace(*load->getPointerOperand()))
					loads.push_back(load);
			}
		}
		return true;
	}

	/* The address may be computed in the loop. */
	bool isOnePlace(Value &pointer) const
	{
		return loop.isLoopInvariant(&pointer) ||
		       known.evolution.isLoopInvariant(known.evolution.getSCEV(&pointer), &loop);
	}

	/* The loop may have no iteration, or one without the load. LLVM looks at the first iteration from the loop's
	 * preheader, which must be there. */
	bool isSafe(LoadInst &load, const LoopSafetyInfo &safety) const
	{
		if (loop.getLoopPreheader() &&
		    safety.isGuaranteedToExecute(load, &known.dominators, &loop))
			return true;
		return loop.isLoopInvariant(load.getPointerOperand()) &&
		       isSafeToLoadUnconditionally(load.getPointerOperand(), load.getType(),
						   load.getAlign(), load.getDataLayout(),
						   loop.getLoopPredecessor()->getTerminator(),
						   &known.assumptions, &known.dominators, &library);
	}

	bool hoist(ArrayRef<LoadInst *> moved)
	{
		BasicBlock *before = loop.getLoopPreheader();
		bool changed = !before;
		if (!before)
			before = InsertPreheaderForLoop(&loop, &known.dominators, &known.loops,
							nullptr, false);
		for (LoadInst *load : moved) {
			if (!loop.makeLoopInvariant(load->getPointerOperand(), changed,
						    before->getTerminator(), nullptr,
						    &known.evolution))
				continue;
			changed = true;
			load->dropUBImplyingAttrsAndMetadata();
			load->moveBefore(before->getTerminator()->getIterator());
			known.evolution.forgetValue(load);
		}
		known.evolution.forgetTopmostLoop(&loop);
		known.evolution.forgetBlockAndLoopDispositions();
		return changed;
	}

	Loop &loop;
	LoopAnalyses &known;
	TargetLibraryInfo &library;
	SmallVector<LoadInst *, 8> loads;
	SmallVector<StoreInst *, 8> stores;
};

} // namespace

PreservedAnalyses HoistLoadsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	if (loops.empty())
		return PreservedAnalyses::all();
	LoopAnalyses known = loopAnalyses(function, analyses);
	auto &library = analyses.getResult<TargetLibraryAnalysis>(function);
	bool changed = false;
	/* Inner loops first: what leaves them may leave those around them, too. */
	SmallVector<Loop *, 4> all = loops.getLoopsInPreorder();
	for (Loop *loop : reverse(all))
		changed |= LoopHoister(*loop, known, library).run();
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft
