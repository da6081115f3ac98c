/* SPDX-License-Identifier: MIT
 *
 * Chunks: preheader → chunk (a barrier, how many iterations) → header … latch → chunk end → chunk, or the exit
 */
#include "simulate/loop_chunks.h"

#include "functions/internal_functions.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char iterationsMetadata[] = "weft.iterations";

/* The most instructions of a header that are copied to before the loop. */
constexpr unsigned headerSize = 64;

bool keepsOrder(const Instruction &instruction)
{
	if (isBarrier(instruction))
		return false;
	const auto *operation = dyn_cast<FPMathOperator>(&instruction);
	return !operation || (!operation->hasAllowReassoc() && !operation->hasAllowContract());
}

bool hasEnoughIterations(Loop &loop, ScalarEvolution &evolution)
{
	const auto *known = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(&loop));
	return !known || known->getAPInt().uge(2 * chunkIterations);
}

/* Makes two nested loops of one. */
class Chunker
{
      public:
	Chunker(Loop &loop, ScalarEvolution &theEvolution)
	    : header(loop.getHeader()), latch(loop.getLoopLatch()),
	      preheader(loop.getLoopPreheader()), exit(loop.getExitBlock()),
	      context(header->getContext()), evolution(theEvolution)
	{
	}

	void run(const SCEV &backs)
	{
		Value *all = iterationsOfAll(backs);
		begin = BasicBlock::Create(context, "chunk", header->getParent(), header);
		end = BasicBlock::Create(context, "chunk.end", header->getParent(), exit);
		Value *iterations = makeBegin(all);
		nestPhis();
		makeEnd(iterations);
	}

      private:
	Value *iterationsOfAll(const SCEV &backs)
	{
		SCEVExpander expander(evolution, "iterations");
		Value *value = expander.expandCodeFor(&backs, backs.getType(),
						      preheader->getTerminator()->getIterator());
		IRBuilder<> builder(preheader->getTerminator());
		return builder.CreateAdd(builder.CreateZExt(value, builder.getInt64Ty()),
					 builder.getInt64(1), "iterations");
	}

	Value *makeBegin(Value *all)
	{
		preheader->getTerminator()->replaceSuccessorWith(header, begin);
		IRBuilder<> builder(begin);
		PHINode *left = builder.CreatePHI(builder.getInt64Ty(), 2, "left");
		builder.CreateCall(declareBarrier(*header->getModule()));
		Value *chunkSize = builder.getInt64(chunkIterations);
		Value *iterations = builder.CreateBinaryIntrinsic(Intrinsic::umin, left, chunkSize);
		left->addIncoming(all, preheader);
		left->addIncoming(builder.CreateSub(left, chunkSize), end);
		builder.CreateBr(header);
		return iterations;
	}

	/* The first values of an iteration come from the iteration before, or from the chunk before. */
	void nestPhis()
	{
		for (PHINode &phi : header->phis()) {
			auto *outer = PHINode::Create(phi.getType(), 2, phi.getName() + ".chunk",
						      begin->begin());
			outer->addIncoming(phi.getIncomingValueForBlock(preheader), preheader);
			outer->addIncoming(phi.getIncomingValueForBlock(latch), end);
			int index = phi.getBasicBlockIndex(preheader);
			phi.setIncomingValue(unsigned(index), outer);
			phi.setIncomingBlock(unsigned(index), begin);
		}
	}

	void makeEnd(Value *iterations)
	{
		auto *branch = cast<BranchInst>(latch->getTerminator());
		auto *test = dyn_cast<Instruction>(branch->getCondition());
		IRBuilder<> builder(header, header->begin());
		PHINode *count = builder.CreatePHI(builder.getInt64Ty(), 2, "iteration");
		builder.SetInsertPoint(branch);
		Value *next = builder.CreateNUWAdd(count, builder.getInt64(1));
		count->addIncoming(builder.getInt64(0), begin);
		count->addIncoming(next, latch);
		branch->moveBefore(*end, end->end());
		branch->replaceSuccessorWith(header, begin);
		exit->replacePhiUsesWith(latch, end);
		if (test && test->hasOneUse() && test->getParent() == latch && isa<CmpInst>(test))
			test->moveBefore(branch->getIterator());
		builder.SetInsertPoint(latch);
		BranchInst *again =
			builder.CreateCondBr(builder.CreateICmpULT(next, iterations), header, end);
		Metadata *mark = ConstantAsMetadata::get(builder.getInt32(chunkIterations));
		again->setMetadata(iterationsMetadata, MDNode::get(context, {mark}));
	}

