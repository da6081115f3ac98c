/* SPDX-License-Identifier: MIT
 *
 * The loops:
 *
 *   band:  part of a row of groups, or several whole rows
 *     row:   tiles of the band that are beside each other
 *       tile:  its work-items
 */
#include "finish/item_tiles.h"

#include "functions/internal_functions.h"
#include "ir/integer_builders.h"
#include "ir/item_loops.h"
#include "kernel/swapped_dimension.h"
#include "kernel_abi.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Work-items along x: a cache line of bytes, and several pieces of a page that the CPU loads ahead. */
constexpr uint64_t wideTile = 64;
/* Work-items along y: a cache line of bytes. */
constexpr uint64_t highTile = 64;
/* Where work-items run one after the other, which are mostly vectors of the source: as many along x as a core's first cache holds lines that
 * are a power of two apart, and along y as fill several lines. */
constexpr uint64_t narrowTile = 8, lowTile = 16;
/* Work-items of a group along y: groups that are higher have most of a line of what is stored, and gain less than tiles take. */
constexpr uint64_t highestGroup = 16;
/* Places along x are mostly as far apart as the range is long along y. Where that is a multiple of so many elements, a core's first
 * cache holds 8 to 12 such lines. */
constexpr uint64_t closePlaces = 256;

bool runsAlone(const Function &kernel)
{
	return getKernelNumber(kernel, vectorWidthAttribute) <= 1;
}

/* Whether lanes are few, and work-items of the next row use the same lines. */
bool suitsTiles(const Function &kernel)
{
	if (runsAlone(kernel))
		return getKernelNumber(kernel, turnedPlaneAttribute) > 0;
	return getKernelNumber(kernel, farLanesAttribute) > 0 &&
	       getKernelNumber(kernel, sharesRowsAttribute) == SharesLines;
}

/* Whether the kernel asks for ids along z, or may do so. */
bool usesLayers(const Function &kernel)
{
	return any_of(instructions(kernel), [](const Instruction &instruction) {
		if (queryOf(instruction) != Query::FirstItem)
			return false;
		const auto *dimension = dyn_cast<ConstantInt>(instruction.getOperand(0));
		return !dimension || dimension->getValue().uge(2);
	});
}

} // namespace

bool runsInTiles(const Function &kernel)
{
	return getKernelNumber(kernel, coalescedGroupsAttribute) == CoalescesAll &&
	       !usesLayers(kernel) && suitsTiles(kernel) &&
	       getKernelNumber(kernel, usesRowsAttribute) > 0 &&
	       !(getKernelNumber(kernel, flagsAttribute) & WEFT_KERNEL_COUNTS_CYCLES);
}

TileSize chooseTileSize(IRBuilder<> &builder, const GroupRange &groups, Value *longestRun,
			const Function &kernel)
{
	const bool isAlone = runsAlone(kernel);
	const uint64_t lanes = isAlone ? narrowTile : getKernelNumber(kernel, vectorWidthAttribute);
	Value *over = builder.CreateAnd(groups.globalSize[1], builder.getInt64(closePlaces - 1));
	Value *width = builder.CreateSelect(builder.CreateIsNull(over), builder.getInt64(lanes),
					    builder.getInt64(std::max(lanes, wideTile)));
	if (isAlone)
		return {width, builder.getInt64(lowTile)};
	Value *several =
		builder.CreateLShr(builder.getInt64(highTile), logOf(builder, groups.groupSize[1]));
	Value *height = builder.CreateNUWMul(several, groups.groupSize[1]);
	Value *isHigh = builder.CreateICmpUGT(groups.groupSize[1], builder.getInt64(highestGroup));
	Value *run = builder.CreateNUWMul(least(builder, longestRun, groups.numGroups[0]),
					  groups.groupSize[0]);
	return {builder.CreateSelect(isHigh, run, width),
		builder.CreateSelect(isHigh, groups.groupSize[1], height)};
}

BasicBlock *ItemTiles::createBlock(const Twine &name)
{
	return BasicBlock::Create(builder.getContext(), name, exit->getParent(), exit);
}

