/* SPDX-License-Identifier: MIT
 *
 * From the range that an entry point is given.
 */
#include "after_llvm/launch_size.h"

#include "functions/internal_functions.h"
#include "kernel_abi.h"

using namespace llvm;

namespace weft
{

bool isEntryPoint(const Function &function)
{
	return function.arg_size() == EndGroup + 1 &&
	       function.getArg(ContextParameter)->hasAttribute(contextAttribute);
}

void allowLoads(Function &function, unsigned parameter)
{
	function.getArg(parameter)->removeAttr(Attribute::ReadNone);
	function.getArg(parameter)->removeAttr(Attribute::WriteOnly);
	function.removeFnAttr(Attribute::Memory);
}

Value *loadWorkItems(Function &function, IRBuilder<> &entry)
{
	allowLoads(function, RangeParameter);
	Value *items = nullptr;
	for (size_t d = 0; d < 3; d++) {
		const size_t place = offsetof(weft_ndrange, global_size) + sizeof(uint64_t) * d;
		Value *size = loadInvariant(entry, entry.getInt64Ty(),
					    function.getArg(RangeParameter), place);
		items = items ? entry.CreateMul(items, size) : size;
	}
	return items;
}

} // namespace weft
