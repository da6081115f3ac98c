/* SPDX-License-Identifier: MIT
 *
 * Follows what comes around the loop, what it begins with, and what its one test compares.
 */
#include "regions/grid_stride_loops.h"

#include "functions/internal_functions.h"
#include "ir/atomic_updates.h"
#include "ir/id_division.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Operations that a value goes through at most. */
constexpr unsigned mostOperations = 8;

class Recogniser
{
      public:
	explicit Recogniser(Loop &loop) : found({&loop, nullptr, nullptr, 0, nullptr, 0, 64})
	{
	}

	std::optional<GridStrideLoop> run();

      private:
	Value *withoutCasts(Value *value)
	{
		return ::weft::withoutCasts(value, found.bits);
	}
	bool findStep(Value &next);
	bool isSum(const Value &value, unsigned left);
	bool findStart(Value &value);
	bool findCompare(BasicBlock &header);

	GridStrideLoop found;
	unsigned localIds = 0, groupStarts = 0; /* in the start */
};

/* The phi and the size of the range. */
bool Recogniser::findStep(Value &next)
{
	Value *one, *other;
	if (!match(withoutCasts(&next), m_Add(m_Value(one), m_Value(other))))
		return false;
	one = withoutCasts(one);
	other = withoutCasts(other);
	if (one != found.phi)
		std::swap(one, other);
	return one == found.phi && isQueryOf(*other, Query::GlobalSize, found.dimension);
}

/* Truncations and sums are exact modulo a power of two. */
bool Recogniser::isSum(const Value &value, unsigned left)
{
	Value *one, *other;
	if (isQueryOf(value, Query::LocalId, found.dimension)) {
		localIds++;
		return true;
	}
	if (isQueryOf(value, Query::FirstItem, found.dimension)) {
		groupStarts++;
		return true;
	}
	if (left > 0 && match(&value, m_Trunc(m_Value(one))))
		return isSum(*one, left - 1);
	if (left > 0 && match(&value, m_AddLike(m_Value(one), m_Value(other))))
		return isSum(*one, left - 1) && isSum(*other, left - 1);
	return isRangeConstant(value);
}

bool Recogniser::findStart(Value &value)
{
	found.start = withoutCasts(&value);
	for (found.dimension = 0; found.dimension < 3; found.dimension++) {
		localIds = groupStarts = 0;
		if (isSum(*found.start, mostOperations) && localIds == 1 && groupStarts == 1)
			break;
	}
	found.bits = std::min(found.bits, found.start->getType()->getScalarSizeInBits());
	return found.dimension < 3;
}

/* Whether the value is there before the loop, but for extensions and truncations. */
bool isBefore(const Value &value, const Loop &loop)
{
	const auto *instruction = dyn_cast<Instruction>(&value);
	return !instruction || !loop.contains(instruction) ||
	       (isa<CastInst>(instruction) && isBefore(*instruction->getOperand(0), loop));
}

/* The loop goes on while the phi is less than the bound. */
bool Recogniser::findCompare(BasicBlock &header)
{
	auto *branch = dyn_cast<BranchInst>(header.getTerminator());
	auto *compare = branch && branch->isConditional()
				? dyn_cast<ICmpInst>(branch->getCondition())
				: nullptr;
	if (!compare || !found.loop->contains(branch->getSuccessor(0)) ||
	    found.loop->contains(branch->getSuccessor(1)) ||
	    !compare->getOperand(0)->getType()->isIntegerTy())
		return false;
	found.compare = compare;
	found.phiOperand = withoutCasts(compare->getOperand(0)) == found.phi ? 0 : 1;
	const CmpInst::Predicate predicate =
		found.phiOperand == 0 ? compare->getPredicate() : compare->getSwappedPredicate();
	const Value &bound = *compare->getOperand(1 - found.phiOperand);
	return withoutCasts(compare->getOperand(found.phiOperand)) == found.phi &&
	       (ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate)) &&
	       isBefore(bound, *found.loop) && isRangeConstant(bound);
}

std::optional<GridStrideLoop> Recogniser::run()
{
	BasicBlock *header = found.loop->getHeader(), *latch = found.loop->getLoopLatch();
	const BasicBlock *before = found.loop->getLoopPreheader();
	if (!latch || !before || latch == header || found.loop->getExitingBlock() != header ||
	    !hasSingleElement(header->phis()))
		return std::nullopt;
	found.phi = &*header->phis().begin();
	if (!found.phi->getType()->isIntegerTy() ||
	    !findStart(*found.phi->getIncomingValueForBlock(before)) ||
	    !findStep(*found.phi->getIncomingValueForBlock(latch)) || !findCompare(*header))
		return std::nullopt;
	found.bits = std::min(found.bits, found.phi->getType()->getIntegerBitWidth());
	return found.bits >= 32 ? std::optional(found) : std::nullopt;
}

