/* SPDX-License-Identifier: MIT
 *
 * Transposed loads of a widened body. A variable, the window, holds a vector of all lanes for each of as many iterations as
 * are loaded together. The first of these iterations fills it, and each takes its vector from there; the last iterations of
 * the loop, too few for a window, gather theirs.
 */
#ifndef WEFT_PASSES_TRANSPOSED_WINDOWS_H
#define WEFT_PASSES_TRANSPOSED_WINDOWS_H

#include "accesses/lane_interleave.h"
#include "accesses/transposed_loads.h"
#include "lane_code/lane_memory.h"
#include "lane_code/window_marks.h"

namespace weft
{

class TransposedWindows : public LanePart
{
      public:
	explicit TransposedWindows(LaneMemory &theMemory) : LanePart(theMemory), memory(theMemory)
	{
	}

	void emit(const TransposableLoad &source);

      private:
	void mark(llvm::Value &value, WindowRole role, const TransposableLoad &source);
	void prefetch(const TransposableLoad &source, const Vectors &starts);
	void fill(llvm::Value *window, const TransposableLoad &source, unsigned together,
		  llvm::Value *mask);
	void fillFromNumbers(llvm::Value *window, const TransposableLoad &source, unsigned together,
			     llvm::Value *mask);
	void fillIfFirst(const TransposableLoad &source, llvm::Value *place, unsigned together,
			 llvm::BasicBlock *taken, llvm::Value *window);

	LaneMemory &memory;
};

} // namespace weft

#endif
