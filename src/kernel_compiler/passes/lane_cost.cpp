/* SPDX-License-Identifier: MIT
 *
 * The costs of a widened loop. The figures are multiples of a vector operation, as measured on CPUs with 256 and 512
 * bits: an element that is gathered costs about half of a scalar load and one that is scattered a store; bytes and
 * shorts have no scatter at all, so their stores are taken apart; a division of integers is done lane by lane where
 * they have more than 32 bits.
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
constexpr uint64_t divisionCost = 4;       /* through floating point; in scalars it is dear, too */

uint64_t wideCost(const Instruction &instruction, const LaneShapes &shapes,
		  const AccessGroups &groups, unsigned width)
{
	if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
		return 0;
	if (const AccessGroup *group = groups.of(instruction))
		return group->leader().access == &instruction ? groupCost(*group, width) : 0;
	if (isa<LoadInst, StoreInst>(instruction))
		return accessCost(instruction, shapes, width);
	if (shapes.isUniform(&instruction))
		return 1;
	if (!isLaneType(*instruction.getType()) && !instruction.getType()->isVoidTy())
		return width * 4;
	if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
		return width * 2;
	if (instruction.isAtomic())
		return width * 2;
	if (instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1)))
		return instruction.getType()->getIntegerBitWidth() <= 32 ? divisionCost : width;
	return 1;
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
	unsigned outermost = ~0u;
	for (const BasicBlock *block : shapes.blocks())
		outermost = std::min(outermost, loops.getLoopDepth(block));
	for (const BasicBlock *block : shapes.blocks()) {
		uint64_t rounds = 1;
		for (unsigned depth = outermost;
		     depth < loops.getLoopDepth(block) && rounds < 100000; depth++)
			rounds *= roundsOfLoop;
		for (const Instruction &instruction : *block) {
			wide += rounds * wideCost(instruction, shapes, groups, width);
			scalar += isa<PHINode>(instruction) ? 0 : rounds * width;
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
