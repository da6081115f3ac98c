/* SPDX-License-Identifier: MIT
 *
 * What a kernel does with its own vectors. A loop counts for as many iterations as it has, and for ten where that is not known.
 */
#include "width/keep_source_vectors.h"

#include "accesses/access_groups.h"
#include "costs/integer_divisions.h"
#include "costs/register_pressure.h"
#include "functions/element_functions.h"
#include "functions/precompiled_functions.h"
#include "layout/data_branches.h"
#include "layout/item_steps.h"
#include "width/lane_cost.h"
#include "width/selectable_branch.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

/* All costs are in parts of a vector operation. */
constexpr uint64_t operation = 16;
/* Vectors of so many bits, or more, of all lanes lie on many cache lines, which shuffles load in an order that CPUs do not
 * prefetch. */
constexpr uint64_t longBits = 256;
/* Operations that a division by what is no constant takes, in floating point. */
constexpr uint64_t division = 8, longDivision = 20;
/* An operation on half is one on float, and conversions. */
constexpr uint64_t halfOperations = 4;
constexpr uint64_t mostIterations = 100000;
constexpr uint64_t mostOfWindow = 512; /* instructions that a CPU has under way */
constexpr uint64_t recordBits = 8 * recordSize;
constexpr unsigned deepest = 12;      /* operations that an address is made of, one of another */
constexpr size_t mostOperations = 64; /* and in all */
/* How often lanes run a loop that each leaves by its own data, beside a work-item: until the last one leaves. */
constexpr uint64_t unevenRuns = 2;
/* What one gather takes for each lane, and one access group for neighbours. */
constexpr int64_t mostCell = 8, mostStride = 128;
/* Elements of a vector at a mirrored place, each of which is a gather where lanes are no neighbours. */
constexpr unsigned mostMirrored = 8;

/* What clamped and wrapped places are made of. */
bool isOfPlaces(const Instruction &instruction)
{
	return isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, CmpInst,
		   MinMaxIntrinsic>(instruction) &&
	       !is_contained({Instruction::Mul, Instruction::Shl}, instruction.getOpcode());
}

/* What mirrored numbers are made of, beside sums. */
bool mirrors(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	return isa<PHINode>(instruction) || (call && call->getIntrinsicID() == Intrinsic::abs);
}

class Count
{
      public:
	Count(const KernelVectors &theKernel, Function &function)
	    : kernel(theKernel), steps(function, theKernel.uniformity),
	      mostly(function, theKernel.uniformity, 0, true)
	{
	}

	bool isFull(const Type &type) const
	{
		return type.isVectorTy() && bitsOf(type) >= kernel.registers.bits;
	}

	void add(BasicBlock &block)
	{
		const Loop *innermost = kernel.loops.getLoopFor(&block);
		uint64_t iterations = iterationsWithin(innermost);
		bool waits = innermost && !accessesVectors(*innermost) && !isShort(*innermost);
		waitsForLast = isUneven(innermost);
		for (const Instruction &instruction : block)
			add(instruction, iterations, waits);
		if (branchesByData(block, kernel.loops, kernel.uniformity) &&
		    !waysAreAlike(block) && !SelectableBranch(block, kernel.registers).isFound())
			won += iterations * kernel.costs.cpu().misprediction * vectorsOfCycle *
			       operation / 10 / 2;
	}

	uint64_t vectors = 0,
		 others = 0; /* operations in the source, on long vectors and on all else */
	/* With elements as lanes' scalars, for each work-item. */
	uint64_t lost = 0, won = 0;

      private:
	static uint64_t bitsOf(const Type &type)
	{
		return type.getPrimitiveSizeInBits().getFixedValue();
	}

	bool isLong(const Type &type) const
	{
		return isFull(type) || (type.isVectorTy() && bitsOf(type) >= longBits);
	}

	/* Private memory has a place for each lane's element, side by side, but elements of arrays are gathered where lanes' indices
	 * differ. */
	bool isOwnPlace(const Value *pointer) const
	{
		while (const auto *address = dyn_cast<GEPOperator>(pointer)) {
			if (any_of(address->indices(), [&](const Use &index) {
				    return kernel.uniformity.isVarying(index);
			    }))
				return false;
			pointer = address->getPointerOperand();
		}
		return isa<AllocaInst>(pointer);
	}

