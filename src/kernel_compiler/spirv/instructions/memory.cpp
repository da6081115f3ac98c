/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.8, memory instructions but for the access chains; variables of functions.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/IntrinsicInst.h"

namespace weft::spirv
{

constexpr uint64_t mostBytesOfArray = uint64_t{1} << 40;

static bool has(uint32_t mask, spv::MemoryAccessMask bit)
{
	return (mask & static_cast<uint32_t>(bit)) != 0;
}

static llvm::MDNode *listOperand(const FunctionReader &function, const Instruction &instruction,
				 unsigned index)
{
	return function.module.aliasNode(instruction, instruction.id(index));
}

MemoryOperands readMemoryOperands(const FunctionReader &function, const Instruction &instruction,
				  unsigned &index)
{
	MemoryOperands operands;

	if (index >= instruction.size())
		return operands;
	uint32_t mask = instruction.literal(index++);
	const auto offered = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) |
			     static_cast<uint32_t>(spv::MemoryAccessMask::Aligned) |
			     static_cast<uint32_t>(spv::MemoryAccessMask::Nontemporal) |
			     static_cast<uint32_t>(spv::MemoryAccessMask::AliasScopeINTELMask) |
			     static_cast<uint32_t>(spv::MemoryAccessMask::NoAliasINTELMask);
	instruction.require((mask & ~offered) == 0, "a memory operand is none of a kernel's");
	operands.isVolatile = has(mask, spv::MemoryAccessMask::Volatile);
	operands.isNontemporal = has(mask, spv::MemoryAccessMask::Nontemporal);
	if (has(mask, spv::MemoryAccessMask::Aligned)) {
		uint32_t bytes = instruction.literal(index++);
		instruction.require(llvm::isPowerOf2_32(bytes), "an alignment is a power of two");
		operands.alignment = llvm::Align(bytes);
	}
	if (has(mask, spv::MemoryAccessMask::AliasScopeINTELMask))
		operands.aliasScope = listOperand(function, instruction, index++);
	if (has(mask, spv::MemoryAccessMask::NoAliasINTELMask))
		operands.noAlias = listOperand(function, instruction, index++);
	return operands;
}

void MemoryOperands::apply(llvm::Instruction &access) const
{
	llvm::LLVMContext &context = access.getContext();

	if (aliasScope)
		access.setMetadata(llvm::LLVMContext::MD_alias_scope, aliasScope);
	if (noAlias)
		access.setMetadata(llvm::LLVMContext::MD_noalias, noAlias);
	if (isNontemporal)
		access.setMetadata(
			llvm::LLVMContext::MD_nontemporal,
			llvm::MDNode::get(context,
					  llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
						  llvm::Type::getInt32Ty(context), 1))));
}

static llvm::Value *pointerOperand(FunctionReader &function, const Instruction &instruction,
				   unsigned index)
{
	Value value = function.value(instruction, index);
	instruction.require(value.type->is(Type::Pointer),
			    "operand " + llvm::Twine(index + 1) + " is no pointer");
	return value.value;
}

/* The alignment of an access of this type: what the instruction says, or the type's own. */
static llvm::Align alignmentOf(const FunctionReader &function, const MemoryOperands &operands,
			       llvm::Type *type)
{
	return operands.alignment.value_or(
		function.module.module->getDataLayout().getABITypeAlign(type));
}

static void checkAccess(const Instruction &instruction, const Value &pointer, const Type &type)
{
	instruction.require(!pointer.type->element || pointer.type->element->llvm == type.llvm,
			    "the pointer does not lead to values of this type");
	instruction.require(type.size, "values of this type are not in memory");
}

static void readLoad(FunctionReader &function, const Instruction &instruction)
{
	Value pointer = function.value(instruction, 0);
	const Type &type = function.resultType(instruction);
	unsigned next = 1;
	MemoryOperands operands = readMemoryOperands(function, instruction, next);

	instruction.require(pointer.type->is(Type::Pointer), "operand 1 is no pointer");
	checkAccess(instruction, pointer, type);
	llvm::LoadInst *load = function.builder.CreateAlignedLoad(
		type.llvm, pointer.value, alignmentOf(function, operands, type.llvm),
		operands.isVolatile);
	operands.apply(*load);
	function.define(instruction, load);
}

