/* SPDX-License-Identifier: MIT
 *
 * What is won and lost by packing, in vector operations for as many work-items as a register has elements. A loop counts
 * for ten iterations.
 */
#include "width/packed_vectors.h"

#include "accesses/access_groups.h"
#include "costs/register_pressure.h"
#include "functions/element_functions.h"
#include "functions/precompiled_functions.h"
#include "lanes/lane_elements.h"
#include "layout/data_branches.h"
#include "layout/item_steps.h"
#include "width/lane_cost.h"
#include "width/pad_vectors.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

bool isOnVectors(const Instruction &instruction)
{
	return instruction.getType()->isVectorTy() ||
	       any_of(instruction.operands(),
		      [](const Use &use) { return use->getType()->isVectorTy(); });
}

/* What a branch that parts lanes takes: their masks, also spread over the elements of vectors, and the first lane that runs. */
constexpr uint64_t maskOperations = 32;
/* Of bytes and shorts that are computed with as such, each is shifted out of the gathered numbers and cut, by parts of a register that are
 * joined. */
constexpr uint64_t smallPartOperations = 4;
/* Of vectors that fill a register each. */
constexpr unsigned wholeLanes = 4;
/* Of shorter scalars no more fit a register, since kernels mostly have others of that size beside them. */
constexpr unsigned leastScalarBits = 32;

/* What lanes compute once for all of them, in operations. */
uint64_t sharedOperationsOf(const Instruction &instruction)
{
	const auto *type = dyn_cast<FixedVectorType>(instruction.getType());
	if (!type || isa<PHINode>(instruction))
		return 0;
	const Function *elements = elementFunctionCalledBy(instruction);
	return elements ? type->getNumElements() * operationsOf(*scalarOf(*elements)) : 1;
}

class PackedVectors
{
      public:
	PackedVectors(const LoopInfo &theLoops, const Uniformity &theUniformity,
		      VectorRegisters theRegisters, const ScatteredCosts &theCosts)
	    : loops(theLoops), uniformity(theUniformity), registers(theRegisters), costs(theCosts)
	{
	}

	unsigned lanesOf(Function &kernel, unsigned most);

      private:
	bool findLongest(Function &kernel);
	bool canPack(const Instruction &instruction) const;
	bool count(const BasicBlock &block, const ItemSteps &steps, const ItemSteps &mostly);
	bool areNeighbours(const Instruction &access, const ItemSteps &steps) const;
	bool isCell(const Instruction &access, const ItemSteps &mostly) const;
	bool isApart(const Instruction &access, const ItemSteps &steps) const;
	uint64_t lossOf(const Instruction &instruction, const ItemSteps &steps) const;
	uint64_t scalarLossOf(const Instruction &instruction) const;
	bool waits(const Loop &loop) const;
	bool accessesVectors(const Instruction &instruction) const;
	unsigned lanesToShare(unsigned lanes, unsigned most) const;
	bool losesLanes(const BasicBlock &block) const;
	bool parts(const Function &kernel) const;
	unsigned lanesOfWhole(Function &kernel) const;

	const LoopInfo &loops;
	const Uniformity &uniformity;
	VectorRegisters registers;
	const ScatteredCosts &costs;
	unsigned bits = 0, elements = 0; /* of the longest vector */
	bool isPadded = false;           /* there are vectors of three elements */
	bool partsItems = false;         /* by their data */
	uint64_t won = 0, lost = 0;
	/* Operations that lanes share, and those on vectors of their own. */
	uint64_t shared = 0, own = 0;
};

/* Whether all lanes' vectors can be computed with in their places. */
bool PackedVectors::canPack(const Instruction &instruction) const
{
	if (packedElements(*instruction.getType()) == 0 && !instruction.getType()->isVoidTy())
		return false;
	if (const auto *call = dyn_cast<CallBase>(&instruction)) {
		const auto *intrinsic = dyn_cast<IntrinsicInst>(call);
		return intrinsic && isTriviallyVectorizable(intrinsic->getIntrinsicID());
	}
	if (isa<ExtractElementInst>(instruction))
		return isa<ConstantInt>(instruction.getOperand(1));
	if (isa<InsertElementInst>(instruction))
		return isa<ConstantInt>(instruction.getOperand(2));
	if (instruction.isIntDivRem())
		return isa<Constant>(instruction.getOperand(1));
	if (isa<LoadInst, StoreInst>(instruction))
		return !instruction.isVolatile() && !instruction.isAtomic() &&
		       laneElements(*getLoadStoreType(&instruction));
	return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, FreezeInst,
		   PHINode, ShuffleVectorInst>(instruction);
}

