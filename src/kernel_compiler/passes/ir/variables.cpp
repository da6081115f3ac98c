/* SPDX-License-Identifier: MIT
 *
 * Questions about allocas.
 */
#include "ir/variables.h"

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

} // namespace weft
