// SPDX-License-Identifier: MIT
//
// Pipes: calls of the functions that Clang calls for OpenCL C's.
#include "spirv/builtins/builtin_calls.h"
#include "spirv/builtins/scopes.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

// Operands of an instruction in the order in which a function takes them. A letter for each: p pipe, a address of a packet,
// r reservation, n number.
struct PipeRow {
	spv::Op opcode;
	StringRef function;
	bool hasScope;
	StringRef operands;
};

// Behind these operands stand the size and the alignment of a packet. * is the group's scope.
constexpr PipeRow pipeCalls[] = {
	{spv::Op::OpReadPipe, "__read_pipe_2", false, "pa"},
	{spv::Op::OpWritePipe, "__write_pipe_2", false, "pa"},
	{spv::Op::OpReservedReadPipe, "__read_pipe_4", false, "prna"},
	{spv::Op::OpReservedWritePipe, "__write_pipe_4", false, "prna"},
	{spv::Op::OpReserveReadPipePackets, "__reserve_read_pipe", false, "pn"},
	{spv::Op::OpReserveWritePipePackets, "__reserve_write_pipe", false, "pn"},
	{spv::Op::OpCommitReadPipe, "__commit_read_pipe", false, "pr"},
	{spv::Op::OpCommitWritePipe, "__commit_write_pipe", false, "pr"},
	{spv::Op::OpGetNumPipePackets, "__get_pipe_num_packets_", false, "p"},
	{spv::Op::OpGetMaxPipePackets, "__get_pipe_max_packets_", false, "p"},
	{spv::Op::OpGroupReserveReadPipePackets, "reserve_read_pipe", true, "pn"},
	{spv::Op::OpGroupReserveWritePipePackets, "reserve_write_pipe", true, "pn"},
	{spv::Op::OpGroupCommitReadPipe, "commit_read_pipe", true, "pr"},
	{spv::Op::OpGroupCommitWritePipe, "commit_write_pipe", true, "pr"},
};

bool isOpaque(const llvm::Value &value, StringRef name)
{
	const auto *type = dyn_cast<TargetExtType>(value.getType());
	return type && type->getName() == name;
}

bool isWritten(const llvm::Value &pipe)
{
	return cast<TargetExtType>(pipe.getType())->getIntParameter(0) == 1;
}

llvm::Value *argument(FunctionReader &function, const Instruction &instruction, unsigned index,
		      char letter)
{
	IRBuilder<> &builder = function.builder;
	llvm::Value *value = function.operand(instruction, index);
	switch (letter) {
	case 'p':
		instruction.require(isOpaque(*value, "spirv.Pipe"), "an operand is no pipe");
		return value;
	case 'r':
		instruction.require(isOpaque(*value, "spirv.ReserveId"),
				    "an operand is no reservation");
		return value;
	case 'a':
		instruction.require(value->getType()->isPointerTy() &&
					    value->getType()->getPointerAddressSpace() != 2,
				    "the address of a packet is no pointer to what can be written");
		return value->getType()->getPointerAddressSpace() == genericSpace
			       ? value
			       : builder.CreateAddrSpaceCast(value, builder.getPtrTy(genericSpace));
	default:
		instruction.require(value->getType()->isIntegerTy(), "an operand is no integer");
		return builder.CreateZExtOrTrunc(value, builder.getInt32Ty());
	}
}

// Whether the instruction is one of those for pipes of this access.
void checkPipeAccess(const Instruction &instruction, const PipeRow &row, const llvm::Value &pipe)
{
	if (row.function.contains("packets"))
		return;
	instruction.require(isWritten(pipe) == row.function.contains("write"),
			    "the pipe's access qualifier does not allow it");
}

void readCallOf(FunctionReader &function, const Instruction &instruction, const PipeRow &row)
{
	unsigned first = row.hasScope ? 1 : 0;
	SmallVector<llvm::Value *, 6> arguments;
	for (char letter : (row.operands + "nn").str())
		arguments.push_back(argument(function, instruction,
					     first + static_cast<unsigned>(arguments.size()),
					     letter));
	const llvm::Value &pipe = *arguments.front();
	checkPipeAccess(instruction, row, pipe);
	std::string name = row.function.str();
	if (row.hasScope)
		name = (groupScope(function, instruction, 0) == GroupScope::WorkGroup
				? "__work_group_"
				: "__sub_group_") +
		       name;
	if (name.back() == '_')
		name += isWritten(pipe) ? "wo" : "ro";
	IRBuilder<> &builder = function.builder;
	llvm::Type *result = row.function.contains("reserve_")
				     ? TargetExtType::get(builder.getContext(), "spirv.ReserveId")
			     : row.function.contains("commit_")
				     ? builder.getVoidTy()
				     : static_cast<llvm::Type *>(builder.getInt32Ty());
	CallInst *call = function.call(name, result, arguments);
	if (!result->isVoidTy())
		function.define(instruction, call);
}

void readIsValid(FunctionReader &function, const Instruction &instruction)
{
	llvm::Value *reservation = argument(function, instruction, 0, 'r');
	function.define(instruction,
			BuiltinCall(function.builder, instruction, "is_valid_reserve_id")
				.add(reservation)
				.make(function.builder.getInt1Ty()));
}

} // namespace

bool readPipe(FunctionReader &function, const Instruction &instruction)
{
	if (instruction.opcode == spv::Op::OpIsValidReserveId) {
		readIsValid(function, instruction);
		return true;
	}
	const PipeRow *row = find_if(pipeCalls, [&](const PipeRow &candidate) {
		return candidate.opcode == instruction.opcode;
	});
	if (row == std::end(pipeCalls))
		return false;
	readCallOf(function, instruction, *row);
	return true;
}

} // namespace weft::spirv
