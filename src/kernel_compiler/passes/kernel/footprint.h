/* SPDX-License-Identifier: MIT
 *
 * A kernel's footprint (kernel_footprint.h), which argument-footprints leaves for the kernel's descriptor.
 */
#ifndef WEFT_PASSES_FOOTPRINT_H
#define WEFT_PASSES_FOOTPRINT_H

#include "kernel_footprint.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

namespace weft
{

/* Of a kernel of which nothing is known. */
void setUnknownFootprint(llvm::Function &kernel);
void setFootprint(llvm::Function &kernel, llvm::ArrayRef<weft_footprint_node> nodes,
		  llvm::ArrayRef<weft_footprint_condition> conditions,
		  llvm::ArrayRef<weft_footprint_access> accesses,
		  llvm::ArrayRef<weft_footprint_block> blocks);
/* Its bytes, as they lie in memory; none without a footprint. */
llvm::StringRef footprintOf(const llvm::Function &kernel);

} // namespace weft

#endif