static void readStore(FunctionReader &function, const Instruction &instruction)
{
	Value pointer = function.value(instruction, 0), object = function.value(instruction, 1);
	unsigned next = 2;
	MemoryOperands operands = readMemoryOperands(function, instruction, next);

	instruction.require(pointer.type->is(Type::Pointer), "operand 1 is no pointer");
	checkAccess(instruction, pointer, *object.type);
	llvm::StoreInst *store = function.builder.CreateAlignedStore(
		object.value, pointer.value,
		alignmentOf(function, operands, object.value->getType()), operands.isVolatile);
	operands.apply(*store);
}

/* The type of a number of whole bytes that a private array consists of; NULL for other memory. */
static llvm::Type *elementOfArray(const llvm::Value &pointer)
{
	const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&pointer);
	auto *array =
		variable ? llvm::dyn_cast<llvm::ArrayType>(variable->getAllocatedType()) : nullptr;
	llvm::Type *element = array ? array->getElementType() : nullptr;

	return element && (element->isIntegerTy() || element->isFloatingPointTy()) &&
			       element->getScalarSizeInBits() % 8 == 0
		       ? element
		       : nullptr;
}

struct Copy {
	llvm::Value *target, *source, *size;
	llvm::Align to, from;
	bool isVolatile;
};

static void copyElement(llvm::IRBuilder<> &builder, llvm::Type *element, const Copy &copy,
			llvm::Value *index)
{
	llvm::Value *read = builder.CreateAlignedLoad(
		element, builder.CreateInBoundsGEP(element, copy.source, index), copy.from);

	builder.CreateAlignedStore(read, builder.CreateInBoundsGEP(element, copy.target, index),
				   copy.to);
}

/* A function that copies elements in a loop: it is inlined. */
static llvm::Function *makeCopyLoop(FunctionReader &function, llvm::Type *element, Copy copy,
				    uint64_t count)
{
	llvm::Module &module = *function.module.module;
	llvm::LLVMContext &context = module.getContext();
	llvm::Function *made = llvm::Function::Create(
		llvm::FunctionType::get(llvm::Type::getVoidTy(context),
					{copy.target->getType(), copy.source->getType()}, false),
		llvm::Function::InternalLinkage, "copy", module);
	auto *entry = llvm::BasicBlock::Create(context, "", made);
	auto *loop = llvm::BasicBlock::Create(context, "", made);
	auto *end = llvm::BasicBlock::Create(context, "", made);
	llvm::IRBuilder<> builder(entry);

	builder.CreateBr(loop);
	builder.SetInsertPoint(loop);
	llvm::PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2);
	index->addIncoming(builder.getInt64(0), entry);
	copy.target = made->getArg(0);
	copy.source = made->getArg(1);
	copyElement(builder, element, copy, index);
	llvm::Value *next = builder.CreateNUWAdd(index, builder.getInt64(1));
	index->addIncoming(next, loop);
	builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(count)), loop, end);
	builder.SetInsertPoint(end);
	builder.CreateRetVoid();
	return made;
}

/* A copy of a private array, number by number: a copy of bytes would keep the array in one piece for each work-item, whose elements
 * vectors gather. Optimised modules make one of a loop. False: it is none. */
static bool copyElements(FunctionReader &function, Copy copy)
{
	constexpr uint64_t mostAtOnce = 4, mostBytes = 4096;
	llvm::IRBuilder<> &builder = function.builder;
	llvm::Type *element = elementOfArray(*copy.target);
	const auto *size = llvm::dyn_cast<llvm::ConstantInt>(copy.size);

	if (!element)
		element = elementOfArray(*copy.source);
	if (!element || !size || copy.isVolatile || size->getValue().ugt(mostBytes))
		return false;
	const uint64_t bytes = element->getScalarSizeInBits() / 8;
	const uint64_t count = size->getZExtValue() / bytes;
	if (count == 0 || size->getZExtValue() % bytes != 0)
		return false;
	copy.to = commonAlignment(copy.to, bytes);
	copy.from = commonAlignment(copy.from, bytes);
	if (count > mostAtOnce) {
		builder.CreateCall(makeCopyLoop(function, element, copy, count),
				   {copy.target, copy.source});
		return true;
	}
	for (uint64_t i = 0; i < count; i++)
		copyElement(builder, element, copy, builder.getInt64(i));
	return true;
}

