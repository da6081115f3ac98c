/* SPDX-License-Identifier: MIT
 *
 * Saturating conversions of vectors, which lower-saturation and lower-saturation-avx512 replace.
 */
#ifndef WEFT_PASSES_SATURATING_CONVERSION_H
#define WEFT_PASSES_SATURATING_CONVERSION_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft
{

/* Null for any other instruction, and for conversions of scalars. */
inline llvm::IntrinsicInst *saturatingVectorConversion(llvm::Instruction &instruction)
{
	auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
	const bool isConversion = call && llvm::isa<llvm::FixedVectorType>(call->getType()) &&
				  (call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat ||
				   call->getIntrinsicID() == llvm::Intrinsic::fptoui_sat);
	return isConversion ? call : nullptr;
}

inline bool isSignedConversion(const llvm::IntrinsicInst &conversion)
{
	return conversion.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
}

/* Every half is a float. Other numbers stay as they are. */
inline llvm::Value *halvesAsFloats(llvm::IRBuilder<> &builder, llvm::Value *numbers)
{
	llvm::Type *type = numbers->getType();
	if (!type->getScalarType()->isHalfTy())
		return numbers;
	return builder.CreateFPExt(numbers, type->getWithNewType(builder.getFloatTy()));
}

} // namespace weft

#endif
