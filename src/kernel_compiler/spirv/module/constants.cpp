/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.7, constants, and the values that an application gives to specialisation constants.
 */
#include "spirv/module/module_reader.h"

#include "llvm/IR/Constants.h"

namespace weft::spirv
{

/* The bytes that the application gives for this constant; empty: none. */
static llvm::ArrayRef<uint8_t> specialised(const ModuleReader &module,
					   const Instruction &instruction)
{
	const Decoration *decoration =
		module.decorations.find(instruction.result, spv::Decoration::SpecId);

	if (!decoration)
		return {};
	return module.specialised(decoration->instruction.literal(0));
}

static uint64_t numberOf(llvm::ArrayRef<uint8_t> bytes)
{
	uint64_t number = 0;
	for (size_t i = 0; i < std::min<size_t>(bytes.size(), 8); i++)
		number |= uint64_t{bytes[i]} << (8 * i);
	return number;
}

static void readTruth(ModuleReader &module, const Instruction &instruction, bool truth, bool isSpec)
{
	instruction.require(module.resultType(instruction).is(Type::Bool),
			    "its type is not OpTypeBool");
	if (llvm::ArrayRef<uint8_t> bytes = specialised(module, instruction);
	    isSpec && !bytes.empty())
		truth = numberOf(bytes) != 0;
	module.define(instruction, llvm::ConstantInt::getBool(module.context, truth));
}

static void readNumber(ModuleReader &module, const Instruction &instruction, bool isSpec)
{
	const Type &type = module.resultType(instruction);

	instruction.require(type.is(Type::Int) || type.is(Type::Float) || type.is(Type::Bfloat),
			    "its type is not of integers or floating-point numbers");
	instruction.require(instruction.size() == (type.bits > 32 ? 2 : 1),
			    "it has not the words that its type has");
	uint64_t number = instruction.literal(0, type.bits);
	if (llvm::ArrayRef<uint8_t> bytes = specialised(module, instruction);
	    isSpec && !bytes.empty())
		number = numberOf(bytes);
	llvm::APInt bits(type.bits, number, false, true);
	if (!type.is(Type::Float))
		module.define(instruction, llvm::ConstantInt::get(module.context, bits));
	else
		module.define(
			instruction,
			llvm::ConstantFP::get(module.context,
					      llvm::APFloat(type.llvm->getFltSemantics(), bits)));
}

llvm::Constant *nullOf(const Instruction &instruction, const Type &type)
{
	instruction.require(type.llvm && !type.is(Type::Void) && !type.is(Type::Function) &&
				    !type.is(Type::Other) && !type.is(Type::Image) &&
				    !type.is(Type::Sampler) && !type.is(Type::SampledImage),
			    "its type has no null");
	if (auto *opaque = llvm::dyn_cast<llvm::TargetExtType>(type.llvm))
		return opaque->hasProperty(llvm::TargetExtType::HasZeroInit)
			       ? llvm::Constant::getNullValue(opaque)
			       : static_cast<llvm::Constant *>(llvm::PoisonValue::get(opaque));
	return llvm::Constant::getNullValue(type.llvm);
}

static void readConstantComposite(ModuleReader &module, const Instruction &instruction)
{
	const Type &type = module.resultType(instruction);
	llvm::SmallVector<llvm::Constant *, 16> parts;
	bool isStruct = type.is(Type::Struct);
	uint64_t count = isStruct ? type.members.size() : type.count;

	instruction.require(isStruct || type.is(Type::Array) || type.is(Type::Vector),
			    "its type has no parts");
	instruction.require(count == instruction.size(), "it has not the parts of its type");
	for (unsigned i = 0; i < instruction.size(); i++) {
		Value part = module.value(instruction, instruction.id(i));
		auto *constant = llvm::dyn_cast<llvm::Constant>(part.value);
		const Type &wanted = isStruct ? *type.members[i] : *type.element;
		instruction.require(constant && part.value->getType() == wanted.llvm,
				    "part " + llvm::Twine(i) +
					    " is no constant of its member's type");
		parts.push_back(constant);
	}
	if (isStruct)
		module.define(instruction, llvm::ConstantStruct::get(
						   llvm::cast<llvm::StructType>(type.llvm), parts));
	else if (type.is(Type::Array))
		module.define(instruction, llvm::ConstantArray::get(
						   llvm::cast<llvm::ArrayType>(type.llvm), parts));
	else
		module.define(instruction, llvm::ConstantVector::get(parts));
}

/* The address of a function, in the address space of the pointer's type. */
static void readFunctionPointer(ModuleReader &module, const Instruction &instruction)
{
	const Type &type = module.resultType(instruction);

	instruction.require(type.is(Type::Pointer), "its type is no pointer");
	llvm::Function *function = module.function(instruction, instruction.id(0)).function;
	module.define(instruction,
		      llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(function, type.llvm));
}

bool readConstant(ModuleReader &module, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpConstantTrue:
	case spv::Op::OpSpecConstantTrue:
	case spv::Op::OpConstantFalse:
	case spv::Op::OpSpecConstantFalse:
		readTruth(module, instruction,
			  instruction.opcode == spv::Op::OpConstantTrue ||
				  instruction.opcode == spv::Op::OpSpecConstantTrue,
			  instruction.opcode == spv::Op::OpSpecConstantTrue ||
				  instruction.opcode == spv::Op::OpSpecConstantFalse);
		return true;
	case spv::Op::OpConstant:
	case spv::Op::OpSpecConstant:
		readNumber(module, instruction, instruction.opcode == spv::Op::OpSpecConstant);
		return true;
	case spv::Op::OpConstantComposite:
	case spv::Op::OpSpecConstantComposite:
		readConstantComposite(module, instruction);
		return true;
	case spv::Op::OpConstantNull:
		module.define(instruction, nullOf(instruction, module.resultType(instruction)));
		return true;
	case spv::Op::OpUndef:
		instruction.require(module.resultType(instruction).size, "its type has no values");
		module.define(instruction,
			      llvm::UndefValue::get(module.resultType(instruction).llvm));
		return true;
	case spv::Op::OpConstantFunctionPointerINTEL:
		readFunctionPointer(module, instruction);
		return true;
	case spv::Op::OpSpecConstantOp:
		readConstantOperation(module, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
