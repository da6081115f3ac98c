/* SPDX-License-Identifier: MIT
 *
 * For each block, the ids between which work-items do more from there on than what is the same for all. Where all work-items
 * branch alike, the condition chooses between the bounds of both ways. Where ids below a limit go one way, the bounds are the
 * limit and those of the other way. A store that is the same for all (which region comes next) is made by those that run.
 */
#include "lanes/item_bounds.h"

#include "functions/internal_functions.h"
#include "ir/variables.h"
#include "lanes/item_guards.h"
#include "lanes/loop_forms.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* From the first id that has something to do to the one after the last. */
struct ActiveItems {
	Value *begin, *end;
};

class BoundFinder
{
      public:
	BoundFinder(const ItemLoop &theItem, const LoopInfo &theLoops)
	    : item(theItem), loops(theLoops), guards(theItem, theLoops), builder(guards.builder)
	{
	}

	/* What is not known is all work-items. */
	ActiveItems find()
	{
		return from(*item.header);
	}

      private:
	ActiveItems all()
	{
		return {builder.getInt64(0), item.size};
	}

	bool isAll(const ActiveItems &bound) const
	{
		return bound.end == item.size;
	}

	ActiveItems from(BasicBlock &block)
	{
		if (&block == item.latch)
			return doesTheSame(block) ? ActiveItems{item.size, builder.getInt64(0)}
						  : all();
		auto found = bounds.find(&block);
		if (found != bounds.end())
			return found->second;
		bounds[&block] = all();
		ActiveItems bound = loops.getLoopFor(&block) == item.loop && doesTheSame(block)
					    ? behind(*block.getTerminator())
					    : all();
		return bounds[&block] = bound;
	}

	/* A store of what every work-item would store. */
	static bool isShared(const Instruction &instruction)
	{
		const auto *store = dyn_cast<StoreInst>(&instruction);
		const auto *variable =
			store ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
		return variable && store->isSimple() && !isPrivate(*variable) &&
		       none_of(variable->users(),
			       [](const User *user) { return isOnceCall(*user); });
	}

	static bool doesTheSame(const BasicBlock &block)
	{
		return all_of(block, [](const Instruction &instruction) {
			return isUnseen(instruction) || isShared(instruction);
		});
	}

	ActiveItems behind(Instruction &end)
	{
		auto *branch = dyn_cast<BranchInst>(&end);
		if (!branch)
			return all();
		if (branch->isUnconditional())
			return from(*branch->getSuccessor(0));
		if (Value *condition = guards.beforeLoop(branch->getCondition())) {
			ActiveItems first = from(*branch->getSuccessor(0));
			return chosen(condition, first, from(*branch->getSuccessor(1)));
		}
		std::optional<Guard> guard = guards.read(*branch);
		return guard ? behind(*guard) : all();
	}

	/* A work-item outside the guard need not run if it only stores what others store too. */
	ActiveItems behind(const Guard &guard)
	{
		ActiveItems outside = from(*guard.outside);
		bool isStored = !storesShared(*guard.outside) || isPassed(guard);
		if (isAll(outside) || !isStored)
			return all();
		Value *begin =
			builder.CreateBinaryIntrinsic(Intrinsic::umin, guard.first, outside.begin);
		return {begin,
			builder.CreateBinaryIntrinsic(Intrinsic::umax, guard.limit, outside.end)};
	}

	ActiveItems chosen(Value *condition, const ActiveItems &first, const ActiveItems &second)
	{
		if (isAll(first) && isAll(second))
			return all();
		return {builder.CreateSelect(condition, first.begin, second.begin),
			builder.CreateSelect(condition, first.end, second.end)};
	}

	/* Whether something is stored on a way from the block, which is known to end. */
	bool storesShared(BasicBlock &start) const
	{
		SmallPtrSet<BasicBlock *, 8> seen;
		return !reachable(start, nullptr, seen) ||
		       any_of(seen, [](BasicBlock *block) { return any_of(*block, isShared); });
	}

	/* Whether those inside the guard come to where the others are, too. */
	bool isPassed(const Guard &guard) const
	{
		SmallPtrSet<BasicBlock *, 8> seen;
		return guard.outside != guard.inside &&
		       !reachable(*guard.inside, guard.outside, seen);
	}

