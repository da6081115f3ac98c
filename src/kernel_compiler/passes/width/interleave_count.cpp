/* SPDX-License-Identifier: MIT
 *
 * Interleaved vectors: by the registers that one takes, and by the cycles of the critical path, of a loop from iteration
 * to iteration or of a body without loops, compared with the cycles of all operations.
 */
#include "width/interleave_count.h"

#include "accesses/access_cost.h"
#include "costs/division_costs.h"
#include "costs/register_pressure.h"
#include "costs/vector_registers.h"
#include "functions/internal_functions.h"
#include "functions/precompiled_functions.h"
#include "ir/same_columns.h"
#include "lanes/clamp_versions.h"
#include "lanes/lane_elements.h"
#include "width/lane_cost.h"
#include "width/loop_timing.h"
#include "width/uneven_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostInstructions = 1000; /* of a body that is done on two vectors */
constexpr unsigned leastInstructions = 120; /* of straight code: fewer fit the CPU's window */
constexpr unsigned ofPrecompiled = 80; /* that many, as if a precompiled function were inlined */
constexpr unsigned leastInLoops = 200; /* of all iterations of loops: many are addresses */
constexpr unsigned mostWaiting = 96; /* cycles of a critical path that fits the CPU's schedulers */
constexpr unsigned spareRegisters = 4; /* for uniform values */
constexpr unsigned mostVectors = 8;
constexpr unsigned mostOfSharing = 16;    /* rows that read the same */
constexpr unsigned leastSharing = 16;     /* iterations that read the same */
constexpr unsigned mostOfScalars = 20000; /* instructions of a body that is done on two scalars */
constexpr unsigned lanesOfSharing = 64;   /* at most, of vectors that share operations */
constexpr uint64_t leastCommon = 16;      /* operations that they share */
constexpr uint64_t storedInCycle = 8;     /* bytes, between operations */
constexpr uint64_t storedAtOnce = 2;      /* of more than mostStored, which wait for memory */
constexpr uint64_t mostStored = 256;      /* bytes of all vectors that share operations */
constexpr uint64_t ofDivision = 8;        /* operations that a division or a root takes, about */

/* The registers that all lanes' values take. Masks have other registers, and vectors at the edge of a picture time for values on the
 * stack. */
unsigned registersOf(const Instruction &value, const LaneShapes &shapes, unsigned bits)
{
	Type *type = value.getType();
	if (clampVersionOf(*value.getParent()) == ClampVersion::General)
		return 0;
	if (type->isVoidTy() || type->isIntOrIntVectorTy(1) || shapes.of(&value).isLinear() ||
	    !laneElements(*type))
		return 0;
	unsigned size = type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits());
	return unsigned(divideCeil(size * shapes.lanes(), bits));
}

/* Whether an address steps through memory with an inner loop, each lane through another row. */
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
	if (isRealCall(instruction))
		return isVoid || !shapes.isUniform(&instruction);
	return instruction.isAtomic() || (!isVoid && !laneElements(*instruction.getType()));
}

/* What is done lane by lane gains nothing; and lanes that step through rows have as many cache lines under way as
 * they should. */
bool hindersInterleaving(const Instruction &instruction, const LaneShapes &shapes,
			 const LoopInfo &loops, const ScatteredCosts &costs)
{
	if (isLaneByLane(instruction, shapes))
		return true;
	const Loop *loop = loops.getLoopFor(instruction.getParent());
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	if (!pointer || loop->contains(shapes.blocks()[0]) ||
	    accessCost(instruction, shapes, costs, mostLanes) == 1)
		return false;
	return stepsThroughRows(pointer, shapes, *loop);
}

size_t sizeOf(const BasicBlock &block)
{
	const auto calls = count_if(block, [](const Instruction &instruction) {
		return precompiledCallOf(instruction) != nullptr;
	});
	return block.size() + size_t(calls) * ofPrecompiled;
}

/* How many vectors fill the cycles of the critical path: the nearest power of two. There are two vector units, each of which
 * begins an operation in each cycle. */
unsigned vectorsToFill(Timing timing)
{
	if (timing.operations == 0)
		return 1;
	return std::min(bit_floor(std::max(3 * timing.latency / timing.operations, 1u)),
			mostVectors);
}

