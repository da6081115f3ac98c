/* SPDX-License-Identifier: MIT
 *
 * Brings loops into form, mostly by LLVM's own means; and the printer of lane shapes, which are asked of loops in that form.
 */
#include "lanes/loop_forms.h"

#include "functions/internal_functions.h"
#include "ir/loop_size.h"
#include "lanes/lane_shapes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/BreakCriticalEdges.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include <vector>

extern "C" {
#include "log.h"
}

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

cl::opt<unsigned> widenBudget("weft-widen-budget", cl::init(40000), cl::Hidden,
			      cl::desc("Instructions of a kernel past which it is not widened"));
cl::opt<unsigned> straightBudget("weft-widen-straight-budget", cl::init(200000), cl::Hidden,
				 cl::desc("The same where the item loops are straight code"));
cl::opt<unsigned> straightBlocks("weft-widen-straight-blocks", cl::init(16), cl::Hidden,
				 cl::desc("Blocks of an item loop that is straight code"));
cl::opt<unsigned> blockBudget("weft-widen-blocks", cl::init(2000), cl::Hidden,
			      cl::desc("Blocks of an item loop past which it is not widened"));

/* Whether LLVM can be expected to deal with a copy of the loop in vectors. The time that it takes for straight code grows
 * linearly with the size. Sub-groups are worth more time. */
bool fitsBudget(const Function &function, const Loop &loop, unsigned size)
{
	bool hasSubgroups = getKernelNumber(function, subgroupsAttribute) > 0;
	bool isStraight = loop.getNumBlocks() <= straightBlocks;
	if (size <= (isStraight ? straightBudget : widenBudget) &&
	    (hasSubgroups || loop.getNumBlocks() <= blockBudget))
		return true;
	weft_log(WEFT_LOG_INFO, "compiler",
		 "%s: %u instructions, %u blocks in a region: past the budget, not widened",
		 function.getName().str().c_str(), size, loop.getNumBlocks());
	return false;
}

/* Whether every loop has one entry. */
bool isReducible(const Function &function, const LoopInfo &loops)
{
	ReversePostOrderTraversal<const Function *> order(&function);
	return !containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

/* Loops with one entry each. Of two edges from one block to two entries LLVM's pass would lose one, so each edge gets a
 * block. */
void makeReducible(Function &function, FunctionAnalysisManager &analyses)
{
	analyses.invalidate(function, PreservedAnalyses::none());
	if (isReducible(function, analyses.getResult<LoopAnalysis>(function)))
		return;
	analyses.invalidate(function, LowerSwitchPass().run(function, analyses));
	analyses.invalidate(function, BreakCriticalEdgesPass().run(function, analyses));
	analyses.invalidate(function, FixIrreduciblePass().run(function, analyses));
}

/* Ways that are never taken, such as the default of a switch over all that there is, would lead out of the
 * item loop. */
void dropImpossibleWays(Function &function)
{
	for (BasicBlock &block : function) {
		if (!isa<UnreachableInst>(&*block.getFirstNonPHIOrDbg()))
			continue;
		SmallSetVector<BasicBlock *, 4> before(pred_begin(&block), pred_end(&block));
		for (BasicBlock *predecessor : before) {
			Instruction *end = predecessor->getTerminator();
			auto *choice = dyn_cast<SwitchInst>(end);
			auto *branch = dyn_cast<BranchInst>(end);
			if (choice && choice->getDefaultDest() == &block &&
			    choice->getNumCases() > 0) {
				choice->setDefaultDest(choice->case_begin()->getCaseSuccessor());
				choice->removeCase(choice->case_begin());
				block.removePredecessor(predecessor);
			} else if (branch && branch->isConditional()) {
				unsigned other = branch->getSuccessor(0) == &block ? 1 : 0;
				BasicBlock *only = branch->getSuccessor(other);
				block.removePredecessor(predecessor);
				BranchInst::Create(only, branch->getIterator());
				branch->eraseFromParent();
			}
		}
	}
}

/* A latch that does nothing but go back. */
void separateLatch(Loop &loop, DominatorTree &dominators, LoopInfo &loops)
{
	BasicBlock *latch = loop.getLoopLatch();
	if (latch->size() == 1 && latch->getSingleSuccessor() && latch != loop.getHeader())
		return;
	Instruction *end = latch->getTerminator();
	MDNode *hints = end->getMetadata(LLVMContext::MD_loop);
	end->setMetadata(LLVMContext::MD_loop, nullptr);
	BasicBlock *own = SplitEdge(latch, loop.getHeader(), &dominators, &loops);
	own->getTerminator()->setMetadata(LLVMContext::MD_loop, hints);
}

/* Gives loops preheaders, single latches, exits that no other loop has, and phis for values that leave. False where a loop
 * cannot have them. */
bool simplifyLoops(Loop &outer, DominatorTree &dominators, LoopInfo &loops)
{
	std::vector<Loop *> within = outer.getSubLoops();
	for (Loop *loop : within)
		simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
	SmallVector<Loop *, 4> all = outer.getLoopsInPreorder();
	for (Loop *loop : drop_begin(all)) {
		if (!loop->isLoopSimplifyForm())
			return false;
		separateLatch(*loop, dominators, loops);
	}
	formLCSSARecursively(outer, dominators, &loops, nullptr);
	return true;
}

/* A sum of numbers that have no bits in common may be written so where it is known that they have none; that is a lane's
 * own, and not what lane 0 knows, whose sum tells those of the others. */
void writeSums(Function &function)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		auto *sum = dyn_cast<PossiblyDisjointInst>(&instruction);
		bool isNumber = instruction.getType()->isIntegerTy() &&
				!instruction.getType()->isIntegerTy(1);
		if (!sum || !sum->isDisjoint() || !isNumber)
			continue;
		auto *added = BinaryOperator::CreateNUWAdd(sum->getOperand(0), sum->getOperand(1));
		added->setHasNoSignedWrap();
		ReplaceInstWithInst(sum, added);
	}
}

