/* SPDX-License-Identifier: MIT
 *
 * Names and attributes.
 */
#include "functions/typed_functions.h"

#include <llvm/IR/DerivedTypes.h>

using namespace llvm;

namespace weft
{

std::string nameForType(StringRef function, const Type &type)
{
	std::string name = function.str();
	if (type.getScalarType()->isDoubleTy())
		name += "_double";
	if (const auto *vector = dyn_cast<FixedVectorType>(&type))
		name += ".v" + std::to_string(vector->getNumElements());
	return name;
}

void setComputes(Function &function)
{
	function.setAttributes(AttributeList());
	function.setCallingConv(CallingConv::C);
	function.setDoesNotAccessMemory();
	function.setDoesNotThrow();
	function.setWillReturn();
	function.setNoSync();
}

} // namespace weft
