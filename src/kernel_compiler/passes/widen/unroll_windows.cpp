/* SPDX-License-Identifier: MIT
 *
 * unroll-windows: an iteration of the new loop is a chain of copies of the old one's blocks, in each of which it is known
 * where in a window it is. What a copy would not run is not copied.
 */
#include "widen/unroll_windows.h"

#include "lane_code/window_marks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <memory>

using namespace llvm;

namespace weft
{

namespace
{

/* Instructions of the new loop. */
constexpr size_t mostInstructions = 1000;

class WindowUnrolling
{
      public:
	WindowUnrolling(Loop &theLoop, const DominatorTree &theDominators)
	    : loop(theLoop), dominators(theDominators)
	{
	}

	/* Whether the loop is one to unroll. */
	bool find();
	void run();

      private:
	/* The blocks that iteration `place` of a window runs, in the loop's order. */
	SmallVector<BasicBlock *, 8> blocksAt(unsigned place) const;
	std::optional<bool> knownAt(const Value &condition, unsigned place) const;
	BasicBlock *successorAt(const BasicBlock &block, unsigned place) const;
	size_t sizeAt(unsigned place) const;
	Value *wholeIterations(IRBuilder<> &at) const;
	void separateMemory(ValueToValueMapTy &map) const;
	void leaveRest(const Value &whole) const;
	void foldBranches(unsigned place, ArrayRef<BasicBlock *> blocks,
			  const ValueToValueMapTy &map) const;
	void foldValues(unsigned place, BasicBlock &copy) const;
	BasicBlock *copyIteration(unsigned place, BasicBlock &before, MutableArrayRef<Value *> phis,
				  ValueToValueMapTy &map);

