/* SPDX-License-Identifier: MIT
 *
 * The costs of a widened loop and of the scalar one, in half cycles: a CPU does two vector operations in a cycle and
 * four scalar ones (two of floating point). Where scattered elements are loaded lane by lane, as scalar code does it, the
 * critical path counts too. Where lanes leave a loop one after the other, half of them wait in the mean; scalar code waits
 * for a branch then that the CPU has not foreseen.
 */
#include "width/lane_cost.h"

#include "accesses/access_cost.h"
#include "costs/division_costs.h"
#include "costs/integer_divisions.h"
#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "ir/same_columns.h"
#include "lanes/clamp_versions.h"
#include "lanes/lane_data.h"
#include "lanes/lane_elements.h"
#include "lanes/neighbour_index.h"
#include "width/loop_timing.h"

#include <llvm/IR/IntrinsicInst.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

constexpr int64_t cacheLine = 64; /* bytes */
constexpr uint64_t iterationsOfLoop = 10, mostLoopIterations = 100000;
/* Of updates of numbers in local memory, each by its own: the time between two of them. Lanes' addresses go by way of memory. */
constexpr uint64_t updateCost = 6, scalarUpdateCost = 3;
constexpr uint64_t uniformUpdateCost = 10; /* of all lanes together */
constexpr uint64_t tenthsOfCost = 5;       /* of CpuCosts: half a cycle */
/* Of so many branches by data, one goes another way than the CPU has expected. Half of them do if nothing is known of the data. */
constexpr uint64_t branchesForeseen = 4;
constexpr size_t mostSources = 64; /* values that an address is computed from, looked at */
/* Of a call of weft_image_functions, and of each work-item in it. */
constexpr uint64_t imageCallCost = 40, imageAccessCost = 8;

/* Of integers that vectors do not divide lane by lane; 0: no division. */
uint64_t divisionCost(const Instruction &instruction, const LaneShapes &shapes, const CpuCosts &cpu,
		      unsigned width)
{
	const bool isShared =
		isDivision(instruction) && shapes.isUniform(instruction.getOperand(1));
	if (const unsigned cost = wideDivisionCost(instruction, isShared, cpu))
		return std::max<uint64_t>(width * cost / tenthsOfCost, 1);
	return isDivision(instruction)
		       ? width * (laneCost + scalarDivisionCost(instruction, cpu) / tenthsOfCost)
		       : 0;
}

/* Addresses and the widths of indices, which cost scalar code nothing. */
bool isAddressing(const Instruction &instruction)
{
	return isa<GetElementPtrInst, SExtInst, ZExtInst, TruncInst>(instruction);
}

uint64_t wideCost(const Instruction &instruction, const LaneShapes &shapes,
		  const WideAccesses &accesses, unsigned width)
{
	if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
		return 0;
	if (const AccessGroup *group = accesses.groups.of(instruction))
		return group->leader().access == &instruction
			       ? groupCost(*group, accesses.costs, width)
			       : 0;
	const auto *load = dyn_cast<LoadInst>(&instruction);
	const TransposableLoad *transposed = load ? accesses.transposed.of(*load) : nullptr;
	if (transposed)
		return transposedLoadCost(*transposed, accesses.costs, width);
	if (isa<LoadInst, StoreInst>(instruction)) {
		uint64_t cost = accessCost(instruction, shapes, accesses.costs, width);
		return cost > 1 ? 2 * cost : cost;
	}
	if (isAddressing(instruction) && shapes.of(&instruction).isLinear())
		return 0;
	const bool isUniform = shapes.isUniform(&instruction);
	if (imageCallOf(instruction))
		return imageCallCost + imageAccessCost * (isUniform ? 1 : width);
	if (isUniform)
		return 1;
	if (!laneElements(*instruction.getType()) && !instruction.getType()->isVoidTy())
		return width * laneCost;
	if (isUniformUpdate(instruction, shapes))
		return uniformUpdateCost;
	if (isRealCall(instruction) || instruction.isAtomic())
		return width * laneCost;
	return std::max<uint64_t>(divisionCost(instruction, shapes, accesses.costs.cpu(), width),
				  1);
}

bool isVector(const Instruction &instruction)
{
	const auto *store = dyn_cast<StoreInst>(&instruction);
	const Value &value = store ? *store->getValueOperand() : instruction;
	return value.getType()->isVectorTy();
}

/* Of all lanes' work-items, one after the other. A vector of the source costs as much as one of lanes. */
uint64_t scalarCost(const Instruction &instruction, const CpuCosts &cpu, unsigned width)
{
	if (imageCallOf(instruction))
		return width * (imageCallCost + imageAccessCost);
	if (isVector(instruction) && !isa<PHINode>(instruction))
		return width *
		       std::max(wideDivisionCost(instruction, false, cpu) / unsigned(tenthsOfCost),
				1u);
	if (isa<PHINode>(instruction) || isAddressing(instruction) ||
	    (instruction.isTerminator() && instruction.getNumSuccessors() < 2))
		return 0;
	if (const unsigned cost = scalarDivisionCost(instruction, cpu))
		return width * cost / tenthsOfCost;
	const bool isReal =
		instruction.getType()->isFloatingPointTy() && !isa<LoadInst>(instruction);
	return isReal ? width : width / 2;
}