/* Finds the longest vector; false where there is none, or one that cannot be packed. */
bool PackedVectors::findLongest(Function &kernel)
{
	for (const Instruction &instruction : instructions(kernel)) {
		if (!isOnVectors(instruction))
			continue;
		bool isShared = !uniformity.isVarying(&instruction);
		if (isShared && !instruction.getType()->isVoidTy())
			continue;
		if (!canPack(instruction))
			return false;
		for (const Use &use : instruction.operands()) {
			if (packedElements(*use->getType()) == 0)
				return false;
		}
		const auto *store = dyn_cast<StoreInst>(&instruction);
		Type *type = store ? store->getValueOperand()->getType() : instruction.getType();
		const unsigned size = packedElements(*type) * type->getScalarSizeInBits();
		isPadded |= packedElements(*type) != laneElements(*type);
		if (type->isVectorTy() && !type->isIntOrIntVectorTy(1) && size > bits) {
			bits = size;
			elements = packedElements(*type);
		}
	}
	return bits > 0;
}

/* All but what all work-items load from one place. */
bool PackedVectors::accessesVectors(const Instruction &instruction) const
{
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	return pointer && getLoadStoreType(&instruction)->isVectorTy() &&
	       (isa<StoreInst>(instruction) || uniformity.isVarying(pointer));
}

/* Whether an iteration only computes, so that its results wait for the iteration before: as scalars, the elements of a
 * vector would wait at once. */
bool PackedVectors::waits(const Loop &loop) const
{
	return none_of(loop.blocks(), [&](const BasicBlock *block) {
		return any_of(*block, [&](const Instruction &instruction) {
			return accessesVectors(instruction);
		});
	});
}

/* Whether work-items that are neighbours access vectors that are neighbours, upwards or downwards. Loads are tested for it where they need not, which few
 * elements of each register do not pay for. */
bool PackedVectors::areNeighbours(const Instruction &access, const ItemSteps &steps) const
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	const DataLayout &layout = access.getDataLayout();
	auto size = int64_t(layout.getTypeStoreSize(getLoadStoreType(&access)).getFixedValue());
	const std::optional<int64_t> step = steps.of(*pointer);
	return step && (*step == size || (*step == -size && !isPadded)) &&
	       !isa<AllocaInst>(getUnderlyingObject(pointer));
}

/* Whether bytes or shorts are loaded or stored that are computed with as such: not those that are converted from or to 32 bits at once. */
bool hasSmallParts(const Instruction &access)
{
	const auto isWide = [](const Type *type) { return type->getScalarSizeInBits() >= 32; };
	if (isWide(getLoadStoreType(&access)))
		return false;
	if (const auto *store = dyn_cast<StoreInst>(&access)) {
		const auto *cast = dyn_cast<CastInst>(store->getValueOperand());
		return !cast || !isWide(cast->getSrcTy());
	}
	return any_of(access.users(), [&](const User *user) {
		return !isa<CastInst>(user) || !isWide(user->getType());
	});
}

/* Whether lanes' vectors at a known distance are better accessed as numbers than element by element. Bytes and shorts are not where they are
 * converted at once, or where much longer vectors leave few lanes. */
bool isWholeCell(const Instruction &access, unsigned cellBits, unsigned longest)
{
	return getLoadStoreType(&access)->getScalarSizeInBits() >= 32 ||
	       (longest <= 2 * cellBits && hasSmallParts(access));
}

