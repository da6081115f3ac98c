/* SPDX-License-Identifier: MIT
 *
 * unroll-barrier-loops: such a loop has few iterations. They differ more than those of a loop that counts by ones: each halves the
 * work, or the distance of neighbours. Where one vector is the whole group, any iterations are short. Barriers, which must not be duplicated
 * as a rule, may be if all iterations stay.
 */
#include "prepare/unroll_barrier_loops.h"

#include "functions/internal_functions.h"
#include "ir/loop_size.h"
#include "kernel/argument_layout.h"
#include "kernel/quick_code.h"
#include "prepare/loop_unroller.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* Iterations of a loop, and of one in a kernel whose groups are one vector. */
constexpr unsigned mostBarrierRounds = 16, mostRoundsOfOneVector = 32;
/* Instructions that all unrolled loops of a kernel come to, and those of a kernel whose groups are one vector. */
constexpr uint64_t mostUnrolled = 1000, mostOfOneVector = 2000;

/* While an object of this class exists, barriers may be duplicated. */
class BarrierCopies
{
      public:
	explicit BarrierCopies(Module &module) : barrier(declareBarrier(module))
	{
		barrier->removeFnAttr(Attribute::NoDuplicate);
	}
	~BarrierCopies()
	{
		barrier->setCannotDuplicate();
	}
	BarrierCopies(const BarrierCopies &) = delete;
	BarrierCopies &operator=(const BarrierCopies &) = delete;

      private:
	Function *barrier;
};

/* Whether the counter is multiplied, divided or shifted by a constant in each iteration. */
bool grows(const Value &next, const PHINode &counter)
{
	return match(&next, m_Shift(m_Specific(&counter), m_ConstantInt())) ||
	       match(&next, m_Mul(m_Specific(&counter), m_ConstantInt())) ||
	       match(&next, m_UDiv(m_Specific(&counter), m_ConstantInt())) ||
	       match(&next, m_SDiv(m_Specific(&counter), m_ConstantInt()));
}

bool hasBarrier(const Loop *loop)
{
	return any_of(loop->blocks(),
		      [](const BasicBlock *block) { return any_of(*block, isBarrier); });
}

/* Barriers, and a counter that is multiplied or divided. */
bool isTree(const Loop &loop)
{
	const BasicBlock *latch = loop.getLoopLatch();
	return latch && hasBarrier(&loop) &&
	       any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
		       return grows(*phi.getIncomingValueForBlock(latch), phi);
	       });
}

class BarrierLoopUnroller : LoopUnroller
{
      public:
	using LoopUnroller::LoopUnroller;

	/* With `isOneVector`, all loops around barriers, not trees alone. */
	bool run(bool isOneVector)
	{
		mostSize = isOneVector ? mostOfOneVector : mostUnrolled;
		mostRounds = isOneVector ? mostRoundsOfOneVector : mostBarrierRounds;
		const BarrierCopies copies(*function.getParent());
		bool changed = false;
		/* Inner ones first: an outer one's iterations hold theirs. */
		const auto outerFirst = loops.getLoopsInPreorder();
		for (Loop *loop : reverse(outerFirst)) {
			if ((isTree(*loop) || (isOneVector && hasBarrier(loop))) &&
			    mayUnroll(*loop))
				changed |= unroll(*loop);
		}
		return changed;
	}

      private:
	bool mayUnroll(const Loop &loop);

	uint64_t unrolled = 0, mostSize = 0;
	unsigned mostRounds = 0;
};

/* Counts what it allows. A loop with barriers that stays one within it would have each of its regions once for each
 * iteration. */
bool BarrierLoopUnroller::mayUnroll(const Loop &loop)
{
	const unsigned rounds = roundsOf(loop, mostRounds);
	const uint64_t size = unrolled + instructionsIn(loop) * rounds;
	if (rounds < 2 || size > mostSize || !mayCopy(loop, true) ||
	    any_of(loop.getSubLoops(), hasBarrier))
		return false;
	unrolled = size;
	return true;
}

/* Then a group is one block, in which forward-local-stores, which quick code lacks, knows what is where. */
bool isOneVector(const Function &kernel)
{
	uint32_t sizes[3];
	readSizes(kernel, "reqd_work_group_size", sizes);
	const uint64_t items = uint64_t(sizes[0]) * sizes[1] * sizes[2];
	return hasFixedSize(kernel) && !isQuick(*kernel.getParent()) && items > 1 &&
	       items <= getKernelNumber(kernel, vectorWidthAttribute);
}

/* In a version for one local size. */
bool foldSizes(Function &kernel)
{
	uint32_t sizes[3];
	bool changed = false;
	readSizes(kernel, "reqd_work_group_size", sizes);
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		std::optional<Query> query = queryOf(instruction);
		if (query != Query::LocalSize && query != Query::EnqueuedLocalSize)
			continue;
		const auto *dimension = dyn_cast<ConstantInt>(instruction.getOperand(0));
		if (!dimension || dimension->getZExtValue() > 2)
			continue;
		instruction.replaceAllUsesWith(
			ConstantInt::get(instruction.getType(), sizes[dimension->getZExtValue()]));
		instruction.eraseFromParent();
		changed = true;
	}
	return changed;
}

} // namespace

PreservedAnalyses UnrollBarrierLoopsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	bool hasBarriers = isKernel(function) && any_of(instructions(function), isBarrier);
	if (!hasBarriers)
		return PreservedAnalyses::all();
	bool folded = hasFixedSize(function) && foldSizes(function);
	if (folded) {
		analyses.invalidate(function, PreservedAnalyses::none());
		InstCombinePass().run(function, analyses);
	}
	analyses.invalidate(function, PreservedAnalyses::none());
	if (BarrierLoopUnroller(function, analyses).run(isOneVector(function))) {
		analyses.invalidate(function, PreservedAnalyses::none());
		InstCombinePass().run(function, analyses);
	} else if (!folded) {
		return PreservedAnalyses::all();
	}
	return PreservedAnalyses::none();
}

} // namespace weft
