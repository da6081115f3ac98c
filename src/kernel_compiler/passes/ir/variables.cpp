/* SPDX-License-Identifier: MIT
 *
 * Questions about allocas and global variables.
 */
#include "ir/variables.h"

#include "ir/internal_functions.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>

using namespace llvm;

namespace weft
{

bool isPrivate(const AllocaInst &variable)
{
	return !variable.hasMetadata(uniformMetadata);
}

uint64_t sizeOfVariable(const AllocaInst &variable)
{
	const DataLayout &layout = variable.getFunction()->getDataLayout();
	return variable.getAllocationSize(layout).value_or(TypeSize::getZero()).getFixedValue();
}

/* Constants that only their contents tell apart are none: a class's table of virtual functions, for one. */
bool isProgramVariable(const GlobalVariable &variable)
{
	return variable.getAddressSpace() == GlobalSpace && !variable.isDeclaration() &&
	       !(variable.isConstant() && variable.hasGlobalUnnamedAddr());
}

} // namespace weft
