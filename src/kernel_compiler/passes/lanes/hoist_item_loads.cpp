/* SPDX-License-Identifier: MIT
 *
 * hoist-item-loads: goes through the blocks that work-items run first, up to the first that writes what others may see. A loop among
 * them is moved as it is, and what stands behind it is looked at again.
 */
#include "lanes/hoist_item_loads.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "lanes/item_guards.h"
#include "lanes/uniform_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

using Loads = SmallVector<LoadInst *, 4>;

/* What differs between work-items, as far as it is computed. */
SmallPtrSet<const Value *, 32> varyingOf(const ItemLoop &item)
{
	SmallPtrSet<const Value *, 32> varying = {item.x};
	SmallVector<const Value *, 16> pending = {item.x};
	while (!pending.empty()) {
		for (const User *user : pending.pop_back_val()->users()) {
			if (varying.insert(user).second)
				pending.push_back(user);
		}
	}
	return varying;
}

bool hasLoadOfOnePlace(const ItemLoop &item)
{
	const SmallPtrSet<const Value *, 32> varying = varyingOf(item);
	return any_of(item.loop->blocks(), [&](const BasicBlock *block) {
		return any_of(*block, [&](const Instruction &instruction) {
			const auto *load = dyn_cast<LoadInst>(&instruction);
			return load && isParallel(*load) &&
			       !varying.contains(load->getPointerOperand());
		});
	});
}

/* Whether the instruction writes a work-item's own variables, if anything. */
bool writesOnlyPrivate(const Instruction &instruction)
{
	const auto *store = dyn_cast<StoreInst>(&instruction);
	const auto *memory = dyn_cast<MemIntrinsic>(&instruction);
	const Value *to = store && store->isSimple()        ? store->getPointerOperand()
			  : memory && !memory->isVolatile() ? memory->getDest()
							    : nullptr;
	return isUnseen(instruction) || (to && isa<AllocaInst>(getUnderlyingObject(to)));
}

/* Adds the loads of one place for all work-items of the loop, whose addresses are computed before `end` then; until something that
 * other work-items may see is written. Returns whether nothing is. */
bool collect(ArrayRef<BasicBlock *> blocks, const ItemLoop &item, Instruction &end, Loads &loads)
{
	for (BasicBlock *block : blocks) {
		for (Instruction &instruction : make_early_inc_range(*block)) {
			if (!writesOnlyPrivate(instruction))
				return false;
			auto *load = dyn_cast<LoadInst>(&instruction);
			bool changed = false;
			if (load && isParallel(*load) &&
			    item.loop->makeLoopInvariant(load->getPointerOperand(), changed, &end))
				loads.push_back(load);
		}
	}
	return true;
}

/* Before the item loop; and before the loops along y and z around it, if the place is the same for these, too. */
void moveOut(LoadInst &load, const ItemLoop &item, const ItemNest &nest)
{
	Instruction *end = item.before->getTerminator();
	bool changed = false;
	if (nest.before && nest.z &&
	    item.loop->getParentLoop()->getParentLoop()->makeLoopInvariant(
		    load.getPointerOperand(), changed, nest.before->getTerminator()))
		end = nest.before->getTerminator();
	load.moveBefore(end->getIterator());
}

class ItemHoister
{
      public:
	ItemHoister(BasicBlock &latch, DominatorTree &theDominators, LoopInfo &theLoops)
	    : dominators(theDominators), loops(theLoops), item(readItemLoop(latch, theLoops))
	{
	}
	void run();

      private:
	bool hoistFirsts();
	void hoistGuarded(const GuardReader &guards, const Guard &guard);
	bool moveLoopBehind(BasicBlock &block, Instruction &end);
	void moveBeforeGuard(ArrayRef<BasicBlock *> region, BasicBlock &without);
	void mergeOptional(BasicBlock &with, BasicBlock &without);

	DominatorTree &dominators;
	LoopInfo &loops;
	ItemLoop item;
};

/* False: behind the block is no loop that all work-items run alike. */
bool ItemHoister::moveLoopBehind(BasicBlock &block, Instruction &end)
{
	Loop *loop = loopBehind(block, item, loops);
	if (!loop || !makeUniform(*loop, item, end))
		return false;
	moveLoop(*loop, block, item, end, dominators, loops);
	item = readItemLoop(*item.latch, loops);
	return true;
}

/* What every work-item does first. Returns whether none has written anything before the branch behind that. */
bool ItemHoister::hoistFirsts()
{
	BasicBlock *last = nullptr;
	do {
		const GuardReader guards(item, loops);
		Loads loads;
		const bool reads =
			collect(guards.firsts(), item, *item.before->getTerminator(), loads);
		for (LoadInst *load : loads)
			moveOut(*load, item, readItemNest(item));
		if (!reads)
			return false;
		last = guards.firsts().back();
	} while (moveLoopBehind(*last, *item.before->getTerminator()));
	return true;
}

