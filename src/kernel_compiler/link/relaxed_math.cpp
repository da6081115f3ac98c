/* SPDX-License-Identifier: MIT
 *
 * Calls of built-in functions become calls of others.
 */
#include "link/relaxed_math.h"

#include "front_end/build_options.h"
#include "functions/internal_functions.h"
#include "link/builtins_library.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

namespace
{

/* A mangled name of an overload: _Z, the length, the name, the arguments. */
struct Overload {
	StringRef name, arguments;

	explicit Overload(StringRef mangled)
	{
		unsigned length = 0;

		if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) ||
		    mangled.size() <= length)
			return;
		name = mangled.take_front(length);
		arguments = mangled.drop_front(length);
	}

	/* The first argument's elements: f, d or Dh are the floating ones. */
	StringRef element() const
	{
		StringRef rest = arguments;
		unsigned count = 0;

		if (rest.consume_front("Dv") &&
		    (rest.consumeInteger(10, count) || !rest.consume_front("_")))
			return {};
		return rest;
	}

	bool ofFloat() const
	{
		return element().starts_with("f");
	}

	bool ofDouble() const
	{
		return element().starts_with("d");
	}

	bool ofHalf() const
	{
		return element().starts_with("Dh");
	}

	bool ofFloating() const
	{
		return ofFloat() || ofDouble() || ofHalf();
	}
};

struct Replacement {
	StringRef from, to;
};

/* Within the bounds of 7.4 for relaxed math, where the table has its own line. */
constexpr Replacement relaxed[] = {
	{"sin", "native_sin"},
	{"cos", "native_cos"},
	{"tan", "native_tan"},
	{"exp", "native_exp"},
	{"exp2", "native_exp2"},
	{"exp10", "native_exp10"},
	{"log", "native_log"},
	{"log2", "native_log2"},
	{"log10", "native_log10"},
	{"powr", "native_powr"},
	{"pow", "__weft_relaxed_pow"},
	{"native_recip", "__weft_relaxed_recip"},
	{"native_divide", "__weft_relaxed_divide"},
};
/* Where the CPU estimates reciprocal roots well and takes numbers apart. */
constexpr Replacement directOfFloats[] = {
	{"pow", "__weft_direct_pow"},
	{"powr", "__weft_direct_powr"},
	{"pown", "__weft_direct_pown"},
	{"rootn", "__weft_direct_rootn"},
	{"logb", "__weft_direct_logb"},
	{"ldexp", "__weft_direct_ldexp"},
	{"rsqrt", "__weft_estimated_rsqrt"},
	{"half_rsqrt", "__weft_estimated_rsqrt"},
	{"native_rsqrt", "__weft_estimated_rsqrt"},
	{"log", "__weft_direct_log"},
	{"log2", "__weft_direct_log2"},
	{"log10", "__weft_direct_log10"},
	{"half_log", "__weft_direct_log"},
	{"half_log2", "__weft_direct_log2"},
	{"half_log10", "__weft_direct_log10"},
	{"native_log", "__weft_direct_native_log"},
	{"native_log2", "__weft_direct_native_log2"},
	{"native_log10", "__weft_direct_native_log10"},
	{"native_powr", "__weft_direct_native_powr"},
	{"__weft_relaxed_pow", "__weft_direct_relaxed_pow"},
	{"__weft_relaxed_recip", "__weft_estimated_recip"},
	{"__weft_relaxed_divide", "__weft_estimated_divide"},
};
constexpr Replacement directOfDoubles[] = {
	{"rsqrt", "__weft_estimated_rsqrt"}, {"hypot", "__weft_estimated_hypot"},
	{"log", "__weft_direct_log"},        {"log2", "__weft_direct_log2"},
	{"log10", "__weft_direct_log10"},    {"exp", "__weft_direct_exp"},
	{"exp2", "__weft_direct_exp2"},      {"exp10", "__weft_direct_exp10"},
	{"pow", "__weft_direct_pow"},        {"powr", "__weft_direct_powr"},
	{"pown", "__weft_direct_pown"},      {"rootn", "__weft_direct_rootn"},
	{"logb", "__weft_direct_logb"},      {"ldexp", "__weft_direct_ldexp"},
	{"log1p", "__weft_direct_log1p"},    {"asinh", "__weft_direct_asinh"},
	{"acosh", "__weft_direct_acosh"},    {"atanh", "__weft_direct_atanh"},
	{"erf", "__weft_direct_erf"},        {"erfc", "__weft_direct_erfc"},
	{"fmod", "__weft_direct_fmod"},      {"atan", "__weft_direct_atan"},
	{"atanpi", "__weft_direct_atanpi"},
};
/* Which floats' functions compute. */
constexpr Replacement directOfHalves[] = {
	{"pow", "__weft_direct_pow"},
	{"powr", "__weft_direct_powr"},
	{"pown", "__weft_direct_pown"},
	{"rootn", "__weft_direct_rootn"},
};
constexpr Replacement finite[] = {{"fmax", "max"}, {"fmin", "min"}};

