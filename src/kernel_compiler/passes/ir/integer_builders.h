/* SPDX-License-Identifier: MIT
 *
 * Computations with unsigned integers of 64 bits that passes make in several places.
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

/* A number of 64 bits in place of a value of an integer type that holds it, which is erased. Adds what makes it fit at the insertion point. */
inline void replaceByNumber(llvm::IRBuilder<> &builder, llvm::Instruction &value,
			    llvm::Value &number)
{
	llvm::Type *type = value.getType();
	value.replaceAllUsesWith(type->getIntegerBitWidth() < 64
					 ? builder.CreateTrunc(&number, type, "", true, true)
					 : builder.CreateZExt(&number, type));
	value.eraseFromParent();
}

} // namespace weft

#endif