/* The blocks up to the first to which other ways lead, too: it may have been written on these. */
ArrayRef<BasicBlock *> soleWay(ArrayRef<BasicBlock *> blocks)
{
	return blocks.take_while(
		[](const BasicBlock *block) { return block->getSinglePredecessor() != nullptr; });
}

/* What needs nothing that runs behind the guard alone: work-items that it does not let pass may take it, too. */
void ItemHoister::moveBeforeGuard(ArrayRef<BasicBlock *> region, BasicBlock &without)
{
	Instruction *end = without.getTerminator();
	for (BasicBlock *block : region) {
		if (loops.getLoopFor(block) != loops.getLoopFor(&without))
			continue;
		for (Instruction &value : make_early_inc_range(*block)) {
			if (!value.mayReadFromMemory() && isSafeToSpeculativelyExecute(&value) &&
			    all_of(value.operands(), [&](const Use &operand) {
				    return dominators.dominates(operand.get(), end);
			    }))
				value.moveBefore(end->getIterator());
		}
	}
}

/* Of what the blocks compute from `with` on to the one before the item loop: zeros are there if they have not run, on the way
 * from `without`. */
void ItemHoister::mergeOptional(BasicBlock &with, BasicBlock &without)
{
	IRBuilder<> builder(item.before, item.before->begin());
	SmallSetVector<BasicBlock *, 8> region;
	region.insert(&with);
	BasicBlock *last = nullptr;
	for (unsigned i = 0; i < region.size(); i++) {
		for (BasicBlock *next : successors(region[i])) {
			if (next == item.before)
				last = region[i];
			else
				region.insert(next);
		}
	}
	moveBeforeGuard(region.getArrayRef(), without);
	auto isInLoop = [&](const Use &use) {
		return item.loop->contains(cast<Instruction>(use.getUser()));
	};
	for (BasicBlock *block : region) {
		for (Instruction &value : *block) {
			if (none_of(value.uses(), isInLoop))
				continue;
			PHINode *phi = builder.CreatePHI(value.getType(), 2);
			value.replaceUsesWithIf(phi, isInLoop);
			phi->addIncoming(&value, last);
			phi->addIncoming(Constant::getNullValue(value.getType()), &without);
			phi->takeName(&value);
		}
	}
}

/* What the work-items do first that the guard lets pass, if there are any. */
void ItemHoister::hoistGuarded(const GuardReader &guards, const Guard &guard)
{
	Instruction *start = item.before->getTerminator(), *end = start;
	BasicBlock *with = nullptr, *without = item.before;
	for (;;) {
		const SmallVector<BasicBlock *, 4> blocks = guards.straightFrom(*guard.inside);
		const ArrayRef<BasicBlock *> way = soleWay(blocks);
		Loads loads;
		const bool goesOn = collect(way, item, *end, loads) && !way.empty() &&
				    way.size() == blocks.size();
		const Loop *loop = goesOn ? loopBehind(*way.back(), item, loops) : nullptr;
		if (loads.empty() && !(loop && makeUniform(*loop, item, *end)))
			break;
		if (!with) {
			DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
			end = SplitBlockAndInsertIfThen(guard.any, start->getIterator(), false,
							nullptr, &updater, &loops);
			with = end->getParent();
			item = readItemLoop(*item.latch, loops);
		}
		for (LoadInst *load : loads)
			load->moveBefore(end->getIterator());
		if (!loop || !moveLoopBehind(*way.back(), *end))
			break;
	}
	if (with)
		mergeOptional(*with, *without);
}

void ItemHoister::run()
{
	if (!hasLoadOfOnePlace(item) || !hoistFirsts())
		return;
	GuardReader guards(item, loops);
	const auto *begin = dyn_cast<ConstantInt>(item.first);
	BranchInst *branch = begin && begin->isZero() ? guards.firstBranch() : nullptr;
	std::optional<Guard> guard = branch ? guards.read(*branch) : std::nullopt;
	if (guard && guard->any)
		hoistGuarded(guards, *guard);
}

} // namespace

PreservedAnalyses HoistItemLoadsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const SmallVector<BasicBlock *, 4> latches = markedLatches(function);
	/* A sub-group's functions stay in the loop, where lanes are. */
	if (!isKernel(function) || latches.empty() ||
	    getKernelNumber(function, subgroupsAttribute) > 0)
		return PreservedAnalyses::all();
	auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	for (BasicBlock *latch : latches) {
		const Loop *loop = loops.getLoopFor(latch);
		if (loop && loop->getExitingBlock() == latch && loop->getLoopPredecessor())
			ItemHoister(*latch, dominators, loops).run();
	}
	PreservedAnalyses preserved;
	preserved.preserve<DominatorTreeAnalysis>();
	preserved.preserve<LoopAnalysis>();
	return preserved;
}

} // namespace weft
