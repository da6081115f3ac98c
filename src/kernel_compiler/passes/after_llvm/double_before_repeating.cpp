/* SPDX-License-Identifier: MIT
 *
 * double-before-repeating: in the order of the code, so that what is doubled twice is found twice.
 */
#include "after_llvm/double_before_repeating.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned leastBytes = 64; /* in a register of AVX-512 */

/* What the instruction doubles, or NULL. */
Value *doubledBy(Instruction &instruction)
{
	Value *doubled;
	if (match(&instruction, m_Add(m_Value(doubled), m_Deferred(doubled))) ||
	    match(&instruction, m_Shl(m_Value(doubled), m_One())) ||
	    match(&instruction, m_Mul(m_Value(doubled), m_SpecificInt(2))))
		return doubled;
	return nullptr;
}

/* The shuffle that makes a long vector of bytes of one with fewer, or NULL. */
ShuffleVectorInst *repeating(Value *value)
{
	auto *shuffle = dyn_cast_or_null<ShuffleVectorInst>(value);
	return shuffle && shuffle->increasesLength() && isa<PoisonValue>(shuffle->getOperand(1)) &&
			       shuffle->getType()->getElementType()->isIntegerTy(8) &&
			       shuffle->getShuffleMask().size() >= leastBytes
		       ? shuffle
		       : nullptr;
}

} // namespace

PreservedAnalyses DoubleBeforeRepeatingPass::run(Function &function, FunctionAnalysisManager &)
{
	bool changed = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		ShuffleVectorInst *shuffle = repeating(doubledBy(instruction));
		if (!shuffle)
			continue;
		IRBuilder<> builder(&instruction);
		Value *single = shuffle->getOperand(0);
		instruction.replaceAllUsesWith(builder.CreateShuffleVector(
			builder.CreateAdd(single, single), shuffle->getShuffleMask()));
		RecursivelyDeleteTriviallyDeadInstructions(&instruction);
		changed = true;
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