ItemTiles::ItemTiles(IRBuilder<> &theBuilder, const GroupRange &theGroups, TileSize theSize,
		     BasicBlock &theExit)
    : builder(theBuilder), groups(theGroups), size(theSize), before(builder.GetInsertBlock()),
      exit(&theExit)
{
	band = createBlock("band");
	row = createBlock("tile.row");
	tile = createBlock("tile");
	builder.CreateCondBr(builder.CreateICmpULT(groups.first, groups.end), band, exit);
	startBand();

	builder.SetInsertPoint(row);
	y = builder.CreatePHI(builder.getInt64Ty(), 2, "first.y");
	y->addIncoming(firstItem[1], band);
	firstItem[1] = y;
	localSize[1] = least(builder, size.height, builder.CreateSub(endY, y));
	builder.CreateBr(tile);

	builder.SetInsertPoint(tile);
	x = builder.CreatePHI(builder.getInt64Ty(), 2, "first.x");
	x->addIncoming(firstItem[0], row);
	firstItem[0] = x;
	localSize[0] = least(builder, size.width, builder.CreateSub(endX, x));
}

/* A band is of several rows where these are whole, and in one layer. */
void ItemTiles::startBand()
{
	builder.SetInsertPoint(band);
	group = builder.CreatePHI(builder.getInt64Ty(), 2, "group");
	group->addIncoming(groups.first, before);
	for (unsigned d = 0; d < 3; d++) {
		bandId[d] = builder.CreatePHI(builder.getInt64Ty(), 2, "group.id");
		bandId[d]->addIncoming(groups.firstId[d], before);
	}
	for (unsigned d = 0; d < 3; d++)
		firstItem[d] = builder.CreateNUWMul(bandId[d], groups.groupSize[d]);
	Value *left = builder.CreateSub(groups.end, group);
	columns = least(builder, builder.CreateSub(groups.numGroups[0], bandId[0]), left);
	rows = least(builder, builder.CreateUDiv(left, groups.numGroups[0]),
		     builder.CreateSub(groups.numGroups[1], bandId[1]));
	Value *isWhole = builder.CreateICmpEQ(columns, groups.numGroups[0]);
	rows = builder.CreateSelect(isWhole, rows, builder.getInt64(1));
	auto endOf = [&](unsigned d, Value *number) {
		Value *end = builder.CreateNUWMul(builder.CreateNUWAdd(bandId[d], number),
						  groups.groupSize[d]);
		return least(builder, end, groups.globalSize[d]);
	};
	endX = endOf(0, columns);
	endY = endOf(1, rows);
	localSize[2] = builder.CreateSub(endOf(2, builder.getInt64(1)), firstItem[2]);
	builder.CreateBr(row);
}

void ItemTiles::close()
{
	BasicBlock *rowEnd = createBlock("tile.row.end"), *bandEnd = createBlock("band.end");
	Value *nextX = builder.CreateNUWAdd(x, size.width);
	x->addIncoming(nextX, builder.GetInsertBlock());
	builder.CreateCondBr(builder.CreateICmpULT(nextX, endX), tile, rowEnd);
	markSingleLoop(*builder.GetInsertBlock());

	builder.SetInsertPoint(rowEnd);
	Value *nextY = builder.CreateNUWAdd(y, size.height);
	y->addIncoming(nextY, rowEnd);
	builder.CreateCondBr(builder.CreateICmpULT(nextY, endY), row, bandEnd);
	markSingleLoop(*rowEnd);

	builder.SetInsertPoint(bandEnd);
	endBand();
	markSingleLoop(*bandEnd);
}

/* To the next row of groups, or the next layer. */
void ItemTiles::endBand()
{
	BasicBlock *bandEnd = builder.GetInsertBlock();
	Value *zero = builder.getInt64(0);
	Value *next = builder.CreateNUWAdd(group, builder.CreateNUWMul(columns, rows));
	Value *nextRow = builder.CreateNUWAdd(bandId[1], rows);
	Value *wraps = builder.CreateICmpEQ(nextRow, groups.numGroups[1]);
	Value *layer = builder.CreateZExt(wraps, builder.getInt64Ty());
	group->addIncoming(next, bandEnd);
	bandId[0]->addIncoming(zero, bandEnd);
	bandId[1]->addIncoming(builder.CreateSelect(wraps, zero, nextRow), bandEnd);
	bandId[2]->addIncoming(builder.CreateNUWAdd(bandId[2], layer), bandEnd);
	builder.CreateCondBr(builder.CreateICmpULT(next, groups.end), band, exit);
}

} // namespace weft
