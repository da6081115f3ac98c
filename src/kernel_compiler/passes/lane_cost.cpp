/* SPDX-License-Identifier: MIT
 *
 * The costs of a widened loop and of the scalar one, in half cycles: a CPU does two vector operations in a cycle and
 * four scalar ones (two of floating point), and as measured with 256 and 512 bits, a gathered element costs half a
 * cycle and one that is scattered a cycle; bytes and shorts have no scatter at all, so their stores are taken apart.
 * Where lanes leave a loop one after the other, half of them wait in the mean.
 */
#include "lane_cost.h"

#include "choose_width.h"
#include "loop_widener.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t roundsOfLoop = 10;
constexpr unsigned mostInterleaved = 1000; /* instructions: two copies at most so large */
constexpr unsigned leastInterleaved = 120; /* of straight code: fewer fit the CPU's window */
constexpr unsigned spareRegisters = 4;     /* for uniform values */
constexpr uint64_t laneCost = 6;           /* of what is done lane by lane: there and back */
constexpr uint64_t divisionCost = 12;      /* of a scalar one */
constexpr uint64_t wideDivisionCost = 4;   /* for each lane, through floating point */

bool isDivision(const Instruction &instruction)
{
	return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1));
}

uint64_t wideCost(const Instruction &instruction, const LaneShapes &shapes,
		  const AccessGroups &groups, unsigned width)
{
	if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
		return 0;
	if (const AccessGroup *group = groups.of(instruction))
		return group->leader().access == &instruction ? groupCost(*group, width) : 0;
	if (isa<LoadInst, StoreInst>(instruction)) {
		uint64_t cost = accessCost(instruction, shapes, width);
		return cost > 1 ? 2 * cost : cost;
	}
	if (shapes.isUniform(&instruction))
		return 1;
	if (!isLaneType(*instruction.getType()) && !instruction.getType()->isVoidTy())
		return width * laneCost;
	if ((isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) ||
	    instruction.isAtomic())
		return width * laneCost;
	if (isDivision(instruction))
		return width * (instruction.getType()->getIntegerBitWidth() <= 32
					? wideDivisionCost
					: laneCost + divisionCost);
	return 1;
}

/* Of all lanes' work-items, one after the other. Addresses and the widths of indices cost scalar code nothing. */
uint64_t scalarCost(const Instruction &instruction, unsigned width)
{
	if (isa<PHINode, GetElementPtrInst, SExtInst, ZExtInst, TruncInst>(instruction) ||
	    (instruction.isTerminator() && instruction.getNumSuccessors() < 2))
		return 0;
	if (isDivision(instruction))
		return width * divisionCost;
	const bool isReal =
		instruction.getType()->isFloatingPointTy() && !isa<LoadInst>(instruction);
	return isReal ? width : width / 2;
}

/* Registers that the values of a wave's lanes take where most are alive, the blocks taken in their order: a value
 * lives to its last use, in a loop that it comes from outside of to the loop's end. */
class Pressure
{
      public:
	Pressure(const LaneShapes &theShapes, const LoopInfo &theLoops, unsigned theWidth,
		 unsigned theBits)
	    : shapes(theShapes), loops(theLoops), width(theWidth), bits(theBits)
	{
		for (const BasicBlock *block : shapes.blocks()) {
			for (const Instruction &instruction : *block)
				place[&instruction] = unsigned(place.size());
			ends[block] = unsigned(place.size());
			for (const Loop *loop = loops.getLoopFor(block); loop;
			     loop = loop->getParentLoop())
				loopEnds[loop] = ends[block];
		}
		changes.assign(place.size() + 2, 0);
		for (const BasicBlock *block : shapes.blocks()) {
			for (const Instruction &instruction : *block)
				count(instruction);
		}
	}

	unsigned most() const
	{
		int now = 0, most = 0;
		for (int change : changes)
			most = std::max(most, now += change);
		return unsigned(most);
	}