	BasicBlock *header, *latch, *preheader, *exit, *begin = nullptr, *end = nullptr;
	LLVMContext &context;
	ScalarEvolution &evolution;
};

} // namespace

bool comesTogether(const BasicBlock &block, const Uniformity &uniformity,
		   const PostDominatorTree &postDominators)
{
	for (const BasicBlock &branch : *block.getParent()) {
		if (!uniformity.isDivergent(branch))
			continue;
		const auto *node = postDominators.getNode(&branch)->getIDom();
		const BasicBlock *meeting = node ? node->getBlock() : nullptr;
		SmallPtrSet<const BasicBlock *, 16> seen;
		SmallVector<const BasicBlock *, 16> work(successors(&branch));
		while (!work.empty()) {
			const BasicBlock *way = work.pop_back_val();
			if (way == meeting || !seen.insert(way).second)
				continue;
			if (way == &block)
				return false;
			append_range(work, successors(way));
		}
	}
	return true;
}

bool hasKnownIterations(Loop &loop, ScalarEvolution &evolution)
{
	const SCEV *backs = evolution.getBackedgeTakenCount(&loop);
	if (isa<SCEVCouldNotCompute>(backs) || backs->getType()->getIntegerBitWidth() > 64)
		return false;
	SCEVExpander expander(evolution, "");
	return expander.isSafeToExpandAt(backs, loop.getLoopPreheader()->getTerminator());
}

bool testsAtEnd(const Loop &loop)
{
	return loop.getExitingBlock() && loop.getExitingBlock() == loop.getLoopLatch() &&
	       isa<BranchInst>(loop.getLoopLatch()->getTerminator());
}

bool canChunk(Loop &loop, const Uniformity &uniformity, const PostDominatorTree &postDominators,
	      ScalarEvolution &evolution)
{
	if (!loop.isOutermost() || !loop.isInnermost() || !loop.isLoopSimplifyForm() ||
	    !loop.getExitingBlock() || !loop.getExitBlock() ||
	    !hasKnownIterations(loop, evolution) || !hasEnoughIterations(loop, evolution) ||
	    !comesTogether(*loop.getHeader(), uniformity, postDominators))
		return false;
	return all_of(loop.blocks(),
		      [](const BasicBlock *block) { return all_of(*block, keepsOrder); });
}

void rotate(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution,
	    FunctionAnalysisManager &analyses)
{
	if (testsAtEnd(loop))
		return;
	Function &function = *loop.getHeader()->getParent();
	auto &costs = analyses.getResult<TargetIRAnalysis>(function);
	auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
	const SimplifyQuery query(function.getDataLayout(), nullptr, &dominators, &assumptions);
	LoopRotation(&loop, &loops, &costs, &assumptions, &dominators, &evolution, nullptr, query,
		     false, headerSize, true);
}

void chunk(Loop &loop, ScalarEvolution &evolution)
{
	const SCEV *backs = evolution.getBackedgeTakenCount(&loop);
	Chunker(loop, evolution).run(*backs);
}

uint32_t iterationsOf(const Loop &loop)
{
	const BasicBlock *latch = loop.getLoopLatch();
	const MDNode *mark =
		latch ? latch->getTerminator()->getMetadata(iterationsMetadata) : nullptr;
	return mark ? uint32_t(mdconst::extract<ConstantInt>(mark->getOperand(0))->getZExtValue())
		    : 1;
}

} // namespace weft
