// SPDX-License-Identifier: MIT
//
// Kernels that enqueue kernels: calls of the functions that Clang calls for OpenCL C's. A block is made of the function that an
// instruction invokes and of its parameter (docs/kernel_ir.md, blocks): the literal has a head of two integers, size and
// alignment, and the parameter's bytes behind it.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

constexpr uint64_t headBytes = 8, mostAlignment = 128, mostBytesOfParameter = uint64_t{1} << 20;

// What the operands invoke, param, param size and param align say.
class Block
{
	FunctionReader &function;
	const Instruction &instruction;
	IRBuilder<> &builder;
	unsigned first; // the operand that says which function is invoked
	uint64_t bytes, alignment, head;

	llvm::Type *generic() const
	{
		return builder.getPtrTy(genericSpace);
	}

	void checkFunction(const FunctionInfo &info) const
	{
		const Type &type = *info.type;
		instruction.require(info.body && type.element->is(Type::Void) &&
					    !type.members.empty(),
				    "what is invoked is no function of this module that takes a "
				    "pointer and returns nothing");
		const Type &parameter = *type.members.front();
		instruction.require(
			parameter.is(Type::Pointer) &&
				(parameter.storage == spv::StorageClass::Generic ||
				 parameter.storage == spv::StorageClass::CrossWorkgroup),
			"the first parameter of what is invoked is no generic and no "
			"global pointer");
		for (const Type *local : drop_begin(type.members))
			instruction.require(local->is(Type::Pointer) &&
						    local->storage == spv::StorageClass::Workgroup,
					    "a parameter of what is invoked is no local pointer");
	}

	// The kernel of a block calls the function with the address of what stands behind the literal's head.
	llvm::Function *makeKernel(const FunctionInfo &info) const
	{
		LLVMContext &context = builder.getContext();
		SmallVector<llvm::Type *, 4> types(info.function->getFunctionType()->params());
		types.front() = generic();
		auto *kernel = llvm::Function::Create(
			FunctionType::get(builder.getVoidTy(), types, false),
			GlobalValue::InternalLinkage, info.function->getName() + ".block",
			*function.module.module);
		kernel->setCallingConv(CallingConv::SPIR_KERNEL);
		kernel->setConvergent();
		kernel->setDoesNotThrow();
		kernel->addFnAttr("uniform-work-group-size",
				  function.module.options.uniformWorkGroupSize ? "true" : "false");
		IRBuilder<> body(BasicBlock::Create(context, "", kernel));
		SmallVector<llvm::Value *, 4> arguments;
		for (Argument &argument : kernel->args())
			arguments.push_back(&argument);
		llvm::Value *parameter =
			body.CreateConstInBoundsGEP1_64(body.getInt8Ty(), arguments.front(), head);
		arguments.front() = body.CreatePointerBitCastOrAddrSpaceCast(
			parameter, info.type->members.front()->llvm);
		CallInst *call = body.CreateCall(info.function, arguments);
		call->setCallingConv(info.function->getCallingConv());
		call->setAttributes(info.function->getAttributes());
		body.CreateRetVoid();
		return kernel;
	}

      public:
	Block(FunctionReader &reader, const Instruction &user, unsigned invoke)
	    : function(reader), instruction(user), builder(reader.builder), first(invoke),
	      bytes(reader.constant(user, invoke + 2)),
	      alignment(std::max<uint64_t>(reader.constant(user, invoke + 3), 1)),
	      head(std::max(headBytes, alignment))
	{
		user.require(isPowerOf2_64(alignment) && alignment <= mostAlignment,
			     "the alignment of a parameter is a power of two, 128 at most");
		user.require(bytes <= mostBytesOfParameter,
			     "a parameter has more than " + Twine(mostBytesOfParameter) + " bytes");
	}

	unsigned numLocals() const
	{
		return function.module.function(instruction, instruction.id(first))
			       .type->members.size() -
		       1;
	}

	llvm::Value *kernel() const
	{
		const Id id = instruction.id(first);
		FunctionInfo &info = function.module.function(instruction, id);
		llvm::Function *&made = function.module.blockKernels[{id, head}];
		if (!made) {
			checkFunction(info);
			made = makeKernel(info);
		}
		return ConstantExpr::getAddrSpaceCast(made, generic());
	}

