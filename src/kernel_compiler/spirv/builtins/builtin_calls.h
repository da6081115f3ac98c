/* SPDX-License-Identifier: MIT
 *
 * A call of a built-in function in the place of an instruction: arguments with the names of their types in OpenCL C, which
 * SPIR-V's types do not tell whole.
 */
#ifndef WEFT_SPIRV_BUILTIN_CALLS_H
#define WEFT_SPIRV_BUILTIN_CALLS_H

#include "spirv/binary/words.h"
#include "spirv/builtins/builtin_names.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace weft::spirv
{

class BuiltinCall
{
      public:
	// Both are borrowed. `user` is what the call stands for.
	BuiltinCall(llvm::IRBuilderBase &builder, const Instruction &user, llvm::StringRef name);

	// A number, an image, a sampler or an event: its type tells the name.
	BuiltinCall &add(llvm::Value *value, Sign sign = Sign::Unsigned);
	BuiltinCall &add(llvm::Value *value, const BuiltinType &type);
	// A pointer to values of a type; `pointer` and `constPointer` of BuiltinType say to what.
	BuiltinCall &addPointer(llvm::Value *value, const BuiltinType &element);
	BuiltinCall &addConstPointer(llvm::Value *value, const BuiltinType &element);
	// An offset or a count, of 32 bits in a module with such pointers.
	BuiltinCall &addSize(llvm::Value *value);
	BuiltinCall &addUint(uint32_t value);
	// Of an enumeration of OpenCL C.
	BuiltinCall &addEnumerant(llvm::StringRef type, uint32_t value);

	// Work-items make the call together, or wait in it.
	BuiltinCall &convergent();

	void setName(llvm::StringRef function)
	{
		name = function.str();
	}

	// Fails when the library has no such function.
	llvm::CallInst *make(llvm::Type *result);

	llvm::ArrayRef<llvm::Value *> arguments() const
	{
		return values;
	}

      private:
	llvm::Function *declare(llvm::Type *result, const std::string &mangled) const;

	llvm::IRBuilderBase &builder;
	const Instruction &user;
	std::string name;
	llvm::SmallVector<BuiltinType, 8> types;
	llvm::SmallVector<llvm::Value *, 8> values;
	bool isConvergent = false;
};

} // namespace weft::spirv

#endif
