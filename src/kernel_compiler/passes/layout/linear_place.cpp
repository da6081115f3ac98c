/* SPDX-License-Identifier: MIT
 *
 * Sums are taken apart where the IR says that they do not wrap, or where bounds of their terms show it. Bounds come from
 * ScalarEvolution, and from the branches that lead to an instruction.
 */
#include "layout/linear_place.h"

#include "layout/checked_sum.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostNested = 8;     /* of sums within sums */
constexpr unsigned mostConditions = 8; /* branches on the way to an instruction */
constexpr unsigned mostTermBits = 40;  /* of a term */
constexpr unsigned numberBits = 64;

std::optional<int64_t> constantOf(const Value &value)
{
	const auto *number = dyn_cast<ConstantInt>(&value);
	if (!number || number->getValue().getSignificantBits() > mostTermBits)
		return std::nullopt;
	return number->getSExtValue();
}

/* How many times a fact's terms are those of a place: 0 if they are not. */
int64_t timesIn(const LinearPlace &fact, const LinearPlace &place)
{
	for (const auto &[term, factor] : fact.terms) {
		const int64_t other = place.terms.lookup(term);
		if (other != 0 && other % factor == 0)
			return std::abs(other / factor);
	}
	return 0;
}

} // namespace

bool LinearPlace::add(const LinearPlace &other, int64_t factor)
{
	auto sum = checkedSum(constant, other.constant, factor);
	if (!sum)
		return false;
	constant = *sum;
	for (const auto &[term, times] : other.terms) {
		sum = checkedSum(terms.lookup(term), times, factor);
		if (!sum)
			return false;
		terms[term] = *sum;
		if (*sum == 0)
			terms.erase(term);
	}
	return true;
}

bool LinearPlaces::isNotNegative(Value &number, unsigned depth)
{
	LinearPlace sum;
	return addNumber(sum, number, 1, depth) && boundsOf(sum).least.value_or(-1) >= 0;
}

Bounds LinearPlaces::boundsOf(Value &term)
{
	const auto stated = known.find(&term);
	if (stated != known.end())
		return stated->second;
	const ConstantRange range = evolution.getSignedRange(evolution.getSCEV(&term));
	const APInt least = range.getSignedMin(), most = range.getSignedMax();
	Bounds bounds;
	if (least.getSignificantBits() <= mostTermBits)
		bounds.least = least.getSExtValue();
	if (most.getSignificantBits() <= mostTermBits)
		bounds.most = most.getSExtValue();
	return bounds;
}

Bounds LinearPlaces::boundsOf(const LinearPlace &place)
{
	Bounds sum = {place.constant, place.constant};
	for (const auto &[term, factor] : place.terms) {
		const Bounds one = boundsOf(*term);
		sum.least = checkedSum(sum.least, factor > 0 ? one.least : one.most, factor);
		sum.most = checkedSum(sum.most, factor > 0 ? one.most : one.least, factor);
	}
	return sum;
}

/* An id that was made narrower is the id, if it fits. */
bool LinearPlaces::addTerm(LinearPlace &to, Value &number, int64_t factor)
{
	Value *term = &number, *wide = nullptr;
	if (match(term, m_Trunc(m_Value(wide)))) {
		const Bounds bounds = boundsOf(*wide);
		const unsigned bits = term->getType()->getScalarSizeInBits();
		if (wide->getType()->getScalarSizeInBits() <= numberBits && bounds.least &&
		    bounds.most && isIntN(bits, *bounds.least) && isIntN(bits, *bounds.most))
			term = wide;
	}
	const Bounds bounds = boundsOf(*term);
	LinearPlace one;
	one.terms[term] = 1;
	return bounds.least && bounds.most && to.add(one, factor);
}

/* Whether it is a sum of others is written to `isSum`. */
bool LinearPlaces::addOperator(LinearPlace &to, Operator &number, int64_t factor, unsigned depth,
			       bool &isSum)
{
	Value *left = nullptr, *right = nullptr;
	const APInt *by = nullptr;
	isSum = true;
	if (match(&number, m_Sub(m_Value(left), m_Value(right))))
		return addNumber(to, *left, factor, depth) && addNumber(to, *right, -factor, depth);
	if (match(&number, m_AddLike(m_Value(left), m_Value(right))))
		return addNumber(to, *left, factor, depth) && addNumber(to, *right, factor, depth);
	if (match(&number, m_Shl(m_Value(left), m_APInt(by))) && by->ult(mostTermBits)) {
		const auto scaled = checkedSum(0, factor, int64_t(1) << by->getZExtValue());
		return scaled && addNumber(to, *left, *scaled, depth);
	}
	if (match(&number, m_Mul(m_Value(left), m_APInt(by))) &&
	    by->getSignificantBits() <= mostTermBits) {
		const auto scaled = checkedSum(0, factor, by->getSExtValue());
		return scaled && addNumber(to, *left, *scaled, depth);
	}
	isSum = false;
	return false;
}

