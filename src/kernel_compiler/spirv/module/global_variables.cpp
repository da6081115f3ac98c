/* SPDX-License-Identifier: MIT
 *
 * Variables outside of functions (SPIR-V 3.42.8 OpVariable): program-scope variables, local memory, built-in variables.
 */
#include "spirv/module/linkage.h"
#include "spirv/module/source_lines.h"

#include "llvm/IR/GlobalVariable.h"

namespace weft::spirv
{

static llvm::Constant *initialiserOf(ModuleReader &module, const Instruction &instruction,
				     unsigned index, const Type &type)
{
	if (index >= instruction.size())
		return nullptr;
	auto *constant = llvm::dyn_cast<llvm::Constant>(
		module.value(instruction, instruction.id(index)).value);
	instruction.require(constant && constant->getType() == type.llvm,
			    "the initialiser is no constant of the variable's type");
	return constant;
}

static llvm::GlobalVariable *makeVariable(ModuleReader &module, const Instruction &instruction,
					  const Type &type, llvm::Constant *initialiser)
{
	llvm::StringRef name;
	bool isImport = false, isLocal = false;
	auto linkage = linkageOf(module, instruction.result, name, isImport);
	unsigned space = module.resultType(instruction).llvm->getPointerAddressSpace();

	if (space == 3) {
		isLocal = true;
		linkage = llvm::GlobalValue::InternalLinkage;
		instruction.require(!isImport, "local memory is not imported");
		initialiser =
			module.input.zeroLocal
				? llvm::Constant::getNullValue(type.llvm)
				: static_cast<llvm::Constant *>(llvm::UndefValue::get(type.llvm));
	} else if (!isImport && !initialiser) {
		initialiser = llvm::Constant::getNullValue(type.llvm);
	}
	if (isImport)
		initialiser = nullptr;
	instruction.require(isLocal || name.empty() || !module.module->getNamedValue(name),
			    "the name '" + name + "' is another's in this module");
	return new llvm::GlobalVariable(
		*module.module, type.llvm, space == 2, linkage, initialiser,
		isLocal || name.empty() ? internalName(module, instruction.result) : name.str(),
		nullptr, llvm::GlobalValue::NotThreadLocal, space);
}

bool readGlobalVariable(ModuleReader &module, const Instruction &instruction)
{
	bool isUntyped = instruction.opcode == OpUntypedVariableKHR;

	if (!isUntyped && instruction.opcode != spv::Op::OpVariable)
		return false;
	const Type &pointer = module.resultType(instruction);
	const auto storage = instruction.enumerant<spv::StorageClass>(0);
	instruction.require(pointer.is(Type::Pointer) && pointer.storage == storage,
			    "its type is no pointer to its storage class");
	const Type *type =
		isUntyped ? &module.type(instruction, instruction.id(1)) : pointer.element;
	instruction.require(type && type->size, "its type has no size");
	/* Older translators import them as constants. */
	if (module.decorations.has(instruction.result, spv::Decoration::BuiltIn)) {
		instruction.require(storage == spv::StorageClass::Input ||
					    storage == spv::StorageClass::UniformConstant,
				    "a built-in variable is of storage class Input");
		module.addBuiltinVariable(instruction);
		return true;
	}
	instruction.require(storage != spv::StorageClass::Input,
			    "a variable of storage class Input is a built-in variable");
	instruction.require(pointer.llvm->getPointerAddressSpace() >= 1 &&
				    pointer.llvm->getPointerAddressSpace() <= 3,
			    "a variable outside of functions cannot have this storage class");
	llvm::Constant *initialiser = initialiserOf(module, instruction, isUntyped ? 2 : 1, *type);
	llvm::GlobalVariable *variable = makeVariable(module, instruction, *type, initialiser);
	variable->setAlignment(
		std::max(module.module->getDataLayout().getABITypeAlign(type->llvm),
			 module.decorations.alignment(instruction.result).valueOrOne()));
	setPlace(module, module.line(), *variable);
	module.define(instruction, variable);
	return true;
}

} // namespace weft::spirv
