/* SPDX-License-Identifier: MIT
 *
 * hoist-item-loads: goes through the blocks that work-items run first, up to the first that writes what others may see.
 */
#include "lanes/hoist_item_loads.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "lanes/item_guards.h"

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

/* Whether another work-item that wrote what the instruction loads would be a data race. */
bool isParallel(const LoadInst &load)
{
	return load.isSimple() && load.hasMetadata(LLVMContext::MD_access_group) &&
	       isSharedSpace(load.getPointerAddressSpace());
}

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

/* Adds the loads of one place for all work-items of the loop, whose addresses are computed before it then; until something that
 * other work-items may see is written. Returns whether nothing is. */
bool collect(ArrayRef<BasicBlock *> blocks, const ItemLoop &item, Loads &loads)
{
	for (BasicBlock *block : blocks) {
		for (Instruction &instruction : make_early_inc_range(*block)) {
			if (!writesOnlyPrivate(instruction))
				return false;
			auto *load = dyn_cast<LoadInst>(&instruction);
			bool changed = false;
			if (load && isParallel(*load) &&
			    item.loop->makeLoopInvariant(load->getPointerOperand(), changed,
							 item.before->getTerminator()))
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

/* Into a block that runs if `some` is true, before the loop; else zeros are there. */
void moveBehind(Value *some, ArrayRef<LoadInst *> loads, const ItemLoop &item,
		DominatorTree &dominators, LoopInfo &loops)
{
	DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
	Instruction *before = item.before->getTerminator();
	BasicBlock *without = item.before;
	Instruction *end = SplitBlockAndInsertIfThen(some, before->getIterator(), false, nullptr,
						     &updater, &loops);
	IRBuilder<> builder(before->getParent(), before->getParent()->begin());
	for (LoadInst *load : loads) {
		PHINode *loaded = builder.CreatePHI(load->getType(), 2);
		load->moveBefore(end->getIterator());
		load->replaceAllUsesWith(loaded);
		loaded->addIncoming(load, end->getParent());
		loaded->addIncoming(Constant::getNullValue(load->getType()), without);
		loaded->takeName(load);
	}
}

/* The blocks up to the first to which other ways lead, too: it may have been written on these. */
ArrayRef<BasicBlock *> soleWay(ArrayRef<BasicBlock *> blocks)
{
	return blocks.take_while(
		[](const BasicBlock *block) { return block->getSinglePredecessor() != nullptr; });
}

void hoist(const ItemLoop &item, DominatorTree &dominators, LoopInfo &loops)
{
	if (!hasLoadOfOnePlace(item))
		return;
	GuardReader guards(item, loops);
	Loads always, perhaps;
	bool reads = collect(guards.firsts(), item, always);
	for (LoadInst *load : always)
		moveOut(*load, item, readItemNest(item));
	const auto *begin = dyn_cast<ConstantInt>(item.first);
	BranchInst *branch = reads && begin && begin->isZero() ? guards.firstBranch() : nullptr;
	std::optional<Guard> guard = branch ? guards.read(*branch) : std::nullopt;
	if (!guard || !guard->any)
		return;
	collect(soleWay(guards.straightFrom(*guard->inside)), item, perhaps);
	if (!perhaps.empty())
		moveBehind(guard->any, perhaps, item, dominators, loops);
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
			hoist(readItemLoop(*latch, loops), dominators, loops);
	}
	PreservedAnalyses preserved;
	preserved.preserve<DominatorTreeAnalysis>();
	preserved.preserve<LoopAnalysis>();
	return preserved;
}

} // namespace weft
