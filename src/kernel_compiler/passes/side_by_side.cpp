/* SPDX-License-Identifier: MIT
 *
 * Vectors side by side: by the registers that one takes, and by the cycles that a loop's slowest chain of operations
 * takes from round to round, as measured on CPUs with AVX-512, against the cycles of all its operations.
 */
#include "side_by_side.h"

#include "choose_width.h"
#include "lane_cost.h"
#include "loop_widener.h"
#include "register_pressure.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostInstructions = 1000; /* of a body that is done on two vectors */
constexpr unsigned leastInstructions = 120; /* of straight code: fewer fit the CPU's window */
constexpr unsigned spareRegisters = 4;      /* for uniform values */
constexpr unsigned mostVectors = 8;
constexpr unsigned mostOfScalars = 20000; /* instructions of a body that is done on two scalars */

/* Of a wave's lanes. Masks have registers of their own. */
unsigned registersOf(const Instruction &value, const LaneShapes &shapes, unsigned bits)
{
	Type *type = value.getType();
	if (type->isVoidTy() || type->isIntegerTy(1) || shapes.of(&value).isLinear() ||
	    !isLaneType(*type))
		return 0;
	unsigned size = type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits());
	return unsigned(divideCeil(size * shapes.lanes(), bits));
}

/* Whether an address steps through memory with an inner loop, each lane through a row of its own. */
bool stepsThroughRows(const Value *value, const LaneShapes &shapes, const Loop &loop)
{
	const auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || !loop.contains(instruction) || shapes.of(value).isLinear())
		return true;
	if (!isa<GetElementPtrInst, BinaryOperator, CastInst>(instruction))
		return false;
	return all_of(instruction->operands(),
		      [&](const Use &use) { return stepsThroughRows(use, shapes, loop); });
}

bool isLaneByLane(const Instruction &instruction, const LaneShapes &shapes)
{
	const bool isVoid = instruction.getType()->isVoidTy();
	if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
		return isVoid || !shapes.isUniform(&instruction);
	return instruction.isAtomic() || (!isVoid && !isLaneType(*instruction.getType()));
}

/* What is done lane by lane gains nothing; and lanes that step through rows have as many cache lines under way as
 * they should. */
bool hindersInterleaving(const Instruction &instruction, const LaneShapes &shapes,
			 const LoopInfo &loops)
{
	if (isLaneByLane(instruction, shapes))
		return true;
	const Loop *loop = loops.getLoopFor(instruction.getParent());
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	if (!pointer || loop->contains(shapes.blocks()[0]) ||
	    accessCost(instruction, shapes, mostLanes) == 1)
		return false;
	return stepsThroughRows(pointer, shapes, *loop);
}

/* An operation's result comes after so many cycles, and meanwhile so many operations could begin on one vector unit. */
struct Timing {
	unsigned latency, operations;
};

Timing timingOf(const Instruction &instruction, const LaneShapes &shapes)
{
	if (isa<PHINode>(instruction) || shapes.of(&instruction).isLinear())
		return {0, 0};
	const bool isReal = instruction.getType()->isFPOrFPVectorTy();
	switch (instruction.getOpcode()) {
	case Instruction::Mul:
		return {10, 2};
	case Instruction::FDiv:
		return {16, 16};
	case Instruction::FAdd:
	case Instruction::FSub:
	case Instruction::FMul:
	case Instruction::FCmp:
	case Instruction::ICmp:
		return {4, 1};
	case Instruction::Load:
		return {8, unsigned(accessCost(instruction, shapes, shapes.lanes()))};
	case Instruction::Call:
		return {isReal ? 4u : 1u, 1};
	default:
		return {isReal && isa<CastInst>(instruction) ? 4u : 1u, 1};
	}
}

/* The same of scalars, of which four begin in each cycle. Addresses are part of the access. */
Timing scalarTimingOf(const Instruction &instruction, const LaneShapes &shapes)
{
	if (isa<PHINode, GetElementPtrInst, CastInst>(instruction) ||
	    shapes.isUniform(&instruction))
		return {0, 0};
	if (isa<LoadInst>(instruction))
		return {5, 1};
	if (instruction.getOpcode() == Instruction::Mul)
		return {3, 1};
	return {instruction.getType()->isFPOrFPVectorTy() ? 4u : 1u, 1};
}