/* LLVM writes an index of 32 bits that is extended and multiplied as two shifts. That may be an index of neighbours, which is
 * looked for behind extensions. */
void writeExtensions(Function &function)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		Value *index = nullptr;
		uint64_t right = 0;
		if (!instruction.getType()->isIntegerTy(64) ||
		    !match(&instruction, m_AShr(m_Shl(m_Value(index), m_SpecificInt(32)),
						m_ConstantInt(right))) ||
		    right > 32 || (right < 32 && !instruction.isExact()))
			continue;
		IRBuilder<> builder(&instruction);
		Value *extended = builder.CreateSExt(
			builder.CreateTrunc(index, builder.getInt32Ty()), builder.getInt64Ty());
		if (right < 32)
			extended = builder.CreateShl(extended, 32 - right, "", false, true);
		extended->takeName(&instruction);
		instruction.replaceAllUsesWith(extended);
		RecursivelyDeleteTriviallyDeadInstructions(&instruction);
	}
}

} // namespace

void straightenLoops(Function &function, FunctionAnalysisManager &analyses)
{
	writeSums(function);
	writeExtensions(function);
	dropImpossibleWays(function);
	makeReducible(function, analyses);
}

SmallVector<ItemLoop, 4> prepareItemLoops(Function &function, DominatorTree &dominators,
					  LoopInfo &loops)
{
	SmallVector<ItemLoop, 4> items;
	unsigned size = 0;
	if (!isReducible(function, loops))
		return items;
	for (BasicBlock *latch : markedLatches(function)) {
		Loop *loop = loops.getLoopFor(latch);
		size += unsigned(instructionsIn(*loop));
		if (!fitsBudget(function, *loop, size) || loop->getExitingBlock() != latch ||
		    !simplifyLoops(*loop, dominators, loops))
			continue;
		items.push_back(readItemLoop(*latch, loops));
	}
	return items;
}

PreservedAnalyses ShapePrinterPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	auto width = unsigned(getKernelNumber(function, vectorWidthAttribute));
	errs() << "shapes of " << function.getName() << ":\n";
	straightenLoops(function, analyses);
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	for (const ItemLoop &item : prepareItemLoops(function, dominators, loops))
		LaneShapes(item, loops, dominators, width).print(errs());
	return PreservedAnalyses::none();
}

} // namespace weft
