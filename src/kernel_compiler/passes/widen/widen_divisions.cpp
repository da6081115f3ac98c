/* SPDX-License-Identifier: MIT
 *
 * widen-divisions: as lanes are divided.
 */
#include "widen/widen_divisions.h"

#include "costs/integer_divisions.h"
#include "functions/internal_functions.h"
#include "ir/uniformity.h"
#include "lane_code/float_division.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

/* Item loops compute once what follows from arguments alone. A hint: reciprocals of other divisors are as exact. */
static bool isShared(const Value &divisor, Function &function, FunctionAnalysisManager &analyses)
{
	return isKernel(function) &&
	       !analyses.getResult<UniformityAnalysis>(function).isVarying(&divisor);
}

PreservedAnalyses WidenDivisionsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	bool changes = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!instruction.getType()->isVectorTy() || !dividesAsFloat(instruction))
			continue;
		IRBuilder<> builder(&instruction);
		Value *divisor = instruction.getOperand(1);
		instruction.replaceAllUsesWith(divideAsFloat(
			builder, cast<BinaryOperator>(instruction), instruction.getOperand(0),
			divisor, isShared(*divisor, function, analyses) ? divisor : nullptr));
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
