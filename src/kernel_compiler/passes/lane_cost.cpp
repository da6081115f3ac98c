/* SPDX-License-Identifier: MIT
 *
 * The costs of a widened loop. The figures are multiples of a vector operation, as measured on CPUs with 256 and 512
 * bits: an element that is gathered costs about half of a scalar load and one that is scattered a store; bytes and
 * shorts have no scatter at all, so their stores are taken apart; a division of integers is done lane by lane.
 */
#include "lane_cost.h"

#include "loop_widener.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t roundsOfLoop = 10;

uint64_t accessCost(const Instruction &access, const LaneShapes &shapes, unsigned width)
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	Shape shape = shapes.of(pointer);
	auto size = int64_t(getLoadStoreType(&access)->getScalarSizeInBits() / 8);
	if (shape.kind == Shape::Uniform)
		return 1;
	if (shape.isLinear() && (shape.stride == size || shape.stride == -size))
		return 1;
	bool small = size < 4;
	if (isa<LoadInst>(access))
		return small ? width : width / 2;
	return small ? width * 3 : width;
}

uint64_t wideCost(const Instruction &instruction, const LaneShapes &shapes, unsigned width)
{
	if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
		return 0;
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
		return width;
	return 1;
}

} // namespace

bool widensWithGain(const LaneShapes &shapes, const LoopInfo &loops, unsigned width)
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
			wide += rounds * wideCost(instruction, shapes, width);
			scalar += isa<PHINode>(instruction) ? 0 : rounds * width;
		}
	}
	return wide < scalar;
}

} // namespace weft