/* Of a vector iteration, and of its work-items one after the other. */
struct IterationCost {
	uint64_t wide = 0, scalar = 0;

	void add(IterationCost other)
	{
		wide += other.wide;
		scalar += other.scalar;
	}
	void raise(IterationCost least)
	{
		wide = std::max(wide, least.wide);
		scalar = std::max(scalar, least.scalar);
	}
};

/* What work-items one after the other wait for where their data say which way a branch goes. Lanes run both ways. Ends of
 * loops: see exitCost. */
uint64_t branchCost(const BasicBlock &block, const Loop *loop, const WideAccesses &accesses,
		    const LaneShapes &shapes, unsigned width)
{
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	if (!branch || !branch->isConditional() || (loop && loop->isLoopExiting(&block)) ||
	    !dependsOnData(*branch->getCondition(), shapes))
		return 0;
	return width * accesses.costs.cpu().misprediction / tenthsOfCost / branchesForeseen;
}

bool isUpdateOfLane(const Instruction &instruction, const LaneShapes &shapes)
{
	return isLocalUpdate(instruction) && !isUniformUpdate(instruction, shapes);
}

/* Whether all lanes' work-items need one integer, which no vector is made of. */
bool isOneScalar(const Instruction &instruction, const LaneShapes &shapes)
{
	return shapes.isUniform(&instruction) && !isAddressing(instruction) &&
	       (isa<CmpInst>(instruction) ||
		(isa<BinaryOperator>(instruction) && instruction.getType()->isIntegerTy() &&
		 !isDivision(instruction)));
}

/* Updates keep the CPU's stores busy, all else hides behind them. What work-items have in common is mostly the loop's own, and scalar
 * loops with updates are unrolled. */
IterationCost costOf(const BasicBlock &block, const LaneShapes &shapes,
		     const WideAccesses &accesses, unsigned width)
{
	IterationCost cost, updates;
	const bool updatesLanes = any_of(
		block, [&](const Instruction &other) { return isUpdateOfLane(other, shapes); });
	/* Beside vectors of the source, which are few lanes: integers that all share, of which the CPU begins four in a cycle. */
	const bool isPacked = any_of(block, isVector);
	uint64_t common = 0;
	for (const Instruction &instruction : block) {
		const bool isCommon = updatesLanes && shapes.isUniform(&instruction);
		common += isPacked && isOneScalar(instruction, shapes);
		if (isUpdateOfLane(instruction, shapes))
			updates.add({width * updateCost, width * scalarUpdateCost});
		else
			cost.add({wideCost(instruction, shapes, accesses, width),
				  isCommon ? 0
					   : scalarCost(instruction, accesses.costs.cpu(), width)});
	}
	cost.wide -= common / 2;
	cost.raise(updates);
	/* Scalar code has the general version alone, and most vectors are within the bounds. */
	const ClampVersion version = clampVersionOf(block);
	if (version == ClampVersion::General)
		cost.wide = 0;
	else if (version == ClampVersion::Inside)
		cost.scalar = 0;
	return cost;
}

/* Whether lanes leave a loop by numbers of their own. Where those grow from lane to lane as in `i < n` with a step that all share,
 * lanes leave in the same iteration or nearly so, and CPUs foresee when single work-items do. */
bool leavesApart(const Loop &loop, const LaneShapes &shapes)
{
	SmallVector<BasicBlock *, 4> exiting;
	loop.getExitingBlocks(exiting);
	return shapes.losesLanes(&loop) && any_of(exiting, [&](const BasicBlock *block) {
		       const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
		       const auto *compare = branch && branch->isConditional()
						     ? dyn_cast<ICmpInst>(branch->getCondition())
						     : nullptr;
		       return !compare || !shapes.of(compare->getOperand(0)).isLinear() ||
			      !shapes.of(compare->getOperand(1)).isLinear();
	       });
}

/* How often a loop's blocks run when the body runs once. A loop of all lanes runs until the last of them has left. */
IterationCost runsOf(const Loop *innermost, const Loop *items, const LaneShapes &shapes)
{
	const uint64_t iterations = iterationsOf(innermost, items);
	uint64_t waiting = 1;
	for (const Loop *loop = innermost; loop != items; loop = loop->getParentLoop())
		waiting *= leavesApart(*loop, shapes) ? 2 : 1;
	return {waiting * iterations, iterations};
}

/* The critical path of an iteration, if two run at a time: interleaved, or because the CPU looks ahead. It does not look past
 * the end of a loop that it does not foresee. */
