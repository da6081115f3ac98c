/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.6, type declarations.
 */
#include "spirv/module/module_reader.h"

#include "llvm/IR/DerivedTypes.h"

namespace weft::spirv
{

constexpr unsigned mostNested = 255; /* SPIR-V 2.17, universal limits */
constexpr uint64_t mostBytes = uint64_t{1} << 47, mostLeaves = uint64_t{1} << 47;

unsigned addressSpaceOf(const Instruction &user, spv::StorageClass storage)
{
	switch (storage) {
	case spv::StorageClass::Function:
	case spv::StorageClass::Input:
	case spv::StorageClass::CodeSectionINTEL:
		return 0;
	case spv::StorageClass::CrossWorkgroup:
	case spv::StorageClass::DeviceOnlyINTEL:
	case spv::StorageClass::HostOnlyINTEL:
		return 1;
	case spv::StorageClass::UniformConstant:
		return 2;
	case spv::StorageClass::Workgroup:
		return 3;
	case spv::StorageClass::Generic:
		return genericSpace;
	default:
		user.fail("the storage class " + llvm::Twine(static_cast<uint32_t>(storage)) +
			  " is none of a kernel's");
	}
}

static void readInt(ModuleReader &module, const Instruction &instruction)
{
	unsigned bits = instruction.literal(0);

	instruction.require(bits == 8 || bits == 16 || bits == 32 || bits == 64,
			    "an integer has 8, 16, 32 or 64 bits");
	instruction.require(instruction.literal(1) <= 1, "signedness is 0 or 1");
	Type &type = module.newType(instruction, Type::Int);
	type.bits = bits;
	type.isSigned = instruction.literal(1);
	type.size = bits / 8;
	type.llvm = llvm::Type::getIntNTy(module.context, bits);
}

static void readFloat(ModuleReader &module, const Instruction &instruction)
{
	unsigned bits = instruction.literal(0);
	bool isBfloat = instruction.size() > 1;

	instruction.require(isBfloat ? bits == 16 : bits == 16 || bits == 32 || bits == 64,
			    "a floating-point number has 16, 32 or 64 bits");
	instruction.require(!isBfloat || instruction.literal(1) == 0,
			    "the encoding is not BFloat16KHR");
	Type &type = module.newType(instruction, isBfloat ? Type::Bfloat : Type::Float);
	type.bits = bits;
	type.size = bits / 8;
	type.llvm = isBfloat     ? llvm::Type::getInt16Ty(module.context)
		    : bits == 16 ? llvm::Type::getHalfTy(module.context)
		    : bits == 32 ? llvm::Type::getFloatTy(module.context)
				 : llvm::Type::getDoubleTy(module.context);
}

static void readVector(ModuleReader &module, const Instruction &instruction)
{
	const Type &element = module.type(instruction, instruction.id(0));
	uint32_t count = instruction.literal(1);

	instruction.require(element.is(Type::Bool) || element.is(Type::Int) ||
				    element.is(Type::Float) || element.is(Type::Bfloat) ||
				    element.is(Type::Pointer),
			    "a vector's component is a scalar");
	// OpenCL's vectors have 2, 3, 4, 8 or 16. Where LLVM 22's back end shortens a load it writes others.
	instruction.require(count >= 2 && count <= 16, "a vector has 2 to 16 components");
	Type &type = module.newType(instruction, Type::Vector);
	type.element = &element;
	type.count = count;
	type.size = element.size * llvm::PowerOf2Ceil(count);
	type.leaves = count;
	type.llvm = llvm::FixedVectorType::get(element.llvm, count);
}

/* Sizes an aggregate: what it adds to, of so many parts like `part`. */
static void addPart(Type &type, const Type &part, uint64_t times)
{
	const Instruction &instruction = type.instruction;

	instruction.require(part.size && part.llvm->isSized(),
			    "a part of it is of a type that has no size");
	instruction.require(times <= mostBytes / part.size && times <= mostLeaves / part.leaves,
			    "it is larger than memory");
	type.size += part.size * times;
	type.leaves += part.leaves * times;
	type.depth = std::max(type.depth, part.depth + 1);
	instruction.require(type.size <= mostBytes && type.leaves <= mostLeaves,
			    "it is larger than memory");
	instruction.require(type.depth <= mostNested, "structures are nested deeper than " +
							      llvm::Twine(mostNested) + " times");
}

static void readArray(ModuleReader &module, const Instruction &instruction)
{
	const Type &element = module.type(instruction, instruction.id(0));
	Value length = module.value(instruction, instruction.id(1));

	instruction.require(length.type->is(Type::Int), "a length is an integer");
	uint64_t count = module.constant(instruction, instruction.id(1));
	instruction.require(count > 0, "an array has elements");
	Type &type = module.newType(instruction, Type::Array);
	type.element = &element;
	type.count = count;
	type.leaves = 0;
	addPart(type, element, count);
	type.llvm = llvm::ArrayType::get(element.llvm, count);
}

static void readStruct(ModuleReader &module, const Instruction &instruction)
{
	llvm::SmallVector<llvm::Type *, 8> members;
	Type &type = module.newType(instruction, Type::Struct);

	for (unsigned i = 0; i < instruction.size(); i++) {
		const Type &member = module.type(instruction, instruction.id(i));
		instruction.require(&member != &type, "a structure contains itself");
		addPart(type, member, 1);
		type.members.push_back(&member);
		members.push_back(member.llvm);
	}
	type.size = std::max<uint64_t>(type.size, 1);
	/* A name would be of no use; types of one name that meet in a link get new ones. */
	type.llvm =
		llvm::StructType::create(module.context, members, "",
					 module.decorations.has(type.id, spv::Decoration::CPacked));
}

static Type &makePointer(ModuleReader &module, const Instruction &instruction,
			 spv::StorageClass storage)
{
	unsigned space = addressSpaceOf(instruction, storage);
	Type &type = module.newType(instruction, Type::Pointer);

	type.storage = storage;
	type.size = 8;
	type.llvm = llvm::PointerType::get(module.context, space);
	return type;
}

static void readPointer(ModuleReader &module, const Instruction &instruction)
{
	const auto storage = instruction.enumerant<spv::StorageClass>(0);
	Type *type = module.findType(instruction.result);

	if (!type)
		type = &makePointer(module, instruction, storage);
	else
		instruction.require(type->is(Type::Pointer) && type->storage == storage &&
					    !type->element,
				    "it is not what OpTypeForwardPointer says");
	type->element = &module.type(instruction, instruction.id(1));
}

/* OpTypeForwardPointer: a pointer that a structure can have before what it leads to is defined. */
static void readForwardPointer(ModuleReader &module, const Instruction &instruction)
{
	Instruction pointer = instruction;

	pointer.result = instruction.id(0);
	instruction.require(!module.findType(pointer.result), "the pointer is defined before");
	makePointer(module, pointer, instruction.enumerant<spv::StorageClass>(1));
}

static void readFunction(ModuleReader &module, const Instruction &instruction)
{
	Type &type = module.newType(instruction, Type::Function);
	llvm::SmallVector<llvm::Type *, 8> parameters;

	type.element = &module.type(instruction, instruction.id(0));
	instruction.require(type.element->llvm && !type.element->is(Type::Function),
			    "a function cannot return this");
	for (unsigned i = 1; i < instruction.size(); i++) {
		const Type &parameter = module.type(instruction, instruction.id(i));
		instruction.require(parameter.llvm && !parameter.is(Type::Void) &&
					    !parameter.is(Type::Function),
				    "this cannot be a parameter");
		type.members.push_back(&parameter);
		parameters.push_back(parameter.llvm);
	}
	type.llvm = llvm::FunctionType::get(type.element->llvm, parameters, false);
}

/* An image's operands are the sampled type, Dim, Depth, Arrayed, MS, Sampled, Format and access; LLVM's type has them all. */
static void readImage(ModuleReader &module, const Instruction &instruction)
{
	const Type &sampled = module.type(instruction, instruction.id(0));
	llvm::SmallVector<unsigned, 7> numbers;

	instruction.require(sampled.is(Type::Void), "a kernel's image has the sampled type void");
	for (unsigned i = 1; i < 7; i++)
		numbers.push_back(instruction.literal(i));
	numbers.push_back(instruction.size() > 7 ? instruction.literal(7) : 0);
	instruction.require(numbers[0] <= 5 && numbers[1] <= 2 && numbers[2] <= 1 &&
				    numbers[3] <= 1 && numbers[6] <= 2,
			    "there is no such image");
	Type &type = module.newType(instruction, Type::Image);
	type.llvm =
		llvm::TargetExtType::get(module.context, "spirv.Image", {sampled.llvm}, numbers);
}

static void readSampledImage(ModuleReader &module, const Instruction &instruction)
{
	const Type &image = module.type(instruction, instruction.id(0));

	instruction.require(image.is(Type::Image), "this is no image");
	Type &type = module.newType(instruction, Type::SampledImage);
	type.element = &image;
	type.llvm = llvm::StructType::get(
		image.llvm, llvm::TargetExtType::get(module.context, "spirv.Sampler"));
}

/* Types without operands, which are LLVM types of these names. */
static void readOpaque(ModuleReader &module, const Instruction &instruction, Type::Kind kind,
		       llvm::StringRef name)
{
	Type &type = module.newType(instruction, kind);

	type.size = 8;
	type.llvm = llvm::TargetExtType::get(module.context, name);
}

bool readType(ModuleReader &module, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpTypeVoid:
		module.newType(instruction, Type::Void).llvm =
			llvm::Type::getVoidTy(module.context);
		return true;
	case spv::Op::OpTypeBool: {
		Type &type = module.newType(instruction, Type::Bool);
		type.size = 1;
		type.llvm = llvm::Type::getInt1Ty(module.context);
		return true;
	}
	case spv::Op::OpTypeInt:
		readInt(module, instruction);
		return true;
	case spv::Op::OpTypeFloat:
		readFloat(module, instruction);
		return true;
	case spv::Op::OpTypeVector:
		readVector(module, instruction);
		return true;
	case spv::Op::OpTypeArray:
		readArray(module, instruction);
		return true;
	case spv::Op::OpTypeStruct:
		readStruct(module, instruction);
		return true;
	case spv::Op::OpTypeOpaque:
		module.newType(instruction, Type::Other).llvm =
			llvm::StructType::create(module.context, instruction.string(0));
		return true;
	case spv::Op::OpTypePointer:
		readPointer(module, instruction);
		return true;
	case OpTypeUntypedPointerKHR:
		makePointer(module, instruction, instruction.enumerant<spv::StorageClass>(0));
		return true;
	case spv::Op::OpTypeForwardPointer:
		readForwardPointer(module, instruction);
		return true;
	case spv::Op::OpTypeFunction:
		readFunction(module, instruction);
		return true;
	case spv::Op::OpTypeImage:
		readImage(module, instruction);
		return true;
	case spv::Op::OpTypeSampledImage:
		readSampledImage(module, instruction);
		return true;
	case spv::Op::OpTypeSampler:
		readOpaque(module, instruction, Type::Sampler, "spirv.Sampler");
		return true;
	case spv::Op::OpTypeEvent:
		readOpaque(module, instruction, Type::Event, "spirv.Event");
		return true;
	case spv::Op::OpTypeDeviceEvent:
		readOpaque(module, instruction, Type::DeviceEvent, "spirv.DeviceEvent");
		return true;
	case spv::Op::OpTypeReserveId:
		readOpaque(module, instruction, Type::ReserveId, "spirv.ReserveId");
		return true;
	case spv::Op::OpTypeQueue:
		readOpaque(module, instruction, Type::Queue, "spirv.Queue");
		return true;
	case spv::Op::OpTypePipe: {
		uint32_t access = instruction.literal(0);
		instruction.require(access <= 1, "a pipe is read or written");
		module.newType(instruction, Type::Pipe).llvm =
			llvm::TargetExtType::get(module.context, "spirv.Pipe", {}, {access});
		return true;
	}
	default:
		return false;
	}
}

} // namespace weft::spirv
