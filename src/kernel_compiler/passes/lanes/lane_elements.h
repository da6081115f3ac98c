/* SPDX-License-Identifier: MIT
 *
 * What a lane's values and operations become in vector code, by type and form alone.
 */
#ifndef WEFT_PASSES_LANE_ELEMENTS_H
#define WEFT_PASSES_LANE_ELEMENTS_H

#include <llvm/IR/Instructions.h>

namespace weft
{

/* How many elements of a vector a lane's value of the type takes: a number or an address 1, a vector of these as many as
 * it has, if they are a power of two. 0: it can be no part of a vector. */
unsigned laneElements(const llvm::Type &type);

/* Whether it is an atomic operation on local memory whose result is not used: in the end a load and a store, since a
 * work-group runs on one thread. */
bool isLocalUpdate(const llvm::Instruction &instruction);

} // namespace weft

#endif
