/* SPDX-License-Identifier: MIT
 *
 * The latencies are as measured on CPUs with AVX-512. The critical path of a loop is the time by which the end of one
 * iteration comes after the end of the one before it: a value that is only handed on from phi to phi adds nothing.
 */
#include "width/loop_timing.h"

#include "accesses/access_cost.h"
#include "costs/division_costs.h"
#include "costs/integer_divisions.h"
#include "lanes/clamp_versions.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostRounds = 4;  /* until paths through several phis have settled */
constexpr unsigned laneByLane = 20; /* from a vector of indices to one of what was loaded */

using TimingOf = function_ref<Timing(const Instruction &)>;

Timing loadTimingOf(const Instruction &load, const LaneShapes &shapes, const ScatteredCosts &costs)
{
	auto cycles = unsigned(accessCost(load, shapes, costs, shapes.lanes()));
	return {cycles > 1 && costs.isLaneByLane() ? laneByLane : 8, cycles, 0};
}

/* Divisions and square roots of vectors. Those of integers (lane_code/float_division.h) by a reciprocal have products and conversions for two
 * units, others wait for the one that divides. Latencies are of one register; those of 64 bits overlap with the next vector's: a loop of
 * little else takes 58 cycles, where the latencies of the parts are 85. */
Timing wideDivisionTimingOf(const Instruction &instruction, const LaneShapes &shapes,
			    const CpuCosts &cpu)
{
	const bool isShared =
		isDivision(instruction) && shapes.isUniform(instruction.getOperand(1));
	const unsigned bits = instruction.getType()->getScalarSizeInBits();
	const unsigned cycles = std::max(
		shapes.lanes() * wideDivisionCost(instruction, isShared, cpu) / tenthsOfCycle, 1u);
	/* Of each register of doubles or floats. */
	const unsigned registers = std::max(shapes.lanes() * (bits > 16 ? 64 : 32) / 512, 1u);
	const unsigned each = cycles / registers;
	if (!isDivision(instruction))
		return {16 + cycles - each, cycles, 0};
	unsigned latency = isShared ? 12 : 26;
	if (bits == 64)
		latency = isShared ? 40 : 60;
	else if (bits > 16)
		latency = isShared ? 18 : 38;
	latency += cycles - each;
	return isShared ? Timing{latency, 2 * cycles, 2 * cycles} : Timing{latency, cycles, 0};
}

Timing wideTimingOf(const Instruction &instruction, const LaneShapes &shapes,
		    const ScatteredCosts &costs)
{
	if (isa<PHINode>(instruction) || shapes.of(&instruction).isLinear())
		return {0, 0, 0};
	const bool isReal = instruction.getType()->isFPOrFPVectorTy();
	if (wideDivisionCost(instruction, false, costs.cpu()))
		return wideDivisionTimingOf(instruction, shapes, costs.cpu());
	switch (instruction.getOpcode()) {
	case Instruction::Mul:
		return {10, 2, 2};
	case Instruction::FAdd:
	case Instruction::FSub:
	case Instruction::FMul:
	case Instruction::FCmp:
	case Instruction::ICmp:
		return {4, 1, 1};
	case Instruction::Load:
		return loadTimingOf(instruction, shapes, costs);
	case Instruction::Call:
		return {isReal ? 4u : 1u, 1, 1};
	default:
		return {isReal && isa<CastInst>(instruction) ? 4u : 1u, 1, 1};
	}
}

/* Four scalar operations begin in each cycle. Addresses are part of the access. */
Timing scalarTimingOf(const Instruction &instruction, const LaneShapes &shapes, const CpuCosts &cpu)
{
	if (isa<PHINode, GetElementPtrInst, CastInst>(instruction) ||
	    shapes.isUniform(&instruction))
		return {0, 0, 0};
	if (isa<LoadInst>(instruction))
		return {5, 1, 0};
	if (instruction.getOpcode() == Instruction::Mul)
		return {3, 1, 0};
	/* One at a time: those that do not wait for each other take as long. */
	if (const unsigned cost = scalarDivisionCost(instruction, cpu)) {
		const bool isLong = instruction.getType()->getScalarSizeInBits() > 32;
		return {isDivision(instruction) && !isLong ? 12u : 16u, 4 * cost / tenthsOfCycle,
			0};
	}
	const bool isReal = instruction.getType()->isFPOrFPVectorTy();
	return {isReal ? 4u : 1u, 1, isReal ? 1u : 0u};
}

