/* SPDX-License-Identifier: MIT
 *
 * For each block, the ids between which work-items do more from there on than what is the same for all. Where all work-items
 * branch alike, the condition chooses between the bounds of both ways. Where ids below a limit go one way, the bounds are the
 * limit and those of the other way. A store that is the same for all (which region comes next) is made by those that run.
 */
#include "lanes/item_bounds.h"

#include "ir/internal_functions.h"
#include "ir/variables.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

using namespace llvm;

namespace weft
{

bool isUnseen(const Instruction &instruction)
{
	const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	return !instruction.mayHaveSideEffects() ||
	       (intrinsic && intrinsic->isAssumeLikeIntrinsic());
}

namespace
{

constexpr unsigned mostJunctions = 6;

/* From the first id that has something to do to the one after the last. */
struct Bounds {
	Value *begin, *end;
};

/* A branch that takes work-items with ids from `first` on, and below `limit`, to `inside`, others to `outside`.
 * `isExact`: none of these others to `inside`. */
struct Guard {
	Value *first, *limit;
	BasicBlock *inside, *outside;
	bool isExact;
};

/* Work-items from `limit` on do nothing at all, by this branch, the first in the loop; others go on to `inside`. */
struct Cut {
	Value *limit;
	BranchInst *branch;
	BasicBlock *inside;
};

class BoundFinder
{
      public:
	BoundFinder(const ItemLoop &theItem, const LoopInfo &theLoops)
	    : item(theItem), loops(theLoops), builder(theItem.before->getTerminator()),
	      firsts(straightFrom(*item.header))
	{
	}

	/* What is not known is all work-items. */
	Bounds find()
	{
		return from(*item.header);
	}

	/* Nothing where some work-items may have to do something beside those that the first branch lets pass. */
	std::optional<Cut> findCut()
	{
		std::optional<Guard> guard = findFirstGuard();
		if (!guard || !all_of(firsts, doesNothing))
			return std::nullopt;
		SmallVector<BasicBlock *, 4> outside = straightFrom(*guard->outside);
		if (outside.back() != item.latch || !all_of(outside, doesNothing))
			return std::nullopt;
		return Cut{guard->limit, cast<BranchInst>(firsts.back()->getTerminator()),
			   guard->inside};
	}

	FirstBlocks findFirst()
	{
		FirstBlocks first = {firsts, {}, nullptr};
		std::optional<Guard> guard = findFirstGuard();
		if (!guard)
			return first;
		first.limit = guard->limit;
		/* What other ways lead to may have been written on these. */
		for (BasicBlock *block : straightFrom(*guard->inside)) {
			if (!block->getSinglePredecessor())
				break;
			first.some.push_back(block);
		}
		return first;
	}

      private:
	/* By the branch behind the first blocks, if none but the work-items below its limit go inside. */
	std::optional<Guard> findFirstGuard()
	{
		auto *branch = dyn_cast<BranchInst>(firsts.back()->getTerminator());
		if (firsts.back() == item.latch || !branch || branch->isUnconditional() ||
		    item.loop->isLoopInvariant(branch->getCondition()))
			return std::nullopt;
		std::optional<Guard> guard = readGuard(*branch);
		return guard && guard->isExact ? guard : std::nullopt;
	}

	/* The blocks that follow from each other from this one on. */
	SmallVector<BasicBlock *, 4> straightFrom(BasicBlock &first) const
	{
		SmallVector<BasicBlock *, 4> blocks = {&first};
		while (blocks.back() != item.latch && blocks.back()->getSingleSuccessor()) {
			BasicBlock *next = blocks.back()->getSingleSuccessor();
			if (loops.getLoopFor(next) != item.loop)
				break;
			blocks.push_back(next);
		}
		return blocks;
	}

	Bounds all()
	{
		return {builder.getInt64(0), item.size};
	}

	bool isAll(const Bounds &bound) const
	{
		return bound.end == item.size;
	}

