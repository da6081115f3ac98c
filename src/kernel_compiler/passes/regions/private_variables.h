/* SPDX-License-Identifier: MIT
 *
 * Where the allocas of a kernel live once work-items run in loops.
 */
#ifndef WEFT_PASSES_PRIVATE_VARIABLES_H
#define WEFT_PASSES_PRIVATE_VARIABLES_H

#include "ir/regions.h"

#include <llvm/IR/Instructions.h>

namespace weft
{

/* An alloca that each work-item of the group needs for itself. */
struct SpilledVariable {
	llvm::AllocaInst *variable;
	uint64_t offset; /* bytes per work-item of those before it */
	uint64_t size;   /* bytes per work-item */
};

struct PrivateVariables {
	llvm::SmallVector<llvm::AllocaInst *, 8> uniform; /* one for the group */
	llvm::SmallVector<SpilledVariable, 8> spilled;    /* the largest alignment first */
	llvm::SmallVector<SpilledVariable, 2> scratch;    /* offsets into the scratch memory */
	llvm::AllocaInst *cycles = nullptr;               /* as count-cycles has made it */
	uint64_t spillPerItem = 0;                        /* bytes, those between variables too */
	uint64_t scratchSize = 0;                         /* bytes */
	uint64_t privateSize = 0;                         /* bytes of all, per work-item */
};

/* The copies of a variable that take this many units or more, for the whole group, are followed by less than two units that are not
 * used: an eighth of their size at most. */
constexpr uint64_t shortSpillUnits = 16;

/* A cache line, or what the variable's alignment asks for. */
uint64_t spillUnit(const llvm::AllocaInst &variable);

/* Leaves the allocas alone in the entry block; returns the block with the rest. */
llvm::BasicBlock *splitEntry(llvm::Function &kernel);

/* Of the variables that one work-item uses after the other, the largest go to the scratch memory until the others fit
 * the stack budget. A variable is spilled when its contents may be needed after a barrier: used in several regions, its
 * address stored, or in a region that comes again without a lifetime that begins there. */
PrivateVariables classifyVariables(llvm::Function &kernel, const RegionList &regions);

} // namespace weft

#endif
