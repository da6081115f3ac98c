/* SPDX-License-Identifier: MIT
 *
 * Plans a copy and makes its widener.
 */
#include "widen/body_copy.h"

using namespace llvm;

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

} // namespace weft