	Bounds from(BasicBlock &block)
	{
		if (&block == item.latch)
			return doesTheSame(block) ? Bounds{item.size, builder.getInt64(0)} : all();
		auto found = bounds.find(&block);
		if (found != bounds.end())
			return found->second;
		bounds[&block] = all();
		Bounds bound = loops.getLoopFor(&block) == item.loop && doesTheSame(block)
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

	static bool doesNothing(const BasicBlock *block)
	{
		return all_of(*block, isUnseen);
	}

	static bool doesTheSame(const BasicBlock &block)
	{
		return all_of(block, [](const Instruction &instruction) {
			return isUnseen(instruction) || isShared(instruction);
		});
	}

	Bounds behind(Instruction &end)
	{
		auto *branch = dyn_cast<BranchInst>(&end);
		if (!branch)
			return all();
		if (branch->isUnconditional())
			return from(*branch->getSuccessor(0));
		if (Value *condition = beforeLoop(branch->getCondition())) {
			Bounds first = from(*branch->getSuccessor(0));
			return chosen(condition, first, from(*branch->getSuccessor(1)));
		}
		std::optional<Guard> guard = readGuard(*branch);
		return guard ? behind(*guard) : all();
	}

	/* A work-item outside the guard need not run if it only stores what others store too. */
	Bounds behind(const Guard &guard)
	{
		Bounds outside = from(*guard.outside);
		bool isStored = !storesShared(*guard.outside) || isPassed(guard);
		if (isAll(outside) || !isStored)
			return all();
		Value *begin =
			builder.CreateBinaryIntrinsic(Intrinsic::umin, guard.first, outside.begin);
		return {begin,
			builder.CreateBinaryIntrinsic(Intrinsic::umax, guard.limit, outside.end)};
	}

	/* The value is moved to before the loop if it can be. */
	Value *beforeLoop(Value *value)
	{
		return makeInvariant(value) ? builder.CreateFreeze(value) : nullptr;
	}

	bool makeInvariant(Value *value)
	{
		bool changed = false;
		Instruction *end = item.before->getTerminator();
		auto *load = dyn_cast<LoadInst>(value);
		if (!load || item.loop->isLoopInvariant(load))
			return item.loop->makeLoopInvariant(value, changed, end);
		if (!isLoadedFirst(*load) ||
		    !item.loop->makeLoopInvariant(load->getPointerOperand(), changed, end))
			return false;
		load->moveBefore(end->getIterator());
		return true;
	}

	/* Each work-item loads it before it does anything else, and none writes what another one loads. */
	bool isLoadedFirst(LoadInst &load) const
	{
		const auto *at = find_if(
			firsts, [&](const BasicBlock *block) { return block == load.getParent(); });
		if (at == firsts.end() || !load.isSimple() ||
		    !load.hasMetadata(LLVMContext::MD_access_group) ||
		    !std::all_of(firsts.begin(), at, doesNothing))
			return false;
		return std::all_of((*at)->begin(), load.getIterator(), isUnseen);
	}

	Bounds chosen(Value *condition, const Bounds &first, const Bounds &second)
	{
		if (isAll(first) && isAll(second))
			return all();
		return {builder.CreateSelect(condition, first.begin, second.begin),
			builder.CreateSelect(condition, first.end, second.end)};
	}

	/* Whether the value is the id, truncated or extended to any type: the id is smaller than what these hold. */
	bool isId(const Value *value) const
	{
		const auto *cast = dyn_cast<CastInst>(value);
		if (value == item.x)
			return true;
		return cast && isa<TruncInst, SExtInst, ZExtInst>(cast) &&
		       cast->getType()->getScalarSizeInBits() >= 32 && isId(cast->getOperand(0));
	}

	/* What is added to the id, if the value is that and its sums do not wrap: 64 bits. */
	Value *addedTo(Value *sum)
	{
		using namespace PatternMatch;
		Value *left = nullptr, *right = nullptr;
		if (isId(sum))
			return builder.getInt64(0);
		if (!match(sum, m_NUWAdd(m_Value(left), m_Value(right))) ||
		    !sum->getType()->isIntegerTy(64))
			return nullptr;
		Value *rest = addedTo(left);
		Value *added = beforeLoop(rest ? right : left);
		if (!rest)
			rest = addedTo(right);
		return rest && added ? builder.CreateAdd(rest, added) : nullptr;
	}

	/* The other operand of a comparison of an id, possibly plus a number, as a 64-bit number that is compared with the
	 * id alone. */
	Value *limitOf(Value *left, Value *right, CmpInst::Predicate predicate)
	{
		using namespace PatternMatch;
		Value *id = nullptr, *offset = nullptr;
		unsigned bits = right->getType()->getScalarSizeInBits();
		bool isShifted = !isId(left);
		if (!right->getType()->isIntegerTy() || bits > 64)
			return nullptr;
		if (isShifted && bits == 64 && !CmpInst::isSigned(predicate)) {
			Value *added = addedTo(left);
			if (!added || !(right = beforeLoop(right)))
				return nullptr;
			return builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, right, added);
		}
		if (isShifted && (bits != 32 || !CmpInst::isSigned(predicate) ||
				  !match(left, m_NSWAdd(m_Value(id), m_Value(offset)))))
			return nullptr;
		if (isShifted && isId(offset))
			std::swap(id, offset);
		if ((isShifted && !isId(id)) || !(right = beforeLoop(right)) ||
		    (isShifted && !(offset = beforeLoop(offset))))
			return nullptr;
		if (!CmpInst::isSigned(predicate))
			return builder.CreateZExt(right, builder.getInt64Ty());
		right = builder.CreateSExt(right, builder.getInt64Ty());
		if (isShifted)
			right = builder.CreateSub(right,
						  builder.CreateSExt(offset, builder.getInt64Ty()));
		return builder.CreateBinaryIntrinsic(Intrinsic::smax, right, builder.getInt64(0));
	}

