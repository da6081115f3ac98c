/* SPDX-License-Identifier: MIT
 *
 * collapse-dimensions: beside the loops over y and x of a region, one over both:
 *
 *   size x == row ? for z, for i:  x, y of i → the region's blocks
 *                 : for z, for y, for x:  the region's blocks
 *
 * and the same once more in the second's place for another length of row. In strips:
 *
 *   size x == row, or a multiple of it, with four rows or more
 *                 ? for z, for each strip of x, for i:  x within the strip, y of i → the region's blocks
 *                 : for z, for y, for x:  the region's blocks
 */
#include "regions/collapse_dimensions.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "ir/same_columns.h"
#include "kernel/argument_layout.h"
#include "regions/row_interchange.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Instructions of a kernel's item loops past which they are not made twice, or for two lengths of rows. */
constexpr unsigned collapseBudget = 4000;
/* The same where groups are coalesced and no size is required: there would be a single loop without, and versions for sizes follow. */
constexpr unsigned coalescedBudget = 1000;
/* Of groups longer than a vector: fewer rows at once are worth less than the vectors of each. */
constexpr unsigned leastRows = 4;

/* An item loop and the loops over y and z around it. */
struct Rows {
	ItemLoop item;
	BasicBlock *header;                    /* of the loop over y */
	BasicBlock *zHeader, *zLatch, *before; /* around it, and in front */
	PHINode *y;
	Value *size;   /* along y */
	bool readSame; /* readsSameInRows() */
};

Rows readRows(const ItemLoop &item)
{
	Rows rows = {};
	const Loop *loop = item.loop->getParentLoop();
	rows.item = item;
	rows.header = loop->getHeader();
	rows.y = cast<PHINode>(&rows.header->front());
	auto *end = cast<BranchInst>(loop->getLoopLatch()->getTerminator());
	rows.size = cast<ICmpInst>(end->getCondition())->getOperand(1);
	rows.zHeader = loop->getLoopPredecessor();
	rows.zLatch = end->getSuccessor(1);
	rows.before = loop->getParentLoop()->getLoopPredecessor();
	return rows;
}

/* How the loops of a kernel's regions are collapsed. */
struct Collapsing {
	/* How many work-items along x a group may have. */
	SmallVector<unsigned, 2> lengths;
	/* Groups with more work-items along x run in strips of so many; 0: there are no strips. */
	unsigned strip = 0;
	/* Collapse only regions in which all rows read the same memory. */
	bool onlyShared = false;
	/* Every group, or run of groups, is of such rows, if all are whole. */
	bool knowsAll = false;
	unsigned budget = collapseBudget;
};

/* Groups that are coalesced are runs of the width, or whole groups where these are longer. */
Collapsing collapsingOf(const Function &kernel)
{
	auto width = unsigned(getKernelNumber(kernel, vectorWidthAttribute));
	bool coalesces = getKernelNumber(kernel, coalescedGroupsAttribute) == CoalescesAll;
	uint32_t required[3];
	if (width < 4 || getKernelNumber(kernel, usesRowsAttribute) == 0)
		return {};
	readSizes(kernel, "reqd_work_group_size", required);
	if (!required[0])
		return coalesces ? Collapsing{{width}, width, true, false, coalescedBudget}
				 : Collapsing{
					   {width / 2, width}, width, false, false, collapseBudget};
	const bool isShort = isPowerOf2_32(required[0]) && required[0] <= width;
	if (required[0] % width == 0 && required[1] >= leastRows && (coalesces || !isShort))
		return {{width}, width, true, true, collapseBudget};
	if (coalesces && isShort && required[1] > 1)
		return {{width}, width, true, false, collapseBudget};
	bool fills = required[0] * uint64_t(required[1]) >= width;
	if (isShort && !coalesces && required[0] > 1 && required[1] > 1 && fills)
		return {{required[0]}, 0, false, true, collapseBudget};
	return {};
}

class RowCollapser
{
      public:
	/* `inStrips`: longer rows too, if so many fill them. */
	RowCollapser(Rows &theRows, unsigned theLength, bool isInStrips)
	    : rows(theRows), length(theLength), inStrips(isInStrips),
	      function(*theRows.header->getParent()), context(function.getContext())
	{
	}