	/* Collects the blocks from `start` on without `avoided`; whether the loop's end is reached. */
	bool reachable(BasicBlock &start, const BasicBlock *avoided,
		       SmallPtrSetImpl<BasicBlock *> &seen) const
	{
		SmallVector<BasicBlock *, 8> pending = {&start};
		bool reached = false;
		while (!pending.empty()) {
			BasicBlock *block = pending.pop_back_val();
			reached |= block == item.latch;
			if (block == item.latch || block == avoided || !seen.insert(block).second)
				continue;
			append_range(pending, successors(block));
		}
		return reached;
	}

	const ItemLoop &item;
	const LoopInfo &loops;
	GuardReader guards;
	IRBuilder<> &builder;
	DenseMap<const BasicBlock *, ActiveItems> bounds;
};

/* Up to the loop's first work-item and after its last one there are blocks for it alone. */
void jumpOver(ItemLoop &item, DominatorTree &dominators, LoopInfo &loops)
{
	BasicBlock *before = item.before, *after = item.after;
	item.before = SplitBlock(before, before->getTerminator(), &dominators, &loops);
	item.after = SplitEdge(item.latch, after, &dominators, &loops);
	Instruction *end = before->getTerminator();
	IRBuilder<> builder(end);
	builder.CreateCondBr(builder.CreateICmpULT(item.first, item.size), item.before, after);
	end->eraseFromParent();
	dominators.insertEdge(before, after);
}

} // namespace

void boundItems(ItemLoop &item, const LoopInfo &loops, unsigned width, bool beginsLater)
{
	BoundFinder finder(item, loops);
	auto [begin, bound] = finder.find();
	if (bound == item.size)
		return;
	IRBuilder<> builder(item.before->getTerminator());
	Value *mask = builder.getInt64(~uint64_t(width - 1));
	/* No more than there are: the sum does not wrap. */
	bound = builder.CreateBinaryIntrinsic(Intrinsic::umin, bound, item.size);
	bound = builder.CreateBinaryIntrinsic(Intrinsic::umax, bound, builder.getInt64(1));
	bound = builder.CreateAnd(builder.CreateNUWAdd(bound, builder.getInt64(width - 1)), mask);
	bound = builder.CreateBinaryIntrinsic(Intrinsic::umin, bound, item.size, nullptr,
					      "items.busy");
	auto *branch = cast<BranchInst>(item.latch->getTerminator());
	cast<ICmpInst>(branch->getCondition())->setOperand(1, bound);
	item.size = bound;
	if (!beginsLater)
		return;
	/* If no work-item has anything to do, the first `width` run. */
	Value *isLate = builder.CreateICmpULT(begin, bound);
	begin = builder.CreateSelect(isLate, builder.CreateAnd(begin, mask), item.first,
				     "items.first");
	item.x->setIncomingValueForBlock(item.before, begin);
	item.first = begin;
}

void cutItems(ItemLoop &item, DominatorTree &dominators, LoopInfo &loops)
{
	std::optional<Cut> cut = GuardReader(item, loops).readCut();
	if (!cut || !match(cut->exact, m_One()) || isa<PHINode>(item.after->front()))
		return;
	IRBuilder<> builder(item.before->getTerminator());
	item.size = builder.CreateBinaryIntrinsic(Intrinsic::umin, cut->limit, item.size, nullptr,
						  "items.some");
	cast<ICmpInst>(cast<BranchInst>(item.latch->getTerminator())->getCondition())
		->setOperand(1, item.size);
	bool isFirst = cut->branch->getSuccessor(0) == cut->inside;
	cut->branch->setCondition(builder.getInt1(isFirst));
	jumpOver(item, dominators, loops);
}

void boundScalarLoops(Function &function, FunctionAnalysisManager &analyses)
{
	straightenLoops(function, analyses);
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	for (ItemLoop &item : prepareItemLoops(function, dominators, loops))
		boundItems(item, loops, 1, true);
	analyses.invalidate(function, PreservedAnalyses::none());
}

} // namespace weft
