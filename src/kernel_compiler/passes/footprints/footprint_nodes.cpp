/* SPDX-License-Identifier: MIT
 *
 * One node for each formula. What a value is at one time, it is in all nodes of an access: those of a loop that an access stands
 * behind are of its last iteration.
 */
#include "footprints/footprint_nodes.h"

#include "functions/internal_functions.h"
#include "kernel/swapped_dimension.h"
#include "kernel_abi.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned deepest = 64; /* of formulas within formulas */

struct QueryPair {
	Query query;
	weft_footprint_query known;
};

constexpr QueryPair queryPairs[] = {
	{Query::LocalId, WEFT_FOOTPRINT_LOCAL_ID},
	{Query::GlobalId, WEFT_FOOTPRINT_GLOBAL_ID},
	{Query::GroupId, WEFT_FOOTPRINT_GROUP_ID},
	{Query::NumGroups, WEFT_FOOTPRINT_NUM_GROUPS},
	{Query::GlobalSize, WEFT_FOOTPRINT_GLOBAL_SIZE},
	{Query::GlobalOffset, WEFT_FOOTPRINT_GLOBAL_OFFSET},
	{Query::LocalSize, WEFT_FOOTPRINT_LOCAL_SIZE},
	{Query::EnqueuedLocalSize, WEFT_FOOTPRINT_ENQUEUED_LOCAL_SIZE},
	{Query::WorkDim, WEFT_FOOTPRINT_WORK_DIM},
};

unsigned widthOf(const Type &type)
{
	return type.isIntegerTy() ? type.getIntegerBitWidth() : 64;
}

/* Of a quotient as lower-division leaves it, which is negated where the source's divisor is -1: the dividend and that divisor. A host
 * divides by what is at least 1. NULL: it is none. */
std::pair<Value *, Value *> sourceQuotient(Value &value)
{
	Value *quotient = nullptr, *dividend = nullptr, *divisor = nullptr;
	if (!match(&value, m_Select(m_SpecificICmp(CmpInst::ICMP_EQ, m_Value(divisor), m_AllOnes()),
				    m_Neg(m_Value(quotient)), m_Deferred(quotient))) ||
	    !match(quotient,
		   m_SDiv(m_Value(dividend), m_Select(m_Value(), m_One(), m_Specific(divisor)))))
		return {nullptr, nullptr};
	return {dividend, divisor};
}

} // namespace

uint16_t FootprintNodes::add(const weft_footprint_node &node)
{
	if (areTooMany())
		return 0;
	nodes.push_back(node);
	return uint16_t(nodes.size() - 1);
}

/* By what is known of its bits, it is not larger than some number. */
uint16_t FootprintNodes::unknown(const SCEV *formula)
{
	const unsigned width = widthOf(*formula->getType());
	int64_t largest = 0;
	if (formula->getType()->isIntegerTy() && width <= 64) {
		APInt most = evolution.getUnsignedRangeMax(formula);
		if (most.getActiveBits() < std::min(width, 62u))
			largest = int64_t(most.getZExtValue());
	}
	/* A known 0 is a constant in LLVM. */
	return add({WEFT_FOOTPRINT_UNKNOWN, uint16_t(width), 0, 0, largest});
}

uint16_t FootprintNodes::constant(unsigned width, int64_t value)
{
	return add({WEFT_FOOTPRINT_CONSTANT, uint16_t(width), 0, 0, value});
}

uint16_t FootprintNodes::binary(weft_footprint_operation operation, unsigned width, uint16_t a,
				uint16_t b)
{
	return add({uint16_t(operation), uint16_t(width), a, b, 0});
}

uint16_t FootprintNodes::chain(weft_footprint_operation operation, const SCEVNAryExpr &formula)
{
	uint16_t result = of(formula.getOperand(0));
	for (const SCEV *operand : drop_begin(formula.operands()))
		result = binary(operation, widthOf(*formula.getType()), result, of(operand));
	return result;
}

