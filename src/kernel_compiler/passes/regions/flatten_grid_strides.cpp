/* SPDX-License-Identifier: MIT
 *
 * flatten-grid-strides: a work-item's own iterations are as far apart as the range is long, often on pages of their own, and beside
 * those of other threads. A piece of the indices is read and written from end to end.
 */
#include "regions/flatten_grid_strides.h"

#include "functions/internal_functions.h"
#include "ir/loop_size.h"
#include "kernel/apart.h"
#include "kernel_abi.h"
#include "regions/grid_stride_loops.h"
#include "regions/plane_tiles.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Work-items of the range, at least: each round costs those that run together some instructions more. */
constexpr uint64_t leastItems = 64;
/* Instructions of a loop that gets a second version. */
constexpr unsigned mostInstructions = 400;
/* Pieces begin at multiples of so many indices, which are whole cache lines of any type. */
constexpr uint64_t pieceAlignment = 64;

/* Numbers of the loop are less than this, so that products of two fit 64 bits, and sums fit the loop's bits. */
uint64_t limitOf(const GridStrideLoop &from)
{
	return uint64_t(1) << (std::min(from.bits, 32u) - 2);
}

class Flattening
{
      public:
	explicit Flattening(const GridStrideLoop &theFrom) : from(theFrom), loop(*theFrom.loop)
	{
	}

	void run();

      private:
	Value *ask(Query query)
	{
		return createQuery(builder, query, from.dimension);
	}
	Value *rangeStart(Value &value);
	Value &boundBefore()
	{
		return *before(*from.compare->getOperand(1 - from.phiOperand));
	}
	Value *before(Value &value);
	Value *count(Value &first);
	Value *isBelow(Value &value, uint64_t least, bool isSigned = false);
	Value *mayFlatten(Value &first);
	Value *pieceStart(Value &place, Value &indices);
	BasicBlock *keepOther();
	void countRounds(const Piece &piece, const std::optional<Piece> &tiled);

	const GridStrideLoop &from;
	const std::optional<IdDivision> plane = findTiledPlane(from);
	Loop &loop;
	BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
	BasicBlock *entry = loop.getLoopPreheader(), *exit = loop.getExitBlock();
	IRBuilder<> builder{entry->getTerminator()};
};

/* The start of the range's first work-item. */
Value *Flattening::rangeStart(Value &value)
{
	if (queryOf(value) == Query::LocalId || isQueryOf(value, Query::FirstItem, from.dimension))
		return Constant::getNullValue(value.getType());
	auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || isRangeConstant(value))
		return &value;
	Instruction *copy = instruction->clone();
	for (Use &use : copy->operands())
		use = rangeStart(*use);
	copy->dropPoisonGeneratingFlags();
	return builder.Insert(copy, instruction->getName());
}

/* Copies extensions and truncations. */
Value *Flattening::before(Value &value)
{
	auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || !loop.contains(instruction))
		return &value;
	Instruction *copy = instruction->clone();
	copy->setOperand(0, before(*copy->getOperand(0)));
	return builder.Insert(copy, instruction->getName());
}

/* Of a number that is not signed, whether it is at least `least`. */
Value *Flattening::isBelow(Value &value, uint64_t least, bool isSigned)
{
	Type *type = value.getType();
	Constant *limit = ConstantInt::get(type, limitOf(from) - least);
	if (isSigned)
		return builder.CreateICmpSLT(&value, limit);
	return builder.CreateICmpULT(builder.CreateSub(&value, ConstantInt::get(type, least)),
				     limit);
}

/* Then no number of the loop wraps around, and no index is written that is another one's. All work-items of the range decide alike. */
Value *Flattening::mayFlatten(Value &first)
{
	Value *may = createApart(builder);
	may = builder.CreateAnd(may, isBelow(first, 0));
	may = builder.CreateAnd(may, isBelow(*ask(Query::GlobalSize), leastItems));
	return builder.CreateAnd(may, isBelow(boundBefore(), 0, from.compare->isSigned()),
				 "flatten");
}

