/* SPDX-License-Identifier: MIT
 *
 * bound-unrolling: sizes from the innermost loops outwards, each as large as its own loops will be unrolled.
 */
#include "finish/bound_unrolling.h"

#include "ir/item_loops.h"
#include "ir/loop_size.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Instructions of an unrolled loop. The second is what LLVM unrolls unasked. */
constexpr uint64_t mostUnrolled = 2000, mostUnrolledOfRest = 300;

constexpr size_t mostSources = 64; /* values that a condition comes from, looked at */

constexpr const char *fullHints[] = {"llvm.loop.unroll.enable", "llvm.loop.unroll.full"};
constexpr char countHint[] = "llvm.loop.unroll.count";
constexpr char runtimeProperty[] = "llvm.loop.unroll.runtime.disable";
/* Says nothing of a loop; but LLVM takes no notice of metadata without a property. */
constexpr char outerProperty[] = "weft.loop.outer";

class UnrollBounder
{
      public:
	explicit UnrollBounder(ScalarEvolution &theEvolution) : evolution(theEvolution)
	{
	}

	/* The size that the loop will have. */
	uint64_t bound(Loop &loop, bool isRest)
	{
		if (!loop.isInnermost() && !loop.getLoopID())
			setOwnId(loop);
		if (loop.isInnermost() && goesAsDataSay(loop))
			keepTogether(loop);
		isRest |= isRestLoop(loop);
		uint64_t size = instructionsIn(loop);
		for (Loop *inner : loop) {
			size -= instructionsIn(*inner);
			size = SaturatingAdd(size, bound(*inner, isRest));
		}
		return SaturatingMultiply(
			size, bound(loop, size, isRest ? mostUnrolledOfRest : mostUnrolled));
	}

      private:
	bool hasHint(const Loop &loop) const
	{
		return any_of(fullHints, [&](const char *hint) {
			return getBooleanLoopAttribute(&loop, hint);
		});
	}

	/* Whether it steps through something whose elements are values once the steps are known. */
	bool goesOverValues(const Loop &loop) const
	{
		return any_of(loop.blocks(), [&](const BasicBlock *block) {
			return any_of(*block, [&](const Instruction &instruction) {
				const auto *step = dyn_cast<GetElementPtrInst>(&instruction);
				if (!step || loop.isLoopInvariant(step))
					return false;
				const Value *object = getUnderlyingObject(step);
				const auto *variable = dyn_cast<GlobalVariable>(object);
				return isa<AllocaInst>(object) ||
				       (variable && variable->isConstant());
			});
		});
	}

	/* Whether the condition at the loop's end comes from a load in the outer loop. Looked for first: of a kernel with many loops, LLVM
	 * would compare all conditions with each other to count one's iterations. */
	static bool endsByLoad(const Loop &loop, const Loop &outer)
	{
		SmallVector<BasicBlock *, 4> ends;
		loop.getExitingBlocks(ends);
		SmallSetVector<const Instruction *, 16> sources;
		for (BasicBlock *block : ends)
			sources.insert(block->getTerminator());
		for (size_t i = 0; i < sources.size() && i < mostSources; i++) {
			if (isa<LoadInst>(sources[i]))
				return true;
			for (const Use &use : sources[i]->operands()) {
				const auto *source = dyn_cast<Instruction>(use);
				if (source && outer.contains(source))
					sources.insert(source);
			}
		}
		return false;
	}

	/* Whether the outer loop reads how many iterations there are, and each time another number. */
	bool goesAsDataSay(const Loop &loop) const
	{
		const Loop *outer = loop.getParentLoop();
		if (!outer || hasHint(loop) || getOptionalIntLoopAttribute(&loop, countHint) ||
		    !endsByLoad(loop, *outer))
			return false;
		const SCEV *repeats = evolution.getBackedgeTakenCount(&loop);
		return !isa<SCEVCouldNotCompute>(repeats) &&
		       SCEVExprContains(repeats, [&](const SCEV *part) {
			       const auto *unknown = dyn_cast<SCEVUnknown>(part);
			       const auto *load =
				       unknown ? dyn_cast<LoadInst>(unknown->getValue()) : nullptr;
			       return load && outer->contains(load);
		       });
	}

	/* LLVM would put a second loop beside it, for what is left over: another end that the CPU does not foresee. */
	static void keepTogether(Loop &loop)
	{
		LLVMContext &context = loop.getHeader()->getContext();
		loop.setLoopID(makePostTransformationMetadata(
			context, loop.getLoopID(), {},
			{MDNode::get(context, MDString::get(context, runtimeProperty))}));
	}

	/* Where the outer loop's last branch has no metadata, LLVM folds it into the inner loop's last one, and what is said of
	 * the inner loop is then said of both. */
	static void setOwnId(Loop &loop)
	{
		LLVMContext &context = loop.getHeader()->getContext();
		MDNode *id = MDNode::getDistinct(
			context,
			{nullptr, MDNode::get(context, MDString::get(context, outerProperty))});
		id->replaceOperandWith(0, id);
		loop.setLoopID(id);
	}

	void setCount(Loop &loop, uint64_t count) const
	{
		LLVMContext &context = loop.getHeader()->getContext();
		SmallVector<MDNode *, 1> properties;
		if (count > 1)
			properties.push_back(
				MDNode::get(context, {MDString::get(context, countHint),
						      ConstantAsMetadata::get(ConstantInt::get(
							      Type::getInt32Ty(context), count))}));
		loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(),
							      {"llvm.loop.unroll."}, properties));
	}

	/* How many iterations the source wants one after the other; 0: it says nothing. */
	uint64_t roundsWanted(Loop &loop) const
	{
		const uint64_t count = uint64_t(
			std::max(getOptionalIntLoopAttribute(&loop, countHint).value_or(0), 0));
		if (count == 0 && !hasHint(loop))
			return 0;
		const uint64_t rounds = evolution.getSmallConstantTripCount(&loop);
		return count > 0 && rounds > 0 ? std::min(count, rounds) : std::max(count, rounds);
	}

	/* How many iterations of the loop will stand one after the other. */
	uint64_t bound(Loop &loop, uint64_t size, uint64_t most)
	{
		uint64_t rounds = roundsWanted(loop);
		if (rounds < 2)
			return 1;
		if (SaturatingMultiply(rounds, size) <= most || goesOverValues(loop))
			return rounds;
		/* A count that divides the number of iterations leaves none over. */
		uint64_t count = std::max<uint64_t>(most / size, 1);
		while (rounds % count != 0)
			count--;
		setCount(loop, count);
		return count;
	}

	ScalarEvolution &evolution;
};

} // namespace

PreservedAnalyses BoundUnrollingPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	UnrollBounder bounder(analyses.getResult<ScalarEvolutionAnalysis>(function));
	for (Loop *loop : analyses.getResult<LoopAnalysis>(function))
		bounder.bound(*loop, false);
	return PreservedAnalyses::all();
}

} // namespace weft
