/* SPDX-License-Identifier: MIT
 *
 * By the times of an iteration.
 */
#include "width/uneven_loops.h"

#include "costs/integer_divisions.h"
#include "width/loop_timing.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostOfBody = 200; /* of a body that is there once more */
constexpr unsigned scalarUnits =
	4; /* operations that begin in a cycle, two of them of floating point */
constexpr unsigned overlapping = 2; /* work-items that the CPU has under way at once */

/* Whether lanes load several parts of one place, as the elements of a vector of the source: one gather loads them all, of which the time
 * is not known here. */
bool loadsParts(const Loop &loop, const LaneShapes &shapes)
{
	SmallPtrSet<const Value *, 8> places;
	for (const BasicBlock *block : loop.blocks()) {
		for (const Instruction &instruction : *block) {
			const auto *load = dyn_cast<LoadInst>(&instruction);
			if (!load || shapes.of(load->getPointerOperand()).isLinear())
				continue;
			APInt offset(64, 0);
			const Value *place =
				load->getPointerOperand()->stripAndAccumulateConstantOffsets(
					load->getDataLayout(), offset, true);
			if (!places.insert(place).second)
				return true;
		}
	}
	return false;
}

/* What vectors gain most in, also where half of the lanes are lost; two vectors side by side wait for each other's divisions. */
bool divides(const Loop &loop)
{
	return any_of(loop.blocks(),
		      [](const BasicBlock *block) { return any_of(*block, isDivision); });
}

} // namespace

std::optional<UnevenLoop> unevenTimes(const Loop &loop, const LaneShapes &shapes,
				      const ScatteredCosts &costs)
{
	if (!shapes.losesLanes(&loop) || divides(loop))
		return std::nullopt;
	const Timing wide = wideIterationOf(loop, shapes, costs);
	const Timing scalar = scalarIterationOf(loop, shapes);
	UnevenLoop uneven = {};
	uneven.loop = &loop;
	uneven.wide = std::max(wide.operations - wide.paired / 2, wide.latency);
	uneven.scalar =
		unsigned(std::max(divideCeil(scalar.operations + scalar.paired, scalarUnits),
				  divideCeil(scalar.latency, overlapping)));
	uneven.leaving = unsigned(costs.cpu().misprediction / tenthsOfCycle);
	if (2 * uneven.wide < uneven.scalar * shapes.lanes())
		return std::nullopt;
	return uneven;
}

std::optional<UnevenLoop> findUnevenLoop(const LaneShapes &shapes, const LoopInfo &loops,
					 const ScatteredCosts &costs)
{
	size_t size = 0;
	for (const BasicBlock *block : shapes.blocks())
		size += block->size();
	SmallVector<const Loop *> innermost = innermostLoops(shapes, loops);
	if (size > mostOfBody || innermost.size() != 1 || loadsParts(*innermost[0], shapes))
		return std::nullopt;
	return unevenTimes(*innermost[0], shapes, costs);
}

} // namespace weft
