/* SPDX-License-Identifier: MIT
 *
 * The loops over x and y change places, and the body is divided between them:
 *
 *   sizes along x and y are large enough
 *                 ? for z, for x: what all rows do alike → for y: what each does by itself
 *                 : for z, for y, for x:  the region's blocks
 *
 * What is loaded is loaded before other rows store: a row that stored there would be a data race.
 */
#include "regions/row_interchange.h"

#include "functions/internal_functions.h"
#include "ir/same_columns.h"
#include "kernel/argument_layout.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

/* What an iteration of the shared loops takes at least, in operations on numbers that differ along x: it costs less to compute a short one
 * for four rows at once than to store by columns. What does not differ is taken out of the loop over x. */
constexpr unsigned leastWork = 16;
constexpr unsigned longOperation = 8;

unsigned workOf(const Instruction &instruction)
{
	const auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
	const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	const bool isLong = instruction.isIntDivRem() ||
			    instruction.getOpcode() == Instruction::FDiv ||
			    (intrinsic ? intrinsic->getIntrinsicID() == Intrinsic::sqrt
				       : isa<CallBase>(instruction));
	return (isLong ? longOperation : 1) * (vector ? vector->getNumElements() : 1);
}

/* Goes from block to block that every work-item runs, up to what differs between rows. */
class ColumnReader
{
      public:
	ColumnReader(const ItemLoop &item, const ItemNest &nest, const LoopInfo &theLoops,
		     const PostDominatorTree &theEnds)
	    : loops(theLoops), ends(theEnds), places(item, nest.y, theLoops)
	{
		shared.item = item;
		shared.nest = nest;
	}

	std::optional<SharedColumns> run()
	{
		BasicBlock *block = shared.item.header;
		while (block && !shared.start) {
			if (block == shared.item.latch)
				return std::nullopt;
			readBlock(*block);
			if (!shared.start)
				block = blockBehind(*block);
		}
		/* A phi takes its values from ways that are behind the start. */
		if (!block || block == shared.item.latch || isa<PHINode>(shared.start) ||
		    work < leastWork || hasLoopBehind())
			return std::nullopt;
		return shared;
	}

      private:
	/* Whether all rows do it alike, and it does not matter how often. */
	bool isAlike(const Instruction &instruction) const
	{
		const auto *call = dyn_cast<CallBase>(&instruction);
		const auto *load = dyn_cast<LoadInst>(&instruction);
		if (places.differsAlongY(instruction) || instruction.mayHaveSideEffects() ||
		    (call && call->isConvergent()))
			return false;
		return !instruction.mayReadFromMemory() ||
		       (load && load->isSimple() &&
			load->hasMetadata(LLVMContext::MD_access_group) &&
			isSharedSpace(load->getPointerAddressSpace()));
	}

	void readBlock(BasicBlock &block)
	{
		for (Instruction &instruction : block) {
			if (&instruction == shared.item.x || isAlike(instruction))
				continue;
			const bool isLate = !isa<PHINode>(instruction) &&
					    !instruction.isTerminator() &&
					    !instruction.mayHaveSideEffects() &&
					    !instruction.mayReadFromMemory() &&
					    loops.getLoopFor(&block) == shared.item.loop;
			if (!isLate) {
				shared.start = &instruction;
				return;
			}
			shared.late.push_back(&instruction);
		}
	}

	/* The next block that every work-item runs, if all do alike up to it; else the branch there is the first that differs. */
	BasicBlock *blockBehind(BasicBlock &block)
	{
		const auto *node = ends.getNode(&block)->getIDom();
		BasicBlock *next = node ? node->getBlock() : nullptr;
		if (!next || !shared.item.loop->contains(next))
			return nullptr;
		SmallVector<BasicBlock *, 8> pending(successors(&block));
		SmallPtrSet<BasicBlock *, 8> between = {next};
		unsigned inLoops = 0;
		while (!pending.empty()) {
			BasicBlock *way = pending.pop_back_val();
			if (!between.insert(way).second)
				continue;
			const bool isWithin =
				shared.item.loop->contains(way) && way != shared.item.latch;
			if (!isWithin || any_of(*way, [this](const Instruction &instruction) {
				    return !isAlike(instruction);
			    })) {
				shared.start = block.getTerminator();
				return &block;
			}
			if (loops.getLoopFor(way) != shared.item.loop) {
				for (const Instruction &instruction : *way)
					inLoops += places.differsAlongX(instruction)
							   ? workOf(instruction)
							   : 0;
			}
			append_range(pending, successors(way));
		}
		work += inLoops;
		return next;
	}

	/* Behind the start. */
	bool hasLoopBehind() const
	{
		SmallVector<const BasicBlock *, 8> pending = {shared.start->getParent()};
		SmallPtrSet<const BasicBlock *, 8> seen = {shared.item.latch};
		while (!pending.empty()) {
			const BasicBlock *block = pending.pop_back_val();
			if (!seen.insert(block).second)
				continue;
			if (loops.getLoopFor(block) != shared.item.loop)
				return true;
			append_range(pending, successors(block));
		}
		return false;
	}