	void run()
	{
		copyBlocks();
		IRBuilder<> builder(rows.before->getTerminator());
		Value *total = builder.CreateNUWMul(rows.size, builder.getInt64(length));
		Value *fits = fitsRows(builder);
		auto *otherwise = BasicBlock::Create(context, "rows", &function, rows.zHeader);
		BranchInst::Create(rows.zHeader, otherwise);
		rows.zHeader->replacePhiUsesWith(rows.before, otherwise);
		builder.CreateCondBr(fits, blockOf(rows.zHeader), otherwise);
		rows.before->getTerminator()->eraseFromParent();
		rows.before = otherwise;
		if (!inStrips)
			placeSize();
		closeLoop(total);
	}

      private:
	Value *fitsRows(IRBuilder<> &builder)
	{
		Value *fits = builder.CreateICmpEQ(rows.item.size, builder.getInt64(length));
		if (!inStrips)
			return fits;
		Value *part = builder.CreateAnd(rows.item.size, builder.getInt64(length - 1));
		Value *isWhole = builder.CreateIsNull(part);
		Value *isHigh = builder.CreateICmpUGE(rows.size, builder.getInt64(leastRows));
		return builder.CreateOr(fits, builder.CreateAnd(isWhole, isHigh));
	}

	BasicBlock *blockOf(BasicBlock *block) const
	{
		return cast<BasicBlock>(map.lookup(block));
	}

	void copyBlocks()
	{
		SmallVector<BasicBlock *, 16> made;
		auto copy = [&](BasicBlock *block) {
			made.push_back(CloneBasicBlock(block, map, ".collapsed", &function));
			made.back()->moveBefore(rows.zHeader);
			map[block] = made.back();
		};
		copy(rows.zHeader);
		for (BasicBlock *block : rows.item.loop->blocks())
			copy(block);
		copy(rows.zLatch);
		map[rows.header] = inStrips ? createStrips() : blockOf(rows.item.header);
		item = cast<PHINode>(map[rows.item.x]);
		replaceSize();
		for (BasicBlock *block : made) {
			for (Instruction &instruction : *block) {
				if (&instruction == item || &instruction == x ||
				    &instruction == y || &instruction == within)
					continue;
				RemapInstruction(&instruction, map,
						 RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
				/* That of the other loops. */
				instruction.setMetadata(LLVMContext::MD_access_group, nullptr);
				instruction.setMetadata(LLVMContext::MD_loop, nullptr);
				instruction.setMetadata(itemNestMetadata, nullptr);
			}
		}
	}

	/* Around the loop over items, one over the strips along x. */
	BasicBlock *createStrips()
	{
		auto *header =
			BasicBlock::Create(context, "strip", &function, blockOf(rows.item.header));
		IRBuilder<> builder(header);
		strip = builder.CreatePHI(builder.getInt64Ty(), 2, "strip.x");
		strip->addIncoming(builder.getInt64(0), blockOf(rows.zHeader));
		builder.CreateBr(blockOf(rows.item.header));
		stripEnd =
			BasicBlock::Create(context, "strip.end", &function, blockOf(rows.zLatch));
		builder.SetInsertPoint(stripEnd);
		Value *next = builder.CreateNUWAdd(strip, builder.getInt64(length));
		strip->addIncoming(next, stripEnd);
		builder.CreateCondBr(builder.CreateICmpULT(next, rows.item.size), header,
				     blockOf(rows.zLatch));
		return header;
	}

	void replaceSize()
	{
		IRBuilder<> builder(item->getParent(), item->getParent()->getFirstInsertionPt());
		within = builder.CreateAnd(item, builder.getInt64(length - 1), "x");
		x = inStrips ? builder.CreateNUWAdd(strip, within, "x") : within;
		y = builder.CreateLShr(item, builder.getInt64(Log2_32(length)), "y");
		map[rows.item.x] = x;
		map[rows.y] = y;
		if (!inStrips)
			map[rows.item.size] = builder.getInt64(length);
	}

	/* The group's size along x is known. */
	void placeSize()
	{
		for (BasicBlock *block : rows.item.loop->blocks()) {
			for (Instruction &instruction : make_early_inc_range(*blockOf(block))) {
				if (queryOf(instruction) != Query::LocalSize)
					continue;
				auto *dimension = dyn_cast<ConstantInt>(instruction.getOperand(0));
				if (!dimension || !dimension->isZero())
					continue;
				instruction.replaceAllUsesWith(
					ConstantInt::get(instruction.getType(), length));
				instruction.eraseFromParent();
			}
		}
	}

	void closeLoop(Value *total)
	{
		BasicBlock *header = blockOf(rows.item.header), *latch = blockOf(rows.item.latch);
		Instruction *end = latch->getTerminator();
		Value *test = cast<BranchInst>(end)->getCondition();
		IRBuilder<> builder(end);
		Value *next = builder.CreateNUWAdd(item, builder.getInt64(1));
		BasicBlock *before = inStrips ? strip->getParent() : blockOf(rows.zHeader);
		BasicBlock *after = inStrips ? stripEnd : blockOf(rows.zLatch);
		builder.CreateCondBr(builder.CreateICmpULT(next, total), header, after);
		end->eraseFromParent();
		RecursivelyDeleteTriviallyDeadInstructions(test);
		if (!hasFixedSize(function))
			markSingleLoop(*blockOf(rows.zLatch));
		if (inStrips)
			markSingleLoop(*stripEnd);
		while (item->getNumIncomingValues() > 0)
			item->removeIncomingValue(0u, false);
		item->addIncoming(builder.getInt64(0), before);
		item->addIncoming(next, latch);
		markItemLoop(*latch, length);
	}

	Rows &rows;
	unsigned length;
	bool inStrips;
	Function &function;
	LLVMContext &context;
	ValueToValueMapTy map;
	PHINode *item = nullptr, *strip = nullptr;
	BasicBlock *stripEnd = nullptr;
	Value *within = nullptr, *x = nullptr, *y = nullptr; /* `within` the strip */
};

/* Groups that are coalesced have many rows. */
bool interchangesRows(Function &function, BasicBlock &latch, const LoopInfo &loops)
{
	const ItemLoop item = readItemLoop(latch, loops);
	if (!isWhole(item) || instructionsIn(*item.loop) > coalescedBudget)
		return false;
	const PostDominatorTree ends(function);
	const std::optional<SharedColumns> shared = findSharedColumns(item, loops, ends);
	if (shared)
		interchangeRows(*shared, unsigned(getKernelNumber(function, vectorWidthAttribute)),
				leastRows);
	return shared.has_value();
}

} // namespace

