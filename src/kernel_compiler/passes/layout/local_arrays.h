/* SPDX-License-Identifier: MIT
 *
 * A kernel's own arrays in local memory, and all that is accessed in them.
 */
#ifndef WEFT_PASSES_LOCAL_ARRAYS_H
#define WEFT_PASSES_LOCAL_ARRAYS_H

#include "layout/linear_place.h"

namespace weft
{

struct LocalAccess {
	llvm::Instruction *instruction; /* a load, a store or an atomic operation */
	LinearPlace place;              /* in bytes from the array's start */
};

struct LocalArray {
	uint64_t start = 0, size = 0; /* bytes, in the group's memory */
	int64_t element = 0;          /* bytes, of each access */
	llvm::SmallVector<LocalAccess, 8> accesses;
	bool isKnown = true; /* whether all accesses are such, each of a whole element */
};

/* None where a local address goes to something that is no access. */
llvm::SmallVector<LocalArray, 4> localArrays(llvm::Function &kernel, LinearPlaces &places);

} // namespace weft

#endif
