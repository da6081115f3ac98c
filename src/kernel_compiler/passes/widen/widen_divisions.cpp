/* SPDX-License-Identifier: MIT
 *
 * widen-divisions: as lanes are divided.
 */
#include "widen/widen_divisions.h"

#include "widen/float_division.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

PreservedAnalyses WidenDivisionsPass::run(Function &function, FunctionAnalysisManager &)
{
	bool changes = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!instruction.getType()->isVectorTy() || !dividesAsFloat(instruction))
			continue;
		IRBuilder<> builder(&instruction);
		instruction.replaceAllUsesWith(
			divideAsFloat(builder, cast<BinaryOperator>(instruction),
				      instruction.getOperand(0), instruction.getOperand(1)));
		instruction.eraseFromParent();
		changes = true;
	}
	if (!changes)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
