/* SPDX-License-Identifier: MIT
 *
 * A work-item goes through the rows of a tile in its column: along a row, a tile is as long as there are work-items that run together,
 * of which a vector goes through all rows before the next one begins.
 */
#include "regions/plane_tiles.h"

#include "functions/internal_functions.h"
#include "ir/integer_builders.h"
#include "ir/loop_size.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Rows of a tile: cache lines of bytes, and several of larger types, which the CPU loads ahead. What a vector of many lanes stores is most of
 * a line in each row. */
constexpr uint64_t rowsOfManyLanes = 64, manyLanes = 8;
/* Where lanes are few, several vectors store to a line: those of all rows stay in the core's first cache, which holds 8 to 12 lines that are a
 * power of two apart. */
constexpr uint64_t rowsOfFewLanes = 8;
/* Rows of a piece: of fewer, cache lines are not used as a whole. */
constexpr uint64_t leastWholeRows = 8;
/* Columns of a plane: vectors are full. */
constexpr uint64_t shortestRow = 64;
/* Instructions of a loop that gets another version. */
constexpr unsigned mostTiled = 250;

/* Whether the number, behind extensions and truncations, is a factor of a product that is none itself. */
bool isScaled(const Value &number)
{
	return any_of(number.users(), [](const User *user) {
		const unsigned operation = Operator::getOpcode(user);
		return isa<CastInst>(user)
			       ? isScaled(*user)
			       : operation == Instruction::Mul || operation == Instruction::Shl;
	});
}

class PlaneTiles
{
      public:
	PlaneTiles(IRBuilder<> &theBuilder, const PlaneBody &theBody, const IdDivision &theDivision)
	    : builder(theBuilder), body(theBody), division(theDivision),
	      function(*theBody.blocks.front()->getParent())
	{
	}

	Piece run(const Piece &piece);

      private:
	BasicBlock *newBlock(const Twine &name)
	{
		return BasicBlock::Create(function.getContext(), name, &function,
					  body.blocks.front());
	}
	Piece findRows(const Piece &piece);
	BasicBlock *copyBody(BasicBlock &nextRow);
	BasicBlock *goThroughRows(BasicBlock &item, BasicBlock &next);
	BasicBlock *goThroughTiles();
	void replace(ArrayRef<Instruction *> values, Value &value);

	IRBuilder<> &builder;
	const PlaneBody &body;
	const IdDivision &division;
	Function &function;
	ValueToValueMapTy map; /* from the body to its copy */
	Value *columns = nullptr, *firstRow = nullptr, *endRow = nullptr;
	Value *column = nullptr, *tileRow = nullptr, *tileEnd = nullptr; /* of a tile */
};

/* A kernel may compute the divisor only where it is defined. */
Piece PlaneTiles::findRows(const Piece &piece)
{
	Value *divisor = division.divisor;
	if (!isa<ConstantInt>(divisor))
		divisor = builder.CreateFreeze(divisor);
	columns = builder.CreateZExtOrTrunc(divisor, builder.getInt64Ty());
	if (!isa<ConstantInt>(columns))
		columns = builder.CreateBinaryIntrinsic(Intrinsic::umax, columns,
							builder.getInt64(1));
	Value *begin = builder.CreateNUWAdd(piece.begin, piece.first);
	Value *end = builder.CreateNUWAdd(piece.end, piece.first);
	Value *isWithin = builder.CreateIsNotNull(builder.CreateURem(begin, columns));
	firstRow = builder.CreateNUWAdd(builder.CreateUDiv(begin, columns),
					builder.CreateZExt(isWithin, builder.getInt64Ty()));
	endRow = builder.CreateUDiv(end, columns);
	Value *isHigh = builder.CreateICmpULE(
		builder.CreateNUWAdd(firstRow, builder.getInt64(leastWholeRows)), endRow);
	Value *isWide = builder.CreateICmpUGE(columns, builder.getInt64(shortestRow));
	Value *isPlane = builder.CreateAnd(isHigh, isWide, "plane");
	endRow = builder.CreateSelect(isPlane, endRow, firstRow);
	auto place = [&](Value *row) {
		Value *inPlane = builder.CreateSub(builder.CreateMul(row, columns), piece.first);
		return builder.CreateSelect(isPlane, inPlane, piece.begin);
	};
	return {place(firstRow), place(endRow), piece.first};
}

/* In the copy. */
void PlaneTiles::replace(ArrayRef<Instruction *> values, Value &value)
{
	for (Instruction *old : values) {
		auto *copy = cast<Instruction>(map.lookup(old));
		builder.SetInsertPoint(copy->getParent(),
				       isa<PHINode>(copy) ? copy->getParent()->getFirstInsertionPt()
							  : copy->getIterator());
		replaceByNumber(builder, *copy, value);
	}
}