PreservedAnalyses CollapseDimensionsPass::run(Function &function, FunctionAnalysisManager &)
{
	/* Sub-groups need the order of linear ids, which widen-loops makes. */
	if (!isKernel(function) || getKernelNumber(function, subgroupsAttribute) > 0)
		return PreservedAnalyses::all();
	Collapsing collapsing = collapsingOf(function);
	SmallVector<BasicBlock *, 4> latches = markedLatches(function);
	/* Behind the loops of groups with rows stand those that count groups (group-index-loops). */
	uint64_t coalescing = getKernelNumber(function, coalescedGroupsAttribute);
	if (coalescing == CoalescesSingle && latches.size() > 1)
		latches.pop_back();
	const bool mayInterchange = coalescing == CoalescesAll && latches.size() == 1;
	if (latches.empty() || getKernelNumber(function, usesRowsAttribute) == 0 ||
	    (collapsing.lengths.empty() && !mayInterchange))
		return PreservedAnalyses::all();
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	if (mayInterchange && interchangesRows(function, *latches.front(), loops))
		return PreservedAnalyses::none();
	if (collapsing.lengths.empty())
		return PreservedAnalyses::all();
	size_t size = 0;
	SmallVector<Rows, 4> list;
	for (BasicBlock *latch : latches) {
		ItemLoop item = readItemLoop(*latch, loops);
		if (!isWhole(item))
			continue;
		Rows rows = readRows(item);
		rows.readSame = readsSameInRows(rows.item,
						PlaceDependence(rows.item, rows.y, loops), loops);
		if (collapsing.onlyShared && !rows.readSame)
			continue;
		list.push_back(rows);
		size += instructionsIn(*rows.item.loop);
	}
	if (list.empty() || size > collapsing.budget)
		return PreservedAnalyses::all();
	bool isTight = size * collapsing.lengths.size() > collapsing.budget;
	for (Rows &rows : list) {
		SmallVector<unsigned, 2> lengths = collapsing.lengths;
		if (isTight)
			lengths = {rows.readSame ? lengths.back() : lengths.front()};
		for (unsigned length : lengths)
			RowCollapser(rows, length, rows.readSame && length == collapsing.strip)
				.run();
		if (collapsing.knowsAll && hasFixedSize(function))
			unmarkItemLoop(*rows.item.latch);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
