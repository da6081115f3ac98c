/* SPDX-License-Identifier: MIT
 *
 * Finds Clang's functions that destroy one object by their names: __dtor_ and the object's.
 */
#include "front_end/cxx_objects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace
{

constexpr llvm::StringRef destroyPrefix = "__dtor_";

void passObject(llvm::Function &destroy, llvm::GlobalVariable &object)
{
	for (llvm::Instruction &instruction : llvm::instructions(destroy)) {
		auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
		if (!call || call->arg_size() != 1 ||
		    call->getFunctionType()->getNumParams() != 1 ||
		    !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(0)))
			continue;
		llvm::Type *type = call->getFunctionType()->getParamType(0);
		call->setArgOperand(
			0, llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(&object, type));
	}
}

} // namespace

namespace weft
{

void passDestroyedObjects(llvm::Module &module)
{
	for (llvm::Function &function : module) {
		llvm::StringRef name = function.getName();
		if (!function.hasLocalLinkage() || !name.consume_front(destroyPrefix))
			continue;
		if (llvm::GlobalVariable *object = module.getNamedGlobal(name))
			passObject(function, *object);
	}
}

} // namespace weft