IterationCost waitOf(const Loop &loop, const LaneShapes &shapes, const ScatteredCosts &costs,
		     unsigned width)
{
	const uint64_t alone = leavesApart(loop, shapes) ? 2 : 1;
	return {alone * wideIterationOf(loop, shapes, costs).latency,
		alone * width * scalarIterationOf(loop, shapes).latency};
}

/* What scalar code waits for at the ends of a loop that each work-item leaves when its own data say so: the CPU does not
 * foresee when. Lanes end it once. */
uint64_t exitCost(const Loop &loop, const Loop *items, const LaneShapes &shapes,
		  const WideAccesses &accesses, unsigned width)
{
	if (!leavesApart(loop, shapes))
		return 0;
	return iterationsOf(loop.getParentLoop(), items) * width *
	       accesses.costs.cpu().misprediction / tenthsOfCost;
}

/* Whether lanes go through memory in another direction than along rows: by a product of their places and a length that no constant says,
 * or by floats, as in a turned picture. */
bool isTurned(const Value &pointer, const LaneShapes &shapes)
{
	SmallSetVector<const Value *, 16> values;
	values.insert(&pointer);
	for (size_t next = 0; next < values.size() && next < mostSources; next++) {
		const auto *instruction = dyn_cast<Instruction>(values[next]);
		if (!instruction || isa<PHINode>(instruction) || shapes.of(instruction).isLinear())
			continue;
		const bool isPlaces =
			instruction->getOpcode() == Instruction::Mul &&
			any_of(instruction->operands(), [&](const Use &operand) {
				return shapes.of(operand).isLinear() && !shapes.isUniform(operand);
			});
		if (isPlaces || instruction->getType()->isFPOrFPVectorTy())
			return true;
		values.insert(instruction->op_begin(), instruction->op_end());
	}
	return false;
}

/* Whether the work-items of the next row may use the same cache lines: of a matrix that is read along its other side, of a turned
 * picture, or of what is the same for all rows. Not where each row has neighbours of its own, or places that it loads. */
bool sharesLines(const Instruction &access, const LaneShapes &shapes, const PlaceDependence &places)
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	const Shape shape = pointer ? shapes.of(pointer) : Shape::uniform();
	if (shape.isLinear())
		return std::abs(shape.stride) > cacheLine;
	const auto *load = dyn_cast<LoadInst>(&access);
	if (isTurned(*pointer, shapes) || !places.differsAlongY(*pointer))
		return true;
	const std::optional<NeighbourIndex> index =
		load ? neighbourIndex(*load, shapes) : std::nullopt;
	return index && index->bytes > cacheLine;
}

} // namespace

uint64_t iterationsOf(const Loop *innermost, const Loop *outside)
{
	uint64_t iterations = 1;
	for (const Loop *loop = innermost; loop != outside && iterations < mostLoopIterations;
	     loop = loop->getParentLoop())
		iterations *= iterationsOfLoop;
	return iterations;
}

BodyCosts bodyCosts(const LaneShapes &shapes, const WideAccesses &accesses, const LoopInfo &loops,
		    unsigned width)
{
	uint64_t wide = 0, scalar = 0;
	const Loop *items = loops.getLoopFor(shapes.blocks()[0]);
	SmallMapVector<const Loop *, IterationCost, 4> innermost;
	for (const BasicBlock *block : shapes.blocks()) {
		const Loop *loop = loops.getLoopFor(block);
		IterationCost cost = costOf(*block, shapes, accesses, width);
		cost.scalar += branchCost(*block, loop, accesses, shapes, width);
		if (loop != items && loop->getHeader() == block)
			scalar += exitCost(*loop, items, shapes, accesses, width);
		if (loop != items && loop->isInnermost()) {
			innermost[loop].add(cost);
			continue;
		}
		IterationCost runs = runsOf(loop, items, shapes);
		wide += runs.wide * cost.wide;
		scalar += runs.scalar * cost.scalar;
	}
	for (auto &[loop, cost] : innermost) {
		IterationCost runs = runsOf(loop, items, shapes);
		if (accesses.costs.isLaneByLane() || leavesApart(*loop, shapes))
			cost.raise(waitOf(*loop, shapes, accesses.costs, width));
		wide += runs.wide * cost.wide;
		scalar += runs.scalar * cost.scalar;
	}
	weft_log(WEFT_LOG_DEBUG, "compiler", "%u lanes cost %llu, one by one %llu", width,
		 (unsigned long long)wide, (unsigned long long)scalar);
	return {wide, scalar};
}

RowSharing sharingOfRows(const ItemLoop &item, const LaneShapes &shapes, const LoopInfo &loops)
{
	const PlaceDependence places(item, readItemNest(item).y, loops);
	if (readsSameInRows(item, places, loops))
		return SharesElements;
	const bool lines = any_of(shapes.blocks(), [&](const BasicBlock *block) {
		return any_of(*block, [&](const Instruction &instruction) {
			return sharesLines(instruction, shapes, places);
		});
	});
	return lines ? SharesLines : SharesNothing;
}

} // namespace weft
