/* SPDX-License-Identifier: MIT
 *
 * Clamps that matter, and the copy of a block without them.
 */
#include "lanes/clamp_versions.h"

#include "functions/internal_functions.h"
#include "lanes/clamp_tests.h"
#include "lanes/clamps.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostCopied = 2000; /* instructions of a copy */
/* Operations that a test repeats, one after the other. */
constexpr unsigned mostRepeated = 6;
/* Vectors within the bounds, for each at an edge. */
constexpr unsigned insideWeight = 100;
/* Of the branch between two versions. */
constexpr char versionsName[] = "weft.versions";

bool mayBeCopied(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	return !call || (!call->cannotDuplicate() && !call->isConvergent() &&
			 !isa<NoAliasScopeDeclInst>(call));
}

bool takesBits(const Instruction &clamp)
{
	return clamp.getOpcode() == Instruction::And || changesBits(clamp);
}

/* The part of a block from its first clamp that matters to the last access whose place the clamps decide. */
class ClampedPart
{
      public:
	ClampedPart(BasicBlock &theBlock, const LaneShapes &theShapes)
	    : block(theBlock), shapes(theShapes), clamps(theBlock, theShapes)
	{
		for (Instruction &instruction : block)
			findAccess(instruction);
		auto found = find_if(block, [&](const Instruction &instruction) {
			return needed.contains(&instruction);
		});
		if (found == block.end())
			return;
		first = &*found;
		findCommon();
	}

	bool isEmpty() const
	{
		return needed.empty() || !isSmall();
	}

	/* `mayBePoison`: the test. */
	void copy(bool mayBePoison);

      private:
	void findAccess(Instruction &instruction);
	bool isSmall() const;
	void need(const Value *value);
	bool canCompute(const Value *value, unsigned steps = 0) const;
	Value *compute(Value *value, IRBuilder<> &builder);
	Value *test(IRBuilder<> &builder);
	const Clamp *quotientBeside(const Clamp &clamp) const;
	Value *testOf(const Clamp &clamp, IRBuilder<> &builder);
	void findCommon();
	void hoistCommon();
	Value *joined(Instruction &instruction, BasicBlock &inside, ValueToValueMapTy &copies,
		      Instruction &after);
	void join(BasicBlock &inside, ValueToValueMapTy &copies, BasicBlock &after);
	void takeClampOut(const Clamp &clamp, ValueToValueMapTy &copies);

	BasicBlock &block;
	const LaneShapes &shapes;
	BlockClamps clamps;
	DenseSet<const Value *> seen;   /* by need() */
	DenseSet<const Value *> needed; /* clamps that decide where something is accessed */
	DenseMap<const Value *, Value *> computed;
	/* By a clamp that takes or changes bits, or a remainder beside its quotient: what all lanes' numbers lose. */
	DenseMap<const Value *, Value *> takenAway;
	DenseMap<const Value *, LaneTest> quotients; /* that all lanes have */
	DenseMap<const Value *, Value *> known;      /* by joined() */
	Instruction *first = nullptr, *last = nullptr;
	BasicBlock *part = nullptr; /* once it is a block of its own */
};

/* ---- what is there -------------------------------------------------------------------------------------- */

/* Clamps that a value is made of. */
void ClampedPart::need(const Value *value)
{
	const auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || instruction->getParent() != &block || shapes.of(value).isLinear() ||
	    !seen.insert(value).second)
		return;
	if (const Clamp *clamp = clamps.of(value)) {
		needed.insert(value);
		need(clamp->source());
		need(clamp->tested());
		need(clamp->bound());
		return;
	}
	for (const Use &operand : instruction->operands())
		need(operand);
}

void ClampedPart::findAccess(Instruction &instruction)
{
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	if (!pointer || instruction.isVolatile() || instruction.isAtomic() ||
	    shapes.of(pointer).kind != Shape::Varying)
		return;
	const Form form = clamps.formOf(pointer);
	if (form != Form::Linear && (form != Form::Uniform || isa<StoreInst>(instruction)))
		return;
	need(pointer);
	last = &instruction;
}