	bool isVaryingAccess(const Instruction &instruction) const
	{
		const Value *pointer = getLoadStorePointerOperand(&instruction);
		return pointer && isa<FixedVectorType>(getLoadStoreType(&instruction)) &&
		       kernel.uniformity.isVarying(pointer) && !isOwnPlace(pointer);
	}

	bool accessesVectors(const Loop &loop) const
	{
		return any_of(loop.blocks(), [&](const BasicBlock *block) {
			return any_of(*block, [&](const Instruction &instruction) {
				return isVaryingAccess(instruction);
			});
		});
	}

	/* Whether a number without a step grows like one but where it is clamped or wrapped, or `mayMirror` and it is mirrored: lanes
	 * test for that, which pays for short vectors. A product without one grows by more; a quotient is mostly the same. */
	bool growsMostly(const Value &number, bool mayMirror) const
	{
		SmallSetVector<const Value *, 16> values;
		values.insert(&number);
		for (size_t next = 0; next < values.size(); next++) {
			const Value *value = values[next];
			if (!kernel.uniformity.isVarying(value) || isa<Function>(value) ||
			    mostly.of(*value))
				continue;
			const auto *instruction = dyn_cast<Instruction>(value);
			if (!instruction || next == mostOperations ||
			    !(isOfPlaces(*instruction) || (mayMirror && mirrors(*instruction))))
				return false;
			values.insert(instruction->op_begin(), instruction->op_end());
		}
		return true;
	}

	/* How often its body runs, where the header that ends it runs once more; no more than ten times where there may be fewer than the most. */
	uint64_t iterationsOf(const Loop &loop) const
	{
		const bool endsAtHeader = loop.getExitingBlock() == loop.getHeader() &&
					  !loop.isLoopLatch(loop.getHeader());
		const unsigned exact = kernel.evolution.getSmallConstantTripCount(&loop);
		const unsigned most = kernel.evolution.getSmallConstantMaxTripCount(&loop);
		const uint64_t usual = weft::iterationsOf(&loop, loop.getParentLoop());
		if (exact > 0)
			return exact - endsAtHeader;
		return most > 0 ? std::min<uint64_t>(most - endsAtHeader, usual) : usual;
	}

	/* When the body of the loop, and of those around it, runs once. */
	uint64_t iterationsWithin(const Loop *loop) const
	{
		uint64_t iterations = 1;
		for (; loop && iterations < mostIterations; loop = loop->getParentLoop())
			iterations *= iterationsOf(*loop);
		return iterations;
	}

	/* Whether the CPU begins the next work-item while it runs the loop's iterations. */
	bool isShort(const Loop &loop) const
	{
		uint64_t runs = 0;
		for (const BasicBlock *block : loop.blocks())
			runs += block->size();
		for (const Loop *around = &loop; around; around = around->getParentLoop()) {
			const unsigned most = kernel.evolution.getSmallConstantMaxTripCount(around);
			if (most == 0)
				return false;
			runs = SaturatingMultiply<uint64_t>(runs, most);
		}
		return runs <= mostOfWindow;
	}

	/* Elements that are gathered or scattered one by one, where lanes' vectors lie anywhere; short vectors in one piece, but those
	 * of private memory. Parts of 16 bytes are loaded as records if that takes less (accesses/access_groups.h). */
	uint64_t scatteredCost(const Instruction &access, const FixedVectorType &type) const
	{
		auto bytes = int64_t(bitsOf(type) / 8);
		const bool isPrivate =
			isa<AllocaInst>(getUnderlyingObject(getLoadStorePointerOperand(&access)));
		const bool isCell = bytes <= mostCell && !isPrivate;
		uint64_t cycles = kernel.costs.of(isa<StoreInst>(access),
						  isCell ? bytes : bytes / type.getNumElements(),
						  kernel.lanes);
		if (!isCell)
			cycles *= type.getNumElements();
		if (isa<LoadInst>(access) && !isPrivate && bytes % recordSize == 0 &&
		    type.getScalarSizeInBits() >= 32) {
			const uint64_t cells = recordBits / type.getScalarSizeInBits();
			/* Half as much again takes each lane's address out of a vector. */
			const uint64_t record =
				recordCost(cells, kernel.costs, kernel.lanes) * 3 / 2;
			cycles = std::min(cycles, uint64_t(bytes / recordSize) * record);
		}
		uint64_t all = cycles * vectorsOfCycle * operation / kernel.lanes +
			       (isCell ? smallElementsCost(type) : 0);
		return all - std::min(all, operation);
	}

