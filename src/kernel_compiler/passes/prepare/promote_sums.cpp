/* SPDX-License-Identifier: MIT
 *
 * promote-sums: finds the places, makes a version of the loop where that is needed, then promotes each place.
 */
#include "prepare/promote_sums.h"

#include "functions/internal_functions.h"
#include "kernel/apart.h"
#include "kernel_abi.h"
#include "prepare/loop_accesses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostAccesses = 64;     /* of a loop: they are compared in pairs */
constexpr size_t mostCopied = 200;      /* instructions of a loop that gets two versions */
constexpr unsigned rotationBudget = 16; /* instructions that rotation copies */
constexpr unsigned mostBlocksBack = 4;  /* in which a store before the loop is looked for */

/* The loads and stores of one place. */
struct SumPlace {
	SmallVector<Instruction *, 4> accesses;
	bool isLoaded = false, isAlwaysStored = false;
};

/* Two versions may be needed to know that they do not meet. */
enum class Meeting { Never, UnlessApart, Perhaps };

class PlacePromoter : public LoadAndStorePromoter
{
      public:
	PlacePromoter(ArrayRef<const Instruction *> accesses, SSAUpdater &updater, Value *thePlace,
		      BasicBlock *theExit, Align theAlign)
	    : LoadAndStorePromoter(accesses, updater), place(thePlace), exit(theExit),
	      align(theAlign)
	{
	}

	void doExtraRewritesBeforeFinalDeletion() override
	{
		new StoreInst(SSA.GetValueInMiddleOfBlock(exit), place, false, align,
			      exit->getFirstInsertionPt());
	}

      private:
	Value *place;
	BasicBlock *exit;
	Align align;
};

class SumPromoter
{
      public:
	SumPromoter(Loop &theLoop, LoopAnalyses &analyses, const TargetTransformInfo &theTarget)
	    : loop(theLoop), known(analyses), target(theTarget)
	{
	}

	bool run()
	{
		if (!find())
			return false;
		simplifyLoop(&loop, &known.dominators, &known.loops, &known.evolution,
			     &known.assumptions, nullptr, false);
		/* A loop that may not run becomes one that runs behind a guard. */
		if (needsRotation() && !(rotate() && find()))
			return true;
		keepInvariant();
		if (places.empty())
			return true;
		if (asksApart)
			makeVersion();
		formDedicatedExitBlocks(&loop, &known.dominators, &known.loops, nullptr, false);
		for (auto &[pointer, place] : places)
			promote(pointer, place);
		known.evolution.forgetTopmostLoop(&loop);
		known.evolution.forgetBlockAndLoopDispositions();
		return true;
	}

      private:
	/* The places that can be promoted; false without any. */
	bool find()
	{
		places.clear();
		accesses.clear();
		asksApart = false;
		BasicBlock *exiting = loop.getExitingBlock(), *latch = loop.getLoopLatch();
		if (!loop.getLoopPredecessor() || !loop.getUniqueExitBlock() || !latch ||
		    (exiting != latch && exiting != loop.getHeader()) || !collect())
			return false;
		for (Instruction *access : accesses)
			add(*access, *latch);
		places.remove_if([&](auto &entry) { return !canPromote(entry.second); });
		return !places.empty();
	}

	/* False if anything but plain accesses may read or write memory. */
	bool collect()
	{
		for (BasicBlock *block : loop.blocks()) {
			for (Instruction &instruction : *block) {
				auto *load = dyn_cast<LoadInst>(&instruction);
				auto *store = dyn_cast<StoreInst>(&instruction);
				auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
				if ((load && load->isSimple()) || (store && store->isSimple()))
					accesses.push_back(&instruction);
				else if (instruction.mayReadOrWriteMemory() &&
					 !(intrinsic && intrinsic->isAssumeLikeIntrinsic()))
					return false;
			}
		}
		return accesses.size() <= mostAccesses;
	}

	void add(Instruction &access, const BasicBlock &latch)
	{
		Value *pointer = getLoadStorePointerOperand(&access);
		const unsigned space = pointer->getType()->getPointerAddressSpace();
		if ((space != GlobalSpace && space != LocalSpace) ||
		    !known.evolution.isLoopInvariant(known.evolution.getSCEV(pointer), &loop))
			return;
		SumPlace &place = places[pointer];
		place.accesses.push_back(&access);
		place.isLoaded |= isa<LoadInst>(access);
		place.isAlwaysStored |= isa<StoreInst>(access) &&
					known.dominators.dominates(access.getParent(), &latch);
	}

	bool canPromote(const SumPlace &place)
	{
		if (!place.isLoaded || !place.isAlwaysStored)
			return false;
		Instruction &first = *place.accesses.front();
		if (any_of(place.accesses, [&](const Instruction *access) {
			    return getLoadStoreType(access) != getLoadStoreType(&first);
		    }))
			return false;
		bool asks = false;
		for (Instruction *access : accesses) {
			if (is_contained(place.accesses, access))
				continue;
			const Meeting meeting = meetingOf(first, *access);
			if (meeting == Meeting::Perhaps)
				return false;
			asks |= meeting == Meeting::UnlessApart;
		}
		if (asks && instructionsOf() > mostCopied)
			return false;
		asksApart |= asks;
		return true;
	}

	size_t instructionsOf() const
	{
		size_t count = 0;
		for (const BasicBlock *block : loop.blocks())
			count += block->size();
		return count;
	}

