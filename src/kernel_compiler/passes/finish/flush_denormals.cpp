/* SPDX-License-Identifier: MIT
 *
 * flush-denormals: sets two bits of MXCSR around a kernel's entry point.
 */
#include "finish/flush_denormals.h"

#include "functions/internal_functions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

/* Flush to zero, and denormals are zeros. */
constexpr uint32_t flushBits = 0x8040;

PreservedAnalyses FlushDenormalsPass::run(Function &function, FunctionAnalysisManager &)
{
	if (function.isDeclaration() || !function.hasFnAttribute(flushDenormalsAttribute) ||
	    !function.getParent()->getTargetTriple().isX86())
		return PreservedAnalyses::all();
	IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
	AllocaInst *before = builder.CreateAlloca(builder.getInt32Ty());
	AllocaInst *during = builder.CreateAlloca(builder.getInt32Ty());
	auto setMode = [&](Value *mode) {
		builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::x86_sse_ldmxcsr, {mode});
	};

	builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::x86_sse_stmxcsr, {before});
	Value *mode = builder.CreateLoad(builder.getInt32Ty(), before);
	builder.CreateStore(builder.CreateOr(mode, flushBits), during);
	setMode(during);
	for (BasicBlock &block : function) {
		if (!isa<ReturnInst>(block.getTerminator()))
			continue;
		builder.SetInsertPoint(block.getTerminator());
		setMode(before);
	}
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