      private:
	/* Masks have registers of their own. */
	unsigned registersOf(const Instruction &value) const
	{
		Type *type = value.getType();
		if (type->isVoidTy() || type->isIntegerTy(1) || shapes.of(&value).isLinear() ||
		    !isLaneType(*type))
			return 0;
		unsigned size = type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits());
		return unsigned(divideCeil(size * width, bits));
	}

	unsigned lastUse(const Instruction &value) const
	{
		unsigned last = place.lookup(&value);
		for (const Use &use : value.uses()) {
			const auto *user = cast<Instruction>(use.getUser());
			const BasicBlock *block = user->getParent();
			unsigned at = place.lookup(user);
			if (const auto *phi = dyn_cast<PHINode>(user)) {
				block = phi->getIncomingBlock(use);
				at = ends.lookup(block);
			}
			for (const Loop *loop = loops.getLoopFor(block);
			     loop && !loop->contains(&value); loop = loop->getParentLoop())
				at = loopEnds.lookup(loop);
			last = std::max(last, at);
		}
		return last;
	}

	void count(const Instruction &value)
	{
		auto registers = int(registersOf(value));
		if (registers == 0)
			return;
		changes[place.lookup(&value)] += registers;
		changes[lastUse(value)] -= registers;
	}

	const LaneShapes &shapes;
	const LoopInfo &loops;
	unsigned width, bits;
	DenseMap<const Instruction *, unsigned> place;
	DenseMap<const BasicBlock *, unsigned> ends;
	DenseMap<const Loop *, unsigned> loopEnds;
	SmallVector<int, 128> changes;
};

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

/* What is done lane by lane gains nothing; and lanes that step through rows have as many cache lines under way as
 * they should. */
bool hindersInterleaving(const Instruction &instruction, const LaneShapes &shapes,
			 const LoopInfo &loops)
{
	const bool isVoid = instruction.getType()->isVoidTy();
	if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
		return isVoid || !shapes.isUniform(&instruction);
	if (instruction.isAtomic() || (!isVoid && !isLaneType(*instruction.getType())))
		return true;
	const Loop *loop = loops.getLoopFor(instruction.getParent());
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	if (!pointer || loop->contains(shapes.blocks()[0]) ||
	    accessCost(instruction, shapes, mostLanes) == 1)
		return false;
	return stepsThroughRows(pointer, shapes, *loop);
}

} // namespace

uint64_t scatteredCost(bool isStore, int64_t size, unsigned width)
{
	if (isStore)
		return size < 4 ? width * 3 : width;
	return size < 4 ? width : width / 2;
}

uint64_t accessCost(const Instruction &access, const LaneShapes &shapes, unsigned width)
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	Shape shape = shapes.of(pointer);
	auto size = int64_t(getLoadStoreType(&access)->getScalarSizeInBits() / 8);
	if (shape.kind == Shape::Uniform)
		return 1;
	if (shape.row && shape.isLinear() && (shape.stride == size || shape.stride == 0))
		return width / shape.row;
	if (!shape.row && shape.isLinear() && (shape.stride == size || shape.stride == -size))
		return 1;
	return scatteredCost(isa<StoreInst>(access), size, width);
}

bool widensWithGain(const LaneShapes &shapes, const AccessGroups &groups, const LoopInfo &loops,
		    unsigned width)
{
	uint64_t wide = 0, scalar = 0;
	const Loop *items = loops.getLoopFor(shapes.blocks()[0]);
	for (const BasicBlock *block : shapes.blocks()) {
		uint64_t rounds = 1, waiting = 1;
		for (const Loop *loop = loops.getLoopFor(block); loop != items && rounds < 100000;
		     loop = loop->getParentLoop()) {
			rounds *= roundsOfLoop;
			waiting *= shapes.losesLanes(loop) ? 2 : 1;
		}
		for (const Instruction &instruction : *block) {
			wide += waiting * rounds * wideCost(instruction, shapes, groups, width);
			scalar += rounds * scalarCost(instruction, width);
		}
	}
	return wide < scalar;
}

bool interleaves(const LaneShapes &shapes, const LoopInfo &loops, unsigned width,
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
			return false;
	}
	if (size > mostInterleaved || (!hasLoop && size < leastInterleaved))
		return false;
	unsigned pressure = Pressure(shapes, loops, width, registers.bits).most();
	return 2 * pressure + spareRegisters <= registers.count;
}

} // namespace weft
