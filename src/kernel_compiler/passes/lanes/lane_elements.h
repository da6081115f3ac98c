/* SPDX-License-Identifier: MIT
 *
 * What a lane's values and operations become in vector code, by type and form alone.
 */
#ifndef WEFT_PASSES_LANE_ELEMENTS_H
#define WEFT_PASSES_LANE_ELEMENTS_H

#include <llvm/IR/Instructions.h>

namespace weft
{

class LaneShapes;

/* How many elements of a vector a lane's value of the type takes: a number or an address 1, a vector of these as many as
 * it has, if they are a power of two. 0: it can be no part of a vector. */
unsigned laneElements(const llvm::Type &type);

/* The number that a vector of 32 or 64 bits is for gathers and scatters; NULL: it is no such vector. */
llvm::IntegerType *cellOf(const llvm::Type &type);
/* What a lane's value is gathered or scattered as: a number itself. NULL: a vector that no number holds. */
llvm::Type *cellOfLane(llvm::Type &type);
/* Whether lanes' vectors of the type are loaded one by one, as registers that are joined: 128 bits and more. */
bool isLongVector(const llvm::Type &type);

/* Whether it is an atomic operation whose result is not used, on memory that no other thread reaches (isOwnUpdate): in the end
 * a load and a store. */
bool isLocalUpdate(const llvm::Instruction &instruction);

/* Whether all lanes update one integer, so that one operation with what they have together will do: a counter. */
bool isUniformUpdate(const llvm::Instruction &instruction, const LaneShapes &shapes);

} // namespace weft

#endif
