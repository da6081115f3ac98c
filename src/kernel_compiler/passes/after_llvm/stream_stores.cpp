/* SPDX-License-Identifier: MIT
 *
 * stream-stores: a flag for each loop in the entry block, a test before the loop, a copy of it, and a fence at the end. The
 * decision concerns time only: a product that wraps, or a cache that is not what it was said to be, changes no result.
 */
#include "after_llvm/stream_stores.h"

#include "after_llvm/launch_size.h"
#include "after_llvm/stream_sites.h"
#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

class Streaming
{
      public:
	Streaming(Function &theFunction, FunctionAnalysisManager &analyses)
	    : function(theFunction), loops(analyses.getResult<LoopAnalysis>(theFunction)),
	      dominators(analyses.getResult<DominatorTreeAnalysis>(theFunction)),
	      assumptions(analyses.getResult<AssumptionAnalysis>(theFunction)),
	      evolution(analyses.getResult<ScalarEvolutionAnalysis>(theFunction)),
	      entry(theFunction.getContext())
	{
	}

	/* False, and nothing done but for the loop's form, where it cannot be copied. */
	bool run(const StreamLoop &stream);
	/* Behind all loops. */
	void fence();

      private:
	void loadSizes();
	Value *isLarge(uint64_t bytesPerItem);
	Value *isAligned(const StoreRun &run, SCEVExpander &expander, IRBuilder<> &builder);
	Loop *copyLoop(Loop &loop, Value *decision, ValueToValueMapTy &map);

	Function &function;
	LoopInfo &loops;
	DominatorTree &dominators;
	AssumptionCache &assumptions;
	ScalarEvolution &evolution;
	IRBuilder<> entry; /* at the end of the entry block */
	Value *half = nullptr, *cache = nullptr, *isAny = nullptr;
};

/* Half the work-items of the launch, and the bytes of the cache. */
void Streaming::loadSizes()
{
	allowLoads(function, ContextParameter);
	Value *items = loadWorkItems(function, entry);
	half = entry.CreateLShr(items, 1);
	cache = loadInvariant(entry, entry.getInt64Ty(), function.getArg(ContextParameter),
			      offsetof(weft_work_context, cache_bytes));
}

/* half >= cache / bytesPerItem, rounded up, and there is a cache. */
Value *Streaming::isLarge(uint64_t bytesPerItem)
{
	Value *least = entry.CreateUDiv(entry.CreateSub(cache, entry.getInt64(1)),
					entry.getInt64(bytesPerItem));
	Value *beyond = entry.CreateICmpUGT(half, least);
	Value *large = entry.CreateAnd(beyond, entry.CreateIsNotNull(cache), "streams");
	isAny = isAny ? entry.CreateOr(isAny, large) : large;
	return large;
}

Value *Streaming::isAligned(const StoreRun &run, SCEVExpander &expander, IRBuilder<> &builder)
{
	const SCEV *start = run.lowest->getStart();
	Value *first = expander.expandCodeFor(start, start->getType(), &*builder.GetInsertPoint());
	return builder.CreateIsNull(builder.CreateAnd(first, streamLine - 1));
}

/* Runs instead of the loop where `decision` says so. */
Loop *Streaming::copyLoop(Loop &loop, Value *decision, ValueToValueMapTy &map)
{
	BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock();
	BasicBlock *latch = loop.getLoopLatch();
	BasicBlock *preheader =
		SplitBlock(before, before->getTerminator(), &dominators, &loops, nullptr, "plain");
	SmallVector<BasicBlock *, 2> blocks;
	Loop *copy = cloneLoopWithPreheader(preheader, before, &loop, map, ".stream", &loops,
					    &dominators, blocks);
	remapInstructionsInBlocks(blocks, map);
	Instruction *end = before->getTerminator();
	IRBuilder<>(end).CreateCondBr(decision, copy->getLoopPreheader(), preheader);
	end->eraseFromParent();
	for (PHINode &phi : exit->phis()) {
		Value *value = phi.getIncomingValueForBlock(latch), *copied = map.lookup(value);
		phi.addIncoming(copied ? copied : value, copy->getLoopLatch());
		evolution.forgetValue(&phi);
	}
	dominators.changeImmediateDominator(exit, before);
	return copy;
}

/* At `offset` from the start of a line, moving on by `step`. */
void makeStreamed(StoreInst &store, uint64_t offset, uint64_t step)
{
	Type *number = Type::getInt32Ty(store.getContext());
	MDNode *one = MDNode::get(store.getContext(),
				  ConstantAsMetadata::get(ConstantInt::get(number, 1)));
	store.setMetadata(LLVMContext::MD_nontemporal, one);
	Align align = commonAlignment(commonAlignment(Align(streamLine), offset), step);
	store.setAlignment(std::max(store.getAlign(), align));
}

bool Streaming::run(const StreamLoop &stream)
{
	Loop &loop = *stream.loop;
	simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, false);
	formLCSSA(loop, dominators, &loops, &evolution);
	if (!loop.isLoopSimplifyForm() || !loop.getExitBlock() || !loop.isSafeToClone())
		return false;
	Instruction *end = loop.getLoopPreheader()->getTerminator();
	SCEVExpander expander(evolution, "stream");
	for (const StoreRun &run : stream.runs) {
		if (!expander.isSafeToExpandAt(run.lowest->getStart(), end))
			return false;
	}
	/* A copy of the loop before may have moved the terminator. */
	entry.SetInsertPoint(function.getEntryBlock().getTerminator());
	if (!half)
		loadSizes();
	IRBuilder<> builder(end);
	Value *decision = isLarge(stream.bytesPerItem);
	for (const StoreRun &run : stream.runs)
		decision = builder.CreateAnd(decision, isAligned(run, expander, builder));
	ValueToValueMapTy map;
	copyLoop(loop, decision, map);
	for (const StoreRun &run : stream.runs) {
		for (const StreamedStore &place : run.stores)
			makeStreamed(*cast<StoreInst>(map[place.store]), place.offset, run.bytes);
	}
	return true;
}

/* Streaming stores are ordered before what follows, as other stores are, by a fence at each return. */
void Streaming::fence()
{
	SmallVector<ReturnInst *, 2> returns;
	for (BasicBlock &block : function) {
		if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
			returns.push_back(end);
	}
	for (ReturnInst *end : returns) {
		Instruction *then = SplitBlockAndInsertIfThen(isAny, end->getIterator(), false);
		IRBuilder<>(then).CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
	}
}

} // namespace

PreservedAnalyses StreamStoresPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!function.getParent()->getTargetTriple().isX86())
		return PreservedAnalyses::all();
	SmallVector<StreamLoop, 4> found = findStreamLoops(function, analyses);
	if (found.empty())
		return PreservedAnalyses::all();
	Streaming streaming(function, analyses);
	size_t count = 0;
	for (const StreamLoop &stream : found)
		count += streaming.run(stream);
	if (count > 0)
		streaming.fence();
	weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %zu loops may store past the cache",
		 function.getName().str().c_str(), count);
	return PreservedAnalyses::none();
}

} // namespace weft