/* How many indices there are from `first` on. */
Value *Flattening::count(Value &first)
{
	Value &end = boundBefore();
	const CmpInst::Predicate predicate = from.compare->getPredicate();
	Value *number = from.compare->isSigned() ? builder.CreateSExt(&end, builder.getInt64Ty())
						 : builder.CreateZExt(&end, builder.getInt64Ty());
	if (!ICmpInst::isStrictPredicate(predicate))
		number = builder.CreateAdd(number, builder.getInt64(1));
	number = builder.CreateSub(number, builder.CreateZExtOrTrunc(&first, builder.getInt64Ty()));
	return builder.CreateBinaryIntrinsic(Intrinsic::smax, number, builder.getInt64(0));
}

/* Where the piece begins of the work-item at `place` of the range, or ends before that. */
Value *Flattening::pieceStart(Value &place, Value &indices)
{
	Value *range = ask(Query::GlobalSize);
	Value *start = builder.CreateUDiv(builder.CreateNUWMul(&indices, &place), range);
	start = builder.CreateAnd(start, builder.getInt64(~(pieceAlignment - 1)));
	return builder.CreateSelect(builder.CreateICmpEQ(&place, range), &indices, start);
}

/* A copy of the loop, for what is not flattened; where it begins. */
BasicBlock *Flattening::keepOther()
{
	ValueToValueMapTy map;
	SmallVector<BasicBlock *, 8> copies;
	Function &function = *entry->getParent();
	for (BasicBlock *block : loop.blocks()) {
		copies.push_back(CloneBasicBlock(block, map, ".strided", &function));
		map[block] = copies.back();
	}
	remapInstructionsInBlocks(copies, map);
	auto *other = cast<BasicBlock>(map.lookup(header));
	for (PHINode &phi : exit->phis())
		phi.addIncoming(phi.getIncomingValueForBlock(header), other);
	auto *start = BasicBlock::Create(function.getContext(), "strided", &function, other);
	BranchInst::Create(other, start);
	other->replacePhiUsesWith(entry, start);
	return start;
}

/* The loop itself becomes the body of one that goes over a piece of the indices, in rounds: what is before the tiled ones, and what is
 * behind them. */
void Flattening::countRounds(const Piece &piece, const std::optional<Piece> &tiled)
{
	Type *number = builder.getInt64Ty();
	BasicBlock *before = builder.GetInsertBlock();
	Function &function = *entry->getParent();
	auto *rounds = BasicBlock::Create(function.getContext(), "rounds", &function, header);
	auto *next = BasicBlock::Create(function.getContext(), "next", &function, exit);
	Value *items = ask(Query::LocalSize);
	Value *begin = piece.begin, *end = piece.end;
	if (tiled)
		begin = builder.CreateSelect(builder.CreateICmpULT(begin, tiled->begin), begin,
					     tiled->end);
	builder.CreateBr(rounds);

	builder.SetInsertPoint(rounds);
	PHINode *done = builder.CreatePHI(number, 2, "done");
	builder.CreateCall(declareBarrier(*function.getParent()));
	Value *isBefore = nullptr;
	if (tiled) {
		isBefore = builder.CreateICmpULT(done, tiled->begin);
		end = builder.CreateSelect(isBefore, tiled->begin, end);
	}
	builder.CreateCondBr(builder.CreateICmpULT(done, end), header, exit);
	exit->replacePhiUsesWith(header, rounds);

	builder.SetInsertPoint(next);
	Value *nextDone = builder.CreateAdd(done, items, "", true, true);
	if (tiled) {
		Value *isBehind = builder.CreateICmpUGE(nextDone, tiled->begin);
		nextDone = builder.CreateSelect(builder.CreateAnd(isBefore, isBehind), tiled->end,
						nextDone);
	}
	done->addIncoming(begin, before);
	done->addIncoming(nextDone, next);
	builder.CreateBr(rounds);
	latch->getTerminator()->replaceSuccessorWith(header, next);
	header->getTerminator()->replaceSuccessorWith(exit, next);

	builder.SetInsertPoint(from.phi);
	Value *place = builder.CreateAdd(done, ask(Query::LocalId), "", true, true);
	Value *inside = builder.CreateICmpULT(place, end, "inside");
	Value *index = builder.CreateAdd(place, piece.first, "", true, true);
	index = builder.CreateZExtOrTrunc(index, from.phi->getType());
	index->takeName(from.phi);
	from.phi->replaceAllUsesWith(index);
	from.phi->eraseFromParent();
	cast<BranchInst>(header->getTerminator())->setCondition(inside);
}