/* What one round of an innermost loop takes: in its slowest chain of operations from the round before, cycles; and all
 * operations. */
Timing roundOf(const Loop &loop, const LaneShapes &shapes,
	       Timing timingOf(const Instruction &, const LaneShapes &))
{
	DenseMap<const Value *, unsigned> done; /* when, of what comes from the round before */
	Timing round = {0, 0};
	for (const BasicBlock *block : shapes.blocks()) {
		if (!loop.contains(block))
			continue;
		for (const Instruction &instruction : *block) {
			Timing timing = timingOf(instruction, shapes);
			round.operations += timing.operations;
			if (block == loop.getHeader() && isa<PHINode>(instruction)) {
				if (!shapes.of(&instruction).isLinear())
					done[&instruction] = 0;
				continue;
			}
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
	for (const PHINode &phi : loop.getHeader()->phis())
		round.latency =
			std::max(round.latency,
				 done.lookup(phi.getIncomingValueForBlock(loop.getLoopLatch())));
	return round;
}

/* How many vectors fill the cycles that an innermost loop's slowest chain takes in one round: the nearest power of
 * two. A vector unit begins an operation in each cycle, and there are two. */
unsigned vectorsToFill(const Loop &loop, const LaneShapes &shapes)
{
	Timing round = roundOf(loop, shapes, timingOf);
	return round.operations > 0 ? bit_floor(std::max(3 * round.latency / round.operations, 1u))
				    : 1;
}

/* Of all innermost loops, the most; but where lanes wait for each other, more of them would only wait longer. */
unsigned vectorsToFill(const LaneShapes &shapes, const LoopInfo &loops)
{
	unsigned most = 2;
	const BasicBlock *first = shapes.blocks()[0];
	for (const BasicBlock *block : shapes.blocks()) {
		const Loop *loop = loops.getLoopFor(block);
		if (loop->getHeader() == block && !loop->contains(first) && loop->isInnermost() &&
		    !shapes.losesLanes(loop))
			most = std::max(most, vectorsToFill(*loop, shapes));
	}
	return std::min(most, mostVectors);
}

} // namespace

unsigned vectorsSideBySide(const LaneShapes &shapes, const LoopInfo &loops,
			   VectorRegisters registers)
{
	const unsigned outermost = loops.getLoopDepth(shapes.blocks()[0]);
	size_t size = 0;
	bool hasLoop = false;
	for (const BasicBlock *block : shapes.blocks()) {
		size += block->size();
		hasLoop |= loops.getLoopDepth(block) > outermost;
		if (any_of(*block, [&](const Instruction &instruction) {
			    return hindersInterleaving(instruction, shapes, loops);
		    }))
			return 1;
	}
	if (!hasLoop && size < leastInstructions)
		return 1;
	unsigned pressure = mostAlive(shapes.blocks(), loops, [&](const Instruction &value) {
		return registersOf(value, shapes, registers.bits);
	});
	unsigned vectors = hasLoop ? vectorsToFill(shapes, loops) : 2;
	while (vectors > 1 && (vectors * pressure + spareRegisters > registers.count ||
			       vectors * size > 2 * mostInstructions))
		vectors /= 2;
	return vectors;
}

bool scalarsPaySideBySide(const LaneShapes &shapes, const LoopInfo &loops)
{
	const BasicBlock *first = shapes.blocks()[0];
	size_t size = 0;
	Timing longest = {0, 0}; /* of all innermost loops' rounds */
	for (const BasicBlock *block : shapes.blocks()) {
		const Loop *loop = loops.getLoopFor(block);
		const bool isInner = !loop->contains(first);
		if (isInner && shapes.losesLanes(loop))
			return false;
		if (any_of(*block, [&](const Instruction &instruction) {
			    return isLaneByLane(instruction, shapes);
		    }))
			return false;
		size += block->size();
		if (isInner && loop->getHeader() == block && loop->isInnermost()) {
			Timing round = roundOf(*loop, shapes, scalarTimingOf);
			longest = round.operations > longest.operations ? round : longest;
		}
	}
	const bool waits = longest.latency > 0 && longest.operations <= 2 * longest.latency;
	return waits && size <= mostOfScalars;
}

} // namespace weft
