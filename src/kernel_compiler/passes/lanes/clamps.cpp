/* SPDX-License-Identifier: MIT
 *
 * What is a clamp, by the forms of values.
 */
#include "lanes/clamps.h"

#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

/* Operations from a clamp to an address. */
static constexpr unsigned mostClampSteps = 16;
/* Numbers of one quotient, at least; as many are expected where the divisor is no constant. */
static constexpr uint64_t leastOfQuotient = 64;
/* Numbers and places that are made of one quotient. */
static constexpr size_t mostUsers = 64;

const ICmpInst *Clamp::compare() const
{
	const auto *select = dyn_cast<SelectInst>(place);
	return select ? cast<ICmpInst>(select->getCondition()) : nullptr;
}

Value *Clamp::bound() const
{
	if (compare())
		return compare()->getOperand(1 - testedNumber);
	return isa<MinMaxIntrinsic>(place) || wrapsAround(*place) || changesBits(*place) ||
			       isQuotient(*place)
		       ? place->getOperand(1 - sourceNumber)
		       : ConstantInt::getNullValue(source()->getType());
}

bool wrapsAround(const Instruction &instruction)
{
	return is_contained({Instruction::URem, Instruction::SRem, Instruction::And},
			    instruction.getOpcode());
}

/* -1 less a negative number, which is how LLVM mirrors. */
static bool isMirror(const Instruction &instruction, Value *&number)
{
	const unsigned sign = instruction.getType()->getScalarSizeInBits() - 1;
	return match(&instruction,
		     m_c_Xor(m_Value(number), m_AShr(m_Deferred(number), m_SpecificInt(sign))));
}

bool changesBits(const Instruction &instruction)
{
	Value *number = nullptr;
	return instruction.getOpcode() == Instruction::Xor && !isMirror(instruction, number);
}

bool isQuotient(const Instruction &instruction)
{
	return is_contained(
		{Instruction::UDiv, Instruction::SDiv, Instruction::LShr, Instruction::AShr},
		instruction.getOpcode());
}

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
static bool canTest(const Type &type)
{
	return type.isIntegerTy() && type.getIntegerBitWidth() >= 32;
}

BlockClamps::BlockClamps(BasicBlock &theBlock, const LaneShapes &theShapes)
    : block(theBlock), shapes(theShapes)
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
		forms[&instruction] = isQuotient(instruction) ? Form::Uniform : Form::Linear;
	}
}

std::optional<Clamp> BlockClamps::clampOf(Instruction &instruction)
{
	if (auto *call = dyn_cast<MinMaxIntrinsic>(&instruction)) {
		const unsigned source = formOf(call->getLHS()) == Form::Uniform;
		return Clamp{call, source, 0, CmpInst::getNonStrictPredicate(call->getPredicate())};
	}
	if (match(&instruction, m_Intrinsic<Intrinsic::abs>()))
		return Clamp{&instruction, 0, 0, CmpInst::ICMP_SGE};
	if (instruction.getOpcode() == Instruction::Xor)
		return clampOfXor(instruction);
	if (wrapsAround(instruction))
		return wrapOf(instruction);
	if (isQuotient(instruction))
		return clampOfQuotient(instruction);
	auto *select = dyn_cast<SelectInst>(&instruction);
	return select ? clampOfSelect(*select) : std::nullopt;
}

/* A constant bound is small as a rule, as is the size of a table, and numbers are past it. */
std::optional<Clamp> BlockClamps::wrapOf(Instruction &instruction)
{
	const bool isMask = instruction.getOpcode() == Instruction::And;
	const unsigned source = isMask && formOf(instruction.getOperand(0)) == Form::Uniform;
	if (isa<ConstantInt>(instruction.getOperand(1 - source)))
		return std::nullopt;
	return Clamp{&instruction, source, 0, isMask ? CmpInst::ICMP_ULE : CmpInst::ICMP_ULT};
}

/* A constant has low bits, where it changes any. */
std::optional<Clamp> BlockClamps::clampOfXor(Instruction &instruction)
{
	Value *number = nullptr;
	if (isMirror(instruction, number))
		return Clamp{&instruction, instruction.getOperand(1) == number, 0,
			     CmpInst::ICMP_SGE};
	const unsigned source = formOf(instruction.getOperand(0)) == Form::Uniform;
	if (isa<ConstantInt>(instruction.getOperand(1 - source)))
		return std::nullopt;
	return Clamp{&instruction, source, 0, CmpInst::ICMP_EQ};
}

/* Whether other blocks take a number, or a place that is made of it. */
static bool leavesBlock(const Instruction &number)
{
	SmallSetVector<const Instruction *, 16> values;
	values.insert(&number);
	for (size_t next = 0; next < values.size(); next++) {
		if (next == mostUsers)
			return true;
		for (const User *user : values[next]->users()) {
			const auto *instruction = cast<Instruction>(user);
			if (instruction->getParent() != number.getParent())
				return true;
			if (isSum(*instruction) || isa<GetElementPtrInst>(instruction))
				values.insert(instruction);
		}
	}
	return false;
}

/* Where other blocks access memory by a quotient, each access would be tested all the same. */
std::optional<Clamp> BlockClamps::clampOfQuotient(Instruction &instruction)
{
	const auto *bound = dyn_cast<ConstantInt>(instruction.getOperand(1));
	const Shape number = shapes.of(instruction.getOperand(0));
	uint64_t numbers = leastOfQuotient;
	if (bound)
		numbers = instruction.isShift() ? uint64_t(1) << bound->getLimitedValue(63)
						: bound->getLimitedValue();
	const bool isWide = number.kind == Shape::Strided &&
			    uint64_t(std::abs(number.stride)) <= numbers / shapes.lanes();
	if (numbers < leastOfQuotient || !isWide || leavesBlock(instruction))
		return std::nullopt;
	return Clamp{&instruction, 0, 0, CmpInst::ICMP_EQ};
}

/* The source is the value that is linear, or of two linear ones the number itself. */
std::optional<Clamp> BlockClamps::clampOfSelect(SelectInst &select)
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

Form BlockClamps::formOf(const Value *value, unsigned steps)
{
	auto found = forms.find(value);
	if (found != forms.end())
		return found->second;
	Form form = findForm(*value, steps);
	forms[value] = form;
	return form;
}

/* Whether it is made of what is the same in all lanes, and is the same in all lanes for that. */
bool BlockClamps::isComputedOnce(const Instruction &instruction, unsigned steps)
{
	const auto *load = dyn_cast<LoadInst>(&instruction);
	const auto *call = dyn_cast<CallBase>(&instruction);
	if (isa<PHINode, AllocaInst>(instruction) || instruction.getType()->isVoidTy() ||
	    (load ? !load->isSimple() : instruction.mayReadOrWriteMemory()) ||
	    (call && (!call->doesNotAccessMemory() || call->isConvergent() || queryOf(*call) ||
		      subgroupCallOf(*call))))
		return false;
	return all_of(instruction.operands(), [&](const Use &operand) {
		return formOf(operand, steps + 1) == Form::Uniform;
	});
}

Form BlockClamps::findForm(const Value &value, unsigned steps)
{
	Shape shape = shapes.of(&value);
	if (shape.kind == Shape::Uniform)
		return Form::Uniform;
	if (shape.isLinear())
		return Form::Linear;
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || instruction->getParent() != &block || steps == mostClampSteps)
		return Form::Other;
	if (isComputedOnce(*instruction, steps))
		return Form::Uniform;
	if (!(isSum(*instruction) || isa<GetElementPtrInst>(instruction)))
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

} // namespace weft
