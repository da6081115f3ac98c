/* SPDX-License-Identifier: MIT
 *
 * Places in the memory that the running thread lends to a group: local memory, and that of work-items' values and variables. Its contents
 * are undefined when the group begins, and are lost when it ends.
 */
#ifndef WEFT_PASSES_GROUP_MEMORY_H
#define WEFT_PASSES_GROUP_MEMORY_H

#include <llvm/IR/CycleInfo.h>

namespace weft
{

/* Whether the base is one place of local memory, such as the one to which an argument leads. A base that moves with a loop is
 * another place in each iteration: a load at a distance from it may not be where a store at that distance was. */
bool isPlaceInGroupMemory(const llvm::Value &base, const llvm::CycleInfo &cycles);

/* Whether the object is where work-items' values are kept across barriers, or variables that are too large for a stack. */
bool isItemMemory(const llvm::Value &object);

/* Whether what lies at known distances from one base never is what lies at known distances from the other one: the kernel's own
 * variables and each of its arguments are memory of their own. */
bool areApart(const llvm::Value &base, const llvm::Value &other);

} // namespace weft

#endif
