/* SPDX-License-Identifier: MIT
 *
 * The form of a value, from the forms of its operands.
 */
#include "simulate/access_form.h"

#include "functions/internal_functions.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned deepest = 16;
constexpr Step someStep = {false, 0};

Step sum(Step a, Step b)
{
	if (a.isZero())
		return b;
	if (b.isZero())
		return a;
	int64_t value;
	return a.isKnown && b.isKnown && !AddOverflow(a.value, b.value, value) ? Step{true, value}
									       : someStep;
}

Step product(Step a, std::optional<int64_t> factor)
{
	if (a.isZero())
		return a;
	int64_t value;
	return a.isKnown && factor && !MulOverflow(a.value, *factor, value) ? Step{true, value}
									    : someStep;
}

AccessForm sum(const AccessForm &a, const AccessForm &b)
{
	AccessForm result;
	for (auto [step, left, right] : zip_equal(result.steps, a.steps, b.steps))
		step = sum(left, right);
	result.isAhead = a.isAhead && b.isAhead;
	return result;
}

/* nullopt: it is no constant. */
AccessForm product(AccessForm a, std::optional<int64_t> factor)
{
	for (Step &step : a.steps)
		step = product(step, factor);
	return a;
}

std::optional<int64_t> constantOf(const Value &value)
{
	const APInt *number;
	if (match(&value, m_APInt(number)) && number->getSignificantBits() <= 40)
		return number->getSExtValue();
	return std::nullopt;
}

AccessForm formOfId(unsigned dimension)
{
	AccessForm form;
	form.steps[dimension] = {true, 1};
	return form;
}

} // namespace

std::optional<AccessForm> AccessForms::of(const Value &value, unsigned depth) const
{
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction)
		return isa<Constant, Argument>(value) ? Form(AccessForm()) : std::nullopt;
	bool isShared = !uniformity.isVarying(&value);
	bool isStill = !(inner && inner->contains(instruction));
	if (isShared && isStill && !(outer && outer->contains(instruction)))
		return AccessForm();
	Form form = depth < deepest ? ofStructure(*instruction, depth + 1) : std::nullopt;
	if (!form && isShared && isStill) {
		form = AccessForm();
		form->isAhead = false;
	}
	return form;
}

std::optional<AccessForm> AccessForms::ofProduct(const Value &left, const Value &right,
						 unsigned depth) const
{
	Form a = of(left, depth), b = of(right, depth);
	if (!a || !b || (!a->isUniform() && !b->isUniform()))
		return std::nullopt;
	/* A factor that changes between iterations of the outer loop makes steps that change. */
	const Value &factor = a->isUniform() ? left : right;
	AccessForm result = product(a->isUniform() ? *b : *a, constantOf(factor));
	const auto *changing = dyn_cast<Instruction>(&factor);
	bool isStill = !(outer && changing && outer->contains(changing));
	const auto *other = dyn_cast<Instruction>(a->isUniform() ? &right : &left);
	bool isOtherStill = !(outer && other && outer->contains(other));
	result.isAhead = a->isAhead && b->isAhead && (isStill || isOtherStill);
	return result;
}

/* A phi of a header: its first value, and the same number more in each iteration. */
std::optional<AccessForm> AccessForms::ofPhi(const PHINode &phi, unsigned depth) const
{
	for (const Loop *loop : {inner, outer}) {
		if (!loop || phi.getParent() != loop->getHeader() || !loop->getLoopPreheader() ||
		    !loop->getLoopLatch())
			continue;
		const Value *step, *next = phi.getIncomingValueForBlock(loop->getLoopLatch());
		if (!match(next, m_c_Add(m_Specific(&phi), m_Value(step))) ||
		    !loop->isLoopInvariant(step) || uniformity.isVarying(step))
			return std::nullopt;
		Form form = of(*phi.getIncomingValueForBlock(loop->getLoopPreheader()), depth);
		if (!form || loop == outer)
			return form;
		std::optional<int64_t> known = constantOf(*step);
		Step iterations = known ? Step{true, *known} : someStep;
		form->steps[WEFT_TRANSFER_ITERATIONS] =
			sum(form->steps[WEFT_TRANSFER_ITERATIONS], iterations);
		return form;
	}
	return std::nullopt;
}

std::optional<AccessForm> AccessForms::ofAddress(const Value &address, unsigned depth) const
{
	const auto &pointer = cast<GEPOperator>(address);
	Form form = of(*pointer.getPointerOperand(), depth);
	const DataLayout &layout = cast<Instruction>(address).getDataLayout();
	for (auto type = gep_type_begin(pointer); form && type != gep_type_end(pointer); ++type) {
		if (type.isStruct())
			continue;
		Form index = of(*type.getOperand(), depth);
		if (!index)
			return std::nullopt;
		auto stride = int64_t(type.getSequentialElementStride(layout).getFixedValue());
		form = sum(*form, product(*index, stride));
	}
	return form;
}

std::optional<AccessForm> AccessForms::ofStructure(const Instruction &instruction,
						   unsigned depth) const
{
	if (std::optional<Query> query = queryOf(instruction)) {
		const auto *dimension = takesDimension(*query)
						? dyn_cast<ConstantInt>(instruction.getOperand(0))
						: nullptr;
		if (*query != Query::LocalId && *query != Query::GlobalId)
			return AccessForm();
		return dimension && dimension->getZExtValue() < 3
			       ? Form(formOfId(unsigned(dimension->getZExtValue())))
			       : std::nullopt;
	}
	auto operand = [&](unsigned i) { return of(*instruction.getOperand(i), depth); };
	switch (instruction.getOpcode()) {
	case Instruction::PHI:
		return ofPhi(cast<PHINode>(instruction), depth);
	case Instruction::GetElementPtr:
		return ofAddress(instruction, depth);
	case Instruction::SExt:
	case Instruction::ZExt:
	case Instruction::Trunc:
	case Instruction::Freeze:
	case Instruction::AddrSpaceCast:
		return operand(0);
	case Instruction::Mul:
		return ofProduct(*instruction.getOperand(0), *instruction.getOperand(1), depth);
	case Instruction::Shl: {
		Form form = operand(0);
		std::optional<int64_t> shift = constantOf(*instruction.getOperand(1));
		if (!form || !shift || *shift < 0 || *shift > 40)
			return std::nullopt;
		return product(*form, int64_t(1) << *shift);
	}
	default:
		break;
	}
	bool isSum = instruction.getOpcode() == Instruction::Add ||
		     match(&instruction, m_DisjointOr(m_Value(), m_Value()));
	bool isDifference = instruction.getOpcode() == Instruction::Sub;
	if (!isSum && !isDifference)
		return std::nullopt;
	Form left = operand(0), right = operand(1);
	if (!left || !right)
		return std::nullopt;
	return sum(*left, isDifference ? product(*right, -1) : *right);
}

} // namespace weft
