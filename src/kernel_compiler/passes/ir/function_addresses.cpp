/* SPDX-License-Identifier: MIT
 *
 * Functions whose addresses are values.
 */
#include "ir/function_addresses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

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

void replaceAddress(Function &function, Constant *value)
{
	function.replaceUsesWithIf(value, isAddress);
}

} // namespace weft