/* Of all innermost loops, the most; but where lanes wait for each other, more of them would only wait longer: two at most, and one where
 * gathers take the time. */
unsigned vectorsToFill(ArrayRef<const Loop *> loops, const LaneShapes &shapes,
		       const ScatteredCosts &costs)
{
	unsigned most = 1;
	for (const Loop *loop : loops) {
		if (!shapes.losesLanes(loop))
			most = std::max(most, vectorsToFill(wideIterationOf(*loop, shapes, costs)));
		if (!unevenTimes(*loop, shapes, costs))
			most = std::max(most, 2u);
	}
	return most;
}

/* Instructions that a vector iteration runs; many where the number of a loop's iterations is not known. */
uint64_t runsOf(const ItemLoop &item, const LaneShapes &shapes, const InterleaveContext &with)
{
	uint64_t all = 0;
	for (const BasicBlock *block : shapes.blocks()) {
		uint64_t runs = block->size();
		for (const Loop *loop = with.loops.getLoopFor(block); loop != item.loop;
		     loop = loop->getParentLoop()) {
			unsigned count = with.evolution.getSmallConstantTripCount(loop);
			runs = SaturatingMultiply<uint64_t>(runs, count > 0 ? count : leastInLoops);
		}
		all = SaturatingAdd(all, runs);
	}
	return all;
}

/* For short bodies: the CPU overlaps several iterations by itself, but what waits in a long critical path fills its
 * schedulers before the next iteration is reached. */
unsigned vectorsOfCriticalPath(const LaneShapes &shapes, const ScatteredCosts &costs)
{
	Timing timing = vectorIterationOf(shapes, costs);
	return timing.latency > mostWaiting ? vectorsToFill(timing) : 1;
}

/* The same for bodies with inner loops of few iterations. */
unsigned vectorsOfFewIterations(ArrayRef<const Loop *> loops, const LaneShapes &shapes,
				const InterleaveContext &with)
{
	bool waits = any_of(loops, [&](const Loop *loop) {
		return with.evolution.getSmallConstantTripCount(loop) *
			       wideIterationOf(*loop, shapes, with.costs).latency >
		       mostWaiting;
	});
	return waits ? vectorsToFill(loops, shapes, with.costs) : 1;
}

/* Numbers that all lanes compute with, which the code generator keeps in registers for the whole loop. Where there are
 * not enough for all vectors, it computes one vector after the other. Integers are read from memory where they are used. */
unsigned sharedNumbers(const LaneShapes &shapes)
{
	SmallPtrSet<const Value *, 32> numbers;
	for (const BasicBlock *block : shapes.blocks()) {
		for (const Instruction &instruction : *block) {
			if (shapes.of(&instruction).isLinear())
				continue;
			for (const Value *operand : instruction.operand_values()) {
				bool isShared = isa<Constant>(operand) || shapes.isUniform(operand);
				if (operand->getType()->isFPOrFPVectorTy() && isShared)
					numbers.insert(operand);
			}
		}
	}
	return unsigned(numbers.size());
}

uint64_t costOf(const Instruction &instruction)
{
	if (instruction.isIntDivRem() ||
	    is_contained({Instruction::FDiv, Instruction::FRem}, instruction.getOpcode()) ||
	    isSquareRoot(instruction))
		return ofDivision;
	return 1 + wholeOperationsOf(instruction);
}

/* A loop counts for ten iterations if their number is not known. */
uint64_t iterationsWithin(const ItemLoop &item, const BasicBlock &block,
			  const InterleaveContext &with)
{
	uint64_t iterations = 1;
	for (const Loop *loop = with.loops.getLoopFor(&block); loop != item.loop;
	     loop = loop->getParentLoop()) {
		const unsigned count = with.evolution.getSmallConstantTripCount(loop);
		iterations = SaturatingMultiply(
			iterations, count > 0 ? count : iterationsOf(loop, loop->getParentLoop()));
	}
	return iterations;
}

/* Of a vector iteration: operations that all work-items of a row have in common, and those of each vector; the bytes that a vector stores. */
struct Sharing {
	uint64_t common = 0, own = 0, stored = 0;

