/* SPDX-License-Identifier: MIT
 *
 * fold-rows: beside the loops over y and x of a region, one over both:
 *
 *   size x == row ? for z, for i:  x, y of i → the region's blocks
 *                 : for z, for y, for x:  the region's blocks
 *
 * and the same once more in the second's place for another length of row.
 */
#include "fold_rows.h"

#include "argument_layout.h"
#include "fuse_groups.h"
#include "internal_functions.h"
#include "item_loops.h"

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
constexpr unsigned foldBudget = 4000;

/* An item loop and the loops over y and z around it. */
struct Rows {
	ItemLoop item;
	BasicBlock *header;                    /* of the loop over y */
	BasicBlock *zHeader, *zLatch, *before; /* around it, and in front */
	PHINode *y;
	Value *size; /* along y */
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

/* How many work-items along x a group may have for folding. */
SmallVector<unsigned, 2> rowLengths(const Function &kernel)
{
	auto width = unsigned(getKernelNumber(kernel, vectorWidthAttribute));
	uint32_t required[3];
	if (width < 4 || getKernelNumber(kernel, usesRowsAttribute) == 0 ||
	    getKernelNumber(kernel, fusesGroupsAttribute) == FusesAll)
		return {};
	readSizes(kernel, "reqd_work_group_size", required);
	if (!required[0])
		return {width / 2, width};
	bool folds = isPowerOf2_32(required[0]) && required[0] > 1 && required[0] <= width &&
		     required[1] > 1 && required[0] * uint64_t(required[1]) >= width;
	if (folds)
		return {required[0]};
	return {};
}

class RowFolder
{
      public:
	RowFolder(Rows &theRows, unsigned theLength)
	    : rows(theRows), length(theLength), function(*theRows.header->getParent()),
	      context(function.getContext())
	{
	}

	void run()
	{
		copyBlocks();
		IRBuilder<> builder(rows.before->getTerminator());
		Value *total = builder.CreateNUWMul(rows.size, builder.getInt64(length));
		Value *fits = builder.CreateICmpEQ(rows.item.size, builder.getInt64(length));
		auto *otherwise = BasicBlock::Create(context, "rows", &function, rows.zHeader);
		BranchInst::Create(rows.zHeader, otherwise);
		rows.zHeader->replacePhiUsesWith(rows.before, otherwise);
		builder.CreateCondBr(fits, blockOf(rows.zHeader), otherwise);
		rows.before->getTerminator()->eraseFromParent();
		rows.before = otherwise;
		placeSize();
		closeLoop(total);
	}

      private:
	BasicBlock *blockOf(BasicBlock *block) const
	{
		return cast<BasicBlock>(map.lookup(block));
	}

	void copyBlocks()
	{
		SmallVector<BasicBlock *, 16> made;
		auto copy = [&](BasicBlock *block) {
			made.push_back(CloneBasicBlock(block, map, ".folded", &function));
			made.back()->moveBefore(rows.zHeader);
			map[block] = made.back();
		};
		copy(rows.zHeader);
		for (BasicBlock *block : rows.item.loop->blocks())
			copy(block);
		copy(rows.zLatch);
		map[rows.header] = blockOf(rows.item.header);
		item = cast<PHINode>(map[rows.item.x]);
		replaceSize();
		for (BasicBlock *block : made) {
			for (Instruction &instruction : *block) {
				if (&instruction == item || &instruction == x || &instruction == y)
					continue;
				RemapInstruction(&instruction, map,
						 RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
				/* That of the other loops. */
				instruction.setMetadata(LLVMContext::MD_access_group, nullptr);
				instruction.setMetadata(LLVMContext::MD_loop, nullptr);
			}
		}
	}

	void replaceSize()
	{
		IRBuilder<> builder(item->getParent(), item->getParent()->getFirstInsertionPt());
		x = builder.CreateAnd(item, builder.getInt64(length - 1), "x");
		y = builder.CreateLShr(item, builder.getInt64(Log2_32(length)), "y");
		map[rows.item.x] = x;
		map[rows.y] = y;
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
		builder.CreateCondBr(builder.CreateICmpULT(next, total), header,
				     blockOf(rows.zLatch));
		end->eraseFromParent();
		RecursivelyDeleteTriviallyDeadInstructions(test);
		if (!hasFixedSize(function))
			markSingleLoop(*blockOf(rows.zLatch));
		while (item->getNumIncomingValues() > 0)
			item->removeIncomingValue(0u, false);
		item->addIncoming(builder.getInt64(0), blockOf(rows.zHeader));
		item->addIncoming(next, latch);
		markItemLoop(*latch, length);
	}

	Rows &rows;
	unsigned length;
	Function &function;
	LLVMContext &context;
	ValueToValueMapTy map;
	PHINode *item = nullptr;
	Value *x = nullptr, *y = nullptr;
};

} // namespace

PreservedAnalyses FoldRowsPass::run(Function &function, FunctionAnalysisManager &)
{
	/* Sub-groups have an order of their own, which widen-loops makes. */
	if (!isKernel(function) || getKernelNumber(function, subgroupsAttribute) > 0)
		return PreservedAnalyses::all();
	SmallVector<unsigned, 2> lengths = rowLengths(function);
	SmallVector<BasicBlock *, 4> latches = markedLatches(function);
	/* Behind the loops of groups with rows stand those that count groups (number-groups). */
	if (getKernelNumber(function, fusesGroupsAttribute) == FusesSingle && latches.size() > 1)
		latches.pop_back();
	if (lengths.empty() || latches.empty())
		return PreservedAnalyses::all();
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	size_t size = 0;
	SmallVector<Rows, 4> list;
	for (BasicBlock *latch : latches) {
		list.push_back(readRows(readItemLoop(*latch, loops)));
		for (const BasicBlock *block : list.back().item.loop->blocks())
			size += block->size();
	}
	if (size > foldBudget)
		return PreservedAnalyses::all();
	if (size * lengths.size() > foldBudget)
		lengths.resize(1);
	for (Rows &rows : list) {
		for (unsigned length : lengths)
			RowFolder(rows, length).run();
		if (hasFixedSize(function))
			unmarkItemLoop(*rows.item.latch);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