	/* A comparison of the id is a guard of one of its ways, several conditions of which all must hold are one of the way
	 * where they do: `a && b` of the first way, `a || b` of the second. */
	std::optional<Guard> readGuard(BranchInst &branch)
	{
		Value *condition = branch.getCondition();
		auto *test = dyn_cast<ICmpInst>(condition);
		bool isTrueInside =
			test ? isUpperBound(*test) : readJunction(condition, true).has_value();
		if (!test && !isTrueInside && !readJunction(condition, false))
			return std::nullopt;
		Guard guard = {builder.getInt64(0), item.size,
			       branch.getSuccessor(isTrueInside ? 0 : 1),
			       branch.getSuccessor(isTrueInside ? 1 : 0), true};
		narrow(guard, condition, isTrueInside, mostJunctions);
		return guard.limit == item.size ? std::nullopt : std::optional(guard);
	}

	/* The two conditions both of which must be `wanted` for the value to be. */
	static std::optional<std::pair<Value *, Value *>> readJunction(Value *value, bool wanted)
	{
		using namespace PatternMatch;
		Value *first = nullptr, *second = nullptr;
		const bool isJunction =
			wanted ? match(value, m_LogicalAnd(m_Value(first), m_Value(second)))
			       : match(value, m_LogicalOr(m_Value(first), m_Value(second)));
		return isJunction ? std::optional(std::pair(first, second)) : std::nullopt;
	}

	/* Leaves the ids for which the condition may be `wanted`. Junctions within each other are read `depth` deep. */
	void narrow(Guard &guard, Value *condition, bool wanted, unsigned depth)
	{
		if (Value *known = beforeLoop(condition)) {
			Value *none = builder.getInt64(0);
			guard.limit = wanted ? builder.CreateSelect(known, guard.limit, none)
					     : builder.CreateSelect(known, none, guard.limit);
			return;
		}
		auto *test = dyn_cast<ICmpInst>(condition);
		if (test && (isUpperBound(*test) == wanted) && narrow(guard, *test))
			return;
		const auto both = depth > 0 ? readJunction(condition, wanted) : std::nullopt;
		if (!both) {
			guard.isExact = false;
			return;
		}
		narrow(guard, both->first, wanted, depth - 1);
		narrow(guard, both->second, wanted, depth - 1);
	}

	/* Whether the comparison with the id on its left side is true up to some id, or for one. */
	bool isUpperBound(const ICmpInst &test) const
	{
		CmpInst::Predicate predicate = predicateOfId(test);
		return ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate) ||
		       predicate == CmpInst::ICMP_EQ;
	}

	CmpInst::Predicate predicateOfId(const ICmpInst &test) const
	{
		return item.loop->isLoopInvariant(test.getOperand(0)) ? test.getSwappedPredicate()
								      : test.getPredicate();
	}

	/* By one comparison of the id. */
	bool narrow(Guard &guard, ICmpInst &test)
	{
		CmpInst::Predicate predicate = predicateOfId(test);
		Value *left = test.getOperand(0), *right = test.getOperand(1);
		if (item.loop->isLoopInvariant(left))
			std::swap(left, right);
		bool includesLimit = predicate == CmpInst::ICMP_EQ ||
				     predicate == CmpInst::ICMP_NE || ICmpInst::isLE(predicate) ||
				     ICmpInst::isGT(predicate);
		Value *limit = limitOf(left, right, predicate);
		if (!limit)
			return false;
		limit = builder.CreateBinaryIntrinsic(Intrinsic::umin, limit, guard.limit);
		if (ICmpInst::isEquality(predicate))
			guard.first = limit;
		if (includesLimit)
			limit = builder.CreateNUWAdd(limit, builder.getInt64(1));
		guard.limit = limit;
		guard.isExact = guard.isExact && !includesLimit;
		return true;
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
	IRBuilder<> builder;
	SmallVector<BasicBlock *, 4> firsts; /* what each work-item does first, up to a branch */
	DenseMap<const BasicBlock *, Bounds> bounds;
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

FirstBlocks findFirstBlocks(const ItemLoop &item, const LoopInfo &loops)
{
	return BoundFinder(item, loops).findFirst();
}

void cutItems(ItemLoop &item, DominatorTree &dominators, LoopInfo &loops)
{
	std::optional<Cut> cut = BoundFinder(item, loops).findCut();
	if (!cut || isa<PHINode>(item.after->front()))
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

} // namespace weft
