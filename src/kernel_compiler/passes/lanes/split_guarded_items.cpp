/* SPDX-License-Identifier: MIT
 *
 * split-guarded-items: finds guards, and copies the loops.
 */
#include "lanes/split_guarded_items.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "lanes/item_guards.h"
#include "lanes/loop_forms.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Of a loop that is copied: in longer ones masks take little of the time. */
constexpr size_t mostOfGuarded = 300;
/* Multiples of so many vectors, and work-items, pass: for fewer a second loop takes longer than masks, and the rest begins where as many
 * interleaved vectors may begin (interleaveCount). */
constexpr uint64_t vectorsPassing = 8, itemsPassing = 64;

bool mayBeCopiedTwice(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	return !call || (!call->cannotDuplicate() && !call->isConvergent() &&
			 !isa<NoAliasScopeDeclInst>(call));
}

bool isUsedBehind(const ItemLoop &item, const Instruction &value)
{
	return any_of(value.users(), [&](const User *user) {
		return !item.loop->contains(cast<Instruction>(user));
	});
}

bool mayBeSplit(const ItemLoop &item)
{
	if (item.row || item.part != ItemPart::All || !match(item.first, m_Zero()) ||
	    isa<PHINode>(item.after->front()) || !isWhole(item) ||
	    instructionsIn(*item.loop) > mostOfGuarded)
		return false;
	return all_of(item.loop->blocks(), [&](const BasicBlock *block) {
		return all_of(*block, [&](const Instruction &instruction) {
			return mayBeCopiedTwice(instruction) && !isUsedBehind(item, instruction);
		});
	});
}

/* The copy of the loop between `before` and `after`, up to `end`. All its work-items pass the guard. */
void copyWhole(const ItemLoop &item, const Cut &cut, BasicBlock &before, BasicBlock &after,
	       Value &end)
{
	ValueToValueMapTy map;
	SmallVector<BasicBlock *, 16> made;
	map[item.before] = &before;
	map[item.after] = &after;
	for (BasicBlock *block : item.loop->blocks()) {
		made.push_back(CloneBasicBlock(block, map, ".passing", item.header->getParent()));
		made.back()->moveBefore(&after);
		map[block] = made.back();
	}
	remapInstructionsInBlocks(made, map);
	IRBuilder<>(&before).CreateBr(cast<BasicBlock>(map.lookup(item.header)));
	auto *latch = cast<BasicBlock>(map.lookup(item.latch));
	cast<ICmpInst>(cast<BranchInst>(latch->getTerminator())->getCondition())
		->setOperand(1, &end);
	markItemPart(*latch, ItemPart::Whole);

	auto *guard = cast<BranchInst>(map.lookup(cut.branch));
	guard->setCondition(ConstantInt::getBool(guard->getContext(),
						 cut.branch->getSuccessor(0) == cut.inside));
	ConstantFoldTerminator(guard->getParent(), true);
}

void split(const ItemLoop &item, const Cut &cut, unsigned width)
{
	BasicBlock *start = item.before;
	IRBuilder<> builder(start->getTerminator());
	auto newBlock = [&](const Twine &name) {
		return BasicBlock::Create(builder.getContext(), name, start->getParent(),
					  item.header);
	};
	BasicBlock *before = newBlock("items.passing"), *after = newBlock("items.passed"),
		   *rest = newBlock("items.rest");
	const uint64_t multiple = std::max(vectorsPassing * width, itemsPassing);
	Value *vectors = builder.CreateAnd(cut.limit, builder.getInt64(~(multiple - 1)));
	Value *end = builder.CreateSelect(cut.exact, vectors, builder.getInt64(0), "passing.end");
	builder.CreateCondBr(builder.CreateIsNotNull(end), before, rest);
	start->getTerminator()->eraseFromParent();

	copyWhole(item, cut, *before, *after, *end);
	builder.SetInsertPoint(after);
	builder.CreateCondBr(builder.CreateICmpULT(end, cut.limit), rest, item.after);
	builder.SetInsertPoint(rest);
	PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2, "x.rest");
	first->addIncoming(item.first, start);
	first->addIncoming(end, after);
	builder.CreateBr(item.header);
	item.x->replaceIncomingBlockWith(start, rest);
	item.x->setIncomingValueForBlock(rest, first);
	markItemPart(*item.latch, ItemPart::Rest);
}

} // namespace

PreservedAnalyses SplitGuardedItemsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const auto width = unsigned(getKernelNumber(function, vectorWidthAttribute));
	if (!isKernel(function) || width < 2 || markedLatches(function).empty() ||
	    getKernelNumber(function, subgroupsAttribute) > 0)
		return PreservedAnalyses::all();
	straightenLoops(function, analyses);
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	for (const ItemLoop &item : prepareItemLoops(function, dominators, loops)) {
		if (!mayBeSplit(item))
			continue;
		if (std::optional<Cut> cut = GuardReader(item, loops).readCut())
			split(item, *cut, width);
	}
	EliminateUnreachableBlocks(function);
	return PreservedAnalyses::none();
}

} // namespace weft