	/* Elements of less than 32 bits: lanes' vectors in few registers become a part of a register for each element. Shuffles
	 * of two registers take three operations. */
	uint64_t smallElementsCost(const FixedVectorType &type) const
	{
		if (type.getScalarSizeInBits() >= 32)
			return 0;
		uint64_t loads = divideCeil(bitsOf(type) * kernel.lanes, kernel.registers.bits);
		uint64_t shuffles = 3 * loads * Log2_64_Ceil(loads) + type.getNumElements();
		return operation * shuffles / kernel.lanes;
	}

	/* Neighbours with gaps between them: for each element of all lanes a shuffle, which takes a cycle, of each register
	 * that reaches from the first lane to the last. */
	uint64_t gappedCost(uint64_t step, const FixedVectorType &type) const
	{
		uint64_t loads = divideCeil(8 * step * kernel.lanes, kernel.registers.bits);
		uint64_t merges = type.getNumElements() * (loads - 1) * vectorsOfCycle;
		uint64_t all = operation * (loads + merges) / kernel.lanes;
		return all - std::min(all, operation);
	}

	/* What an access costs more for each work-item than that of a vector. */
	uint64_t accessCost(const Instruction &access) const
	{
		auto &type = cast<FixedVectorType>(*getLoadStoreType(&access));
		auto bytes =
			int64_t(access.getDataLayout().getTypeStoreSize(&type).getFixedValue());
		std::optional<int64_t> step = steps.of(*getLoadStorePointerOperand(&access));
		if (step == 0)
			return 0;
		if (!step && !isLong(type) &&
		    growsMostly(*getLoadStorePointerOperand(&access),
				type.getNumElements() <= mostMirrored))
			step = bytes;
		if (!step || std::abs(*step) < bytes || std::abs(*step) > mostStride)
			return scatteredCost(access, type);
		/* Three elements have the place of four. */
		if (uint64_t(std::abs(*step)) > PowerOf2Ceil(uint64_t(bytes)))
			return gappedCost(uint64_t(std::abs(*step)), type);
		/* 16 x 16 elements take 64 shuffles, four for each register. */
		uint64_t shuffles = Log2_32_Ceil(type.getNumElements());
		return isLong(type) ? operation * shuffles * bitsOf(type) / kernel.registers.bits
				    : smallElementsCost(type);
	}

	/* The part of a vector operation that an operation on each element of the type takes of a work-item. */
	uint64_t shareOf(const Type &type) const
	{
		uint64_t elements = cast<FixedVectorType>(type).getNumElements();
		uint64_t share = std::max(operation * elements / kernel.lanes,
					  operation * bitsOf(type) / kernel.registers.bits);
		return std::min(share * runsOf(type), operation);
	}

