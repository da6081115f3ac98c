/* SPDX-License-Identifier: MIT
 *
 * Which loops can do two iterations at once, and gain by it. An iteration is the loop's first block, the *chain*, which writes
 * nothing; then perhaps other blocks, the *rest*; then the latch, which counts and asks whether there is another iteration.
 */
#ifndef WEFT_PASSES_INTERLEAVED_LOOPS_H
#define WEFT_PASSES_INTERLEAVED_LOOPS_H

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

/* The rest may not write what a chain reads, nor leave the loop; nothing in the loop is used outside. */
struct PairedLoop {
	llvm::Loop *loop;
	llvm::BasicBlock *chain, *latch, *exit;
	llvm::SmallVector<llvm::BasicBlock *, 8> rest = {};
	llvm::SmallVector<llvm::LoadInst *, 8> loads = {}; /* of the chain, at places that move */
	/* Instructions that depend on the counters only, operands first. */
	llvm::SmallSetVector<llvm::Instruction *, 8> counting = {};
	/* A rest may change the number of iterations, or not return: then the second chain runs in an iteration that does not exist. */
	bool mayEnd = false;
};

llvm::SmallVector<PairedLoop, 4> findPairedLoops(llvm::Function &function,
						 llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
