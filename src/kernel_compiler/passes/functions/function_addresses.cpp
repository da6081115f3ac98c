/* SPDX-License-Identifier: MIT
 *
 * Functions whose addresses are values.
 */
#include "functions/function_addresses.h"

#include "weft/function_numbers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

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

uint64_t functionNumber(const Function &function)
{
	return weft_function_number(function.getName().str().c_str());
}

uint64_t classNumber(StringRef table, unsigned pointer)
{
	return weft_class_number(table.str().c_str(), pointer);
}

void tellApart(MutableArrayRef<uint64_t> numbers)
{
	std::set<uint64_t> taken;
	for (uint64_t &number : numbers) {
		while (!taken.insert(number).second)
			number += numberStep;
	}
}

SmallVector<uint64_t, 8> functionNumbers(ArrayRef<Function *> functions)
{
	SmallVector<uint64_t, 8> numbers;
	for (const Function *function : functions)
		numbers.push_back(functionNumber(*function));
	tellApart(numbers);
	return numbers;
}

void replaceAddress(Function &function, Constant *value)
{
	function.replaceUsesWithIf(value, isAddress);
}

} // namespace weft
