/* SPDX-License-Identifier: MIT
 *
 * The table of the functions of lib/builtins/precompiled.
 */
#include "functions/precompiled_functions.h"

#include "functions/typed_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr PrecompiledFunction precompiled[] = {
	{"large_sine", 1, 0},         {"large_cosine", 1, 0},  {"large_tangent", 1, 0},
	{"whole_sine", 1, 40},        {"whole_cosine", 1, 40}, {"whole_tangent", 1, 50},
	{"whole_gamma", 1, 150},      {"whole_pow", 2, 150},   {"whole_log_gamma", 1, 150},
	{"whole_powr", 2, 150},       {"long_rest", 2, 0},     {"whole_direct_pow", 2, 70},
	{"whole_direct_powr", 2, 70},
};

constexpr PrecompiledPair pairs[] = {
	{"large_sine", "large_cosine", "large_sine_and_cosine"},
};

std::string nameOf(const PrecompiledFunction &function, const Type &type)
{
	return nameForType((precompiledPrefix + function.name).str(), type);
}

} // namespace

const PrecompiledFunction *precompiledFunctionOf(const Function &function)
{
	const Type *type = function.getReturnType();
	const Type *element = type->getScalarType();
	if (!function.isDeclaration() || !function.getName().starts_with(precompiledPrefix) ||
	    !(element->isFloatTy() || element->isDoubleTy()) ||
	    any_of(function.args(),
		   [&](const Argument &argument) { return argument.getType() != type; }))
		return nullptr;
	for (const PrecompiledFunction &row : precompiled) {
		if (row.arguments == function.arg_size() &&
		    function.getName() == nameOf(row, *type))
			return &row;
	}
	return nullptr;
}

const PrecompiledFunction *precompiledCallOf(const Value &value)
{
	const auto *call = dyn_cast<CallBase>(&value);
	return call && call->getCalledFunction() ? precompiledFunctionOf(*call->getCalledFunction())
						 : nullptr;
}

unsigned wholeOperationsOf(const Value &value)
{
	const PrecompiledFunction *function = precompiledCallOf(value);
	return function ? function->operations : 0;
}

uint64_t operationsOf(const Function &scalar)
{
	uint64_t operations = 0;
	for (const Instruction &instruction : instructions(scalar))
		operations += 1 + wholeOperationsOf(instruction);
	return operations;
}

const PrecompiledPair *precompiledPairOf(const PrecompiledFunction &one,
					 const PrecompiledFunction &other)
{
	for (const PrecompiledPair &pair : pairs) {
		if ((pair.first == one.name && pair.second == other.name) ||
		    (pair.first == other.name && pair.second == one.name))
			return &pair;
	}
	return nullptr;
}

Function *declarePrecompiled(Module &module, const PrecompiledFunction &function, Type *type)
{
	const SmallVector<Type *, 3> parameters(function.arguments, type);
	auto *called = FunctionType::get(type, parameters, false);
	auto *declared = cast<Function>(
		module.getOrInsertFunction(nameOf(function, *type), called).getCallee());
	setComputes(*declared);
	return declared;
}

} // namespace weft