	/* How often what vectors do by themselves fits into what they share, by the time that a stored byte takes. */
	uint64_t fair(uint64_t bytesOfCycle) const
	{
		return common / std::max<uint64_t>(own + stored / bytesOfCycle, 1);
	}
};

/* In common: what is loaded, and computed from that, and floating point. Counters, conditions and addresses are little beside either. */
Sharing sharingOf(const ItemLoop &item, const LaneShapes &shapes, const InterleaveContext &with)
{
	Sharing sharing;
	SmallPtrSet<const Value *, 32> loaded;
	for (const BasicBlock *block : shapes.blocks()) {
		if (clampVersionOf(*block) == ClampVersion::General)
			continue;
		const uint64_t runs = iterationsWithin(item, *block, with);
		for (const Instruction &instruction : *block) {
			if (isa<LoadInst>(instruction) ||
			    any_of(instruction.operand_values(),
				   [&](const Value *operand) { return loaded.contains(operand); }))
				loaded.insert(&instruction);
			if (isa<PHINode, CmpInst, GetElementPtrInst>(instruction) ||
			    instruction.isTerminator() || instruction.isDebugOrPseudoInst())
				continue;
			const uint64_t operations = runs * costOf(instruction);
			const bool isReal = instruction.getType()->isFPOrFPVectorTy();
			const auto *store = dyn_cast<StoreInst>(&instruction);
			if (store)
				sharing.stored += runs * shapes.lanes() *
						  store->getDataLayout().getTypeStoreSize(
							  store->getValueOperand()->getType());
			else if (!shapes.of(&instruction).isLinear())
				sharing.own +=
					operations * std::max(registersOf(instruction, shapes,
									  with.registers.bits),
							      1u);
			else if (shapes.isUniform(&instruction) &&
				 (isReal || loaded.contains(&instruction)))
				sharing.common += operations;
		}
	}
	return sharing;
}

/* So many that what they share takes no longer than what each of them does by itself. More lanes would be more than many groups have, and
 * longer to wait for where they leave loops apart. */
unsigned vectorsToShare(const ItemLoop &item, ArrayRef<const Loop *> loops,
			const LaneShapes &shapes, const InterleaveContext &with)
{
	const Sharing sharing = sharingOf(item, shapes, with);
	if (sharing.common < leastCommon ||
	    any_of(loops, [&](const Loop *loop) { return shapes.losesLanes(loop); }))
		return 1;
	const uint64_t most = std::clamp(lanesOfSharing / shapes.lanes(), 1u, mostVectors);
	const uint64_t together = mostStored / std::max<uint64_t>(sharing.stored, 1);
	const uint64_t vectors = std::max(std::min(sharing.fair(storedInCycle), together),
					  sharing.fair(storedAtOnce));
	return unsigned(bit_floor(std::clamp<uint64_t>(vectors, 1, most)));
}

/* The registers that private arrays take where their elements become values; 0 where there are too few for one vector's. */
unsigned registersOfArrays(const LaneShapes &shapes, VectorRegisters registers)
{
	SmallPtrSet<const AllocaInst *, 4> arrays;
	for (const BasicBlock *block : shapes.blocks()) {
		for (const Instruction &instruction : *block) {
			const Value *pointer = getLoadStorePointerOperand(&instruction);
			const Value *base = pointer ? getUnderlyingObject(pointer) : nullptr;
			if (const auto *array = dyn_cast_if_present<AllocaInst>(base))
				arrays.insert(array);
		}
	}
	uint64_t bits = 0;
	for (const AllocaInst *array : arrays) {
		auto size = array->getAllocationSizeInBits(array->getDataLayout());
		bits += shapes.lanes() * (size ? size->getFixedValue() : 0);
	}
	uint64_t all = divideCeil(bits, registers.bits);
	return all + spareRegisters <= registers.count ? unsigned(all) : 0;
}

