/* SPDX-License-Identifier: MIT
 *
 * Clamps that matter, and the copy of a block without them.
 */
#include "lanes/clamp_versions.h"

#include "functions/internal_functions.h"
#include "lanes/clamps.h"

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
		if (found != block.end())
			first = &*found;
	}

	bool isEmpty() const
	{
		return needed.empty() || !isSmall();
	}

	void copy();

      private:
	void findAccess(Instruction &instruction);
	bool isSmall() const;
	void need(const Value *value);
	bool canCompute(const Value *value, unsigned steps = 0) const;
	Value *compute(Value *value, IRBuilder<> &builder);
	Value *testOf(const Clamp &clamp, IRBuilder<> &builder);
	Value *test(IRBuilder<> &builder);
	Value *testOfBits(const Clamp &clamp, IRBuilder<> &builder);
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
	/* By a clamp that takes or changes bits: what all lanes' numbers lose. */
	DenseMap<const Value *, Value *> takenAway;
	DenseMap<const Value *, Value *> known; /* by joined() */
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
		return;
	}
	for (const Use &operand : instruction->operands())
		need(operand);
}

void ClampedPart::findAccess(Instruction &instruction)
{
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	if (!pointer || instruction.isVolatile() || instruction.isAtomic() ||
	    shapes.of(pointer).kind != Shape::Varying || clamps.formOf(pointer) != Form::Linear)
		return;
	need(pointer);
	last = &instruction;
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

/* Whether all lanes' numbers lose the same: those that a mask takes have the same high bits, and those of which high bits are changed
 * differ in low ones alone. */
Value *ClampedPart::testOfBits(const Clamp &clamp, IRBuilder<> &builder)
{
	Module &module = *block.getModule();
	Value *number = compute(clamp.tested(), builder), *bits = compute(clamp.bound(), builder);
	Type *type = number->getType();
	Value *one = ConstantInt::get(type, 1);
	const bool isMask = clamp.place->getOpcode() == Instruction::And;
	Value *low = isMask ? bits : ConstantInt::get(type, shapes.lanes() - 1);
	Value *begin = builder.CreateCall(declareFirstLane(module, type), {number});
	begin = builder.CreateAnd(begin, builder.CreateNot(low));
	Value *isWhole = builder.CreateIsNull(
		builder.CreateAnd(bits, isMask ? builder.CreateAdd(bits, one) : low));
	takenAway[clamp.place] =
		isMask ? begin : builder.CreateSub(begin, builder.CreateXor(begin, bits));
	return builder.CreateAnd(isWhole,
				 builder.CreateCall(declareLanesBetween(module, type),
						    {number, begin, builder.CreateOr(begin, low)}));
}

/* Whether the number has the order to the bound in all lanes. Ranges are of signed numbers: an unsigned bound that is negative as
 * a signed one fails. */
Value *ClampedPart::testOf(const Clamp &clamp, IRBuilder<> &builder)
{
	Type *type = clamp.tested()->getType();
	const unsigned bits = type->getIntegerBitWidth();
	Value *number = compute(clamp.tested(), builder), *bound = compute(clamp.bound(), builder);
	Value *zero = ConstantInt::get(type, 0), *one = ConstantInt::get(type, 1);
	Value *least = ConstantInt::get(type, APInt::getSignedMinValue(bits));
	Value *most = ConstantInt::get(type, APInt::getSignedMaxValue(bits));
	Value *low = CmpInst::isUnsigned(clamp.predicate) ? zero : least;
	Function *function = declareLanesBetween(*block.getModule(), type);
	auto isBetween = [&](Value *from, Value *to) {
		return builder.CreateCall(function, {number, from, to});
	};
	auto isBelow = [&] {
		return builder.CreateAnd(builder.CreateICmpNE(bound, least),
					 isBetween(low, builder.CreateSub(bound, one)));
	};
	auto isAbove = [&] {
		return builder.CreateAnd(builder.CreateICmpNE(bound, most),
					 isBetween(builder.CreateAdd(bound, one), most));
	};
	auto isPositive = [&] { return builder.CreateICmpSLE(zero, bound); };
	switch (clamp.predicate) {
	case CmpInst::ICMP_SLE:
	case CmpInst::ICMP_ULE:
		return isBetween(low, bound);
	case CmpInst::ICMP_SLT:
	case CmpInst::ICMP_ULT:
		return isBelow();
	case CmpInst::ICMP_SGE:
		return isBetween(bound, most);
	case CmpInst::ICMP_UGE:
		return builder.CreateAnd(isPositive(), isBetween(bound, most));
	case CmpInst::ICMP_SGT:
		return isAbove();
	case CmpInst::ICMP_UGT:
		return builder.CreateAnd(isPositive(), isAbove());
	default: /* not equal */
		return builder.CreateOr(isBelow(), isAbove());
	}
}

Value *ClampedPart::test(IRBuilder<> &builder)
{
	Value *all = nullptr;
	for (auto &[value, clamp] : clamps.list()) {
		if (!needed.contains(value))
			continue;
		Value *inside = takesBits(*clamp.place) ? testOfBits(clamp, builder)
							: testOf(clamp, builder);
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
	if (Value *taken = takenAway.lookup(clamp.place))
		source = BinaryOperator::CreateSub(source, taken, "", copied->getIterator());
	else if (Value *copy = copies.lookup(source))
		source = copy;
	copies[clamp.place] = source;
	copied->eraseFromParent();
}

void ClampedPart::copy()
{
	hoistCommon();
	BasicBlock *after = SplitBlock(&block, last->getNextNode());
	part = SplitBlock(&block, first);
	ValueToValueMapTy copies;
	BasicBlock *inside = CloneBasicBlock(part, copies, ".inside", block.getParent());
	inside->moveBefore(after);
	IRBuilder<> builder(block.getTerminator());
	Value *isInside = test(builder);
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
			       match(&instruction, m_Intrinsic<Intrinsic::abs>());
		});
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
	for (ClampedPart &part : parts)
		part.copy();
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
