/* SPDX-License-Identifier: MIT
 *
 * interchange-items: a call of the kernel is for a run of groups, which has the ids from `begin` to `end`. Of each column it has the rows between
 * these two ids.
 */
#include "regions/interchange_items.h"

#include "functions/internal_functions.h"
#include "ir/id_division.h"
#include "ir/integer_builders.h"
#include "regions/plane_tiles.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Instructions of a kernel that gets a second version: half8 takes 625 for two sines, 1,390 for two powers. */
constexpr unsigned mostCopied = 1500;
/* Columns: of fewer, one would use parts of the cache lines that the next one uses. */
constexpr uint64_t leastColumns = 64;
/* Rows of a run: vectors are half full at least. */
constexpr uint64_t leastRowsOfRun = 8;
/* Ids are less, so that they fit 32 bits as signed numbers, too. */
constexpr uint64_t idLimit = uint64_t(1) << 31;
/* Operations that a divisor is computed by. */
constexpr unsigned mostOfDivisor = 8;

/* Whether it is the id along x, as coalesce-work-groups puts it together. */
bool isComposedId(const Value &value)
{
	Value *group, *local, *offset;
	return match(&value, m_Add(m_Add(m_Value(group), m_Value(local)), m_Value(offset))) &&
	       isQueryOf(*group, Query::FirstItem, 0) && isQueryOf(*local, Query::LocalId, 0) &&
	       isQueryOf(*offset, Query::GlobalOffset, 0);
}

/* Whether the number can be computed where the kernel begins, and is the same in the whole range. */
bool isThereAtFirst(const Value &value, unsigned left)
{
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction) /* the callee of an intrinsic is a constant */
		return isa<Constant, Argument>(value);
	return left > 0 &&
	       (isa<CastInst, ICmpInst, SelectInst, MinMaxIntrinsic>(instruction) ||
		(isa<BinaryOperator>(instruction) && !instruction->isIntDivRem())) &&
	       all_of(instruction->operands(),
		      [&](const Use &use) { return isThereAtFirst(*use, left - 1); });
}

/* A kernel that begins with a block of its own. */
class PlaneKernel
{
      protected:
	PlaneKernel(Function &theKernel, const IdDivision &theDivision)
	    : kernel(theKernel), division(theDivision), builder(theKernel.getContext())
	{
		for (BasicBlock &block : kernel)
			body.push_back(&block);
		choice = newBlock("choice", body.front());
		builder.SetInsertPoint(choice);
	}

	Value *ask(Query query)
	{
		return createQuery(builder, query, 0);
	}
	BasicBlock *newBlock(const Twine &name, BasicBlock *before)
	{
		return BasicBlock::Create(kernel.getContext(), name, &kernel, before);
	}
	void readRun();

	Function &kernel;
	const IdDivision &division;
	IRBuilder<> builder;
	SmallVector<BasicBlock *, 8> body; /* of one work-item */
	BasicBlock *choice;
	Value *divisor = nullptr, *begin = nullptr, *end = nullptr;

      private:
	Value *atFirst(Value &value);
};

class Interchange : PlaneKernel
{
      public:
	Interchange(Function &theKernel, const IdDivision &theDivision)
	    : PlaneKernel(theKernel, theDivision)
	{
	}

	void run();

      private:
	Value *mayInterchange();
	void copyBody(BasicBlock &next);
	void replace(ArrayRef<Instruction *> values, Value &value);
	Value *rowBefore(Value &id, Value &column);
	void goThroughColumns(BasicBlock &start, BasicBlock &next);

	ValueToValueMapTy map; /* from the body to its second version */
	Value *columns = nullptr;
};

/* A copy, where the kernel begins. */
Value *PlaneKernel::atFirst(Value &value)
{
	auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction)
		return &value;
	Instruction *copy = instruction->clone();
	for (Use &use : copy->operands())
		use = atFirst(*use);
	copy->dropPoisonGeneratingFlags();
	return builder.Insert(copy, instruction->getName());
}

void PlaneKernel::readRun()
{
	divisor = atFirst(*division.divisor);
	begin = builder.CreateNUWAdd(ask(Query::FirstItem), ask(Query::GlobalOffset));
	end = builder.CreateNUWAdd(begin, ask(Query::LocalSize));
}

