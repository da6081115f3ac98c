// SPDX-License-Identifier: MIT
//
// What functions of groups take, made of what instructions take.
#include "spirv/builtins/group_values.h"

using namespace llvm;

namespace weft::spirv
{

static llvm::Value *exchangeScalar(IRBuilderBase &builder, const Instruction &user,
				   llvm::Value *value,
				   function_ref<llvm::Value *(llvm::Value *)> exchange)
{
	llvm::Type *type = value->getType();
	if (!type->isIntegerTy(1)) {
		user.require(type->isIntegerTy() || type->isFloatingPointTy(),
			     "a value of a group is neither a number nor a truth value");
		return exchange(value);
	}
	llvm::Value *number = builder.CreateZExt(value, builder.getInt32Ty());
	return truth(builder, exchange(number));
}

llvm::Value *exchangeComponents(IRBuilderBase &builder, const Instruction &user, llvm::Value *value,
				function_ref<llvm::Value *(llvm::Value *)> exchange)
{
	const auto *vector = dyn_cast<FixedVectorType>(value->getType());
	if (!vector)
		return exchangeScalar(builder, user, value, exchange);
	llvm::Value *result = PoisonValue::get(value->getType());
	for (uint64_t i = 0; i < vector->getNumElements(); i++) {
		llvm::Value *component = builder.CreateExtractElement(value, i);
		result = builder.CreateInsertElement(
			result, exchangeScalar(builder, user, component, exchange), i);
	}
	return result;
}

llvm::Value *predicate(IRBuilderBase &builder, const Instruction &user, llvm::Value *isTrue)
{
	user.require(isTrue->getType()->isIntegerTy(1), "a predicate is no truth value");
	return builder.CreateZExt(isTrue, builder.getInt32Ty());
}

llvm::Value *truth(IRBuilderBase &builder, llvm::Value *number)
{
	return builder.CreateIsNotNull(number);
}

} // namespace weft::spirv