	/* The kernel's argument that leads to global memory. */
	static const Argument *argumentOf(const Instruction &access)
	{
		const Value *pointer = getLoadStorePointerOperand(&access);
		const auto *argument = dyn_cast<Argument>(getUnderlyingObject(pointer, 0));
		const unsigned space = pointer->getType()->getPointerAddressSpace();
		return space == GlobalSpace || space == ConstantSpace ? argument : nullptr;
	}

	Meeting meetingOf(Instruction &fixed, Instruction &other)
	{
		if (!mayMeet(fixed, other, known.aliases, known.evolution))
			return Meeting::Never;
		const Argument *one = argumentOf(fixed), *another = argumentOf(other);
		return one && another && one != another ? Meeting::UnlessApart : Meeting::Perhaps;
	}

	/* Whether the loop may not run, and the place was not stored before: then it must be neither loaded nor stored. */
	bool needsRotation()
	{
		return loop.getExitingBlock() != loop.getLoopLatch() &&
		       !all_of(places,
			       [&](const auto &entry) { return isStoredBefore(entry.second); });
	}

	/* Whether it is stored as a whole, and nothing has told other work-items since. */
	bool isStoredBefore(const SumPlace &place) const
	{
		Instruction &access = *place.accesses.front();
		const Value *pointer = getLoadStorePointerOperand(&access);
		const Type *type = getLoadStoreType(&access);
		const BasicBlock *block = loop.getLoopPreheader();
		for (unsigned i = 0; block && i < mostBlocksBack; i++) {
			for (const Instruction &instruction : reverse(*block)) {
				const auto *store = dyn_cast<StoreInst>(&instruction);
				const bool isSimple = store && store->isSimple();
				if (isSimple && store->getPointerOperand() == pointer &&
				    store->getValueOperand()->getType() == type)
					return true;
				if (!isSimple && instruction.mayWriteToMemory())
					return false;
			}
			block = block->getSinglePredecessor();
		}
		return false;
	}

	bool rotate()
	{
		const SimplifyQuery query(loop.getHeader()->getDataLayout());
		if (!LoopRotation(&loop, &known.loops, &target, &known.assumptions,
				  &known.dominators, &known.evolution, nullptr, query, true,
				  rotationBudget, true))
			return false;
		simplifyLoop(&loop, &known.dominators, &known.loops, &known.evolution,
			     &known.assumptions, nullptr, false);
		return true;
	}

	/* Computes the addresses before the loop, and forgets places whose address cannot be. */
	void keepInvariant()
	{
		Instruction *end = loop.getLoopPreheader()->getTerminator();
		places.remove_if([&](const auto &entry) {
			bool changed = false;
			return !loop.makeLoopInvariant(entry.first, changed, end, nullptr,
						       &known.evolution);
		});
	}

	/* before → the loop, or its copy, which stays as it is → behind */
	void makeVersion()
	{
		formLCSSA(loop, known.dominators, &known.loops, &known.evolution);
		BasicBlock *before = loop.getLoopPreheader();
		BasicBlock *preheader = SplitBlock(before, before->getTerminator(),
						   &known.dominators, &known.loops);
		BasicBlock *exit = loop.getUniqueExitBlock(), *exiting = loop.getExitingBlock();
		ValueToValueMapTy map;
		SmallVector<BasicBlock *, 8> blocks;
		cloneLoopWithPreheader(preheader, before, &loop, map, ".shared", &known.loops,
				       &known.dominators, blocks);
		remapInstructionsInBlocks(blocks, map);
		for (PHINode &phi : exit->phis()) {
			Value *value = phi.getIncomingValueForBlock(exiting);
			Value *copy = map.lookup(value);
			phi.addIncoming(copy ? copy : value, cast<BasicBlock>(map[exiting]));
		}
		IRBuilder<> builder(before->getTerminator());
		builder.CreateCondBr(createApart(builder), preheader,
				     cast<BasicBlock>(map[preheader]));
		before->getTerminator()->eraseFromParent();
		known.dominators.changeImmediateDominator(exit, before);
		addKernelFlag(*before->getParent(), WEFT_KERNEL_ASKS_APART);
	}

	void promote(Value *pointer, const SumPlace &place)
	{
		Align align = getLoadStoreAlignment(place.accesses.front());
		for (const Instruction *access : place.accesses)
			align = std::min(align, getLoadStoreAlignment(access));
		BasicBlock *before = loop.getLoopPreheader();
		auto *first = new LoadInst(getLoadStoreType(place.accesses.front()), pointer, "sum",
					   false, align, before->getTerminator()->getIterator());
		SmallVector<const Instruction *, 4> named(place.accesses.begin(),
							  place.accesses.end());
		SmallVector<Instruction *, 4> all = place.accesses;
		SSAUpdater updater;
		PlacePromoter promoter(named, updater, pointer, loop.getUniqueExitBlock(), align);
		updater.AddAvailableValue(before, first);
		promoter.run(all);
	}

	Loop &loop;
	LoopAnalyses &known;
	const TargetTransformInfo &target;
	SmallVector<Instruction *, 16> accesses;
	MapVector<Value *, SumPlace> places;
	bool asksApart = false;
};

} // namespace

PreservedAnalyses PromoteSumsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	if (loops.empty())
		return PreservedAnalyses::all();
	LoopAnalyses known = loopAnalyses(function, analyses);
	auto &target = analyses.getResult<TargetIRAnalysis>(function);
	bool changed = false;
	for (Loop *loop : loops.getLoopsInPreorder()) {
		if (loop->isInnermost())
			changed |= SumPromoter(*loop, known, target).run();
	}
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft
