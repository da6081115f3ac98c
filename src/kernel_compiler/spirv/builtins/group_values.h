/* SPDX-License-Identifier: MIT
 *
 * Values that work-items of a group exchange: vectors go component by component, and truth values as integers.
 */
#ifndef WEFT_SPIRV_GROUP_VALUES_H
#define WEFT_SPIRV_GROUP_VALUES_H

#include "spirv/functions/function_reader.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::spirv
{

// What `exchange` makes of each component of a value. It gets integers and floating-point numbers that functions of groups
// take; what it gives has the type of what it gets.
llvm::Value *exchangeComponents(llvm::IRBuilderBase &builder, const Instruction &user,
				llvm::Value *value,
				llvm::function_ref<llvm::Value *(llvm::Value *)> exchange);

// An int that is 1 for true, as predicates are passed; the truth value of an int that a function gives.
llvm::Value *predicate(llvm::IRBuilderBase &builder, const Instruction &user, llvm::Value *isTrue);
llvm::Value *truth(llvm::IRBuilderBase &builder, llvm::Value *number);

} // namespace weft::spirv

#endif