/* All work-items of the run decide alike. */
Value *Interchange::mayInterchange()
{
	Value *rows = builder.CreateUDiv(ask(Query::LocalSize), builder.getInt64(leastRowsOfRun));
	Value *fit = builder.CreateICmpULT(end, builder.getInt64(idLimit));
	Value *isWide = builder.CreateICmpUGE(columns, builder.getInt64(leastColumns));
	Value *isHigh = builder.CreateICmpULE(columns, rows);
	return builder.CreateAnd(fit, builder.CreateAnd(isWide, isHigh), "interchange");
}

/* A work-item goes on with `next` where it returned. */
void Interchange::copyBody(BasicBlock &next)
{
	SmallVector<BasicBlock *, 8> copies;
	for (BasicBlock *block : body) {
		copies.push_back(CloneBasicBlock(block, map, ".row", &kernel));
		map[block] = copies.back();
	}
	remapInstructionsInBlocks(copies, map);
	for (BasicBlock *copy : copies) {
		if (isa<ReturnInst>(copy->getTerminator()))
			ReplaceInstWithInst(copy->getTerminator(), BranchInst::Create(&next));
	}
}

/* In the second version. */
void Interchange::replace(ArrayRef<Instruction *> values, Value &value)
{
	for (Instruction *old : values) {
		auto *copy = cast<Instruction>(map.lookup(old));
		builder.SetInsertPoint(copy);
		replaceByNumber(builder, *copy, value);
	}
}

/* The first row whose id in the column is not less. */
Value *Interchange::rowBefore(Value &id, Value &column)
{
	Value *row = builder.CreateUDiv(&id, columns);
	Value *isNext = builder.CreateICmpULT(&column, builder.CreateURem(&id, columns));
	return builder.CreateAdd(row, builder.CreateZExt(isNext, builder.getInt64Ty()), "", true,
				 true);
}

void Interchange::goThroughColumns(BasicBlock &start, BasicBlock &next)
{
	auto *copy = cast<BasicBlock>(map.lookup(body.front()));
	BasicBlock *head = newBlock("columns", copy), *item = newBlock("column", copy);
	BasicBlock *exit = newBlock("columns.end", nullptr);
	ReturnInst::Create(kernel.getContext(), exit);

	builder.SetInsertPoint(&start);
	builder.CreateBr(head);
	builder.SetInsertPoint(head);
	PHINode *column = builder.CreatePHI(builder.getInt64Ty(), 2, "column");
	builder.CreateCall(declareBarrier(*kernel.getParent()));
	builder.CreateCondBr(builder.CreateICmpULT(column, columns), item, exit);

	builder.SetInsertPoint(item);
	Value *first = rowBefore(*begin, *column), *last = rowBefore(*end, *column);
	Value *place = ask(Query::LocalId);
	Value *inside = builder.CreateICmpULT(place, builder.CreateSub(last, first), "inside");
	Value *row = builder.CreateAdd(first, place, "row", true, true);
	Value *id = builder.CreateMul(row, columns, "", true, true);
	id = builder.CreateAdd(id, column, "id", true, true);
	builder.CreateCondBr(inside, copy, &next);

	builder.SetInsertPoint(&next);
	column->addIncoming(builder.getInt64(0), &start);
	column->addIncoming(builder.CreateAdd(column, builder.getInt64(1), "", true, true), &next);
	builder.CreateBr(head);

	replace(division.ids, *id);
	replace(division.quotients, *row);
	replace(division.remainders, *column);
}

void Interchange::run()
{
	BasicBlock *start = newBlock("rows", nullptr), *next = newBlock("next.column", nullptr);
	copyBody(*next);
	readRun();
	/* A kernel may compute the divisor only where it is defined, such as behind a test of a shift's distance. */
	if (!isa<ConstantInt>(divisor))
		divisor = builder.CreateFreeze(divisor);
	columns = builder.CreateZExtOrTrunc(divisor, builder.getInt64Ty());
	builder.CreateCondBr(mayInterchange(), start, body.front());
	goThroughColumns(*start, *next);
}

