/* SPDX-License-Identifier: MIT
 *
 * Loops that are split into chunks of iterations, with a barrier before each chunk: one request can then move what the
 * accesses of a chunk need.
 */
#ifndef WEFT_PASSES_LOOP_CHUNKS_H
#define WEFT_PASSES_LOOP_CHUNKS_H

#include "ir/uniformity.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace weft
{

/* Iterations of a chunk; the last one of a loop may have fewer. */
constexpr uint32_t chunkIterations = 32;

/* Whether all work-items of the group reach the block together or not at all, so that a barrier may stand there. */
bool comesTogether(const llvm::BasicBlock &block, const Uniformity &uniformity,
		   const llvm::PostDominatorTree &postDominators);

/* Whether the loop can be split into chunks. It is in no loop and has none in it; it has one exit, and a known number of
 * iterations, which is equal for all work-items and, as far as is known, more than one chunk's; it has no barrier, and no
 * floating-point operation that may be reordered. */
bool canChunk(llvm::Loop &loop, const Uniformity &uniformity,
	      const llvm::PostDominatorTree &postDominators, llvm::ScalarEvolution &evolution);

/* Whether the number of the loop's iterations can be computed before the loop, without a trap. */
bool hasKnownIterations(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/* Moves the loop's test to its end. Keeps the analyses. */
void rotate(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
	    llvm::ScalarEvolution &evolution, llvm::FunctionAnalysisManager &analyses);

/* Whether the loop's test is at its end. */
bool testsAtEnd(const llvm::Loop &loop);

/* Makes two nested loops of a loop whose test is at its end, and marks the latch of the inner one. Keeps no analysis. */
void chunk(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/* The iterations of a chunk, by the mark; 1: the loop has no mark. */
uint32_t iterationsOf(const llvm::Loop &loop);

} // namespace weft

#endif
