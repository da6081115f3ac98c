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
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <optional>
#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostCopied = 2000; /* instructions of a copy */
/* Operations from a clamp to an address; and those that a test repeats, one after the other. */
constexpr unsigned mostClampSteps = 16, mostRepeated = 6;
/* Vectors within the bounds, for each at an edge. */
constexpr unsigned insideWeight = 100;

/* A value that is another one, its source, where a number has an order to a bound: minima and maxima, selects, absolute values.
 * The number is linear in the lane, and all lanes share the bound. */
struct Clamp {
	Instruction *place;
	unsigned sourceNumber; /* of the source among the operands */
	unsigned
		testedNumber; /* of the number among the operands of the compare that a select asks */
	CmpInst::Predicate predicate;

	/* Operands are read from the instruction: the copy of another block may have changed them. */
	const ICmpInst *compare() const
	{
		const auto *select = dyn_cast<SelectInst>(place);
		return select ? cast<ICmpInst>(select->getCondition()) : nullptr;
	}
	Value *source() const
	{
		return place->getOperand(sourceNumber);
	}
	Value *tested() const
	{
		return compare() ? compare()->getOperand(testedNumber) : source();
	}
	Value *bound() const
	{
		if (compare())
			return compare()->getOperand(1 - testedNumber);
		return isa<MinMaxIntrinsic>(place) ? place->getOperand(1 - sourceNumber)
						   : ConstantInt::getNullValue(source()->getType());
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
	std::optional<Clamp> clampOf(Instruction &instruction);
	std::optional<Clamp> clampOfSelect(SelectInst &select);
	void findAccess(Instruction &instruction);
	bool isSmall() const;
	Form formOf(const Value *value, unsigned steps = 0);
	Form findForm(const Value &value, unsigned steps);
	void need(const Value *value);
	bool canCompute(const Value *value, unsigned steps = 0) const;
	Value *compute(Value *value, IRBuilder<> &builder);
	Value *testOf(const Clamp &clamp, IRBuilder<> &builder);
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
		std::optional<Clamp> clamp = clampOf(instruction);
		if (!clamp || !canTest(*clamp->tested()->getType()))
			continue;
		if (isa<CastInst>(clamp->tested()) && !isa<TruncInst>(clamp->tested()))
			continue; /* it may wrap between lanes */
		if (formOf(clamp->source()) != Form::Linear ||
		    formOf(clamp->tested()) != Form::Linear ||
		    formOf(clamp->bound()) != Form::Uniform)
			continue;
		clamps.insert({&instruction, *clamp});
		forms[&instruction] = Form::Linear;
	}
}

std::optional<Clamp> ClampedPart::clampOf(Instruction &instruction)
{
	Value *number = nullptr;
	if (auto *call = dyn_cast<MinMaxIntrinsic>(&instruction)) {
		const unsigned source = formOf(call->getLHS()) == Form::Uniform;
		return Clamp{call, source, 0, CmpInst::getNonStrictPredicate(call->getPredicate())};
	}
	if (match(&instruction, m_Intrinsic<Intrinsic::abs>()))
		return Clamp{&instruction, 0, 0, CmpInst::ICMP_SGE};
	/* -1 less a negative number, which is how LLVM mirrors */
	const unsigned sign = instruction.getType()->getScalarSizeInBits() - 1;
	if (match(&instruction,
		  m_c_Xor(m_Value(number), m_AShr(m_Deferred(number), m_SpecificInt(sign)))))
		return Clamp{&instruction, instruction.getOperand(1) == number, 0,
			     CmpInst::ICMP_SGE};
	auto *select = dyn_cast<SelectInst>(&instruction);
	return select ? clampOfSelect(*select) : std::nullopt;
}

/* The source is the value that is linear, or of two linear ones the number itself. */
std::optional<Clamp> ClampedPart::clampOfSelect(SelectInst &select)
{
	const auto *compare = dyn_cast<ICmpInst>(select.getCondition());
	if (!compare || select.getType()->isVectorTy())
		return std::nullopt;
	const unsigned tested = formOf(compare->getOperand(0)) == Form::Uniform;
	const bool isTrue = formOf(select.getTrueValue()) == Form::Linear;
	const bool isFalse = formOf(select.getFalseValue()) == Form::Linear;
	const bool takesTrue =
		isTrue && (!isFalse || select.getTrueValue() == compare->getOperand(tested));
	CmpInst::Predicate predicate = compare->getPredicate();
	if (tested)
		predicate = CmpInst::getSwappedPredicate(predicate);
	if (!takesTrue)
		predicate = CmpInst::getInversePredicate(predicate);
	if (predicate == CmpInst::ICMP_EQ)
		return std::nullopt;
	return Clamp{&select, takesTrue ? 1U : 2U, tested, predicate};
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
		need(found->second.tested());
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
	for (auto &[value, clamp] : clamps) {
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

bool mayHaveClamps(const ItemLoop &item)
{
	return any_of(item.loop->blocks(), [](const BasicBlock *block) {
		return any_of(*block, [](const Instruction &instruction) {
			return isa<MinMaxIntrinsic, SelectInst>(instruction) ||
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
