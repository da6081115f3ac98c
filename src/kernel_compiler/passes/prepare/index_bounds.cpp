/* SPDX-License-Identifier: MIT
 *
 * Branches that dominate the use, and sums that do not become negative.
 */
#include "prepare/index_bounds.h"

#include "functions/internal_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostSteps = 32, mostBits = 32;

KnownBits bitsOf(const Value &value, const Instruction &at)
{
	return computeKnownBits(&value, at.getDataLayout());
}

/* Work-items of a group, which are fewer than 2^31 on every device. */
bool countsItemsOfGroup(const Value &value)
{
	std::optional<Query> query = queryOf(value);
	return query == Query::LocalId || query == Query::LocalSize ||
	       query == Query::EnqueuedLocalSize;
}

/* Whether values are not negative as signed numbers: each is made of such values by operations that keep that. What a loop
 * carries is taken not to be negative at first. */
class NeverNegative
{
      public:
	NeverNegative(const Instruction &theUse) : use(theUse)
	{
	}

	bool holds(const Value &value)
	{
		if (!seen.insert(&value).second)
			return true;
		if (seen.size() > mostSteps)
			return false;
		if (bitsOf(value, use).isNonNegative() || countsItemsOfGroup(value))
			return true;
		const auto *instruction = dyn_cast<Instruction>(&value);
		if (!instruction)
			return false;
		if (const auto *phi = dyn_cast<PHINode>(instruction))
			return all_of(phi->incoming_values(),
				      [&](const Use &incoming) { return holds(*incoming); });
		if (isa<TruncInst>(instruction))
			return countsItemsOfGroup(*instruction->getOperand(0)) &&
			       instruction->getType()->getIntegerBitWidth() >= 32;
		const bool keepsSign = isa<SExtInst>(instruction) ||
				       match(instruction, m_NSWAdd(m_Value(), m_Value())) ||
				       match(instruction, m_NSWMul(m_Value(), m_Value()));
		return keepsSign && all_of(instruction->operand_values(),
					   [&](const Value *operand) { return holds(*operand); });
	}

      private:
	const Instruction &use;
	SmallPtrSet<const Value *, 16> seen;
};

struct Bound {
	uint64_t largest;
	bool isSigned; /* and says nothing of negative values */
};

/* What a condition says that holds, or does not. */
std::optional<Bound> boundBy(const Value &condition, bool holds, const Value &value)
{
	const Value *first, *second;
	if (holds && match(&condition, m_LogicalAnd(m_Value(first), m_Value(second)))) {
		std::optional<Bound> bound = boundBy(*first, true, value);
		return bound ? bound : boundBy(*second, true, value);
	}
	const auto *compare = dyn_cast<ICmpInst>(&condition);
	const APInt *limit;
	if (!compare || compare->getOperand(0) != &value ||
	    !match(compare->getOperand(1), m_APInt(limit)))
		return std::nullopt;
	ICmpInst::Predicate predicate =
		holds ? compare->getPredicate() : compare->getInversePredicate();
	ConstantRange range = ConstantRange::makeExactICmpRegion(predicate, *limit);
	const bool isSigned = ICmpInst::isSigned(predicate);
	APInt largest = isSigned ? range.getSignedMax() : range.getUnsignedMax();
	if (largest.isNegative() || largest.getActiveBits() > mostBits)
		return std::nullopt;
	return Bound{largest.getZExtValue(), isSigned};
}

/* By the branches on the way to the use, the last that says something. */
std::optional<Bound> boundByBranches(const Value &value, const Instruction &at,
				     const DominatorTree &dominators)
{
	const BasicBlock *block = at.getParent();
	const DomTreeNode *node = dominators.getNode(block);
	while (node && (node = node->getIDom())) {
		const auto *branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
		if (!branch || !branch->isConditional())
			continue;
		for (unsigned way = 0; way < 2; way++) {
			BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(way));
			if (!dominators.dominates(edge, block))
				continue;
			if (auto bound = boundBy(*branch->getCondition(), way == 0, value))
				return bound;
		}
	}
	return std::nullopt;
}

} // namespace

std::optional<uint64_t> largestIndex(const Value &index, const Instruction &at,
				     const DominatorTree &dominators)
{
	const auto *extension = dyn_cast<CastInst>(&index);
	const bool isExtended = extension && isa<ZExtInst, SExtInst>(extension);
	const Value &value = isExtended ? *extension->getOperand(0) : index;
	std::optional<Bound> bound = boundByBranches(value, at, dominators);
	if (bound && (!bound->isSigned || NeverNegative(at).holds(value)))
		return bound->largest;
	KnownBits bits = bitsOf(index, at);
	if (bits.isNonNegative() && bits.countMaxActiveBits() <= mostBits)
		return bits.getMaxValue().getZExtValue();
	return std::nullopt;
}

} // namespace weft