	/* Whether it is the same in all iterations, wherever it is computed. */
	static bool isFixed(const Value &value, const Loop &loop, unsigned depth)
	{
		if (loop.isLoopInvariant(&value))
			return true;
		const auto *instruction = dyn_cast<Instruction>(&value);
		return depth > 0 && instruction &&
		       isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction) &&
		       all_of(instruction->operand_values(), [&](const Value *operand) {
			       return isFixed(*operand, loop, depth - 1);
		       });
	}

	/* Short vectors gain little by staying, and lose lanes. */
	uint64_t runsOf(const Type &type) const
	{
		return waitsForLast && isLong(type) ? unevenRuns : 1;
	}

	/* Whether lanes leave it, or a loop around it, at different times. Where those are numbers that grow from lane to lane, as in
	 * `i < n` with a step that all share, they differ by one iteration at most. */
	bool isUneven(const Loop *loop) const
	{
		for (; loop; loop = loop->getParentLoop()) {
			SmallVector<BasicBlock *, 4> exits;
			loop->getExitingBlocks(exits);
			if (any_of(exits, [&](const BasicBlock *block) {
				    return kernel.uniformity.isDivergent(*block) &&
					   !comparesSteps(*block->getTerminator());
			    }))
				return true;
		}
		return false;
	}

	bool comparesSteps(const Instruction &end) const
	{
		const auto *branch = dyn_cast<BranchInst>(&end);
		const auto *compare = branch && branch->isConditional()
					      ? dyn_cast<ICmpInst>(branch->getCondition())
					      : nullptr;
		return compare && all_of(compare->operands(), [&](const Value *operand) {
			       return operand->getType()->isIntegerTy() && steps.of(*operand);
		       });
	}

	/* A sum that a loop keeps in one place in memory is loaded and stored once (promote-sums). */
	uint64_t accessesOf(const Instruction &access, uint64_t iterations) const
	{
		const Value *pointer = getLoadStorePointerOperand(&access);
		const Loop *loop = kernel.loops.getLoopFor(access.getParent());
		if (!loop || !isFixed(*pointer, *loop, deepest))
			return iterations;
		while (loop && isFixed(*pointer, *loop, deepest))
			loop = loop->getParentLoop();
		return iterationsWithin(loop);
	}

	/* Whether a selection by it is a minimum or maximum, which is one operation. */
	static bool isOfMinimum(const Instruction &instruction)
	{
		const auto *compare = dyn_cast<FCmpInst>(&instruction);
		return compare && all_of(compare->users(), [&](const User *user) {
			       const auto *select = dyn_cast<SelectInst>(user);
			       return select &&
				      is_contained(compare->operands(), select->getTrueValue()) &&
				      is_contained(compare->operands(), select->getFalseValue());
		       });
	}

	void add(const Instruction &instruction, uint64_t iterations, bool waits)
	{
		if (isVaryingAccess(instruction))
			lost += accessesOf(instruction, iterations) * accessCost(instruction) *
				runsOf(*getLoadStoreType(&instruction));
		if (!isa<BinaryOperator, UnaryOperator, CallBase, CmpInst, SelectInst>(
			    instruction) ||
		    isOfMinimum(instruction))
			return;
		Type *type = isa<CmpInst>(instruction) ? instruction.getOperand(0)->getType()
						       : instruction.getType();
		if (!type->isFPOrFPVectorTy() && !type->isIntOrIntVectorTy())
			return;
		if (const Function *elements = elementFunctionCalledBy(instruction))
			iterations *= operationsOf(*scalarOf(*elements));
		else if (isDivision(instruction))
			iterations *= !dividesAsFloat(instruction)        ? 0
				      : type->getScalarSizeInBits() <= 32 ? division
									  : longDivision;
		else if (type->getScalarType()->isHalfTy())
			iterations *= halfOperations;
		(isLong(*type) ? vectors : others) += iterations;
		if (type->isVectorTy())
			won += iterations * (waits ? operation : operation - shareOf(*type));
		else if (kernel.uniformity.isVarying(&instruction))
			won += iterations * (type->isFloatingPointTy() ? operation : operation / 2);
	}

	const KernelVectors &kernel;
	ItemSteps steps, mostly;
	bool waitsForLast = false; /* lanes in the block that is added */
};

} // namespace

bool hasVectors(const Function &kernel)
{
	return any_of(instructions(kernel), [](const Instruction &instruction) {
		return instruction.getType()->isVectorTy();
	});
}

bool keepsVectors(Function &function, const KernelVectors &kernel)
{
	if (!hasVectors(function))
		return false;
	Count count(kernel, function);
	for (BasicBlock &block : function)
		count.add(block);
	ReversePostOrderTraversal<Function *> order(&function);
	SmallVector<BasicBlock *, 16> blocks(order.begin(), order.end());
	unsigned alive = mostAlive(blocks, kernel.loops, [&](const Instruction &value) {
		auto *type = dyn_cast<FixedVectorType>(value.getType());
		bool isOne = type && count.isFull(*type) && kernel.uniformity.isVarying(&value);
		return isOne ? type->getNumElements() : 0;
	});
	weft_log(WEFT_LOG_DEBUG, "compiler", "vectors as %u lanes lose %llu, win %llu",
		 kernel.lanes, (unsigned long long)count.lost, (unsigned long long)count.won);
	if (alive > kernel.registers.count && count.vectors > count.others)
		return true;
	return count.lost > count.won;
}

} // namespace weft
