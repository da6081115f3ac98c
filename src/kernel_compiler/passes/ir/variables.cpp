/* SPDX-License-Identifier: MIT
 *
 * Questions about allocas and global variables.
 */
#include "ir/variables.h"

#include "functions/internal_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

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

/* Whether its address is in memory, but for private variables. */
static bool isStored(const Value &address)
{
	for (const Use &use : address.uses()) {
		const User *user = use.getUser();
		if (isa<LoadInst, ICmpInst>(user))
			continue;
		const auto *store = dyn_cast<StoreInst>(user);
		if (store && (&use == &store->getOperandUse(1) ||
			      isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()))))
			continue;
		const bool derives = isa<GetElementPtrInst, AddrSpaceCastInst, ConstantExpr>(user);
		if (!derives || isStored(*user))
			return true;
	}
	return false;
}

/* Constants that only their contents tell apart are none, as long as no memory has their addresses. */
bool isProgramVariable(const GlobalVariable &variable)
{
	return variable.getAddressSpace() == GlobalSpace && !variable.isDeclaration() &&
	       !(variable.isConstant() && variable.hasGlobalUnnamedAddr() && !isStored(variable));
}

} // namespace weft