/* Both sides of a copy have memory operands from version 1.4 on; before, one set is for both. */
static void copy(FunctionReader &function, const Instruction &instruction, llvm::Value *size,
		 unsigned next, llvm::Align least)
{
	llvm::Value *target = pointerOperand(function, instruction, 0);
	llvm::Value *source = pointerOperand(function, instruction, 1);
	MemoryOperands to = readMemoryOperands(function, instruction, next);
	MemoryOperands from =
		next < instruction.size() ? readMemoryOperands(function, instruction, next) : to;

	const Copy sides = {target,
			    source,
			    size,
			    to.alignment.value_or(least),
			    from.alignment.value_or(least),
			    to.isVolatile || from.isVolatile};
	if (!copyElements(function, sides))
		to.apply(*function.builder.CreateMemCpy(target, sides.to, source, sides.from, size,
							sides.isVolatile));
}

static void readCopyMemory(FunctionReader &function, const Instruction &instruction)
{
	Value target = function.value(instruction, 0), source = function.value(instruction, 1);
	const Type *type = target.type->element;

	instruction.require(type && type->size && source.type->element &&
				    source.type->element->llvm == type->llvm,
			    "the pointers do not lead to one type");
	const llvm::DataLayout &layout = function.module.module->getDataLayout();
	copy(function, instruction, function.builder.getInt64(layout.getTypeAllocSize(type->llvm)),
	     2, layout.getABITypeAlign(type->llvm));
}

static void readCopySized(FunctionReader &function, const Instruction &instruction)
{
	Value size = function.value(instruction, 2);

	instruction.require(size.type->is(Type::Int), "the size is no integer");
	copy(function, instruction,
	     function.builder.CreateZExtOrTrunc(size.value, function.builder.getInt64Ty()), 3,
	     llvm::Align(1));
}

static llvm::Value *sizeOf(FunctionReader &function, const llvm::AllocaInst &variable)
{
	const llvm::DataLayout &layout = function.module.module->getDataLayout();
	return function.builder.getInt64(layout.getTypeAllocSize(variable.getAllocatedType()));
}

static void zero(FunctionReader &function, llvm::AllocaInst &variable)
{
	function.builder.CreateMemSet(&variable, function.builder.getInt8(0),
				      sizeOf(function, variable), variable.getAlign());
}

/* A constant array or structure is copied from constant memory, as in Clang's modules. */
static void initialise(FunctionReader &function, const Instruction &instruction,
		       llvm::AllocaInst &variable, Id id)
{
	Value value = function.module.value(instruction, id);
	llvm::Type *type = variable.getAllocatedType();
	llvm::IRBuilder<> &builder = function.builder;
	auto *constant = llvm::dyn_cast<llvm::Constant>(value.value);

	instruction.require(constant && constant->getType() == type,
			    "the initialiser is no constant of the variable's type");
	if (!type->isAggregateType()) {
		builder.CreateAlignedStore(constant, &variable, variable.getAlign());
	} else if (constant->isNullValue()) {
		zero(function, variable);
	} else {
		auto *table = new llvm::GlobalVariable(
			*function.module.module, type, true, llvm::GlobalValue::PrivateLinkage,
			constant, "", nullptr, llvm::GlobalValue::NotThreadLocal, 2);
		table->setAlignment(variable.getAlign());
		builder.CreateMemCpy(&variable, variable.getAlign(), table, variable.getAlign(),
				     sizeOf(function, variable));
	}
}

static void readVariable(FunctionReader &function, const Instruction &instruction)
{
	const Type &pointer = function.resultType(instruction);
	bool isUntyped = instruction.opcode == OpUntypedVariableKHR;

	instruction.require(
		pointer.is(Type::Pointer) && pointer.storage == spv::StorageClass::Function &&
			instruction.enumerant<spv::StorageClass>(0) == spv::StorageClass::Function,
		"a function's variable is of storage class Function");
	const Type *type = isUntyped ? &function.typeOperand(instruction, 1) : pointer.element;
	instruction.require(type && type->size, "its type has no size");
	llvm::AllocaInst *variable = function.allocate(instruction, type->llvm);
	if (llvm::MaybeAlign alignment = function.module.decorations.alignment(instruction.result))
		variable->setAlignment(std::max(*alignment, variable->getAlign()));
	unsigned initialiser = isUntyped ? 2 : 1;
	if (instruction.size() > initialiser)
		initialise(function, instruction, *variable, instruction.id(initialiser));
	else if (function.module.input.zeroPrivate)
		zero(function, *variable);
	function.define(instruction, variable);
}

/* Marks for variables of a function alone. */
static void readLifetime(FunctionReader &function, const Instruction &instruction, bool starts)
{
	llvm::Value *pointer = pointerOperand(function, instruction, 0)->stripPointerCasts();

	if (!llvm::isa<llvm::AllocaInst>(pointer) || function.module.options.optDisable)
		return;
	if (starts)
		function.builder.CreateLifetimeStart(pointer);
	else
		function.builder.CreateLifetimeEnd(pointer);
}