/* What is computed of loads from one place is in the part, too: it is done once there. */
void ClampedPart::findCommon()
{
	for (Instruction &instruction : make_range(last->getIterator(), block.end())) {
		if (!shapes.of(&instruction).isLinear() && !instruction.getType()->isVoidTy() &&
		    clamps.formOf(&instruction) == Form::Uniform)
			last = &instruction;
	}
}

bool ClampedPart::isSmall() const
{
	unsigned size = 0;
	bool isIn = false;
	for (const Instruction &instruction : block) {
		isIn |= needed.contains(&instruction);
		if (isIn && (++size > mostCopied || !mayBeCopied(instruction)))
			return false;
		if (&instruction == last)
			break;
	}
	return all_of(needed, [&](const Value *value) {
		const Clamp &clamp = *clamps.of(value);
		return canCompute(clamp.tested()) && canCompute(clamp.bound());
	});
}

/* ---- the test ------------------------------------------------------------------------------------------- */

/* Whether it can be known before the part. */
bool ClampedPart::canCompute(const Value *value, unsigned steps) const
{
	const auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || instruction->getParent() != &block || instruction->comesBefore(first))
		return true;
	if (needed.contains(value))
		return canCompute(clamps.of(value)->source(), steps + 1);
	const bool isShared =
		shapes.isUniform(value) && isa<CmpInst, SelectInst, MinMaxIntrinsic>(instruction);
	return steps < mostRepeated && (isShared || isSum(*instruction)) &&
	       all_of(
		       instruction->operands(),
		       [&](const Use &operand) { return canCompute(operand, steps + 1); });
}

/* The value as it is without the clamps. */
Value *ClampedPart::compute(Value *value, IRBuilder<> &builder)
{
	auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || instruction->getParent() != part)
		return value;
	if (Value *done = computed.lookup(value))
		return done;
	if (needed.contains(value)) {
		if (Value *quotient = quotients.lookup(value).quotient)
			return quotient;
		Value *source = compute(clamps.of(value)->source(), builder);
		Value *taken = takenAway.lookup(value);
		return computed[value] = taken ? builder.CreateSub(source, taken) : source;
	}
	Instruction *copy = instruction->clone();
	copy->dropPoisonGeneratingAnnotations();
	for (Use &operand : copy->operands())
		operand.set(compute(operand, builder));
	return computed[value] = builder.Insert(copy);
}

/* Of a remainder: the quotient of the same numbers, if that decides where something is accessed, too. NULL: there is none. */
const Clamp *ClampedPart::quotientBeside(const Clamp &clamp) const
{
	const unsigned operation = clamp.place->getOpcode() == Instruction::URem
					   ? Instruction::UDiv
					   : Instruction::SDiv;
	if (!clamp.place->isIntDivRem())
		return nullptr;
	for (auto &[value, other] : clamps.list()) {
		if (needed.contains(value) && other.place->getOpcode() == operation &&
		    other.source() == clamp.source() && other.bound() == clamp.bound())
			return &other;
	}
	return nullptr;
}

/* NULL: nothing more than what has been tested. */
Value *ClampedPart::testOf(const Clamp &clamp, IRBuilder<> &builder)
{
	const bool isWhole = isQuotient(*clamp.place);
	const Clamp *quotient = isWhole ? &clamp : quotientBeside(clamp);
	Value *number = compute(clamp.tested(), builder), *bound = compute(clamp.bound(), builder);
	if (takesBits(*clamp.place)) {
		LaneTest test = testOfBits(*clamp.place, *number, *bound, shapes.lanes(), builder);
		takenAway[clamp.place] = test.base;
		return test.holds;
	}
	if (!quotient)
		return testOfOrder(clamp.predicate, *number, *bound, builder);
	LaneTest &test = quotients[quotient->place];
	const bool isKnown = test.holds != nullptr;
	if (!isKnown)
		test = testOfQuotient(*quotient->place, *number, *bound, builder);
	if (!isWhole)
		takenAway[clamp.place] = test.base;
	return isKnown ? nullptr : test.holds;
}