uint16_t FootprintNodes::iteration(const Loop &loop)
{
	if (auto found = iterations.find(&loop); found != iterations.end())
		return found->second;
	const SCEV *last = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
	const bool isKnown = !isa<SCEVCouldNotCompute>(last);
	const unsigned width = isKnown ? widthOf(*last->getType()) : 64;
	const uint16_t most = isKnown ? of(last) : uint16_t(WEFT_FOOTPRINT_NO_NODE);
	return iterations[&loop] = add({WEFT_FOOTPRINT_ITERATION, uint16_t(width), most, 0, 0});
}

uint16_t FootprintNodes::recurrence(const SCEVAddRecExpr &formula)
{
	if (!formula.isAffine())
		return unknown(&formula);
	const unsigned width = widthOf(*formula.getType());
	const uint16_t start = of(formula.getStart());
	const uint16_t step = of(formula.getStepRecurrence(evolution));
	return binary(WEFT_FOOTPRINT_SUM, width, start,
		      binary(WEFT_FOOTPRINT_PRODUCT, width, step, iteration(*formula.getLoop())));
}

uint16_t FootprintNodes::converted(weft_footprint_operation operation, const SCEVCastExpr &formula)
{
	return binary(operation, widthOf(*formula.getType()), of(formula.getOperand()), 0);
}

/* ---- values -------------------------------------------------------------------------------------- */

uint16_t FootprintNodes::ofArgument(const Argument &argument, uint64_t offset, unsigned width)
{
	return add({WEFT_FOOTPRINT_ARGUMENT, uint16_t(width), 0, 0,
		    int64_t(layout.places[argument.getArgNo()].offset + offset)});
}

uint16_t FootprintNodes::ofElement(const ExtractElementInst &element, const SCEV *formula)
{
	const auto *argument = dyn_cast<Argument>(element.getVectorOperand());
	const auto *index = dyn_cast<ConstantInt>(element.getIndexOperand());
	const unsigned width = widthOf(*element.getType());
	if (!argument || !index || width % 8 != 0 || index->getValue().ugt(15))
		return unknown(formula);
	return ofArgument(*argument, index->getZExtValue() * (width / 8), width);
}

uint16_t FootprintNodes::ofQuery(const CallInst &call, const SCEV *formula)
{
	std::optional<Query> asked = queryOf(call);
	if (!asked)
		return unknown(formula);
	const auto *pair = find_if(
		queryPairs, [&](const QueryPair &candidate) { return candidate.query == *asked; });
	if (pair == std::end(queryPairs))
		return unknown(formula);
	unsigned dimension = 0;
	if (takesDimension(*asked)) {
		const auto *number = dyn_cast<ConstantInt>(call.getArgOperand(0));
		if (!number || number->getValue().ugt(2))
			return unknown(formula);
		dimension = sourceDimension(*call.getFunction(), unsigned(number->getZExtValue()));
	}
	return add({WEFT_FOOTPRINT_QUERY, uint16_t(widthOf(*call.getType())), uint16_t(pair->known),
		    uint16_t(dimension), 0});
}

uint16_t FootprintNodes::ofDivision(BinaryOperator &division, const SCEV *formula)
{
	const unsigned width = widthOf(*division.getType());
	const uint16_t left = of(evolution.getSCEV(division.getOperand(0)));
	const uint16_t right = of(evolution.getSCEV(division.getOperand(1)));
	const uint16_t quotient = binary(WEFT_FOOTPRINT_SIGNED_QUOTIENT, width, left, right);
	if (division.getOpcode() == Instruction::SDiv)
		return quotient;
	if (division.getOpcode() != Instruction::SRem)
		return unknown(formula);
	const uint16_t whole = binary(WEFT_FOOTPRINT_PRODUCT, width, quotient, right);
	return binary(WEFT_FOOTPRINT_SUM, width, left,
		      binary(WEFT_FOOTPRINT_PRODUCT, width, whole, constant(width, -1)));
}

/* Of two ways that meet; not of a loop's header. */
uint16_t FootprintNodes::ofPhi(PHINode &phi, const SCEV *formula)
{
	if (loops.isLoopHeader(phi.getParent()))
		return unknown(formula);
	uint16_t result = of(evolution.getSCEV(phi.getIncomingValue(0)));
	for (unsigned i = 1; i < phi.getNumIncomingValues(); i++)
		result = binary(WEFT_FOOTPRINT_EITHER, widthOf(*phi.getType()), result,
				of(evolution.getSCEV(phi.getIncomingValue(i))));
	return result;
}

