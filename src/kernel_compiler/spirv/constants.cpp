/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.7, constants, and the values that an application gives to specialisation constants.
 */
#include "spirv/function_reader.h"
#include "spirv/grammar.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/ValueHandle.h"

namespace weft::spirv
{

constexpr unsigned mostOfExpression = 256;

/* The bytes that the application gives for this constant; empty: none. */
static llvm::ArrayRef<uint8_t> specialised(const ModuleReader &module,
					   const Instruction &instruction)
{
	llvm::ArrayRef<uint8_t> bytes;
	const Decoration *decoration =
		module.decorations.find(instruction.result, spv::Decoration::SpecId);

	if (!decoration)
		return bytes;
	uint32_t number = decoration->instruction.literal(0);
	for (const SpirvSpecialisation &row : module.input.specialisations) {
		if (row.id == number)
			bytes = row.value;
	}
	return bytes;
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

/* A null has a type whose null LLVM knows. */
static llvm::Constant *nullOf(const Instruction &instruction, const Type &type)
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

/* Addresses are constants without a number: what is computed of them is an expression, which LLVM writes out as a tree.
 * `room`: of how many operations it may still be. */
static bool isSmallExpression(const llvm::Constant &constant, unsigned &room)
{
	if (!llvm::isa<llvm::ConstantExpr, llvm::ConstantAggregate>(constant))
		return true;
	if (llvm::isa<llvm::ConstantExpr>(constant) && room-- == 0)
		return false;
	return llvm::all_of(constant.operands(), [&room](const llvm::Use &part) {
		return isSmallExpression(*llvm::cast<llvm::Constant>(part.get()), room);
	});
}

static void checkExpression(const Instruction &operation, const llvm::Constant &constant)
{
	unsigned room = mostOfExpression;

	operation.require(isSmallExpression(constant, room),
			  "a constant is computed of addresses by more than " +
				  llvm::Twine(mostOfExpression) + " operations");
}

/* An operation on constants is made as in a function that is thrown away, and folded. */
static void readOperation(ModuleReader &module, const Instruction &instruction)
{
	Instruction operation = instruction;
	operation.opcode = instruction.enumerant<spv::Op>(0);
	operation.operands = instruction.operands.drop_front(1);

	const InstructionLayout *layout = layoutOf(instruction.literal(0));
	instruction.require(layout && layout->hasType && layout->hasResult &&
				    operation.size() >= layout->least &&
				    operation.size() <= layout->most,
			    "there is no such operation, or it has not so many operands");
	switch (operation.opcode) {
	case spv::Op::OpFunctionCall:
	case spv::Op::OpExtInst:
	case spv::Op::OpLoad:
	case spv::Op::OpPhi:
		operation.fail("this operation cannot make a constant");
	default:
		break;
	}
	operation.require(module.resultType(operation).leaves <= mostPartsOfConstant,
			  "a constant of more than " + llvm::Twine(mostPartsOfConstant) +
				  " parts cannot be computed");
	auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.context), false);
	struct Scratch {
		llvm::Function *function;
		~Scratch()
		{
			function->eraseFromParent();
		}
	} scratch = {llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "scratch",
					    *module.module)};
	FunctionReader reader(module, *scratch.function);
	llvm::BasicBlock *block = llvm::BasicBlock::Create(module.context, "", scratch.function);
	reader.builder.SetInsertPoint(block);
	reader.readInstruction(operation);
	Value value = reader.valueOf(operation, operation.result);
	llvm::WeakTrackingVH result(value.value); /* follows the folding */
	for (llvm::Instruction &made : llvm::make_early_inc_range(*block)) {
		llvm::Constant *folded =
			llvm::ConstantFoldInstruction(&made, module.module->getDataLayout());
		operation.require(folded, "its operands are no constants");
		made.replaceAllUsesWith(folded);
	}
	auto *constant = llvm::dyn_cast<llvm::Constant>(static_cast<llvm::Value *>(result));
	operation.require(constant, "its operands are no constants");
	/* What has no value, such as a number divided by zero, is some number. */
	if (llvm::isa<llvm::PoisonValue>(constant))
		constant = nullOf(operation, *value.type);
	checkExpression(operation, *constant);
	module.define(instruction, constant);
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
		readOperation(module, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