using Times = DenseMap<const Value *, unsigned>;

/* Without vectors at the edge of a picture, which are few. Adds the times of values that depend on the header's phis, whose times are given. Returns the
 * operations. */
Timing runIteration(const Loop &loop, const LaneShapes &shapes, TimingOf timingOf, Times &done)
{
	Timing sum = {0, 0, 0};
	for (const BasicBlock *block : shapes.blocks()) {
		if (!loop.contains(block) || clampVersionOf(*block) == ClampVersion::General)
			continue;
		for (const Instruction &instruction : *block) {
			Timing timing = timingOf(instruction);
			sum.operations += timing.operations;
			sum.paired += timing.paired;
			if (block == loop.getHeader() && isa<PHINode>(instruction))
				continue;
			std::optional<unsigned> ready;
			for (const Value *operand : instruction.operand_values()) {
				auto found = done.find(operand);
				if (found != done.end())
					ready = std::max(ready.value_or(0), found->second);
			}
			if (ready)
				done[&instruction] = *ready + timing.latency;
		}
	}
	return sum;
}

Timing iterationOf(const Loop &loop, const LaneShapes &shapes, TimingOf timingOf)
{
	Timing result = {0, 0, 0};
	Times starts;
	for (const PHINode &phi : loop.getHeader()->phis()) {
		if (!shapes.of(&phi).isLinear())
			starts[&phi] = 0;
	}
	unsigned end = 0;
	for (unsigned i = 0; i < mostRounds; i++) {
		Times done = starts;
		result = runIteration(loop, shapes, timingOf, done);
		unsigned last = 0;
		for (auto &[phi, start] : starts) {
			const Value *next =
				cast<PHINode>(phi)->getIncomingValueForBlock(loop.getLoopLatch());
			start = done.lookup(next);
			last = std::max(last, start);
		}
		result.latency = last - std::min(end, last);
		end = last;
	}
	return result;
}

} // namespace

SmallVector<const Loop *> innermostLoops(const LaneShapes &shapes, const LoopInfo &loops)
{
	SmallVector<const Loop *> all;
	const BasicBlock *first = shapes.blocks()[0];
	for (const BasicBlock *block : shapes.blocks()) {
		const Loop *loop = loops.getLoopFor(block);
		if (loop->getHeader() == block && !loop->contains(first) && loop->isInnermost())
			all.push_back(loop);
	}
	return all;
}

Timing wideIterationOf(const Loop &loop, const LaneShapes &shapes, const ScatteredCosts &costs)
{
	return iterationOf(loop, shapes, [&](const Instruction &instruction) {
		return wideTimingOf(instruction, shapes, costs);
	});
}

Timing vectorIterationOf(const LaneShapes &shapes, const ScatteredCosts &costs)
{
	Timing result = {0, 0, 0};
	Times done;
	for (const BasicBlock *block : shapes.blocks()) {
		for (const Instruction &instruction : *block) {
			Timing timing = wideTimingOf(instruction, shapes, costs);
			unsigned ready = 0;
			for (const Value *operand : instruction.operand_values())
				ready = std::max(ready, done.lookup(operand));
			done[&instruction] = ready + timing.latency;
			result.operations += timing.operations;
			result.latency = std::max(result.latency, ready + timing.latency);
		}
	}
	return result;
}

Timing scalarIterationOf(const Loop &loop, const LaneShapes &shapes)
{
	const CpuCosts &cpu = cpuCosts(*loop.getHeader()->getModule());
	return iterationOf(loop, shapes, [&](const Instruction &instruction) {
		return scalarTimingOf(instruction, shapes, cpu);
	});
}

} // namespace weft
