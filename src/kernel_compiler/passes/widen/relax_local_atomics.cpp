/* SPDX-License-Identifier: MIT
 *
 * relax-local-atomics: LLVM's own forms without atomicity.
 */
#include "widen/relax_local_atomics.h"

#include "functions/internal_functions.h"
#include "ir/atomic_updates.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace weft
{

PreservedAnalyses RelaxLocalAtomicsPass::run(Function &function, FunctionAnalysisManager &)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		auto *update = dyn_cast<AtomicRMWInst>(&instruction);
		auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
		if (update && isOwnUpdate(*update))
			lowerAtomicRMWInst(update);
		else if (exchange && exchange->getPointerAddressSpace() == LocalSpace)
			lowerAtomicCmpXchgInst(exchange);
	}
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
