/* SPDX-License-Identifier: MIT
 *
 * Finds transposed loads: first by the form of the addresses, then by the lanes' shapes, and last by what LLVM knows of the
 * number of iterations.
 */
#include "accesses/transposed_loads.h"

#include "accesses/iteration_values.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <memory>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostCandidates = 8; /* in an item loop */
constexpr unsigned smallWindowBits = 64;

int64_t sizeOf(const LoadInst &load)
{
	return int64_t(load.getType()->getPrimitiveSizeInBits().getFixedValue() / 8);
}

/* Bytes and shorts. */
bool isSmall(const LoadInst &load)
{
	return sizeOf(load) < 4;
}

/* Whether the places of the lanes are far apart, and not rows of a group. */
bool isApart(Shape shape, int64_t window)
{
	if (!shape.isLinear())
		return true;
	return !shape.row && std::abs(shape.stride) >= window;
}

class TransposableLoadFinder
{
      public:
	explicit TransposableLoadFinder(const TransposableLoadSearch &theSearch) : search(theSearch)
	{
	}

	TransposableLoads find();

      private:
	void addCandidates(const Loop &loop);
	bool isCandidate(const LoadInst &load, const Loop &loop) const;
	bool mayChange(const LoadInst &load, const Loop &loop) const;
	bool loadsAnywhere(const LoadInst &load) const;
	unsigned iterationsTogether(const LoadInst &load, unsigned mostIterations) const;
	void add(LoadInst &load, const LaneShapes &shapes);
	PHINode *iterationOf(const Loop &loop);
	Value *iterationsOf(const LoadInst &load, const Loop &loop);

	const TransposableLoadSearch &search;
	std::unique_ptr<ScalarEvolution> evolution;
	SmallVector<LoadInst *, 4> candidates;
	DenseMap<const Loop *, PHINode *> counters;
	TransposableLoads results;
};

/* Whether anything in the loop may write what the load reads, in any iteration. */
bool TransposableLoadFinder::mayChange(const LoadInst &load, const Loop &loop) const
{
	BatchAAResults aliases(search.aliases);
	aliases.enableCrossIterationMode();
	AAMDNodes tags = load.getAAMetadata();
	tags.Scope = tags.NoAlias = nullptr;
	auto place = MemoryLocation::getBeforeOrAfter(load.getPointerOperand(), tags);
	return any_of(loop.blocks(), [&](const BasicBlock *block) {
		return any_of(*block, [&](const Instruction &instruction) {
			return instruction.mayWriteToMemory() &&
			       (subgroupCallOf(instruction) ||
				isModSet(aliases.getModRefInfo(&instruction, place)));
		});
	});
}

/* All but how far the lanes are apart, and how many iterations the loop has. */
bool TransposableLoadFinder::isCandidate(const LoadInst &load, const Loop &loop) const
{
	const Type *type = load.getType();
	const uint64_t bits = type->getPrimitiveSizeInBits().getKnownMinValue();
	if (!load.isSimple() || !(type->isIntegerTy() || type->isFloatingPointTy()) || bits < 8 ||
	    bits > 64 || !isPowerOf2_64(bits) || (isSmall(load) && !loadsAnywhere(load)))
		return false;
	const Value *pointer = load.getPointerOperand();
	return search.dominators.dominates(load.getParent(), loop.getLoopLatch()) &&
	       IterationValues(loop).stepOf(pointer) == sizeOf(load) &&
	       !isa<AllocaInst>(getUnderlyingObject(pointer)) && !mayChange(load, loop);
}

void TransposableLoadFinder::addCandidates(const Loop &loop)
{
	for (BasicBlock *block : loop.blocks()) {
		if (search.loops.getLoopFor(block) != &loop)
			continue;
		for (Instruction &instruction : *block) {
			auto *load = dyn_cast<LoadInst>(&instruction);
			if (load && candidates.size() < mostCandidates && isCandidate(*load, loop))
				candidates.push_back(load);
		}
	}
}

/* Whether the CPU loads a small window as one number, wherever it is. */
bool TransposableLoadFinder::loadsAnywhere(const LoadInst &load) const
{
	unsigned fast = 0;
	return search.target.allowsMisalignedMemoryAccesses(load.getContext(), smallWindowBits,
							    load.getPointerAddressSpace(),
							    load.getAlign(), &fast) &&
	       fast;
}

/* As many as fill a register, or a number, and as there will be; or 0. */
unsigned TransposableLoadFinder::iterationsTogether(const LoadInst &load,
						    unsigned mostIterations) const
{
	const unsigned bits = isSmall(load) ? smallWindowBits : search.registerBits;
	const unsigned fit = bits / 8 / unsigned(sizeOf(load));
	unsigned together = isSmall(load) ? fit : std::min(bit_floor(fit), search.width);
	if (mostIterations)
		together = std::min(together, bit_floor(mostIterations));
	return together >= leastTogether ? together : 0;
}

