/* SPDX-License-Identifier: MIT
 *
 * Functions whose addresses are values.
 */
#include "ir/function_addresses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Support/xxhash.h>

#include <set>

using namespace llvm;

namespace weft
{

static bool isAddress(const Use &use)
{
	const auto *call = dyn_cast<CallBase>(use.getUser());
	return !(call && call->isCallee(&use)) && !isa<BlockAddress>(use.getUser());
}

bool hasAddress(const Function &function)
{
	return !function.isIntrinsic() && any_of(function.uses(), isAddress);
}

SmallVector<Function *, 8> findAddressed(Module &module)
{
	SmallVector<Function *, 8> addressed;
	for (Function &function : module) {
		if (hasAddress(function))
			addressed.push_back(&function);
	}
	return addressed;
}

/* Numbers are this far apart, so that the C++ ABI's pointers to member functions, which use the lowest bit, work. */
static constexpr uint64_t numberStep = 16;
/* The highest byte of all numbers. */
static constexpr uint64_t numberMark = 0x5e;

/* Names of structures are not a part of it: linking may change them. */
static void addKind(std::string &key, Type *type)
{
	key += '/';
	key += std::to_string(type->getTypeID());
	key += '.';
	key += std::to_string(type->getPrimitiveSizeInBits().getKnownMinValue());
}

uint64_t functionNumber(const Function &function)
{
	std::string key = function.getName().str();
	addKind(key, function.getReturnType());
	for (Type *type : function.getFunctionType()->params())
		addKind(key, type);
	const uint64_t digest = xxh3_64bits(key) & (~uint64_t(0) >> 8);
	return numberMark << 56 | (digest & ~(numberStep - 1));
}

SmallVector<uint64_t, 8> functionNumbers(ArrayRef<Function *> functions)
{
	SmallVector<uint64_t, 8> numbers;
	std::set<uint64_t> taken;
	for (const Function *function : functions) {
		uint64_t number = functionNumber(*function);
		while (!taken.insert(number).second)
			number += numberStep;
		numbers.push_back(number);
	}
	return numbers;
}

void replaceAddress(Function &function, Constant *value)
{
	function.replaceUsesWithIf(value, isAddress);
}

} // namespace weft
