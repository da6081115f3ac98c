/* SPDX-License-Identifier: MIT
 *
 * form-minima: fmin and fmax of the language.
 */
#include "after_llvm/form_minima.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace PatternMatch;

namespace weft
{

namespace
{

/* Whether the condition is that the number is NaN. */
bool isNan(Value *condition, Value *number)
{
	return match(condition, m_SpecificFCmp(FCmpInst::FCMP_UNO, m_Specific(number),
					       m_CombineOr(m_AnyZeroFP(), m_Specific(number))));
}

/* Whether the condition is that the one number is less, or greater, than the other. */
bool isOrder(Value *condition, Value *one, Value *other)
{
	CmpPredicate predicate;
	if (!match(condition, m_FCmp(predicate, m_Specific(one), m_Specific(other))) &&
	    !match(condition, m_FCmp(predicate, m_Specific(other), m_Specific(one))))
		return false;
	return predicate == FCmpInst::FCMP_OLT || predicate == FCmpInst::FCMP_OGT;
}

bool formMinimum(SelectInst &selection)
{
	Value *first = selection.getFalseValue();
	Value *second = selection.getTrueValue();
	Value *one = nullptr;
	Value *other = nullptr;
	if (!selection.getType()->isFPOrFPVectorTy() ||
	    !match(selection.getCondition(),
		   m_OneUse(m_CombineOr(m_Or(m_Value(one), m_Value(other)),
					m_LogicalOr(m_Value(one), m_Value(other))))))
		return false;
	if (!isNan(one, first))
		std::swap(one, other);
	if (!isNan(one, first) || !isOrder(other, first, second))
		return false;
	IRBuilder<> builder(&selection);
	builder.setFastMathFlags(selection.getFastMathFlags());
	Value *least = builder.CreateSelect(other, second, first);
	selection.setCondition(one);
	selection.setFalseValue(least);
	return true;
}

} // namespace

PreservedAnalyses FormMinimaPass::run(Function &function, FunctionAnalysisManager &)
{
	bool changed = false;
	/* The condition that is no longer used is left for code generation. */
	for (Instruction &instruction : instructions(function)) {
		if (auto *selection = dyn_cast<SelectInst>(&instruction))
			changed |= formMinimum(*selection);
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses kept;
	kept.preserveSet<CFGAnalyses>();
	return kept;
}

} // namespace weft