	llvm::Value *literal() const
	{
		llvm::Value *parameter = function.operand(instruction, first + 1);
		instruction.require(parameter->getType()->isPointerTy(),
				    "the parameter is no pointer");
		AllocaInst *literal = function.allocate(
			instruction, ArrayType::get(builder.getInt8Ty(), head + bytes));
		literal->setAlignment(Align(head));
		builder.CreateStore(builder.getInt32(static_cast<uint32_t>(head + bytes)), literal);
		builder.CreateStore(
			builder.getInt32(static_cast<uint32_t>(head)),
			builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), literal, 4));
		if (bytes)
			builder.CreateMemCpy(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
										literal, head),
					     Align(head), parameter, Align(alignment), bytes);
		return builder.CreateAddrSpaceCast(literal, generic());
	}
};

// The elements of an array of a range, which has 32 or 64 bits, or null.
llvm::Value *wideArray(IRBuilder<> &builder, llvm::Value *range, unsigned member)
{
	llvm::Type *size = builder.getInt64Ty();
	llvm::Value *wide = PoisonValue::get(ArrayType::get(size, 3));
	for (unsigned i = 0; i < 3; i++)
		wide = builder.CreateInsertValue(
			wide,
			builder.CreateZExtOrTrunc(builder.CreateExtractValue(range, {member, i}),
						  size),
			i);
	return wide;
}

bool isRange(const llvm::Type &type)
{
	const auto *range = dyn_cast<StructType>(&type);
	if (!range || range->getNumElements() != 4 || !range->getElementType(0)->isIntegerTy(32))
		return false;
	return all_of(drop_begin(range->elements()), [](const llvm::Type *part) {
		const auto *array = dyn_cast<ArrayType>(part);
		return array && array->getNumElements() == 3 &&
		       array->getElementType()->isIntegerTy();
	});
}

// The address of an ndrange_t.
llvm::Value *rangeOperand(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	IRBuilder<> &builder = function.builder;
	Value operand = function.value(instruction, index);
	llvm::Value *range = operand.value;
	if (operand.type->is(Type::Pointer) && operand.type->element &&
	    isRange(*operand.type->element->llvm))
		range = builder.CreateLoad(operand.type->element->llvm, range);
	instruction.require(isRange(*range->getType()), "an operand is no range");
	llvm::Type *array = ArrayType::get(builder.getInt64Ty(), 3);
	auto *type = StructType::get(builder.getInt32Ty(), array, array, array);
	AllocaInst *place = function.allocate(instruction, type);
	llvm::Value *wide = builder.CreateInsertValue(
		PoisonValue::get(type), builder.CreateExtractValue(range, {0u}), {0u});
	for (unsigned member = 1; member < 4; member++)
		wide = builder.CreateInsertValue(wide, wideArray(builder, range, member), member);
	builder.CreateStore(wide, place);
	return place;
}

llvm::Value *integerOperand(FunctionReader &function, const Instruction &instruction,
			    unsigned index)
{
	llvm::Value *value = function.operand(instruction, index);
	instruction.require(value->getType()->isIntegerTy(), "an operand is no integer");
	return function.builder.CreateZExtOrTrunc(value, function.builder.getInt32Ty());
}

// A pointer to events, which may be null.
llvm::Value *eventsOperand(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	llvm::Value *value = function.operand(instruction, index);
	instruction.require(value->getType()->isPointerTy() &&
				    value->getType()->getPointerAddressSpace() != 2,
			    "an operand is no pointer to events");
	return function.builder.CreateAddrSpaceCast(value, function.builder.getPtrTy(genericSpace));
}

llvm::Value *opaqueOperand(FunctionReader &function, const Instruction &instruction, unsigned index,
			   Type::Kind kind)
{
	Value value = function.value(instruction, index);
	instruction.require(value.type->is(kind), "an operand is no queue or no event");
	return value.value;
}

llvm::Type *opaqueResult(FunctionReader &function, const Instruction &instruction, Type::Kind kind)
{
	const Type &type = function.resultType(instruction);
	instruction.require(type.is(kind), "its type is no queue or no event");
	return type.llvm;
}