	Loop &loop;
	const DominatorTree &dominators;
	BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
	BasicBlock *entry = loop.getLoopPreheader(), *exiting = loop.getExitingBlock();
	SmallVector<ICmpInst *, 2> tests; /* of whole windows */
	PHINode *iteration = nullptr;
	unsigned together = 0;
};

bool WindowUnrolling::find()
{
	if (!loop.isInnermost() || !latch || !entry || !exiting)
		return false;
	for (BasicBlock *block : loop.blocks()) {
		for (Instruction &instruction : *block) {
			std::optional<WindowMark> mark = windowMarkOf(instruction);
			if (instruction.isAtomic())
				return false;
			if (!mark || mark->role != WindowRole::Whole)
				continue;
			tests.push_back(cast<ICmpInst>(&instruction));
			together = std::max(together, mark->together);
		}
	}
	if (tests.empty())
		return false;
	iteration = dyn_cast<PHINode>(tests[0]->getOperand(0));
	size_t size = 0;
	for (unsigned place = 0; place < together; place++)
		size += sizeAt(place);
	return iteration && iteration->getParent() == header && size <= mostInstructions &&
	       all_of(tests, [&](const ICmpInst *test) {
		       return test->getOperand(0) == iteration &&
			      loop.isLoopInvariant(test->getOperand(1));
	       });
}

std::optional<bool> WindowUnrolling::knownAt(const Value &condition, unsigned place) const
{
	const auto *test = dyn_cast<Instruction>(&condition);
	const std::optional<WindowMark> mark = test ? windowMarkOf(*test) : std::nullopt;
	if (!mark)
		return std::nullopt;
	return mark->role != WindowRole::First || place % mark->together == 0;
}

/* The block that follows in a copy; NULL if there are several. */
BasicBlock *WindowUnrolling::successorAt(const BasicBlock &block, unsigned place) const
{
	const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	if (!branch)
		return nullptr;
	if (branch->isUnconditional())
		return branch->getSuccessor(0);
	if (&block == exiting)
		return branch->getSuccessor(loop.contains(branch->getSuccessor(0)) ? 0 : 1);
	const std::optional<bool> known = knownAt(*branch->getCondition(), place);
	return known ? branch->getSuccessor(*known ? 0 : 1) : nullptr;
}

SmallVector<BasicBlock *, 8> WindowUnrolling::blocksAt(unsigned place) const
{
	SmallPtrSet<const BasicBlock *, 8> reached = {header};
	SmallVector<const BasicBlock *, 8> left = {header};
	while (!left.empty()) {
		const BasicBlock *block = left.pop_back_val();
		if (block == latch)
			continue;
		auto reach = [&](const BasicBlock *next) {
			if (reached.insert(next).second)
				left.push_back(next);
		};
		if (const BasicBlock *next = successorAt(*block, place))
			reach(next);
		else
			for_each(successors(block), reach);
	}
	SmallVector<BasicBlock *, 8> blocks;
	copy_if(loop.blocks(), std::back_inserter(blocks),
		[&](const BasicBlock *block) { return reached.contains(block); });
	return blocks;
}

size_t WindowUnrolling::sizeAt(unsigned place) const
{
	size_t size = 0;
	for (const BasicBlock *block : blocksAt(place))
		size += block->size();
	return size;
}

/* How many iterations are in whole windows, and lead to another one: the one that leaves the loop may come to a load before. */
Value *WindowUnrolling::wholeIterations(IRBuilder<> &at) const
{
	Value *fewest = nullptr;
	for (const ICmpInst *test : tests) {
		Value *number = test->getOperand(1);
		const bool mayLeave = !dominators.properlyDominates(exiting, test->getParent());
		if (mayLeave)
			number = at.CreateBinaryIntrinsic(Intrinsic::usub_sat, number,
							  at.getInt64(1));
		const std::optional<WindowMark> mark = windowMarkOf(*test);
		if (mayLeave || (mark && mark->together < together))
			number = at.CreateAnd(number, at.getInt64(-uint64_t(together)));
		if (fewest && fewest != number)
			number = at.CreateBinaryIntrinsic(Intrinsic::umin, fewest, number);
		fewest = number;
	}
	return fewest;
}

/* The new loop has its own variables, all of whose places are known. */
void WindowUnrolling::separateMemory(ValueToValueMapTy &map) const
{
	for (Instruction &instruction : header->getParent()->getEntryBlock()) {
		const std::optional<WindowMark> mark = windowMarkOf(instruction);
		if (!mark || mark->role != WindowRole::Memory || map.count(&instruction) > 0 ||
		    none_of(instruction.users(), [&](const User *user) {
			    return loop.contains(cast<Instruction>(user));
		    }))
			continue;
		Instruction *own = instruction.clone();
		own->insertBefore(instruction.getIterator());
		own->setName(instruction.getName() + ".unrolled");
		map[&instruction] = own;
	}
}

/* In copies of the blocks: the branches that are known. */
void WindowUnrolling::foldBranches(unsigned place, ArrayRef<BasicBlock *> blocks,
				   const ValueToValueMapTy &map) const
{
	for (const BasicBlock *block : blocks) {
		if (block == latch)
			continue;
		const BasicBlock *next = successorAt(*block, place);
		if (!next)
			continue;
		auto *copy = cast<BasicBlock>(map.lookup(block));
		copy->getTerminator()->eraseFromParent();
		BranchInst::Create(cast<BasicBlock>(map.lookup(next)), copy);
	}
}

/* Of a copy: phis of what leads to it, and the place in a window. */
void WindowUnrolling::foldValues(unsigned place, BasicBlock &copy) const
{
	const SmallPtrSet<BasicBlock *, 4> before(pred_begin(&copy), pred_end(&copy));
	for (PHINode &phi : copy.phis()) {
		phi.removeIncomingValueIf(
			[&](unsigned i) { return !before.contains(phi.getIncomingBlock(i)); },
			false);
	}
	for (Instruction &instruction : copy) {
		const std::optional<WindowMark> mark = windowMarkOf(instruction);
		if (mark && mark->role == WindowRole::Place)
			instruction.replaceAllUsesWith(
				ConstantInt::get(instruction.getType(), place % mark->together));
	}
}

/* Copies what iteration `place` of a window runs, behind `before`, with the header's phis as given, which are then those of the next
 * iteration. Returns the copy of the latch, which has no branch. */
BasicBlock *WindowUnrolling::copyIteration(unsigned place, BasicBlock &before,
					   MutableArrayRef<Value *> phis, ValueToValueMapTy &map)
{
	const SmallVector<BasicBlock *, 8> blocks = blocksAt(place);
	SmallVector<BasicBlock *, 8> copies;
	for (BasicBlock *block : blocks) {
		copies.push_back(CloneBasicBlock(block, map, ".window", header->getParent()));
		copies.back()->moveBefore(header);
		map[block] = copies.back();
	}
	auto *start = cast<BasicBlock>(map[header]), *end = cast<BasicBlock>(map[latch]);
	for (auto [phi, value] : zip(header->phis(), phis)) {
		cast<PHINode>(map[&phi])->eraseFromParent();
		map[&phi] = value;
	}
	foldBranches(place, blocks, map);
	end->getTerminator()->eraseFromParent();
	remapInstructionsInBlocks(copies, map);
	for (BasicBlock *copy : copies)
		foldValues(place, *copy);
	BranchInst::Create(start, &before);
	for (auto [phi, value] : zip(header->phis(), phis)) {
		Value *next = phi.getIncomingValueForBlock(latch);
		Value *own = map.lookup(next);
		value = own ? own : next;
	}
	return end;
}

/* Where all windows have the same iterations, no whole one is left for the first loop. */
void WindowUnrolling::leaveRest(const Value &whole) const
{
	if (any_of(tests, [&](const ICmpInst *test) { return test->getOperand(1) != &whole; }))
		return;
	for (ICmpInst *test : tests)
		test->replaceAllUsesWith(ConstantInt::getFalse(test->getContext()));
}

void WindowUnrolling::run()
{
	Function &function = *header->getParent();
	LLVMContext &context = function.getContext();
	auto *start = BasicBlock::Create(context, "windows", &function, header);
	auto *rest = BasicBlock::Create(context, "windows.rest", &function, header);
	IRBuilder<> builder(entry->getTerminator());
	Value *whole = wholeIterations(builder);
	builder.CreateCondBr(builder.CreateICmpEQ(whole, builder.getInt64(0)), rest, start);
	entry->getTerminator()->eraseFromParent();

	ValueToValueMapTy map;
	separateMemory(map);
	SmallVector<PHINode *, 4> starts;
	SmallVector<Value *, 4> values;
	builder.SetInsertPoint(start);
	for (const PHINode &phi : header->phis()) {
		starts.push_back(builder.CreatePHI(phi.getType(), 2, phi.getName() + ".window"));
		starts.back()->addIncoming(phi.getIncomingValueForBlock(entry), entry);
		values.push_back(starts.back());
	}
	BasicBlock *end = start;
	for (unsigned place = 0; place < together; place++)
		end = copyIteration(place, *end, values, map);

	Value *done = map.lookup(iteration->getIncomingValueForBlock(latch));
	builder.SetInsertPoint(end);
	Value *isLast = builder.CreateICmpEQ(done, whole);
	markWindow(*isLast, {WindowRole::Last, together});
	builder.CreateCondBr(isLast, rest, start);
	builder.SetInsertPoint(rest);
	for (auto [phi, first, last] : zip(header->phis(), starts, values)) {
		first->addIncoming(last, end);
		PHINode *left = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".rest");
		left->addIncoming(phi.getIncomingValueForBlock(entry), entry);
		left->addIncoming(last, end);
		phi.setIncomingValueForBlock(entry, left);
		phi.replaceIncomingBlockWith(entry, rest);
	}
	builder.CreateBr(header);
	leaveRest(*whole);
}

} // namespace

PreservedAnalyses UnrollWindowsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!hasWindows(function))
		return PreservedAnalyses::all();
	const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	SmallVector<std::unique_ptr<WindowUnrolling>, 2> found;
	for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
		auto unrolling = std::make_unique<WindowUnrolling>(*loop, dominators);
		if (unrolling->find())
			found.push_back(std::move(unrolling));
	}
	for (const auto &unrolling : found)
		unrolling->run();
	return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace weft
