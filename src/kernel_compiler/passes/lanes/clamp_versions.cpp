/* SPDX-License-Identifier: MIT
 *
 * Clamps that matter, and the copy of a block without them.
 */
#include "lanes/clamp_versions.h"

#include "ir/internal_functions.h"
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
	void hoistCommon();
	void join(BasicBlock &inside, ValueToValueMapTy &copies, BasicBlock &after);

	BasicBlock &block;
	const LaneShapes &shapes;
	BlockClamps clamps;
	DenseSet<const Value *> seen;   /* by need() */
	DenseSet<const Value *> needed; /* clamps that decide where something is accessed */
	DenseMap<const Value *, Value *> computed;
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
	return steps < mostRepeated && isSum(*instruction) &&
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
	if (needed.contains(value))
		return compute(clamps.of(value)->source(), builder);
	Value *&known = computed[value];
	if (known)
		return known;
	Instruction *copy = instruction->clone();
	copy->dropPoisonGeneratingAnnotations();
	for (Use &operand : copy->operands())
		operand.set(compute(operand, builder));
	return computed[value] = builder.Insert(copy);
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
	auto isMask = [&] {
		return builder.CreateIsNull(
			builder.CreateAnd(bound, builder.CreateAdd(bound, one)));
	};
	if (clamp.place->getOpcode() == Instruction::And)
		return builder.CreateAnd(isMask(), isBetween(zero, bound));
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
		Value *inside = testOf(clamp, builder);
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

/* What the part computes comes from either. */
void ClampedPart::join(BasicBlock &inside, ValueToValueMapTy &copies, BasicBlock &after)
{
	for (Instruction &instruction : *part) {
		if (!instruction.isUsedOutsideOfBlock(part))
			continue;
		PHINode *phi = PHINode::Create(instruction.getType(), 2, "", after.begin());
		phi->addIncoming(&instruction, part);
		phi->addIncoming(copies[&instruction], &inside);
		instruction.replaceUsesWithIf(phi, [&](const Use &use) {
			return use.getUser() != phi &&
			       cast<Instruction>(use.getUser())->getParent() != part;
		});
	}
}

void ClampedPart::copy()
{
	hoistCommon();
	BasicBlock *after = SplitBlock(&block, last->getNextNode());
	part = SplitBlock(&block, first);
	ValueToValueMapTy copies;
	BasicBlock *inside = CloneBasicBlock(part, copies, ".inside", block.getParent());
	inside->moveBefore(after);
	for (auto &[value, clamp] : clamps.list()) {
		if (!needed.contains(value))
			continue;
		Value *source = copies.lookup(clamp.source());
		Value *copied = copies[value];
		copies[value] = source ? source : clamp.source();
		cast<Instruction>(copied)->eraseFromParent();
	}
	for (Instruction &instruction : *inside)
		RemapInstruction(&instruction, copies,
				 RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
	IRBuilder<> builder(block.getTerminator());
	BranchInst *choice = builder.CreateCondBr(test(builder), inside, part);
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
			       wrapsAround(instruction) ||
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
		if (!isLanesBetween(instruction))
			continue;
		instruction.replaceAllUsesWith(ConstantInt::getFalse(function.getContext()));
		instruction.eraseFromParent();
	}
}

} // namespace weft
