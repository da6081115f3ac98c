/* SPDX-License-Identifier: MIT
 *
 * The addresses in an array are made again in the constants' address space.
 */
#include "prepare/constant_tables.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

GlobalVariable *constantsAt(Value *address)
{
	auto *variable = dyn_cast<GlobalVariable>(address);
	return variable && variable->isConstant() && variable->hasDefinitiveInitializer() ? variable
											  : nullptr;
}

/* The constants that the instruction copies to the whole array. */
GlobalVariable *copiedTo(const AllocaInst &array, const User &user)
{
	const auto *copy = dyn_cast<MemCpyInst>(&user);
	if (!copy || copy->isVolatile() || copy->getRawDest() != &array)
		return nullptr;
	GlobalVariable *constants = constantsAt(copy->getRawSource());
	const auto *bytes = dyn_cast<ConstantInt>(copy->getLength());
	const DataLayout &layout = array.getDataLayout();
	const std::optional<TypeSize> size = array.getAllocationSize(layout);
	const bool isWhole = constants && bytes && size &&
			     bytes->getValue() == size->getFixedValue() &&
			     layout.getTypeAllocSize(constants->getValueType()) == *size &&
			     constants->getPointerAlignment(layout) >= array.getAlign();
	return isWhole ? constants : nullptr;
}

bool isMarker(const User &user)
{
	return cast<Instruction>(user).isLifetimeStartOrEnd();
}

/* Whether loads alone use an address in the array. */
bool isOnlyRead(const GetElementPtrInst &address)
{
	SmallVector<const Instruction *, 8> pending = {&address};
	while (!pending.empty()) {
		for (const User *user : pending.pop_back_val()->users()) {
			const auto *load = dyn_cast<LoadInst>(user);
			const auto *step = dyn_cast<GetElementPtrInst>(user);
			if (step && !step->getType()->isVectorTy())
				pending.push_back(step);
			else if (!load || !load->isSimple())
				return false;
		}
	}
	return true;
}

/* What the array is a copy of; none where it may be anything else. */
GlobalVariable *constantsOf(const AllocaInst &array)
{
	GlobalVariable *constants = nullptr;
	for (const User *user : array.users()) {
		const auto *load = dyn_cast<LoadInst>(user);
		const auto *step = dyn_cast<GetElementPtrInst>(user);
		if (isMarker(*user) || (load && load->isSimple()) ||
		    (step && !step->getType()->isVectorTy() && isOnlyRead(*step)))
			continue;
		GlobalVariable *copied = copiedTo(array, *user);
		if (!copied || constants)
			return nullptr;
		constants = copied;
	}
	return constants;
}

void readFrom(Value &constants, Instruction &array)
{
	for (User *user : make_early_inc_range(array.users())) {
		if (auto *load = dyn_cast<LoadInst>(user)) {
			load->setOperand(LoadInst::getPointerOperandIndex(), &constants);
			continue;
		}
		if (auto *step = dyn_cast<GetElementPtrInst>(user)) {
			SmallVector<Value *, 4> indices(step->indices());
			Value *address = IRBuilder<>(step).CreateGEP(
				step->getSourceElementType(), &constants, indices, step->getName(),
				step->getNoWrapFlags());
			readFrom(*address, *step);
		}
		cast<Instruction>(user)->eraseFromParent();
	}
}

} // namespace

bool readConstantTables(Function &function)
{
	SmallVector<AllocaInst *, 8> arrays;
	for (Instruction &instruction : function.getEntryBlock()) {
		auto *array = dyn_cast<AllocaInst>(&instruction);
		if (array && array->isStaticAlloca())
			arrays.push_back(array);
	}
	bool isAny = false;
	for (AllocaInst *array : arrays) {
		GlobalVariable *constants = constantsOf(*array);
		if (!constants)
			continue;
		readFrom(*constants, *array);
		array->eraseFromParent();
		isAny = true;
	}
	return isAny;
}

bool isLookup(const LoadInst &load)
{
	return load.isSimple() &&
	       constantsAt(const_cast<Value *>(getUnderlyingObject(load.getPointerOperand())));
}

} // namespace weft
