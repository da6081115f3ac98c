/* SPDX-License-Identifier: MIT
 *
 * Accesses of a loop in any two of its iterations.
 */
#include "prepare/loop_accesses.h"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

LoopAnalyses loopAnalyses(Function &function, FunctionAnalysisManager &analyses)
{
	return {analyses.getResult<DominatorTreeAnalysis>(function),
		analyses.getResult<LoopAnalysis>(function),
		analyses.getResult<ScalarEvolutionAnalysis>(function),
		analyses.getResult<AAManager>(function),
		analyses.getResult<AssumptionAnalysis>(function)};
}

/* The place of the access in any iteration. `restrict` of an inlined function's arguments holds for one call, which is in one
 * iteration, so its scopes are dropped. */
static MemoryLocation accessedPlace(const Instruction &access)
{
	MemoryLocation place = MemoryLocation::get(&access);
	place.AATags.Scope = nullptr;
	place.AATags.NoAlias = nullptr;
	return place;
}

static int64_t accessedBytes(const Instruction &access)
{
	const DataLayout &layout = access.getDataLayout();
	return int64_t(layout.getTypeStoreSize(getLoadStoreType(&access)));
}

bool mayMeet(Instruction &fixed, Instruction &other, AAResults &aliases, ScalarEvolution &evolution)
{
	if (aliases.isNoAlias(accessedPlace(fixed), accessedPlace(other)))
		return false;
	const SCEV *distance =
		evolution.getMinusSCEV(evolution.getSCEV(getLoadStorePointerOperand(&other)),
				       evolution.getSCEV(getLoadStorePointerOperand(&fixed)));
	if (isa<SCEVCouldNotCompute>(distance))
		return true;
	const bool isPast = evolution.getSignedRangeMin(distance).sge(accessedBytes(fixed));
	return !isPast && evolution.getSignedRangeMax(distance).sgt(-accessedBytes(other));
}

} // namespace weft
