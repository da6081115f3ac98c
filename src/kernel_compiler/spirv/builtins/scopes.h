/* SPDX-License-Identifier: MIT
 *
 * Scopes and memory semantics of SPIR-V as OpenCL C's enumerations and LLVM's orderings.
 */
#ifndef WEFT_SPIRV_SCOPES_H
#define WEFT_SPIRV_SCOPES_H

#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"

#include "llvm/Support/AtomicOrdering.h"

namespace weft::spirv
{

// The scope of execution that an operand says: a work-group or a sub-group.
enum class GroupScope { WorkGroup, SubGroup };
GroupScope groupScope(FunctionReader &function, const Instruction &instruction, unsigned index);
// Fails unless the operand says a sub-group.
void requireSubGroup(FunctionReader &function, const Instruction &instruction, unsigned index);

// cl_mem_fence_flags, memory_order and memory_scope of the operands at these places.
uint32_t fenceFlags(FunctionReader &function, const Instruction &instruction, unsigned index);
uint32_t memoryOrder(FunctionReader &function, const Instruction &instruction, unsigned index);
uint32_t memoryScope(FunctionReader &function, const Instruction &instruction, unsigned index);

// Monotonic where the semantics have no order. What is no constant is as strong as can be.
llvm::AtomicOrdering ordering(FunctionReader &function, const Instruction &instruction,
			      unsigned index);

} // namespace weft::spirv

#endif