/* Whether lanes' vectors lie among others of their size and near each other, so that all are accessed and then shuffled (access groups). */
bool isNearCell(unsigned cellBits, int64_t step)
{
	const int64_t cellBytes = cellBits / 8;
	return std::abs(step) > cellBytes && std::abs(step) <= mostCells * cellBytes &&
	       step % cellBytes == 0;
}

/* Whether they are so far apart that they are gathered. Two shorts are one word, which is gathered once for both anyhow. */
bool isFarCell(const Type &type, unsigned cellBits, int64_t step)
{
	return std::abs(step) > 2 * int64_t(cellBits / 8) &&
	       (type.getScalarSizeInBits() >= 32 || laneElements(type) > 2);
}

/* Whether its vectors are gathered or scattered as numbers, since they lie anywhere, or far apart where the CPU has good gathers. */
bool PackedVectors::isCell(const Instruction &access, const ItemSteps &mostly) const
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	const IntegerType *cell = cellOf(*getLoadStoreType(&access));
	if (!cell || isa<AllocaInst>(getUnderlyingObject(pointer)))
		return false;
	const std::optional<int64_t> step = mostly.of(*pointer);
	const unsigned cellBits = cell->getBitWidth();
	const bool isWhole = isWholeCell(access, cellBits, bits);
	if (!step)
		return isWhole || !isPadded;
	return isWhole &&
	       (isNearCell(cellBits, *step) ||
		(!costs.isLaneByLane() && isFarCell(*getLoadStoreType(&access), cellBits, *step)));
}

/* Whether long vectors of neighbours are loaded one by one, at a known distance that is not their own size. Pairs are shuffled by few operations,
 * and joining what fills half of a register wins nothing. Behind a branch by data lanes would go through memory. */
bool PackedVectors::isApart(const Instruction &access, const ItemSteps &steps) const
{
	constexpr unsigned leastJoined = 4;
	if (isPadded || !isa<LoadInst>(access) || !isLongVector(*access.getType()) ||
	    laneElements(*access.getType()) <= 2 || partsItems)
		return false;
	const uint64_t size = access.getType()->getPrimitiveSizeInBits().getFixedValue();
	const std::optional<int64_t> step = steps.of(*getLoadStorePointerOperand(&access));
	return leastJoined * size <= registers.bits && step && *step != 0;
}

/* What a work-item's instruction loses, packed. */
uint64_t PackedVectors::lossOf(const Instruction &instruction, const ItemSteps &steps) const
{
	if (isPadding(instruction))
		return 0;
	if (packedElements(*instruction.getType()) != laneElements(*instruction.getType()))
		return 1;
	if (isa<ExtractElementInst, ShuffleVectorInst>(instruction))
		return elements;
	/* A number becomes all elements of a vector by an insertion and a shuffle, which are one shuffle. */
	if (isa<InsertElementInst>(instruction))
		return match(&instruction, m_InsertElt(m_Poison(), m_Value(), m_Zero())) ? 0
											 : elements;
	if (const auto *select = dyn_cast<SelectInst>(&instruction);
	    select && select->getType()->isVectorTy() &&
	    !select->getCondition()->getType()->isVectorTy())
		return elements;
	if (isOnVectors(instruction) || isa<PHINode>(instruction) || instruction.isTerminator() ||
	    steps.of(instruction))
		return 0;
	return scalarLossOf(instruction);
}

/* A kernel that is not packed has as many lanes as scalars fill a register; packed, a scalar takes as many operations more as it has lanes less. */
uint64_t PackedVectors::scalarLossOf(const Instruction &instruction) const
{
	const unsigned size =
		std::max(instruction.getType()->getScalarSizeInBits(), leastScalarBits);
	const unsigned full = registers.bits / size;
	const unsigned packed = bit_floor(registers.bits / bits);
	return std::min(std::max(full / packed, 1u), elements) - 1;
}

