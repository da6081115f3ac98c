/* SPDX-License-Identifier: MIT
 *
 * What UnrollLoop asks of a loop is made first: its simple form, and values that leave it do so through phis.
 */
#include "prepare/loop_unroller.h"

#include "functions/internal_functions.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace weft
{

LoopUnroller::LoopUnroller(Function &theFunction, FunctionAnalysisManager &theAnalyses)
    : function(theFunction), analyses(theAnalyses),
      loops(analyses.getResult<LoopAnalysis>(function)),
      evolution(analyses.getResult<ScalarEvolutionAnalysis>(function))
{
}

bool LoopUnroller::mayCopy(const Loop &loop, bool withBarriers)
{
	return none_of(loop.blocks(), [&](const BasicBlock *block) {
		return any_of(*block, [&](const Instruction &instruction) {
			const auto *call = dyn_cast<CallBase>(&instruction);
			return isa<IndirectBrInst, CallBrInst>(instruction) ||
			       (call && !(withBarriers && isBarrier(*call)) &&
				(call->cannotDuplicate() || call->isConvergent()));
		});
	});
}

unsigned LoopUnroller::roundsOf(const Loop &loop, unsigned most) const
{
	const BasicBlock *exiting = loop.getExitingBlock();
	const BasicBlock *latch = loop.getLoopLatch();
	if (!latch || !exiting || (exiting != latch && exiting != loop.getHeader()))
		return 0;
	unsigned rounds = evolution.getSmallConstantTripCount(&loop);
	return rounds <= most ? rounds : 0;
}

bool LoopUnroller::unroll(Loop &loop)
{
	auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
	UnrollLoopOptions options = {};
	options.Count = evolution.getSmallConstantTripCount(&loop);
	options.Force = true;
	options.ForgetAllSCEV = true;
	simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, true);
	formLCSSARecursively(loop, dominators, &loops, &evolution);
	return UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions,
			  &analyses.getResult<TargetIRAnalysis>(function),
			  &analyses.getResult<OptimizationRemarkEmitterAnalysis>(function),
			  true) == LoopUnrollResult::FullyUnrolled;
}

} // namespace weft