void rename(Module &module, Function &function, const Overload &overload, StringRef to)
{
	std::string name = ("_Z" + Twine(to.size()) + to + overload.arguments).str();
	GlobalValue *known = module.getNamedValue(name);

	if (!isBuiltin(name)) /* nor is the program's overload that this is called for */
		return;
	if (known) {
		/* A function that the program defines is no form of the built-in function. */
		if (!isa<Function>(known) || !known->isDeclaration())
			return;
		function.replaceAllUsesWith(known);
		function.eraseFromParent();
	} else {
		function.setName(name);
	}
}

StringRef findReplacement(ArrayRef<Replacement> list, StringRef name)
{
	const Replacement *found =
		find_if(list, [&](const Replacement &row) { return row.from == name; });

	return found == list.end() ? StringRef() : found->to;
}

/* Of all elements, 2 or 3; else 0. */
unsigned exponentOf(const Value &value)
{
	const auto *constant = dyn_cast<Constant>(&value);
	if (constant && constant->getType()->isVectorTy())
		constant = constant->getSplatValue();
	const auto *real = dyn_cast_if_present<ConstantFP>(constant);
	const auto *whole = dyn_cast_if_present<ConstantInt>(constant);
	for (unsigned exponent : {2u, 3u}) {
		if ((real && real->isExactlyValue(exponent)) ||
		    (whole && whole->equalsInt(exponent)))
			return exponent;
	}
	return 0;
}

/* Squares and cubes, of a declared pow or pown: the products are within one unit, and what they are of 0, infinities and NaN is the power.
 * True: no call is left, and the function is gone. */
bool multiplyPowers(Function &power)
{
	for (User *user : make_early_inc_range(power.users())) {
		auto *call = dyn_cast<CallInst>(user);
		if (!call || call->getCalledFunction() != &power || call->arg_size() != 2)
			continue;
		Value *base = call->getArgOperand(0);
		const unsigned exponent = exponentOf(*call->getArgOperand(1));
		if (exponent == 0)
			continue;
		IRBuilder<> at(call);
		Value *product = at.CreateFMul(base, base);
		if (exponent == 3)
			product = at.CreateFMul(product, base);
		call->replaceAllUsesWith(product);
		call->eraseFromParent();
	}
	if (!power.use_empty())
		return false;
	power.eraseFromParent();
	return true;
}

bool isPower(const Function &function, const Overload &overload)
{
	return overload.ofFloating() && (overload.name == "pow" || overload.name == "pown") &&
	       isBuiltin(function.getName().str());
}

StringRef findDirect(const Overload &overload)
{
	if (overload.ofFloat())
		return findReplacement(directOfFloats, overload.name);
	if (overload.ofHalf())
		return findReplacement(directOfHalves, overload.name);
	return overload.ofDouble() ? findReplacement(directOfDoubles, overload.name) : StringRef();
}

} // namespace

void relaxMath(Module &module, const BuildOptions &options)
{
	bool isFinite = options.finiteMathOnly || options.fastRelaxedMath;

	for (Function &function : make_early_inc_range(module)) {
		if (options.denormsAreZero && isKernel(function))
			function.addFnAttr(flushDenormalsAttribute);
		if (!function.isDeclaration())
			continue;
		Overload overload(function.getName());
		StringRef to;
		if (isPower(function, overload) && multiplyPowers(function))
			continue;
		if (options.fastRelaxedMath && overload.ofFloat())
			to = findReplacement(relaxed, overload.name);
		if (isFinite && to.empty() && overload.ofFloating())
			to = findReplacement(finite, overload.name);
		if (!to.empty())
			rename(module, function, overload, to);
	}
}

void useInstructions(Module &module)
{
	for (Function &function : make_early_inc_range(module)) {
		Overload overload(function.getName());
		StringRef to = function.isDeclaration() ? findDirect(overload) : StringRef();
		if (!to.empty())
			rename(module, function, overload, to);
	}
}

} // namespace weft
