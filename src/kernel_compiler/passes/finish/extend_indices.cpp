/* SPDX-License-Identifier: MIT
 *
 * extend-indices: the summands that stay first, so that their sum leaves the loop; then those that change.
 */
#include "finish/extend_indices.h"

#include "ir/item_loops.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostNested = 4; /* of sums within sums */

struct Summand {
	Value *value;
	bool isSubtracted;
};

/* Those of a sum that does not wrap. */
struct Summands {
	SmallVector<Summand, 4> staying, changing;
};

void collect(Summands &to, const Loop &loop, Value &value, bool isSubtracted, unsigned depth)
{
	Value *left = nullptr, *right = nullptr;
	const bool isSum = match(&value, m_NSWAdd(m_Value(left), m_Value(right)));
	if (loop.isLoopInvariant(&value)) {
		to.staying.push_back({&value, isSubtracted});
	} else if (depth > 0 && (isSum || match(&value, m_NSWSub(m_Value(left), m_Value(right))))) {
		collect(to, loop, *left, isSubtracted, depth - 1);
		collect(to, loop, *right, isSum ? isSubtracted : !isSubtracted, depth - 1);
	} else {
		to.changing.push_back({&value, isSubtracted});
	}
}

Value *addUp(IRBuilder<> &builder, Value *sum, ArrayRef<Summand> summands, Type &type)
{
	for (const Summand &summand : summands) {
		Value *wide = builder.CreateSExt(summand.value, &type);
		if (summand.isSubtracted)
			sum = builder.CreateNSWSub(sum ? sum : ConstantInt::get(&type, 0), wide);
		else
			sum = sum ? builder.CreateNSWAdd(sum, wide) : wide;
	}
	return sum;
}

bool extend(const Loop &loop, SExtInst &index)
{
	constexpr unsigned leastBits = 64,
			   mostBits = 32; /* of the sum, and of its summands: so it does not wrap */
	Type &type = *index.getType();
	if (!type.isIntegerTy() || type.getIntegerBitWidth() < leastBits ||
	    index.getSrcTy()->getIntegerBitWidth() > mostBits ||
	    none_of(index.users(), [](const User *user) { return isa<GetElementPtrInst>(user); }))
		return false;
	Summands summands;
	collect(summands, loop, *index.getOperand(0), false, mostNested);
	if (summands.staying.empty() || summands.changing.empty())
		return false;
	IRBuilder<> builder(&index);
	Value *sum = addUp(builder, nullptr, summands.staying, type);
	index.replaceAllUsesWith(addUp(builder, sum, summands.changing, type));
	index.eraseFromParent();
	return true;
}

/* The extensions in a loop that has no vectors; none in others. */
SmallVector<SExtInst *, 8> extensionsIn(const Loop &loop)
{
	SmallVector<SExtInst *, 8> found;
	for (BasicBlock *block : loop.blocks()) {
		for (Instruction &instruction : *block) {
			if (instruction.getType()->isVectorTy())
				return {};
			if (auto *extension = dyn_cast<SExtInst>(&instruction))
				found.push_back(extension);
		}
	}
	return found;
}

/* Whether it is of the work-items that whole vectors leave. */
bool isOfRest(const Loop *loop)
{
	while (loop && !isRestLoop(*loop))
		loop = loop->getParentLoop();
	return loop;
}

} // namespace

PreservedAnalyses ExtendIndicesPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
	bool changed = false;
	for (const Loop *loop : loops.getLoopsInPreorder()) {
		if (!loop->isInnermost() || isOfRest(loop))
			continue;
		for (SExtInst *extension : extensionsIn(*loop))
			changed |= extend(*loop, *extension);
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