/* Goes on with the next row where it ends. All indices are the loop's. */
BasicBlock *PlaneTiles::copyBody(BasicBlock &nextRow)
{
	SmallVector<BasicBlock *, 8> copies;
	if (body.exit)
		map[body.exit] = &nextRow;
	for (BasicBlock *block : body.blocks) {
		copies.push_back(CloneBasicBlock(block, map, ".tile", &function));
		map[block] = copies.back();
	}
	remapInstructionsInBlocks(copies, map);
	for (BasicBlock *copy : copies) {
		if (isa<ReturnInst>(copy->getTerminator()))
			ReplaceInstWithInst(copy->getTerminator(), BranchInst::Create(&nextRow));
		copy->getTerminator()->replaceSuccessorWith(copies.front(), &nextRow);
	}
	if (body.exit) {
		auto *test = cast<BranchInst>(copies.front()->getTerminator());
		test->setCondition(builder.getInt1(test->getSuccessor(0) != &nextRow));
	}
	return copies.front();
}

/* From row to row of a tile. Returns where that begins. */
BasicBlock *PlaneTiles::goThroughRows(BasicBlock &item, BasicBlock &next)
{
	BasicBlock *rows = newBlock("tile.row"), *nextRow = newBlock("next.tile.row");
	BasicBlock *copy = copyBody(*nextRow);
	builder.SetInsertPoint(rows);
	PHINode *row = builder.CreatePHI(builder.getInt64Ty(), 2, "row");
	Value *id = builder.CreateMul(row, columns, "", true, true);
	id = builder.CreateAdd(id, column, "id", true, true);
	builder.CreateCondBr(builder.CreateICmpULT(row, tileEnd), copy, &next);
	replace(division.ids, *id);
	replace(division.quotients, *row);
	replace(division.remainders, *column);

	builder.SetInsertPoint(nextRow);
	row->addIncoming(tileRow, &item);
	row->addIncoming(builder.CreateAdd(row, builder.getInt64(1), "", true, true), nextRow);
	builder.CreateBr(rows);
	return rows;
}

/* What comes behind. */
BasicBlock *PlaneTiles::goThroughTiles()
{
	Type *number = builder.getInt64Ty();
	Value *zero = builder.getInt64(0);
	BasicBlock *before = builder.GetInsertBlock(), *tiles = newBlock("tiles");
	BasicBlock *item = newBlock("tile"), *next = newBlock("next.tile"),
		   *exit = newBlock("behind.tiles");
	Value *items = createQuery(builder, Query::LocalSize, body.dimension);
	builder.CreateBr(tiles);

	builder.SetInsertPoint(tiles);
	PHINode *firstColumn = builder.CreatePHI(number, 2, "first.column");
	PHINode *first = builder.CreatePHI(number, 2, "first.row");
	builder.CreateCall(declareBarrier(*function.getParent()));
	builder.CreateCondBr(builder.CreateICmpULT(first, endRow), item, exit);

	builder.SetInsertPoint(item);
	Value *place = createQuery(builder, Query::LocalId, body.dimension);
	column = builder.CreateAdd(firstColumn, place, "column", true, true);
	tileRow = first;
	const bool hasMany = getKernelNumber(function, vectorWidthAttribute) >= manyLanes;
	tileEnd = builder.CreateNUWAdd(
		first, builder.getInt64(hasMany ? rowsOfManyLanes : rowsOfFewLanes));
	tileEnd = least(builder, tileEnd, endRow);
	Value *inside = builder.CreateICmpULT(column, columns, "inside");
	BasicBlock *rows = goThroughRows(*item, *next);
	builder.SetInsertPoint(item);
	builder.CreateCondBr(inside, rows, next);

	builder.SetInsertPoint(next);
	Value *nextColumn = builder.CreateAdd(firstColumn, items, "", true, true);
	Value *isEnd = builder.CreateICmpUGE(nextColumn, columns);
	firstColumn->addIncoming(zero, before);
	firstColumn->addIncoming(builder.CreateSelect(isEnd, zero, nextColumn), next);
	first->addIncoming(firstRow, before);
	first->addIncoming(builder.CreateSelect(isEnd, tileEnd, first), next);
	builder.CreateBr(tiles);
	return exit;
}

Piece PlaneTiles::run(const Piece &piece)
{
	const Piece rows = findRows(piece);
	builder.SetInsertPoint(goThroughTiles());
	return rows;
}

} // namespace

bool isTransposed(const IdDivision &division)
{
	const auto isFactor = [](const Instruction *part) { return isScaled(*part); };
	return any_of(division.remainders, isFactor) && none_of(division.quotients, isFactor);
}

std::optional<IdDivision> findTiledPlane(const GridStrideLoop &from)
{
	if (instructionsIn(*from.loop) > mostTiled)
		return std::nullopt;
	std::optional<IdDivision> division = findIdDivision(
		*from.phi->getFunction(), [&](const Value &value) { return &value == from.phi; });
	if (!division || !isTransposed(*division))
		return std::nullopt;
	const auto *divisor = dyn_cast<Instruction>(division->divisor);
	const bool isBefore = !divisor || !from.loop->contains(divisor);
	return isBefore && isRangeConstant(*division->divisor) ? division : std::nullopt;
}

Piece addPlaneTiles(IRBuilder<> &builder, const PlaneBody &body, const IdDivision &division,
		    const Piece &piece)
{
	return PlaneTiles(builder, body, division).run(piece);
}

} // namespace weft
