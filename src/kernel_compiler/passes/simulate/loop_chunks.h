/* SPDX-License-Identifier: MIT
 *
 * Loops whose rounds are taken in chunks, with a barrier before each: what a chunk's accesses bring or take can then be one
 * request.
 */
#ifndef WEFT_PASSES_LOOP_CHUNKS_H
#define WEFT_PASSES_LOOP_CHUNKS_H

#include "ir/uniformity.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace weft
{

/* Rounds of a chunk; the last one of a loop may have less. */
constexpr uint32_t chunkRounds = 32;

/* Whether all work-items of the group come to the block together, if one does, so that a barrier may stand there. */
bool comesTogether(const llvm::BasicBlock &block, const Uniformity &uniformity,
		   const llvm::PostDominatorTree &postDominators);

/* Whether the loop can be taken in chunks: the outermost and the innermost there, with one way out, which is known to come
 * after as many rounds for all work-items, and more of them than one chunk, as far as is known; no barrier, and no floating
 * point that may be done in another order. */
bool canChunk(llvm::Loop &loop, const Uniformity &uniformity,
	      const llvm::PostDominatorTree &postDominators, llvm::ScalarEvolution &evolution);

/* Whether a value that can be computed before the loop, without a trap, says how many rounds it has. */
bool hasKnownRounds(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/* Makes the loop test whether it goes on at its end. Keeps the analyses. */
void rotate(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
	    llvm::ScalarEvolution &evolution, llvm::FunctionAnalysisManager &analyses);

/* Whether it does. */
bool testsAtEnd(const llvm::Loop &loop);

/* The loop, which tests at its end, becomes two, one in the other. The inner one's latch is marked. No analysis is kept. */
void chunk(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/* The rounds that the mark says; 1: there is none. */
uint32_t roundsOf(const llvm::Loop &loop);

} // namespace weft

#endif