/* Whether all rows run the same blocks, and each loop often: masks are of single rows, and few iterations become straight code. */
bool runAlike(ArrayRef<const Loop *> loops, const ItemLoop &item, const PlaceDependence &places,
	      const InterleaveContext &with)
{
	const bool parts = any_of(item.loop->blocks(), [&](const BasicBlock *block) {
		if (block == item.latch || block->getUniqueSuccessor())
			return false;
		return any_of(block->getTerminator()->operand_values(), [&](const Value *value) {
			return places.differsAlongX(*value) || places.differsAlongY(*value);
		});
	});
	return !parts && !loops.empty() && all_of(loops, [&](const Loop *loop) {
		const unsigned count = with.evolution.getSmallConstantTripCount(loop);
		return count == 0 || count >= leastSharing;
	});
}

} // namespace

unsigned interleaveCount(const ItemLoop &item, const LaneShapes &shapes,
			 const InterleaveContext &with)
{
	size_t size = 0;
	for (const BasicBlock *block : shapes.blocks()) {
		size += sizeOf(*block);
		if (any_of(*block, [&](const Instruction &instruction) {
			    return hindersInterleaving(instruction, shapes, with.loops, with.costs);
		    }))
			return 1;
	}
	if (size > mostInstructions)
		return 1;
	SmallVector<const Loop *> loops = innermostLoops(shapes, with.loops);
	const bool isStraight = loops.empty();
	const bool isShort = isStraight ? size < leastInstructions
					: !item.row && runsOf(item, shapes, with) < leastInLoops;
	unsigned wanted = isStraight ? vectorsOfCriticalPath(shapes, with.costs)
			  : isShort  ? vectorsOfFewIterations(loops, shapes, with)
				     : vectorsToFill(loops, shapes, with.costs);
	wanted = std::max(wanted, vectorsToShare(item, loops, shapes, with));
	if (isShort && wanted == 1)
		return 1;
	const PlaceDependence places = item.row ? PlaceDependence(item) : PlaceDependence();
	/* What all rows share is there once. */
	const bool sharesRows = item.row && readsSameInRows(item, places, with.loops) &&
				runAlike(loops, item, places, with);
	if (sharesRows)
		wanted = mostOfSharing;
	auto pressureOf = [&](bool isShared) {
		return mostAlive(shapes.blocks(), with.loops, [&](const Instruction &value) {
			const bool is = sharesRows && places.differsAlongX(value) &&
					!places.differsAlongY(value);
			return is == isShared ? registersOf(value, shapes, with.registers.bits) : 0;
		});
	};
	const unsigned pressure = pressureOf(false), common = pressureOf(true);
	unsigned arrays = registersOfArrays(shapes, with.registers);
	auto fitting = [&](unsigned vectors, unsigned shared, unsigned spilled = 0) {
		while (vectors > 1 &&
		       (vectors * pressure + shared > with.registers.count + spilled ||
			vectors * arrays > with.registers.count ||
			vectors * size > 2 * mostInstructions))
			vectors /= 2;
		return vectors;
	};
	if (!isStraight && !isShort)
		return fitting(wanted, spareRegisters + common);
	unsigned vectors = fitting(wanted, spareRegisters + sharedNumbers(shapes));
	if (isShort)
		return vectors;
	/* Code that waits for itself has time for values on the stack. */
	unsigned spilled = wanted > 1 ? with.registers.count / 2 + spareRegisters : 0;
	return std::max(vectors, fitting(2, spareRegisters, spilled));
}

bool interleavedScalarsPay(const LaneShapes &shapes, const LoopInfo &loops)
{
	const BasicBlock *first = shapes.blocks()[0];
	size_t size = 0;
	for (const BasicBlock *block : shapes.blocks()) {
		const Loop *loop = loops.getLoopFor(block);
		const bool isInner = !loop->contains(first);
		if (isInner && shapes.losesLanes(loop))
			return false;
		if (any_of(*block, [&](const Instruction &instruction) {
			    return isLaneByLane(instruction, shapes) ||
				   instruction.getType()->isVectorTy();
		    }))
			return false;
		size += block->size();
	}
	Timing longest = {0, 0, 0}; /* of all innermost loops' iterations */
	for (const Loop *loop : innermostLoops(shapes, loops)) {
		Timing timing = scalarIterationOf(*loop, shapes);
		longest = timing.operations > longest.operations ? timing : longest;
	}
	const bool waits = longest.latency > 0 && longest.operations <= 2 * longest.latency;
	return waits && size <= mostOfScalars;
}

} // namespace weft
