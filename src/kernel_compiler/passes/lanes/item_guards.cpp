/* SPDX-License-Identifier: MIT
 *
 * A limit is a 64-bit number with which the id along x is compared, whatever is added to it and to however many bits it is cut.
 */
#include "lanes/item_guards.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostJunctions = 6;

/* The two conditions both of which must be `wanted` for the value to be. */
std::optional<std::pair<Value *, Value *>> readJunction(Value *value, bool wanted)
{
	Value *first = nullptr, *second = nullptr;
	const bool isJunction = wanted ? match(value, m_LogicalAnd(m_Value(first), m_Value(second)))
				       : match(value, m_LogicalOr(m_Value(first), m_Value(second)));
	return isJunction ? std::optional(std::pair(first, second)) : std::nullopt;
}

} // namespace

bool isUnseen(const Instruction &instruction)
{
	const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	return !instruction.mayHaveSideEffects() ||
	       (intrinsic && intrinsic->isAssumeLikeIntrinsic());
}

bool doesNothing(const BasicBlock *block)
{
	return all_of(*block, isUnseen);
}

GuardReader::GuardReader(const ItemLoop &theItem, const LoopInfo &theLoops)
    : builder(theItem.before->getTerminator()), item(theItem), loops(theLoops),
      firstBlocks(straightFrom(*theItem.header))
{
}

SmallVector<BasicBlock *, 4> GuardReader::straightFrom(BasicBlock &first) const
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

BranchInst *GuardReader::firstBranch() const
{
	auto *branch = dyn_cast<BranchInst>(firstBlocks.back()->getTerminator());
	const bool parts = branch && firstBlocks.back() != item.latch && branch->isConditional() &&
			   !item.loop->isLoopInvariant(branch->getCondition());
	return parts ? branch : nullptr;
}

std::optional<Guard> GuardReader::read(BranchInst &branch)
{
	Value *condition = branch.getCondition();
	auto *test = dyn_cast<ICmpInst>(condition);
	bool isTrueInside = test ? isUpperBound(*test) : readJunction(condition, true).has_value();
	if (!test && !isTrueInside && !readJunction(condition, false))
		return std::nullopt;
	Reading reading = {
		{builder.getInt64(0), item.size, branch.getSuccessor(isTrueInside ? 0 : 1),
		 branch.getSuccessor(isTrueInside ? 1 : 0), builder.getTrue(), builder.getTrue()},
		0,
		false};
	narrow(reading, condition, isTrueInside, mostJunctions);
	return reading.guard.limit == item.size ? std::nullopt : std::optional(reading.guard);
}

std::optional<Cut> GuardReader::readCut()
{
	BranchInst *branch = firstBranch();
	std::optional<Guard> guard = branch ? read(*branch) : std::nullopt;
	if (!guard || !guard->exact || !all_of(firstBlocks, doesNothing))
		return std::nullopt;
	SmallVector<BasicBlock *, 4> outside = straightFrom(*guard->outside);
	if (outside.back() != item.latch || !all_of(outside, doesNothing))
		return std::nullopt;
	return Cut{guard->limit, guard->exact, branch, guard->inside};
}

/* Leaves the ids for which the condition may be `wanted`. Junctions within each other are read `depth` deep. */
void GuardReader::narrow(Reading &reading, Value *condition, bool wanted, unsigned depth)
{
	Guard &guard = reading.guard;
	if (Value *known = beforeLoop(condition)) {
		Value *isSo = wanted ? known : builder.CreateNot(known);
		guard.limit = builder.CreateSelect(isSo, guard.limit, builder.getInt64(0));
		guard.any = guard.any ? builder.CreateAnd(guard.any, isSo) : nullptr;
		return;
	}
	auto *test = dyn_cast<ICmpInst>(condition);
	if (test && (isUpperBound(*test) == wanted) && narrow(reading, *test))
		return;
	const auto both = depth > 0 ? readJunction(condition, wanted) : std::nullopt;
	if (!both) {
		guard.exact = guard.any = nullptr;
		return;
	}
	narrow(reading, both->first, wanted, depth - 1);
	narrow(reading, both->second, wanted, depth - 1);
}

/* Whether the comparison with the id on its left side is true up to some id, or for one. */
bool GuardReader::isUpperBound(const ICmpInst &test) const
{
	CmpInst::Predicate predicate = predicateOfId(test);
	return ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate) ||
	       predicate == CmpInst::ICMP_EQ;
}

CmpInst::Predicate GuardReader::predicateOfId(const ICmpInst &test) const
{
	return item.loop->isLoopInvariant(test.getOperand(0)) ? test.getSwappedPredicate()
							      : test.getPredicate();
}

/* By one comparison of the id. Where ids wrap around they pass in two parts, and what passes two such tests is not known. */
bool GuardReader::narrow(Reading &reading, ICmpInst &test)
{
	Guard &guard = reading.guard;
	CmpInst::Predicate predicate = predicateOfId(test);
	Value *left = test.getOperand(0), *right = test.getOperand(1);
	if (item.loop->isLoopInvariant(left))
		std::swap(left, right);
	bool includesLimit = predicate == CmpInst::ICMP_EQ || predicate == CmpInst::ICMP_NE ||
			     ICmpInst::isLE(predicate) || ICmpInst::isGT(predicate);
	std::optional<Limit> limit = limitOf(left, right, predicate);
	if (!limit)
		return false;
	reading.wraps |= limit->small != nullptr;
	reading.numTests++;
	if (includesLimit || (reading.wraps && reading.numTests > 1))
		guard.any = nullptr;
	if (guard.any)
		guard.any = builder.CreateAnd(guard.any,
					      limit->small ? limit->any
							   : builder.CreateIsNotNull(limit->value));
	Value *end = builder.CreateBinaryIntrinsic(Intrinsic::umin, limit->value, guard.limit);
	if (ICmpInst::isEquality(predicate))
		guard.first = end;
	if (includesLimit)
		end = builder.CreateNUWAdd(end, builder.getInt64(1));
	guard.limit = end;
	if (includesLimit)
		guard.exact = nullptr;
	if (guard.exact && limit->small)
		guard.exact = builder.CreateAnd(limit->small, guard.exact);
	return true;
}