/* False where neighbours do not access neighbours, nor numbers. */
bool PackedVectors::count(const BasicBlock &block, const ItemSteps &steps, const ItemSteps &mostly)
{
	const Loop *loop = loops.getLoopFor(&block);
	const uint64_t iterations = iterationsOf(loop, nullptr);
	const bool waiting = loop && waits(*loop);
	if (branchesByData(block, loops, uniformity))
		shared += iterations * maskOperations;
	if (losesLanes(block))
		shared += iterations * maskOperations / 2;
	for (const Instruction &instruction : block) {
		if (accessesVectors(instruction)) {
			const bool isTested = isa<LoadInst>(instruction) && !isPadded;
			const bool areBeside =
				areNeighbours(instruction, isTested ? mostly : steps);
			if (!areBeside && !isCell(instruction, mostly) &&
			    !isApart(instruction, steps))
				return false;
			unsigned parts = packedElements(*getLoadStoreType(&instruction));
			won += iterations * parts * Log2_32(parts) *
			       (!areBeside && hasSmallParts(instruction) ? smallPartOperations : 1);
			continue;
		}
		if (!uniformity.isVarying(&instruction) && !isa<StoreInst>(instruction)) {
			shared += iterations * sharedOperationsOf(instruction);
			continue;
		}
		own += isOnVectors(instruction) ? iterations : 0;
		bool isStep = waiting && instruction.getType()->isVectorTy();
		lost += iterations * (isStep ? elements : lossOf(instruction, mostly));
	}
	return true;
}

/* Twice as many while what lanes share takes longer than what each does by itself. */
unsigned PackedVectors::lanesToShare(unsigned lanes, unsigned most) const
{
	while (2 * lanes <= most && shared * registers.bits > own * bits * lanes)
		lanes *= 2;
	return lanes;
}

/* Whether work-items leave a loop at the block's end at different times. */
bool PackedVectors::losesLanes(const BasicBlock &block) const
{
	const Loop *loop = loops.getLoopFor(&block);
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	return loop && loop->isLoopExiting(&block) && branch && branch->isConditional() &&
	       uniformity.isVarying(branch->getCondition());
}

/* Whether work-items go different ways by their data, or leave a loop at different times. */
bool PackedVectors::parts(const Function &kernel) const
{
	return any_of(kernel, [&](const BasicBlock &block) {
		return losesLanes(block) || branchesByData(block, loops, uniformity);
	});
}

/* Of vectors that fill a register by themselves: four at once share addresses and the loops around them, two where not all that is alive
 * fits the registers. Where work-items part, one after the other does only what it needs. */
unsigned PackedVectors::lanesOfWhole(Function &kernel) const
{
	if (partsItems)
		return 0;
	ReversePostOrderTraversal<Function *> order(&kernel);
	SmallVector<BasicBlock *, 16> blocks(order.begin(), order.end());
	const uint64_t alive = mostAlive(blocks, loops, [&](const Instruction &value) {
		const uint64_t size = packedElements(*value.getType()) *
				      uint64_t(value.getType()->getScalarSizeInBits());
		return value.getType()->isVectorTy() ? unsigned(divideCeil(size, registers.bits))
						     : 0;
	});
	unsigned lanes = wholeLanes;
	while (lanes > 1 && lanes * alive > registers.count)
		lanes /= 2;
	return lanes > 1 ? lanes : 0;
}

unsigned PackedVectors::lanesOf(Function &kernel, unsigned most)
{
	/* A fourth element that is not used costs more where few vectors fit. */
	if (!findLongest(kernel) || (isPadded ? 4 : 1) * bits > registers.bits)
		return 0;
	const ItemSteps steps(kernel, uniformity), mostly(kernel, uniformity, 0, true);
	partsItems = parts(kernel);
	for (const BasicBlock &block : kernel) {
		if (!count(block, steps, mostly))
			return 0;
	}
	if (won <= lost)
		return 0;
	const unsigned fitting = bit_floor(registers.bits / bits);
	const unsigned lanes = fitting > 1 ? fitting : lanesOfWhole(kernel);
	return lanes > 0 && lanes <= most ? lanesToShare(lanes, most) : 0;
}

} // namespace

unsigned packedLanes(Function &kernel, const LoopInfo &loops, const Uniformity &uniformity,
		     VectorRegisters registers, const ScatteredCosts &costs, unsigned most)
{
	return PackedVectors(loops, uniformity, registers, costs).lanesOf(kernel, most);
}

} // namespace weft