/* SPV_INTEL_variable_length_array. Of a constant length, which a specialisation constant may have given, it is a variable like
 * another; of any other, the passes refuse it. */
static void readVariableArray(FunctionReader &function, const Instruction &instruction)
{
	const Type &pointer = function.resultType(instruction);
	Value length = function.value(instruction, 0);
	llvm::AllocaInst *array = nullptr;

	instruction.require(pointer.is(Type::Pointer) && pointer.element && pointer.element->size &&
				    pointer.storage == spv::StorageClass::Function,
			    "its type is no pointer of storage class Function to a type with a "
			    "size");
	instruction.require(length.type->is(Type::Int), "the length is no integer");
	llvm::Type *element = pointer.element->llvm;
	if (const auto *count = llvm::dyn_cast<llvm::ConstantInt>(length.value)) {
		instruction.require(count->getValue().ule(mostBytesOfArray / pointer.element->size),
				    "it is larger than memory");
		array = function.allocate(instruction,
					  llvm::ArrayType::get(element, count->getZExtValue()));
	} else {
		array = function.builder.CreateAlloca(element, length.value);
	}
	if (llvm::MaybeAlign alignment = function.module.decorations.alignment(instruction.result))
		array->setAlignment(std::max(*alignment, array->getAlign()));
	function.define(instruction, array);
}

static llvm::Value *nullPointer(FunctionReader &function, const Instruction &instruction)
{
	const Type &type = function.resultType(instruction);
	instruction.require(type.is(Type::Pointer), "its type is no pointer");
	return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(type.llvm));
}

static void readDifference(FunctionReader &function, const Instruction &instruction)
{
	Value left = function.value(instruction, 0), right = function.value(instruction, 1);
	const Type &result = function.resultType(instruction);
	const Type *element = left.type->element;

	instruction.require(
		element && element->size && result.is(Type::Int) &&
			left.value->getType() == right.value->getType(),
		"the operands are no pointers to one type, or the result is no integer");
	llvm::Value *difference =
		function.builder.CreatePtrDiff(element->llvm, left.value, right.value);
	function.define(instruction, function.builder.CreateSExtOrTrunc(difference, result.llvm));
}

/* The size of what a pointer leads to. */
static void readSizeOf(FunctionReader &function, const Instruction &instruction)
{
	const Type *pointer = function.value(instruction, 0).type;
	const Type &result = function.resultType(instruction);

	instruction.require(pointer->is(Type::Pointer) && pointer->element &&
				    pointer->element->size,
			    "its operand is no pointer to a type that has a size");
	const uint64_t bytes =
		function.module.module->getDataLayout().getTypeAllocSize(pointer->element->llvm);
	instruction.require(result.is(Type::Int) && llvm::isUIntN(result.bits, bytes),
			    "its type is no integer that has the size");
	function.define(instruction, llvm::ConstantInt::get(result.llvm, bytes));
}

bool readMemory(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpLoad:
		readLoad(function, instruction);
		return true;
	case spv::Op::OpStore:
		readStore(function, instruction);
		return true;
	case spv::Op::OpSizeOf:
		readSizeOf(function, instruction);
		return true;
	case OpUntypedPrefetchKHR: /* a hint, of which nothing is made */
		pointerOperand(function, instruction, 0);
		return true;
	case spv::Op::OpVariable:
	case OpUntypedVariableKHR:
		readVariable(function, instruction);
		return true;
	case spv::Op::OpCopyMemory:
		readCopyMemory(function, instruction);
		return true;
	case spv::Op::OpCopyMemorySized:
		readCopySized(function, instruction);
		return true;
	case spv::Op::OpLifetimeStart:
	case spv::Op::OpLifetimeStop:
		readLifetime(function, instruction, instruction.opcode == spv::Op::OpLifetimeStart);
		return true;
	case spv::Op::OpVariableLengthArrayINTEL:
		readVariableArray(function, instruction);
		return true;
	case spv::Op::OpSaveMemoryINTEL:
		/* Variables live as long as their function's call. */
		function.define(instruction, nullPointer(function, instruction));
		return true;
	case spv::Op::OpRestoreMemoryINTEL:
		pointerOperand(function, instruction, 0);
		return true;
	case spv::Op::OpPtrDiff:
		readDifference(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
