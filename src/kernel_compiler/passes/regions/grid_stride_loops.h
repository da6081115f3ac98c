/* SPDX-License-Identifier: MIT
 *
 * Grid-stride loops: a work-item begins at its id and goes on by the size of the range,
 * `for (i = get_global_id(0); i < n; i += get_global_size(0))`. So all work-items together take each index once.
 * Valid for kernels in the form of one work-item, after coalesce-work-groups.
 */
#ifndef WEFT_PASSES_GRID_STRIDE_LOOPS_H
#define WEFT_PASSES_GRID_STRIDE_LOOPS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* The loop's index is extended and truncated on its ways; none of that changes it while it is less than half of what fits `bits`
 * signed. */
struct GridStrideLoop {
	llvm::Loop *loop;
	llvm::PHINode *phi;
	llvm::Value *
		start; /* the place of the work-item in the range, and a constant of the range; perhaps truncated */
	unsigned dimension; /* of the range */
	llvm::ICmpInst *
		compare; /* true for another iteration; of the phi and the bound, which is computed before the loop */
	unsigned phiOperand; /* of the comparison, the other one is the bound */
	unsigned bits;
};

/* Whether the value is the same for all work-items of the range. */
bool isRangeConstant(const llvm::Value &value);

/* Recognises the loop alone; not whether all work-items reach it, nor what it does. */
std::optional<GridStrideLoop> findGridStride(llvm::Loop &loop);

/* Whether no iteration writes what another one reads or writes, if arguments lead to memory of their own: what the loop stores to is
 * accessed at the index alone. Atomic operations whose results are not used may be done in any order. */
bool areIndependent(const GridStrideLoop &from);

} // namespace weft

#endif
