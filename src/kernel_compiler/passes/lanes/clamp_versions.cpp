/* SPDX-License-Identifier: MIT
 *
 * Clamps that matter, and the copy of a block without them.
 */
#include "lanes/clamp_versions.h"

#include "ir/internal_functions.h"
#include "lanes/lane_shapes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

using namespace llvm;

namespace weft
{

namespace
{

/* Instructions of a copy. */
constexpr unsigned mostCopied = 2000;
/* Operations from a clamp to an address; and those that a test repeats, one after the other. */
constexpr unsigned mostClampSteps = 16, mostRepeated = 6;
/* Vectors within the bounds, for each at an edge. */
constexpr unsigned insideWeight = 100;

/* A minimum or maximum of a number that is linear in the lane, and of one that all lanes share. */
struct Clamp {
	IntrinsicInst *call;
	unsigned sourceNumber; /* of the first of these among the operands */

	/* Operands are read from the call: the copy of another block may have changed them. */
	Value *source() const
	{
		return call->getArgOperand(sourceNumber);
	}
	Value *bound() const
	{
		return call->getArgOperand(1 - sourceNumber);
	}
	bool isLow() const
	{
		return call->getIntrinsicID() == Intrinsic::smax;
	}
	bool isUnsigned() const
	{
		return call->getIntrinsicID() == Intrinsic::umin;
	}
};

/* What a value is in the copy. */
enum class Form { Uniform, Linear, Other };

bool mayBeCopied(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	return !call || (!call->cannotDuplicate() && !call->isConvergent() &&
			 !isa<NoAliasScopeDeclInst>(call));
}

/* What can be computed earlier, and in lanes that do not run. */
bool isSum(const Instruction &instruction)
{
	switch (instruction.getOpcode()) {
	case Instruction::Add:
	case Instruction::Sub:
	case Instruction::Mul:
	case Instruction::Shl:
	case Instruction::SExt:
	case Instruction::ZExt:
	case Instruction::Trunc:
		return !instruction.getType()->isVectorTy();
	default:
		return false;
	}
}

/* Narrower numbers may wrap between lanes more than once, which the test does not see. */
bool canTest(const Type &type)
{
	return type.isIntegerTy() && type.getIntegerBitWidth() >= 32;
}

/* The part of a block from its first clamp that matters to the last access whose place the clamps decide. */
class ClampedPart
{
      public:
	ClampedPart(BasicBlock &theBlock, const LaneShapes &theShapes)
	    : block(theBlock), shapes(theShapes)
	{
		findClamps();
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
	void findClamps();
	void findAccess(Instruction &instruction);
	bool isSmall() const;
	Form formOf(const Value *value, unsigned steps = 0);
	Form findForm(const Value &value, unsigned steps);
	void need(const Value *value);
	bool canCompute(const Value *value, unsigned steps = 0) const;
	Value *compute(Value *value, IRBuilder<> &builder);
	Value *test(IRBuilder<> &builder);
	void hoistCommon();
	void join(BasicBlock &inside, ValueToValueMapTy &copies, BasicBlock &after);

	BasicBlock &block;
	const LaneShapes &shapes;
	MapVector<const Value *, Clamp> clamps; /* in order */
	DenseMap<const Value *, Form> forms;
	DenseSet<const Value *> seen;   /* by need() */
	DenseSet<const Value *> needed; /* clamps that decide where something is accessed */
	DenseMap<const Value *, Value *> computed;
	Instruction *first = nullptr, *last = nullptr;
	BasicBlock *part = nullptr; /* once it is a block of its own */
};

/* ---- what is there -------------------------------------------------------------------------------------- */

void ClampedPart::findClamps()
{
	for (Instruction &instruction : block) {
		auto *call = dyn_cast<MinMaxIntrinsic>(&instruction);
		if (!call || !canTest(*call->getType()) ||
		    call->getIntrinsicID() == Intrinsic::umax)
			continue;
		Clamp clamp = {call, formOf(call->getLHS()) == Form::Uniform};
		if (isa<CastInst>(clamp.source()) && !isa<TruncInst>(clamp.source()))
			continue; /* it may wrap between lanes */
		if (formOf(clamp.source()) != Form::Linear ||
		    formOf(clamp.bound()) != Form::Uniform)
			continue;
		clamps.insert({call, clamp});
		forms[call] = Form::Linear;
	}
}

Form ClampedPart::formOf(const Value *value, unsigned steps)
{
	auto found = forms.find(value);
	if (found != forms.end())
		return found->second;
	Form form = findForm(*value, steps);
	forms[value] = form;
	return form;
}

Form ClampedPart::findForm(const Value &value, unsigned steps)
{
	Shape shape = shapes.of(&value);
	if (shape.kind == Shape::Uniform)
		return Form::Uniform;
	if (shape.isLinear())
		return Form::Linear;
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || instruction->getParent() != &block || steps == mostClampSteps ||
	    !(isSum(*instruction) || isa<GetElementPtrInst>(instruction)))
		return Form::Other;
	bool isProduct = instruction->getOpcode() == Instruction::Mul ||
			 instruction->getOpcode() == Instruction::Shl;
	if (isProduct && !isa<ConstantInt>(instruction->getOperand(1)))
		return Form::Other;
	bool isLinear = all_of(instruction->operands(), [&](const Use &operand) {
		return formOf(operand, steps + 1) != Form::Other;
	});
	return isLinear ? Form::Linear : Form::Other;
}

/* Clamps that a value is made of. */
void ClampedPart::need(const Value *value)
{
	const auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || instruction->getParent() != &block || shapes.of(value).isLinear() ||
	    !seen.insert(value).second)
		return;
	auto found = clamps.find(value);
	if (found != clamps.end()) {
		needed.insert(value);
		need(found->second.source());
		return;
	}
	for (const Use &operand : instruction->operands())
		need(operand);
}

void ClampedPart::findAccess(Instruction &instruction)
{
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	if (!pointer || instruction.isVolatile() || instruction.isAtomic() ||
	    shapes.of(pointer).kind != Shape::Varying || formOf(pointer) != Form::Linear)
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
		const Clamp &clamp = clamps.find(value)->second;
		return canCompute(clamp.source()) && canCompute(clamp.bound());
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
		return canCompute(clamps.find(value)->second.source(), steps + 1);
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
		return compute(clamps.find(value)->second.source(), builder);
	Value *&known = computed[value];
	if (known)
		return known;
	Instruction *copy = instruction->clone();
	copy->dropPoisonGeneratingAnnotations();
	for (Use &operand : copy->operands())
		operand.set(compute(operand, builder));
	return computed[value] = builder.Insert(copy);
}

Value *ClampedPart::test(IRBuilder<> &builder)
{
	Value *all = nullptr;
	for (auto &[value, clamp] : clamps) {
		if (!needed.contains(value))
			continue;
		Type *type = value->getType();
		const unsigned bits = type->getIntegerBitWidth();
		Value *bound = compute(clamp.bound(), builder);
		Value *low =
			ConstantInt::get(type, clamp.isUnsigned() ? APInt::getZero(bits)
								  : APInt::getSignedMinValue(bits));
		Value *high = ConstantInt::get(type, APInt::getSignedMaxValue(bits));
		(clamp.isLow() ? low : high) = bound;
		Function *function = declareLanesBetween(*block.getModule(), type);
		Value *inside =
			builder.CreateCall(function, {compute(clamp.source(), builder), low, high});
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
		bool isCommon = isSum(instruction) || isa<GetElementPtrInst>(instruction);
		if (isCommon && none_of(instruction.operands(), [&](const Use &operand) {
			    return staying.contains(operand);
		    }))
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
	for (auto &[value, clamp] : clamps) {
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
	block.getTerminator()->eraseFromParent();
	join(*inside, copies, *after);
}

bool hasClamps(const ItemLoop &item)
{
	return any_of(item.loop->blocks(), [](const BasicBlock *block) {
		return any_of(*block, [](const Instruction &instruction) {
			return isa<MinMaxIntrinsic>(instruction);
		});
	});
}

bool makeVersions(const ItemLoop &item, const DominatorTree &dominators, const LoopInfo &loops,
		  unsigned width)
{
	if (!hasClamps(item))
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