/* The whole rows of a run in tiles; then the body, for the ids before them and for those behind them. */
class PlaneTiling : PlaneKernel
{
      public:
	PlaneTiling(Function &theKernel, const IdDivision &theDivision)
	    : PlaneKernel(theKernel, theDivision)
	{
	}

	void run();

      private:
	void goThroughRest(const Piece &tiled);
};

/* Of which there is nothing as a rule. */
void PlaneTiling::goThroughRest(const Piece &tiled)
{
	Type *number = builder.getInt64Ty();
	BasicBlock *before = builder.GetInsertBlock();
	BasicBlock *rest = newBlock("rest", body.front()), *item = newBlock("item", body.front());
	BasicBlock *next = newBlock("next", nullptr), *exit = newBlock("exit", nullptr);
	Value *hasBefore = builder.CreateICmpULT(begin, tiled.begin);
	Value *first = builder.CreateSelect(hasBefore, begin, tiled.end);
	builder.CreateBr(rest);

	builder.SetInsertPoint(rest);
	PHINode *start = builder.CreatePHI(number, 2, "start");
	builder.CreateCall(declareBarrier(*kernel.getParent()));
	Value *isBefore = builder.CreateICmpULT(start, tiled.begin);
	Value *last = builder.CreateSelect(isBefore, tiled.begin, end);
	builder.CreateCondBr(builder.CreateICmpULT(start, last), item, exit);

	builder.SetInsertPoint(item);
	Value *place = ask(Query::LocalId);
	Value *inside = builder.CreateICmpULT(place, builder.CreateSub(last, start), "inside");
	Value *id = builder.CreateNUWAdd(start, place, "id");
	builder.CreateCondBr(inside, body.front(), next);

	builder.SetInsertPoint(next);
	start->addIncoming(first, before);
	start->addIncoming(builder.CreateSelect(isBefore, tiled.end, end), next);
	builder.CreateBr(rest);
	builder.SetInsertPoint(exit);
	builder.CreateRetVoid();
	for (BasicBlock *block : body) {
		if (isa<ReturnInst>(block->getTerminator()))
			ReplaceInstWithInst(block->getTerminator(), BranchInst::Create(next));
	}
	for (Instruction *old : division.ids)
		old->replaceAllUsesWith(id);
}

void PlaneTiling::run()
{
	readRun();
	IdDivision known = division;
	known.divisor = divisor;
	Value *fit = builder.CreateICmpULT(end, builder.getInt64(idLimit));
	const Piece all = {begin, builder.CreateSelect(fit, end, begin), builder.getInt64(0)};
	const Piece tiled = addPlaneTiles(builder, {body, nullptr, 0}, known, all);
	goThroughRest(tiled);
}

/* Arrays of one work-item would be there for all of the run. */
bool mayCopy(Function &kernel)
{
	unsigned size = 0;
	for (const Instruction &instruction : instructions(kernel)) {
		if (isa<AllocaInst>(instruction) || isBarrier(instruction))
			return false;
		size++;
	}
	return size <= mostCopied;
}

/* Whether the work-items are those of one plane, which it reads by columns. */
bool suitsTiles(const Function &kernel, const IdDivision &division)
{
	return isTransposed(division) && none_of(instructions(kernel), [](const Instruction &call) {
		       return queryOf(call) == Query::LocalId &&
			      !isQueryOf(call, Query::LocalId, 0);
	       });
}

} // namespace

PreservedAnalyses InterchangeItemsPass::run(Function &function, FunctionAnalysisManager &)
{
	const bool goesByRows = getKernelNumber(function, interchangedIdsAttribute) > 0;
	if (!isKernel(function) ||
	    getKernelNumber(function, coalescedGroupsAttribute) != CoalescesAll ||
	    !mayCopy(function))
		return PreservedAnalyses::all();
	const std::optional<IdDivision> division = findIdDivision(function, isComposedId);
	if (!division || !isThereAtFirst(*division->divisor, mostOfDivisor) ||
	    (!goesByRows && !suitsTiles(function, *division)))
		return PreservedAnalyses::all();
	if (goesByRows)
		Interchange(function, *division).run();
	else
		PlaneTiling(function, *division).run();
	return PreservedAnalyses::none();
}

} // namespace weft
