/* SPDX-License-Identifier: MIT
 *
 * Which loops of an entry point write whole cache lines of a buffer that the kernel does not read, one behind the other.
 */
#ifndef WEFT_PASSES_STREAM_SITES_H
#define WEFT_PASSES_STREAM_SITES_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

/* Bytes that are written at once. */
constexpr uint64_t streamLine = 64;

struct StreamedStore {
	llvm::StoreInst *store;
	uint64_t offset; /* bytes from the run's lowest address */
};

/* The stores of a loop to one buffer: without gaps, as many bytes in each iteration as the address moves on. */
struct StoreRun {
	/* The address's lower 32 bits, which an index of 32 bits leaves as they are, whether it wraps or not. */
	const llvm::SCEVAddRecExpr *lowest = nullptr;
	llvm::SmallVector<StreamedStore, 8> stores;
	uint64_t bytes = 0; /* of an iteration */
};

/* An innermost loop, which only its last block leaves. */
struct StreamLoop {
	llvm::Loop *loop;
	llvm::SmallVector<StoreRun, 2> runs;
	uint64_t
		bytesPerItem; /* that a work-item loads and stores beside its neighbours, no more than it does, at least 1 */
};

/* Empty where the function is no entry point, or orders its accesses by atomics or fences. */
llvm::SmallVector<StreamLoop, 4> findStreamLoops(llvm::Function &function,
						 llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