bool isConstant(const Value &value, unsigned left)
{
	if (std::optional<Query> query = queryOf(value))
		return *query == Query::GlobalSize || *query == Query::GlobalOffset ||
		       *query == Query::NumGroups || *query == Query::EnqueuedLocalSize ||
		       *query == Query::WorkDim;
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction)
		return isa<Constant, Argument>(value);
	const auto *load = dyn_cast<LoadInst>(instruction);
	const auto *intrinsic = dyn_cast<IntrinsicInst>(instruction);
	return left > 0 &&
	       (isa<CastInst, BinaryOperator, CmpInst, SelectInst, GetElementPtrInst>(
			instruction) ||
		(load && load->isSimple()) || (intrinsic && intrinsic->doesNotAccessMemory())) &&
	       all_of(instruction->operands(),
		      [&](const Use &use) { return isConstant(*use, left - 1); });
}

/* Where an access lies: `offset` bytes behind the element of the index, of elements of so many bytes; 0: elsewhere. */
struct Place {
	int64_t elementBytes, offset;
};

Place placeOf(const GridStrideLoop &from, Value &pointer, const DataLayout &layout)
{
	const unsigned bits = layout.getIndexTypeSizeInBits(pointer.getType());
	SmallMapVector<Value *, APInt, 4> factors;
	APInt offset(bits, 0);
	Value *at = &pointer;
	while (auto *step = dyn_cast<GEPOperator>(at)) {
		if (!step->collectOffset(layout, bits, factors, offset))
			return {0, 0};
		at = step->getPointerOperand();
	}
	unsigned width = 64;
	if (!isa<Argument>(at) || factors.size() != 1 ||
	    withoutCasts(factors.begin()->first, width) != from.phi || width < 32)
		return {0, 0};
	return {factors.begin()->second.getSExtValue(), offset.getSExtValue()};
}

/* What the loop does with one argument's memory. */
struct Accesses {
	std::optional<Place> place; /* of the first */
	std::optional<AtomicRMWInst::BinOp> update;
	bool isRead = false, isWritten = false;
	bool isScattered = false; /* one is not within the element */
};

class IndependenceCheck
{
      public:
	explicit IndependenceCheck(const GridStrideLoop &theFrom)
	    : from(theFrom), layout(theFrom.phi->getDataLayout())
	{
	}

	bool run();

      private:
	bool add(Instruction &instruction);
	bool addUpdate(const AtomicRMWInst &update);
	void addAccess(Instruction &access);

	const GridStrideLoop &from;
	const DataLayout &layout;
	SmallMapVector<const Value *, Accesses, 8> known;
};

/* Sums of floats are not the same in another order. */
bool IndependenceCheck::addUpdate(const AtomicRMWInst &update)
{
	Accesses &accesses = known[getUnderlyingObject(update.getPointerOperand())];
	const bool isSame = !accesses.update || *accesses.update == update.getOperation();
	accesses.update = update.getOperation();
	return isSame && update.use_empty() && !update.isVolatile() && isCommutative(update);
}

void IndependenceCheck::addAccess(Instruction &access)
{
	Value *pointer = getLoadStorePointerOperand(&access);
	Accesses &accesses = known[getUnderlyingObject(pointer)];
	const Place place = placeOf(from, *pointer, layout);
	const auto size = int64_t(layout.getTypeStoreSize(getLoadStoreType(&access)));
	const bool isStore = isa<StoreInst>(access);
	const bool isWithin = place.elementBytes > 0 && place.offset >= 0 &&
			      place.offset + size <= place.elementBytes;
	if (!accesses.place)
		accesses.place = place;
	accesses.isScattered |= !isWithin || place.elementBytes != accesses.place->elementBytes;
	accesses.isRead |= !isStore;
	accesses.isWritten |= isStore;
}

bool IndependenceCheck::add(Instruction &instruction)
{
	if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
		return addUpdate(*update);
	const auto *load = dyn_cast<LoadInst>(&instruction);
	const auto *store = dyn_cast<StoreInst>(&instruction);
	const bool isSimple = (load && load->isSimple()) || (store && store->isSimple());
	if (isSimple)
		addAccess(instruction);
	return isSimple || !instruction.mayReadOrWriteMemory();
}

/* Memory of unknown origin may be read if it is constant. */
bool IndependenceCheck::run()
{
	for (BasicBlock *block : from.loop->blocks()) {
		if (!all_of(*block, [&](Instruction &instruction) { return add(instruction); }))
			return false;
	}
	return all_of(known, [](const auto &entry) {
		const auto &[object, accesses] = entry;
		const bool isConstant =
			object->getType()->getPointerAddressSpace() == ConstantSpace;
		if (accesses.update)
			return isa<Argument>(object) && !accesses.isRead && !accesses.isWritten;
		return isConstant ||
		       (isa<Argument>(object) && !(accesses.isWritten && accesses.isScattered));
	});
}

} // namespace

bool isRangeConstant(const Value &value)
{
	return isConstant(value, mostOperations);
}

bool areIndependent(const GridStrideLoop &from)
{
	return IndependenceCheck(from).run();
}

std::optional<GridStrideLoop> findGridStride(Loop &loop)
{
	return Recogniser(loop).run();
}

} // namespace weft