Value *ClampedPart::test(IRBuilder<> &builder)
{
	Value *all = nullptr;
	for (auto &[value, clamp] : clamps.list()) {
		if (!needed.contains(value))
			continue;
		Value *inside = testOf(clamp, builder);
		if (inside)
			all = all ? builder.CreateAnd(all, inside) : inside;
	}
	return all;
}

/* ---- the copy ------------------------------------------------------------------------------------------- */

/* Moves sums that no clamp decides in front of the part: what comes from either of two ways is linear no more. */
void ClampedPart::hoistCommon()
{
	DenseSet<const Value *> staying = {first};
	for (Instruction &instruction : make_early_inc_range(
		     make_range(std::next(first->getIterator()), last->getIterator()))) {
		const bool isPlace = isSum(instruction) || queryOf(instruction) ||
				     isa<GetElementPtrInst, MinMaxIntrinsic>(instruction);
		if (isPlace && !needed.contains(&instruction) &&
		    none_of(instruction.operands(),
			    [&](const Use &operand) { return staying.contains(operand); }))
			instruction.moveBefore(first->getIterator());
		else
			staying.insert(&instruction);
	}
}

/* What the part computes comes from either. An address is computed again, from numbers that do, so that it may still be tested whether
 * the lanes' are neighbours. */
Value *ClampedPart::joined(Instruction &instruction, BasicBlock &inside, ValueToValueMapTy &copies,
			   Instruction &after)
{
	if (Value *done = known.lookup(&instruction))
		return done;
	const bool isAddress = isa<GetElementPtrInst, SExtInst, ZExtInst>(instruction);
	if (!isAddress || needed.contains(&instruction)) {
		PHINode *phi =
			PHINode::Create(instruction.getType(), 2, "", after.getParent()->begin());
		phi->addIncoming(&instruction, part);
		phi->addIncoming(copies[&instruction], &inside);
		return known[&instruction] = phi;
	}
	Instruction *copy = instruction.clone();
	for (Use &use : copy->operands()) {
		auto *operand = dyn_cast<Instruction>(use);
		if (operand && operand->getParent() == part)
			use.set(joined(*operand, inside, copies, after));
	}
	copy->insertBefore(after.getIterator());
	return known[&instruction] = copy;
}

void ClampedPart::join(BasicBlock &inside, ValueToValueMapTy &copies, BasicBlock &after)
{
	Instruction &start = *after.getFirstInsertionPt();
	for (Instruction &instruction : *part) {
		if (!instruction.isUsedOutsideOfBlock(part))
			continue;
		Value *either = joined(instruction, inside, copies, start);
		instruction.replaceUsesWithIf(either, [&](const Use &use) {
			return use.getUser() != either &&
			       cast<Instruction>(use.getUser())->getParent() != part;
		});
	}
}

/* In the copy, a clamp is its source, or what is left of it. */
void ClampedPart::takeClampOut(const Clamp &clamp, ValueToValueMapTy &copies)
{
	auto *copied = cast<Instruction>(copies[clamp.place]);
	Value *source = clamp.source();
	if (Value *quotient = quotients.lookup(clamp.place).quotient)
		source = quotient;
	else if (Value *taken = takenAway.lookup(clamp.place))
		source = BinaryOperator::CreateSub(source, taken, "", copied->getIterator());
	else if (Value *copy = copies.lookup(source))
		source = copy;
	copies[clamp.place] = source;
	copied->eraseFromParent();
}