// The sizes of local arguments, one for each of the block's parameters but the first.
llvm::Value *localSizes(FunctionReader &function, const Instruction &instruction, unsigned first)
{
	IRBuilder<> &builder = function.builder;
	const unsigned count = instruction.size() - first;
	if (!count)
		return ConstantPointerNull::get(builder.getPtrTy());
	AllocaInst *sizes =
		function.allocate(instruction, ArrayType::get(builder.getInt64Ty(), count));
	for (unsigned i = 0; i < count; i++) {
		llvm::Value *size = function.operand(instruction, first + i);
		instruction.require(size->getType()->isIntegerTy(), "a size is no integer");
		builder.CreateStore(
			builder.CreateZExtOrTrunc(size, builder.getInt64Ty()),
			builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), sizes, i));
	}
	return sizes;
}

void readEnqueue(FunctionReader &function, const Instruction &instruction)
{
	constexpr unsigned invoke = 6, sizes = 10;
	IRBuilder<> &builder = function.builder;
	Block block(function, instruction, invoke);
	llvm::Value *kernel = block.kernel();
	const unsigned count = instruction.size() - sizes;
	instruction.require(count == block.numLocals(),
			    "it has not a size for each local pointer of what is invoked");
	llvm::Value *arguments[] = {
		opaqueOperand(function, instruction, 0, Type::Queue),
		integerOperand(function, instruction, 1),
		rangeOperand(function, instruction, 2),
		integerOperand(function, instruction, 3),
		eventsOperand(function, instruction, 4),
		eventsOperand(function, instruction, 5),
		kernel,
		block.literal(),
		builder.getInt32(count),
		localSizes(function, instruction, sizes),
	};
	function.define(instruction, function.call("__enqueue_kernel_events_varargs",
						   builder.getInt32Ty(), arguments));
}

void readMarker(FunctionReader &function, const Instruction &instruction)
{
	const BuiltinType event = namedType("ocl_clkevent");
	function.define(instruction,
			BuiltinCall(function.builder, instruction, "enqueue_marker")
				.add(opaqueOperand(function, instruction, 0, Type::Queue))
				.add(integerOperand(function, instruction, 1))
				.addConstPointer(eventsOperand(function, instruction, 2), event)
				.addPointer(eventsOperand(function, instruction, 3), event)
				.make(function.builder.getInt32Ty()));
}

struct BlockQuery {
	spv::Op opcode;
	StringRef name;
	char argument; // before the block: r a range, n a number, - nothing
};

constexpr BlockQuery blockQueries[] = {
	{spv::Op::OpGetKernelNDrangeSubGroupCount, "__get_kernel_sub_group_count_for_ndrange_impl",
	 'r'},
	{spv::Op::OpGetKernelNDrangeMaxSubGroupSize,
	 "__get_kernel_max_sub_group_size_for_ndrange_impl", 'r'},
	{spv::Op::OpGetKernelWorkGroupSize, "__get_kernel_work_group_size_impl", '-'},
	{spv::Op::OpGetKernelPreferredWorkGroupSizeMultiple,
	 "__get_kernel_preferred_work_group_size_multiple_impl", '-'},
	{spv::Op::OpGetKernelLocalSizeForSubgroupCount,
	 "__get_kernel_local_size_for_sub_group_count_impl", 'n'},
	{spv::Op::OpGetKernelMaxNumSubgroups, "__get_kernel_max_num_sub_groups_impl", '-'},
};

void readQuery(FunctionReader &function, const Instruction &instruction, const BlockQuery &query)
{
	SmallVector<llvm::Value *, 3> arguments;
	if (query.argument == 'r')
		arguments.push_back(rangeOperand(function, instruction, 0));
	else if (query.argument == 'n')
		arguments.push_back(integerOperand(function, instruction, 0));
	Block block(function, instruction, query.argument == '-' ? 0 : 1);
	arguments.push_back(block.kernel());
	arguments.push_back( // they do not ask for the literal
		ConstantPointerNull::get(function.builder.getPtrTy(genericSpace)));
	function.define(instruction,
			function.call(query.name, function.builder.getInt32Ty(), arguments));
}

