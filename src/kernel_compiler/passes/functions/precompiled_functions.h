/* SPDX-License-Identifier: MIT
 *
 * Parts of built-in functions that are machine code before a kernel is compiled (lib/builtins/precompiled): __weft_precompiled_large_sine
 * and its kind, for floats, doubles, or vectors of them; vectors exist between passes only. On other CPUs the library has the
 * bodies of these names.
 */
#ifndef WEFT_PASSES_PRECOMPILED_FUNCTIONS_H
#define WEFT_PASSES_PRECOMPILED_FUNCTIONS_H

#include "embed.h"

#include <llvm/IR/Module.h>

namespace weft
{

constexpr char precompiledPrefix[] = WEFT_PRECOMPILED_PREFIX;

struct PrecompiledFunction {
	llvm::StringRef name; /* behind the prefix */
	unsigned arguments;   /* of one type, which is that of the result */
	unsigned operations;  /* of a whole function, about; 0: it is a part of one */
};

/* Two functions that one call computes for the same arguments. It stores the second result at its last argument. */
struct PrecompiledPair {
	llvm::StringRef first, second, both; /* behind the prefix */
};

/* Of a function without a body; nullptr: it is none. */
const PrecompiledFunction *precompiledFunctionOf(const llvm::Function &function);
/* Of a call or of anything else. */
const PrecompiledFunction *precompiledCallOf(const llvm::Value &value);
/* The operations that a call of a whole function (whole_pow) stands for, about; 0: it is none. Parts of functions are seldom called. */
unsigned wholeOperationsOf(const llvm::Value &value);
/* The operations of a scalar function's body, with those of the whole functions that it calls. */
uint64_t operationsOf(const llvm::Function &scalar);
/* The pair that these are, in this order or the other one, or nullptr. */
const PrecompiledPair *precompiledPairOf(const PrecompiledFunction &one,
					 const PrecompiledFunction &other);
/* Declares it for `type`: float, double or vectors of them. */
llvm::Function *declarePrecompiled(llvm::Module &module, const PrecompiledFunction &function,
				   llvm::Type *type);

} // namespace weft

#endif