void Flattening::run()
{
	Function &function = *entry->getParent();
	Value *first = rangeStart(*from.start);
	Value *test = mayFlatten(*first);
	BasicBlock *strided = keepOther();
	auto *piece = BasicBlock::Create(function.getContext(), "piece", &function, header);
	ReplaceInstWithInst(entry->getTerminator(), BranchInst::Create(piece, strided, test));

	builder.SetInsertPoint(piece);
	Value *indices = count(*first);
	Value *place = ask(Query::FirstItem);
	Value *behind = builder.CreateNUWAdd(place, ask(Query::LocalSize));
	Value *begin = pieceStart(*place, *indices), *end = pieceStart(*behind, *indices);
	const Piece all = {begin, end, builder.CreateZExtOrTrunc(first, builder.getInt64Ty())};
	std::optional<Piece> tiled;
	if (plane) {
		const PlaneBody body = {SmallVector<BasicBlock *, 8>(loop.blocks()), exit,
					from.dimension};
		tiled = addPlaneTiles(builder, body, *plane, all);
	}
	countRounds(all, tiled);
	addKernelFlag(function, WEFT_KERNEL_ASKS_APART);
}

/* The test is done for numbers that are not the loop's. */
bool isPure(const BasicBlock &header)
{
	return all_of(header, [](const Instruction &instruction) {
		return isa<PHINode, CastInst, CmpInst, GetElementPtrInst>(instruction) ||
		       instruction.isTerminator() ||
		       (isa<BinaryOperator>(instruction) && !instruction.isIntDivRem()) ||
		       queryOf(instruction);
	});
}

/* Whether the loop uses nothing from before it that differs within the range but its index. */
bool usesOnlyIndex(const GridStrideLoop &from)
{
	auto isKnown = [&](const Use &use) {
		const auto *instruction = dyn_cast<Instruction>(use);
		return !instruction || from.loop->contains(instruction) ||
		       isRangeConstant(*instruction);
	};
	return all_of(from.loop->blocks(), [&](const BasicBlock *block) {
		return all_of(*block, [&](const Instruction &instruction) {
			return (!queryOf(instruction) || isRangeConstant(instruction)) &&
			       (&instruction == from.phi ||
				all_of(instruction.operands(), isKnown));
		});
	});
}

/* Whether the kernel does nothing but the loop, of which nothing is used behind it. */
bool isWholeKernel(const Function &kernel, const Loop &loop)
{
	return none_of(instructions(kernel), [&](const Instruction &instruction) {
		if (!loop.contains(&instruction))
			return instruction.mayHaveSideEffects();
		return any_of(instruction.users(), [&](const User *user) {
			return !loop.contains(cast<Instruction>(user));
		});
	});
}

bool mayFlatten(const GridStrideLoop &from)
{
	const Loop &loop = *from.loop;
	return instructionsIn(loop) <= mostInstructions && isPure(*loop.getHeader()) &&
	       isWholeKernel(*loop.getHeader()->getParent(), loop) && usesOnlyIndex(from) &&
	       areIndependent(from);
}

} // namespace

PreservedAnalyses FlattenGridStridesPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function) ||
	    getKernelNumber(function, coalescedGroupsAttribute) != CoalescesAll)
		return PreservedAnalyses::all();
	for (Loop *loop : analyses.getResult<LoopAnalysis>(function)) {
		std::optional<GridStrideLoop> from = findGridStride(*loop);
		if (!from || !mayFlatten(*from) ||
		    !analyses.getResult<PostDominatorTreeAnalysis>(function).dominates(
			    loop->getHeader(), &function.getEntryBlock()))
			continue;
		Flattening(*from).run();
		return PreservedAnalyses::none();
	}
	return PreservedAnalyses::all();
}

} // namespace weft