// A size is a number, or an array of as many as the range has dimensions. Of sizes that are not given all are 0.
llvm::Value *rangeArray(FunctionReader &function, const Instruction &instruction, unsigned index,
			ArrayType *result)
{
	IRBuilder<> &builder = function.builder;
	llvm::Value *sizes = function.operand(instruction, index);
	auto *array = dyn_cast<ArrayType>(sizes->getType());
	instruction.require(array ? array->getElementType()->isIntegerTy() &&
					    array->getNumElements() <= 3
				  : sizes->getType()->isIntegerTy(),
			    "sizes are no integer and no array of up to three");
	llvm::Value *made = Constant::getNullValue(result);
	for (unsigned i = 0; i < (array ? array->getNumElements() : 1); i++)
		made = builder.CreateInsertValue(
			made,
			builder.CreateZExtOrTrunc(array ? builder.CreateExtractValue(sizes, i)
							: sizes,
						  result->getElementType()),
			i);
	return made;
}

void readRange(FunctionReader &function, const Instruction &instruction)
{
	IRBuilder<> &builder = function.builder;
	llvm::Type *type = function.resultType(instruction).llvm;
	instruction.require(isRange(*type), "its type is no structure of a number of dimensions "
					    "and three arrays of three integers");
	auto *array = dyn_cast<ArrayType>(function.operand(instruction, 0)->getType());
	uint64_t dimensions = array ? array->getNumElements() : 1;
	llvm::Value *range = builder.CreateInsertValue(
		PoisonValue::get(type), builder.getInt32(static_cast<uint32_t>(dimensions)), {0u});
	constexpr unsigned operands[] = {2, 0, 1}; // offset, global size, local size
	for (unsigned i = 0; i < std::size(operands); i++) {
		auto *part = cast<ArrayType>(cast<StructType>(type)->getElementType(i + 1));
		range = builder.CreateInsertValue(
			range, rangeArray(function, instruction, operands[i], part), i + 1);
	}
	function.define(instruction, range);
}

// Functions of events, and the queue that is the device's own.
bool readEvent(FunctionReader &function, const Instruction &instruction)
{
	IRBuilder<> &builder = function.builder;
	const auto event = [&] {
		return opaqueOperand(function, instruction, 0, Type::DeviceEvent);
	};
	const auto call = [&](StringRef name) { return BuiltinCall(builder, instruction, name); };
	switch (instruction.opcode) {
	case spv::Op::OpRetainEvent:
		call("retain_event").add(event()).make(builder.getVoidTy());
		return true;
	case spv::Op::OpReleaseEvent:
		call("release_event").add(event()).make(builder.getVoidTy());
		return true;
	case spv::Op::OpCreateUserEvent:
		function.define(instruction, call("create_user_event")
						     .make(opaqueResult(function, instruction,
									Type::DeviceEvent)));
		return true;
	case spv::Op::OpIsValidEvent:
		function.define(instruction,
				call("is_valid_event").add(event()).make(builder.getInt1Ty()));
		return true;
	case spv::Op::OpSetUserEventStatus:
		call("set_user_event_status")
			.add(event())
			.add(integerOperand(function, instruction, 1), Sign::Signed)
			.make(builder.getVoidTy());
		return true;
	case spv::Op::OpCaptureEventProfilingInfo:
		call("capture_event_profiling_info")
			.add(event())
			.add(integerOperand(function, instruction, 1), Sign::Signed)
			.addPointer(function.operand(instruction, 2), BuiltinType{"v"})
			.make(builder.getVoidTy());
		return true;
	case spv::Op::OpGetDefaultQueue:
		function.define(instruction,
				call("get_default_queue")
					.make(opaqueResult(function, instruction, Type::Queue)));
		return true;
	default:
		return false;
	}
}

} // namespace

bool readDeviceEnqueue(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpEnqueueKernel:
		readEnqueue(function, instruction);
		return true;
	case spv::Op::OpEnqueueMarker:
		readMarker(function, instruction);
		return true;
	case spv::Op::OpBuildNDRange:
		readRange(function, instruction);
		return true;
	default:
		break;
	}
	for (const BlockQuery &query : blockQueries) {
		if (query.opcode == instruction.opcode) {
			readQuery(function, instruction, query);
			return true;
		}
	}
	return readEvent(function, instruction);
}

} // namespace weft::spirv