/* A counter of a loop's iterations. */
PHINode *TransposableLoadFinder::iterationOf(const Loop &loop)
{
	PHINode *&counter = counters[&loop];
	if (counter)
		return counter;
	BasicBlock *header = loop.getHeader();
	IRBuilder<> at(header, header->begin());
	counter = at.CreatePHI(at.getInt64Ty(), 2, "iteration");
	at.SetInsertPoint(header, header->getFirstInsertionPt());
	counter->addIncoming(at.getInt64(0), loop.getLoopPreheader());
	counter->addIncoming(at.CreateNUWAdd(counter, at.getInt64(1), "iteration.next"),
			     loop.getLoopLatch());
	return counter;
}

/* The number of iterations that come to the load: all but the one that ends the loop in front of it. NULL: unknown. */
Value *TransposableLoadFinder::iterationsOf(const LoadInst &load, const Loop &loop)
{
	const SCEV *repeats = evolution->getBackedgeTakenCount(&loop);
	Instruction *place = loop.getLoopPreheader()->getTerminator();
	Type *number = Type::getInt64Ty(load.getContext());
	SCEVExpander expander(*evolution, "iterations");
	if (isa<SCEVCouldNotCompute>(repeats) ||
	    evolution->getTypeSizeInBits(repeats->getType()) > 64 ||
	    !expander.isSafeToExpandAt(repeats, place))
		return nullptr;
	const SCEV *iterations = evolution->getNoopOrZeroExtend(repeats, number);
	if (search.dominators.dominates(load.getParent(), loop.getExitingBlock()))
		iterations = evolution->getAddExpr(iterations, evolution->getOne(number));
	return expander.expandCodeFor(iterations, number, place);
}

/* Of the candidates, those of lanes that are far apart. The other numbers of lanes are multiples of this least one. */
void TransposableLoadFinder::add(LoadInst &load, const LaneShapes &shapes)
{
	const Loop &loop = *search.loops.getLoopFor(load.getParent());
	unsigned together =
		iterationsTogether(load, evolution->getSmallConstantMaxTripCount(&loop));
	Shape shape = shapes.of(load.getPointerOperand());
	if (!together || !isApart(shape, together * sizeOf(load)) || shapes.losesLanes(&loop) ||
	    shapes.isPartial(load.getParent()))
		return;
	Value *iterations = iterationsOf(load, loop);
	if (!iterations)
		return;
	IRBuilder<> at(loop.getLoopPreheader()->getTerminator());
	Value *whole = at.CreateAnd(iterations, at.getInt64(-uint64_t(together)), "whole");
	Value *most =
		together == leastTogether
			? whole
			: at.CreateAnd(iterations, at.getInt64(-uint64_t(leastTogether)), "most");
	Value *start = IterationValues(loop).inFirstIteration(load.getPointerOperand(), at);
	results.push_back({&load, &loop, start, iterationOf(loop), together, whole, most});
}

TransposableLoads TransposableLoadFinder::find()
{
	SmallVector<Loop *, 4> inner = search.item.loop->getLoopsInPreorder();
	for (const Loop *loop : drop_begin(inner)) {
		if (loop->getExitingBlock())
			addCandidates(*loop);
	}
	if (candidates.empty())
		return {};
	LaneShapes shapes(search.item, search.loops, search.dominators, search.width);
	if (!shapes.isValid())
		return {};
	Function &function = *search.item.header->getParent();
	evolution = std::make_unique<ScalarEvolution>(function, search.library, search.assumptions,
						      search.dominators, search.loops);
	for (LoadInst *load : candidates)
		add(*load, shapes);
	return results;
}

/* Whether lanes of these shapes come to the load together in all iterations. */
bool isTransposed(const TransposableLoad &candidate, const LaneShapes &shapes)
{
	Shape shape = shapes.of(candidate.load->getPointerOperand());
	return isApart(shape, candidate.together * sizeOf(*candidate.load)) &&
	       shapes.isUniform(candidate.whole) && shapes.isUniform(candidate.most) &&
	       shapes.isUniform(candidate.iteration) &&
	       !shapes.isPartial(candidate.load->getParent()) && !shapes.losesLanes(candidate.loop);
}

} // namespace

TransposableLoads findTransposableLoads(const TransposableLoadSearch &search)
{
	return TransposableLoadFinder(search).find();
}

TransposedLoads::TransposedLoads(const TransposableLoads &candidates, const LaneShapes &shapes)
{
	for (const TransposableLoad &candidate : candidates) {
		if (isTransposed(candidate, shapes))
			list[candidate.load] = &candidate;
	}
}

uint64_t transposedLoadCost(const TransposableLoad &candidate, const ScatteredCosts &costs,
			    unsigned width)
{
	if (isSmall(*candidate.load)) {
		constexpr uint64_t part = 4; /* shifted, cut, stored and loaded */
		const unsigned bytes = candidate.together * unsigned(sizeOf(*candidate.load));
		return part + 2 * costs.of(false, bytes, width) / candidate.together;
	}
	uint64_t window = width / candidate.together + 2 * Log2_32(candidate.together) + 2;
	return std::min(window, 2 * costs.of(false, sizeOf(*candidate.load), width));
}

} // namespace weft
