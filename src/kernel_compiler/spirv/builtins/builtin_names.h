/* SPDX-License-Identifier: MIT
 *
 * The names of OpenCL C's built-in functions as Clang mangles them for spir64 (Itanium C++ ABI 5.1): what a call in a
 * module is named, so that link/ finds the function in the built-in library.
 */
#ifndef WEFT_SPIRV_BUILTIN_NAMES_H
#define WEFT_SPIRV_BUILTIN_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm
{
class Type;
}

namespace weft::spirv
{

enum class Sign { Unsigned, Signed };

// The type of a parameter in OpenCL C: a scalar or a type with a name, a vector of it, or a pointer to either.
struct BuiltinType {
	std::string element; // mangled: "f", "Dh", "11ocl_sampler"
	unsigned lanes = 1;
	bool isAtomic = false;
	bool isPointer = false;
	unsigned addressSpace = 0; // of what the pointer leads to, as are the next two
	bool isConst = false;
	bool isVolatile = false;

	BuiltinType pointer(unsigned space) const;
	BuiltinType constPointer(unsigned space) const;
	BuiltinType atomicPointer(unsigned space) const; // volatile, to the atomic type
};

// The OpenCL C type of an LLVM type: an integer, a floating-point number, a vector of either, or a target type of an image,
// a sampler or an event. Nothing for a type that OpenCL C does not have.
std::optional<BuiltinType> builtinType(const llvm::Type &type, Sign sign);

// A type with a name: enumerations of OpenCL C.
BuiltinType namedType(llvm::StringRef name);

// A function without parameters has the one parameter void in its name.
std::string mangleBuiltin(llvm::StringRef name, llvm::ArrayRef<BuiltinType> parameters);

} // namespace weft::spirv

#endif
