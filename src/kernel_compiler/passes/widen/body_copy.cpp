/* SPDX-License-Identifier: MIT
 *
 * Plans a copy and makes its widener.
 */
#include "widen/body_copy.h"

#include "functions/internal_functions.h"
#include "kernel/argument_layout.h"
#include "kernel_abi.h"
#include "lanes/idempotent_items.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

WideningTarget::WideningTarget(Function &function, LoopInfo &theLoops, DominatorTree &theDominators,
			       FunctionAnalysisManager &analyses)
    : loops(theLoops), dominators(theDominators), aliases(analyses.getResult<AAManager>(function)),
      costs(analyses.getResult<TargetIRAnalysis>(function)),
      library(analyses.getResult<TargetLibraryAnalysis>(function)),
      assumptions(analyses.getResult<AssumptionAnalysis>(function)),
      registers(vectorRegisters(costs)), scattered(costs, *function.getParent())
{
}

GroupKind::GroupKind(const Function &kernel, unsigned width)
{
	uint32_t size[3];
	readSizes(kernel, "reqd_work_group_size", size);
	if (!size[0])
		return;
	mayHaveRows = size[0] % width == 0 || (size[1] == 1 && size[2] == 1);
	mayBeLinear = !mayHaveRows;
}

bool BodyCopy::make(ItemLoop &item, const LaneShapes &shapes, const TransposableLoads &loads,
		    const WideningTarget &target, bool mayLackLanes, WideVariables &variables)
{
	if (!shapes.isValid())
		return false;
	plan = std::make_unique<LanePlan>(item, shapes, target.loops, mayLackLanes);
	if (!plan->isValid())
		return false;
	accesses.reset(
		new WideAccesses{AccessGroups(shapes, target.aliases, target.costs, shapes.lanes()),
				 TransposedLoads(loads, shapes), target.scattered});
	widener = std::make_unique<LoopWidener>(item, shapes, *accesses, *plan, target.costs,
						variables);
	if (!widener->isPossible())
		widener.reset();
	return widener != nullptr;
}

/* Whether shapes follow from that vectors begin at multiples of the width (LaneShapes::computeRow). */
static bool asksWhereVectorsBegin(const ItemLoop &item)
{
	return any_of(item.x->users(), [](const User *user) {
		return match(user, m_CombineOr(m_And(m_Value(), m_ConstantInt()),
					       m_LShr(m_Value(), m_ConstantInt())));
	});
}

std::optional<RepeatedItems> findRepeatedItems(const ItemLoop &item, const BodyCosts &costs,
					       const WideningTarget &target, unsigned width)
{
	Function &kernel = *item.header->getParent();
	if (item.row || asksWhereVectorsBegin(item) ||
	    (getKernelNumber(kernel, flagsAttribute) & WEFT_KERNEL_COUNTS_CYCLES))
		return std::nullopt;
	const Idempotence found = idempotenceOf(item, target.aliases);
	if (found == Idempotence::No)
		return std::nullopt;
	if (found == Idempotence::IfApart)
		addKernelFlag(kernel, WEFT_KERNEL_ASKS_APART);
	const uint64_t vector = width * costs.wide / std::max<uint64_t>(costs.scalar, 1);
	/* Those before the rest, from 0 on, run the same code. */
	Value *first =
		item.part == ItemPart::Rest ? ConstantInt::get(item.x->getType(), 0) : item.first;
	return RepeatedItems{first, std::clamp<uint64_t>(vector, 1, width),
			     found == Idempotence::IfApart};
}

} // namespace weft