Value *GuardReader::beforeLoop(Value *value)
{
	return makeInvariant(value) ? builder.CreateFreeze(value) : nullptr;
}

bool GuardReader::makeInvariant(Value *value)
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
bool GuardReader::isLoadedFirst(LoadInst &load) const
{
	const auto *at = find_if(
		firstBlocks, [&](const BasicBlock *block) { return block == load.getParent(); });
	if (at == firstBlocks.end() || !load.isSimple() ||
	    !load.hasMetadata(LLVMContext::MD_access_group) ||
	    !std::all_of(firstBlocks.begin(), at, doesNothing))
		return false;
	return std::all_of((*at)->begin(), load.getIterator(), isUnseen);
}

/* Whether the value is the id, truncated or extended to any type: the id is smaller than what these hold. */
bool GuardReader::isId(const Value *value) const
{
	const auto *cast = dyn_cast<CastInst>(value);
	if (value == item.x)
		return true;
	return cast && isa<TruncInst, SExtInst, ZExtInst>(cast) &&
	       cast->getType()->getScalarSizeInBits() >= 32 && isId(cast->getOperand(0));
}

/* What is added to the id, if the value is that and its sums do not wrap: 64 bits. */
Value *GuardReader::addedTo(Value *sum)
{
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

/* By the other operand of a comparison of an id, possibly plus a number. */
std::optional<GuardReader::Limit> GuardReader::limitOf(Value *left, Value *right,
						       CmpInst::Predicate predicate)
{
	Value *id = nullptr, *offset = nullptr;
	unsigned bits = right->getType()->getScalarSizeInBits();
	bool isShifted = !isId(left);
	if (!right->getType()->isIntegerTy() || bits > 64)
		return std::nullopt;
	if (isShifted && bits == 64 && !CmpInst::isSigned(predicate)) {
		Value *added = addedTo(left);
		if (!added || !(right = beforeLoop(right)))
			return std::nullopt;
		return Limit{builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, right, added),
			     nullptr, nullptr};
	}
	const bool isSum = bits == 32 && match(left, m_NSWAdd(m_Value(id), m_Value(offset)));
	if (isShifted && !isSum)
		return ICmpInst::isEquality(predicate)
			       ? std::nullopt
			       : limitOfCut(left, right, CmpInst::isSigned(predicate));
	if (isShifted && !CmpInst::isSigned(predicate))
		return std::nullopt;
	if (isShifted && isId(offset))
		std::swap(id, offset);
	if ((isShifted && !isId(id)) || !(right = beforeLoop(right)) ||
	    (isShifted && !(offset = beforeLoop(offset))))
		return std::nullopt;
	if (!CmpInst::isSigned(predicate))
		return Limit{builder.CreateZExt(right, builder.getInt64Ty()), nullptr, nullptr};
	right = builder.CreateSExt(right, builder.getInt64Ty());
	if (isShifted)
		right = builder.CreateSub(right, builder.CreateSExt(offset, builder.getInt64Ty()));
	return Limit{builder.CreateBinaryIntrinsic(Intrinsic::smax, right, builder.getInt64(0)),
		     nullptr, nullptr};
}

/* Of the id plus a number, cut to 32 bits or taken as a number with a sign: `(int)get_global_id(0) < n`. It may wrap around, to the
 * least number, unless all ids are small. */
std::optional<GuardReader::Limit> GuardReader::limitOfCut(Value *left, Value *right, bool isSigned)
{
	auto *type = cast<IntegerType>(right->getType());
	auto *cut = dyn_cast<TruncInst>(left);
	const unsigned bits = type->getBitWidth();
	Value *sum = cut ? cut->getOperand(0) : left;
	if (!sum->getType()->isIntegerTy(64) || (bits != 32 && bits != 64))
		return std::nullopt;
	Value *added = addedTo(sum);
	if (!added || !(right = beforeLoop(right)))
		return std::nullopt;
	Value *zero = builder.getInt64(0);
	Value *end = builder.CreateAdd(added, item.size);
	const uint64_t mostEnd = uint64_t(1) << (isSigned ? bits - 1 : bits);
	Value *wide = builder.CreateIntCast(right, builder.getInt64Ty(), isSigned);
	Value *below = builder.CreateSelect(builder.CreateICmpSGT(wide, added),
					    builder.CreateSub(wide, added), zero);
	Value *areSmall = builder.CreateICmpULE(end, builder.getInt64(mostEnd));
	const CmpInst::Predicate less = isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
	Value *first = builder.CreateTrunc(added, type);
	Value *last = builder.CreateTrunc(builder.CreateSub(end, builder.getInt64(1)), type);
	Value *wraps = builder.CreateICmp(less, last, first);
	if (bits < 64)
		wraps = builder.CreateOr(
			wraps, builder.CreateIsNotNull(builder.CreateLShr(item.size, bits)));
	const APInt least = isSigned ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
	Value *passesLeast = builder.CreateICmpNE(right, ConstantInt::get(type, least));
	Value *any = builder.CreateOr(builder.CreateICmp(less, first, right),
				      builder.CreateAnd(wraps, passesLeast));
	return Limit{builder.CreateSelect(areSmall, below, item.size), areSmall, any};
}

} // namespace weft