bool LinearPlaces::addNumber(LinearPlace &to, Value &number, int64_t factor, unsigned depth)
{
	if (auto constant = constantOf(number)) {
		const auto sum = checkedSum(to.constant, constant, factor);
		to.constant = sum.value_or(0);
		return sum.has_value();
	}
	if (!number.getType()->isIntegerTy() ||
	    number.getType()->getScalarSizeInBits() > numberBits)
		return false;
	Value *narrow = nullptr;
	if (depth == 0)
		return addTerm(to, number, factor);
	if (match(&number, m_SExt(m_Value(narrow))) ||
	    match(&number, m_NNegZExt(m_Value(narrow))) ||
	    (match(&number, m_ZExt(m_Value(narrow))) && isNotNegative(*narrow, depth - 1)))
		return addNumber(to, *narrow, factor, depth - 1);
	auto *operation = dyn_cast<Operator>(&number);
	if (!operation)
		return addTerm(to, number, factor);
	/* Its terms' bounds may show what its flags do not: that it does not wrap. */
	LinearPlace sum;
	bool isSum = false;
	const bool isKnown = addOperator(sum, *operation, 1, depth - 1, isSum);
	const auto *flags = dyn_cast<OverflowingBinaryOperator>(operation);
	if (isSum && isKnown) {
		const unsigned bits = number.getType()->getScalarSizeInBits();
		const Bounds bounds = boundsOf(sum);
		if ((flags && flags->hasNoSignedWrap()) || !flags ||
		    (bounds.least && bounds.most && isIntN(bits, *bounds.least) &&
		     isIntN(bits, *bounds.most)))
			return to.add(sum, factor);
	}
	return addTerm(to, number, factor);
}

std::optional<LinearPlace> LinearPlaces::of(Value &number)
{
	LinearPlace place;
	return addNumber(place, number, 1, mostNested) ? std::optional(place) : std::nullopt;
}

std::optional<LinearPlace> LinearPlaces::ofStep(GetElementPtrInst &address)
{
	const DataLayout &layout = address.getDataLayout();
	LinearPlace place;
	for (auto i = gep_type_begin(address), end = gep_type_end(address); i != end; ++i) {
		if (i.isStruct())
			return std::nullopt;
		const TypeSize stride = i.getSequentialElementStride(layout);
		if (stride.isScalable() ||
		    !addNumber(place, *i.getOperand(), int64_t(stride.getFixedValue()), mostNested))
			return std::nullopt;
	}
	return place;
}

/* A power of two that divides all terms with their factors: of signed numbers as of unsigned ones. */
int64_t LinearPlaces::divisorOf(const LinearPlace &place)
{
	unsigned zeros = place.terms.empty() ? 0 : mostTermBits;
	for (const auto &[term, factor] : place.terms)
		zeros = std::min(zeros, evolution.getMinTrailingZeros(evolution.getSCEV(term)) +
						unsigned(countr_zero(uint64_t(factor))));
	return int64_t(1) << zeros;
}

/* Sums that are not above 0 where a condition holds, or does not. */
void LinearPlaces::addFacts(SmallVectorImpl<LinearPlace> &facts, Value &condition, bool holds)
{
	Value *first = nullptr, *second = nullptr;
	if (holds && match(&condition, m_LogicalAnd(m_Value(first), m_Value(second)))) {
		addFacts(facts, *first, true);
		addFacts(facts, *second, true);
		return;
	}
	auto *compare = dyn_cast<ICmpInst>(&condition);
	if (!compare || !compare->isRelational() || facts.size() >= mostConditions)
		return;
	Value *smaller = compare->getOperand(0), *larger = compare->getOperand(1);
	CmpPredicate predicate = holds ? compare->getPredicate() : compare->getInversePredicate();
	if (ICmpInst::isUnsigned(predicate) &&
	    !(isNotNegative(*smaller, mostNested) && isNotNegative(*larger, mostNested)))
		return;
	if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate))
		std::swap(smaller, larger);
	auto left = of(*smaller), right = of(*larger);
	if (!left || !right || !left->add(*right, -1))
		return;
	left->constant += ICmpInst::isStrictPredicate(predicate);
	/* Multiples of a number below a bound are no more than the greatest of them below it: i += 4 with i < 16 is 12 at most. */
	const int64_t divisor = divisorOf(*left);
	const int64_t missing = -(left->constant % divisor);
	const auto constant =
		checkedSum(left->constant, missing < 0 ? missing + divisor : missing, 1);
	left->constant = constant.value_or(left->constant);
	facts.push_back(*left);
}

SmallVector<LinearPlace, 4> LinearPlaces::notPositiveAt(const BasicBlock &block)
{
	SmallVector<LinearPlace, 4> facts;
	for (const DomTreeNode *node = dominators.getNode(&block);
	     node && node->getIDom() && facts.size() < mostConditions; node = node->getIDom()) {
		const BasicBlock *from = node->getBlock()->getSinglePredecessor();
		const auto *branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
		if (branch && branch->isConditional() &&
		    branch->getSuccessor(0) != branch->getSuccessor(1))
			addFacts(facts, *branch->getCondition(),
				 branch->getSuccessor(0) == node->getBlock());
	}
	return facts;
}

/* Where f is not above 0, p is at most p - n f, and at least p + n f, for each n above 0. */
Bounds LinearPlaces::boundsAt(const LinearPlace &place, const Instruction &instruction)
{
	Bounds bounds = boundsOf(place);
	for (const LinearPlace &fact : notPositiveAt(*instruction.getParent())) {
		LinearPlace above = place, below = place;
		const int64_t times = timesIn(fact, place);
		if (times == 0 || !above.add(fact, -times) || !below.add(fact, times))
			continue;
		const auto most = boundsOf(above).most, least = boundsOf(below).least;
		if (most && (!bounds.most || *most < *bounds.most))
			bounds.most = most;
		if (least && (!bounds.least || *least > *bounds.least))
			bounds.least = least;
	}
	return bounds;
}

} // namespace weft