uint16_t FootprintNodes::ofValue(const SCEVUnknown &formula)
{
	Value *value = formula.getValue();
	if (!value->getType()->isIntegerTy())
		return unknown(&formula);
	const unsigned width = widthOf(*value->getType());
	if (const auto *argument = dyn_cast<Argument>(value);
	    argument && width % 8 == 0 && width <= 64)
		return ofArgument(*argument, 0, width);
	if (const auto *element = dyn_cast<ExtractElementInst>(value))
		return ofElement(*element, &formula);
	if (const auto *call = dyn_cast<CallInst>(value))
		return ofQuery(*call, &formula);
	if (auto *division = dyn_cast<BinaryOperator>(value);
	    division && (division->getOpcode() == Instruction::SDiv ||
			 division->getOpcode() == Instruction::SRem))
		return ofDivision(*division, &formula);
	if (auto *freeze = dyn_cast<FreezeInst>(value))
		return of(evolution.getSCEV(freeze->getOperand(0)));
	if (const auto [dividend, divisor] = sourceQuotient(*value); dividend)
		return binary(WEFT_FOOTPRINT_SIGNED_QUOTIENT, width,
			      of(evolution.getSCEV(dividend)), of(evolution.getSCEV(divisor)));
	if (auto *select = dyn_cast<SelectInst>(value))
		return binary(WEFT_FOOTPRINT_EITHER, width,
			      of(evolution.getSCEV(select->getTrueValue())),
			      of(evolution.getSCEV(select->getFalseValue())));
	if (auto *phi = dyn_cast<PHINode>(value))
		return ofPhi(*phi, &formula);
	return unknown(&formula);
}

/* ---- formulas ------------------------------------------------------------------------------------ */

uint16_t FootprintNodes::make(const SCEV *formula)
{
	const unsigned width = widthOf(*formula->getType());
	if (width > 64 || depth > deepest)
		return unknown(formula);
	switch (formula->getSCEVType()) {
	case scConstant:
		return constant(width, cast<SCEVConstant>(formula)->getAPInt().getSExtValue());
	case scTruncate:
		return converted(WEFT_FOOTPRINT_TRUNCATED, *cast<SCEVCastExpr>(formula));
	case scZeroExtend:
		return converted(WEFT_FOOTPRINT_ZERO_EXTENDED, *cast<SCEVCastExpr>(formula));
	case scSignExtend:
		return converted(WEFT_FOOTPRINT_SIGN_EXTENDED, *cast<SCEVCastExpr>(formula));
	case scAddExpr:
		return chain(WEFT_FOOTPRINT_SUM, *cast<SCEVNAryExpr>(formula));
	case scMulExpr:
		return chain(WEFT_FOOTPRINT_PRODUCT, *cast<SCEVNAryExpr>(formula));
	case scUMaxExpr:
		return chain(WEFT_FOOTPRINT_MAX, *cast<SCEVNAryExpr>(formula));
	case scSMaxExpr:
		return chain(WEFT_FOOTPRINT_SIGNED_MAX, *cast<SCEVNAryExpr>(formula));
	case scUMinExpr:
	case scSequentialUMinExpr:
		return chain(WEFT_FOOTPRINT_MIN, *cast<SCEVNAryExpr>(formula));
	case scSMinExpr:
		return chain(WEFT_FOOTPRINT_SIGNED_MIN, *cast<SCEVNAryExpr>(formula));
	case scUDivExpr:
		return binary(WEFT_FOOTPRINT_QUOTIENT, width,
			      of(cast<SCEVUDivExpr>(formula)->getLHS()),
			      of(cast<SCEVUDivExpr>(formula)->getRHS()));
	case scAddRecExpr:
		return recurrence(*cast<SCEVAddRecExpr>(formula));
	case scUnknown:
		return ofValue(*cast<SCEVUnknown>(formula));
	default:
		return unknown(formula);
	}
}

uint16_t FootprintNodes::of(const SCEV *formula)
{
	if (auto found = known.find(formula); found != known.end())
		return found->second;
	depth++;
	const uint16_t made = make(formula);
	depth--;
	return known[formula] = made;
}

} // namespace weft