void ClampedPart::copy(bool mayBePoison)
{
	hoistCommon();
	BasicBlock *after = SplitBlock(&block, last->getNextNode());
	part = SplitBlock(&block, first);
	ValueToValueMapTy copies;
	BasicBlock *inside = CloneBasicBlock(part, copies, ".inside", block.getParent());
	inside->moveBefore(after);
	IRBuilder<> builder(block.getTerminator());
	Value *isInside = test(builder);
	if (mayBePoison)
		isInside = builder.CreateFreeze(isInside);
	for (auto &[value, clamp] : clamps.list()) {
		if (needed.contains(value))
			takeClampOut(clamp, copies);
	}
	for (Instruction &instruction : *inside)
		RemapInstruction(&instruction, copies,
				 RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
	BranchInst *choice = builder.CreateCondBr(isInside, inside, part);
	choice->setMetadata(LLVMContext::MD_prof,
			    MDBuilder(block.getContext()).createBranchWeights(insideWeight, 1));
	choice->setMetadata(versionsName, MDNode::get(block.getContext(), {}));
	block.getTerminator()->eraseFromParent();
	join(*inside, copies, *after);
}

bool mayHaveClamps(const ItemLoop &item)
{
	return any_of(item.loop->blocks(), [](const BasicBlock *block) {
		return any_of(*block, [](const Instruction &instruction) {
			return isa<MinMaxIntrinsic, SelectInst>(instruction) ||
			       wrapsAround(instruction) || changesBits(instruction) ||
			       isQuotient(instruction) ||
			       match(&instruction, m_Intrinsic<Intrinsic::abs>());
		});
	});
}

/* As SPIR-V allows it. Where lanes do not run nothing else is poison, and where they run they access memory by it. */
bool mayShiftTooFar(const Function &function)
{
	return any_of(instructions(function), [&](const Instruction &instruction) {
		return instruction.isShift() &&
		       computeKnownBits(instruction.getOperand(1), function.getDataLayout())
			       .getMaxValue()
			       .uge(instruction.getType()->getScalarSizeInBits());
	});
}

bool makeVersions(const ItemLoop &item, const DominatorTree &dominators, const LoopInfo &loops,
		  unsigned width)
{
	if (!mayHaveClamps(item))
		return false;
	const LaneShapes shapes(item, loops, dominators, width);
	if (!shapes.isValid())
		return false;
	std::vector<ClampedPart> parts;
	for (BasicBlock *block : shapes.blocks()) {
		ClampedPart part(*block, shapes);
		if (!part.isEmpty())
			parts.push_back(std::move(part));
	}
	const bool mayBePoison = !parts.empty() && mayShiftTooFar(*item.header->getParent());
	for (ClampedPart &part : parts)
		part.copy(mayBePoison);
	return !parts.empty();
}

} // namespace

void makeClampVersions(MutableArrayRef<ItemLoop> items, DominatorTree &dominators, LoopInfo &loops,
		       unsigned width)
{
	bool changed = false;
	/* A latch that is split is another block afterwards. */
	SmallVector<Instruction *, 8> backs;
	for (const ItemLoop &item : items) {
		backs.push_back(item.latch->getTerminator());
		changed |= makeVersions(item, dominators, loops, width);
	}
	if (!changed)
		return;
	dominators.recalculate(*items.front().header->getParent());
	loops.releaseMemory();
	loops.analyze(dominators);
	for (auto [item, back] : zip_equal(items, backs))
		item = readItemLoop(*back->getParent(), loops);
}

ClampVersion clampVersionOf(const BasicBlock &block)
{
	const BasicBlock *before = block.getSinglePredecessor();
	if (!before || !before->getTerminator()->hasMetadata(versionsName))
		return ClampVersion::None;
	return before->getTerminator()->getSuccessor(0) == &block ? ClampVersion::Inside
								  : ClampVersion::General;
}

void chooseGeneralVersions(Function &function)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!isLanesBetween(instruction) && !isFirstLane(instruction))
			continue;
		instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
		instruction.eraseFromParent();
	}
}

} // namespace weft