	const LoopInfo &loops;
	const PostDominatorTree &ends;
	PlaceDependence places;
	SharedColumns shared = {};
	unsigned work = 0;
};

class RowInterchange
{
      public:
	explicit RowInterchange(const SharedColumns &theShared)
	    : shared(theShared), item(theShared.item), nest(theShared.nest),
	      function(*theShared.item.header->getParent()),
	      y(PHINode::Create(theShared.nest.y->getType(), 2, "y"))
	{
	}

	void run(unsigned leastAlongX, unsigned leastAlongY)
	{
		BasicBlock *zHeader = nest.z->getParent();
		copyBlocks();
		addRows();
		auto *otherwise =
			BasicBlock::Create(function.getContext(), "rows", &function, zHeader);
		BranchInst::Create(zHeader, otherwise);
		zHeader->replacePhiUsesWith(nest.before, otherwise);
		Instruction *end = nest.before->getTerminator();
		IRBuilder<> builder(end);
		Value *isWide = builder.CreateICmpUGE(item.size, builder.getInt64(leastAlongX));
		Value *isHigh = builder.CreateICmpUGE(nest.sizeY, builder.getInt64(leastAlongY));
		builder.CreateCondBr(builder.CreateAnd(isWide, isHigh), copyOf(zHeader), otherwise);
		end->eraseFromParent();
	}

      private:
	template <typename Copied> Copied *copyOf(Copied *value) const
	{
		return cast<Copied>(map.lookup(value));
	}

	/* Of the loop over z and of the body, which is that of a loop over x alone. */
	void copyBlocks()
	{
		SmallVector<BasicBlock *, 16> made;
		BasicBlock *zHeader = nest.z->getParent(), *yHeader = nest.y->getParent();
		auto copy = [&](BasicBlock *block) {
			made.push_back(CloneBasicBlock(block, map, ".columns", &function));
			made.back()->moveBefore(zHeader);
			map[block] = made.back();
		};
		copy(zHeader);
		for (BasicBlock *block : item.loop->blocks())
			copy(block);
		copy(latchOf(*nest.z));
		copyOf(item.x)->replaceIncomingBlockWith(yHeader, copyOf(zHeader));
		map[yHeader] = copyOf(item.header);
		map[latchOf(*nest.y)] = copyOf(latchOf(*nest.z));
		map[nest.y] = y;
		for (BasicBlock *block : made) {
			for (Instruction &instruction : *block) {
				RemapInstruction(&instruction, map,
						 RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
				/* That of the other loops. */
				instruction.setMetadata(LLVMContext::MD_access_group, nullptr);
				instruction.setMetadata(LLVMContext::MD_loop, nullptr);
				instruction.setMetadata(itemNestMetadata, nullptr);
			}
		}
		if (!hasFixedSize(function))
			markSingleLoop(*copyOf(latchOf(*nest.z)));
		markItemLoop(*copyOf(item.latch));
	}

	/* Of a loop of the nest, which begins at 0. */
	static BasicBlock *latchOf(const PHINode &id)
	{
		return id.getIncomingBlock(isa<Constant>(id.getIncomingValue(0)) ? 1 : 0);
	}

	/* From the start to the latch: the loop over rows. */
	void addRows()
	{
		Instruction *start = copyOf(shared.start);
		BasicBlock *before = start->getParent(), *latch = copyOf(item.latch);
		BasicBlock *header = before->splitBasicBlock(start->getIterator(), "row");
		auto *end = BasicBlock::Create(function.getContext(), "row.next", &function, latch);
		SmallVector<BasicBlock *, 4> last(predecessors(latch));
		for (BasicBlock *block : last)
			block->getTerminator()->replaceSuccessorWith(latch, end);
		y->insertInto(header, header->begin());
		for (Instruction *late : shared.late)
			copyOf(late)->moveBefore(start->getIterator());
		IRBuilder<> builder(end);
		Value *next = builder.CreateNUWAdd(y, builder.getInt64(1));
		y->addIncoming(builder.getInt64(0), before);
		y->addIncoming(next, end);
		builder.CreateCondBr(builder.CreateICmpULT(next, nest.sizeY), header, latch);
		markSingleLoop(*end);
	}

	const SharedColumns &shared;
	const ItemLoop &item;
	const ItemNest &nest;
	Function &function;
	PHINode *y;
	ValueToValueMapTy map;
};

} // namespace

std::optional<SharedColumns> findSharedColumns(const ItemLoop &item, const LoopInfo &loops,
					       const PostDominatorTree &ends)
{
	const ItemNest nest = readItemNest(item);
	const bool hasVariables =
		any_of(item.header->getParent()->getEntryBlock(),
		       [](const Instruction &instruction) { return isa<AllocaInst>(instruction); });
	if (!nest.before || hasVariables || isa<PHINode>(item.latch->front()))
		return std::nullopt;
	return ColumnReader(item, nest, loops, ends).run();
}

void interchangeRows(const SharedColumns &shared, unsigned leastAlongX, unsigned leastAlongY)
{
	RowInterchange(shared).run(leastAlongX, leastAlongY);
}

} // namespace weft
