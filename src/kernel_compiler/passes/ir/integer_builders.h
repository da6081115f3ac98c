/* SPDX-License-Identifier: MIT
 *
 * Computations with unsigned integers of 64 bits that entry points make in several places.
 */
#ifndef WEFT_PASSES_INTEGER_BUILDERS_H
#define WEFT_PASSES_INTEGER_BUILDERS_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

inline llvm::Value *least(llvm::IRBuilder<> &builder, llvm::Value *a, llvm::Value *b)
{
	return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
}

/* The binary logarithm, rounded down. Expects a value that is not 0. */
inline llvm::Value *logOf(llvm::IRBuilder<> &builder, llvm::Value *value)
{
	return builder.CreateSub(
		builder.getInt64(63),
		builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, builder.getTrue()));
}

} // namespace weft

#endif
