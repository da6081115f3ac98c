/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.15, relational and logical instructions. (Those of truth values that are arithmetic are in arithmetic.cpp.)
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

namespace weft::spirv
{

using Predicate = llvm::CmpInst::Predicate;

struct ComparisonRow {
	spv::Op opcode;
	Predicate predicate;
	Type::Kind kind; /* of the operands' components */
};

static constexpr ComparisonRow comparisonRows[] = {
	{spv::Op::OpIEqual, Predicate::ICMP_EQ, Type::Int},
	{spv::Op::OpINotEqual, Predicate::ICMP_NE, Type::Int},
	{spv::Op::OpUGreaterThan, Predicate::ICMP_UGT, Type::Int},
	{spv::Op::OpSGreaterThan, Predicate::ICMP_SGT, Type::Int},
	{spv::Op::OpUGreaterThanEqual, Predicate::ICMP_UGE, Type::Int},
	{spv::Op::OpSGreaterThanEqual, Predicate::ICMP_SGE, Type::Int},
	{spv::Op::OpULessThan, Predicate::ICMP_ULT, Type::Int},
	{spv::Op::OpSLessThan, Predicate::ICMP_SLT, Type::Int},
	{spv::Op::OpULessThanEqual, Predicate::ICMP_ULE, Type::Int},
	{spv::Op::OpSLessThanEqual, Predicate::ICMP_SLE, Type::Int},
	{spv::Op::OpFOrdEqual, Predicate::FCMP_OEQ, Type::Float},
	{spv::Op::OpFUnordEqual, Predicate::FCMP_UEQ, Type::Float},
	{spv::Op::OpFOrdNotEqual, Predicate::FCMP_ONE, Type::Float},
	{spv::Op::OpFUnordNotEqual, Predicate::FCMP_UNE, Type::Float},
	{spv::Op::OpFOrdLessThan, Predicate::FCMP_OLT, Type::Float},
	{spv::Op::OpFUnordLessThan, Predicate::FCMP_ULT, Type::Float},
	{spv::Op::OpFOrdGreaterThan, Predicate::FCMP_OGT, Type::Float},
	{spv::Op::OpFUnordGreaterThan, Predicate::FCMP_UGT, Type::Float},
	{spv::Op::OpFOrdLessThanEqual, Predicate::FCMP_OLE, Type::Float},
	{spv::Op::OpFUnordLessThanEqual, Predicate::FCMP_ULE, Type::Float},
	{spv::Op::OpFOrdGreaterThanEqual, Predicate::FCMP_OGE, Type::Float},
	{spv::Op::OpFUnordGreaterThanEqual, Predicate::FCMP_UGE, Type::Float},
	{spv::Op::OpLessOrGreater, Predicate::FCMP_ONE, Type::Float},
	{spv::Op::OpOrdered, Predicate::FCMP_ORD, Type::Float},
	{spv::Op::OpUnordered, Predicate::FCMP_UNO, Type::Float},
	{spv::Op::OpPtrEqual, Predicate::ICMP_EQ, Type::Pointer},
	{spv::Op::OpPtrNotEqual, Predicate::ICMP_NE, Type::Pointer},
};

static bool readCompare(FunctionReader &function, const Instruction &instruction)
{
	const auto *row = llvm::find_if(comparisonRows, [&](const ComparisonRow &candidate) {
		return candidate.opcode == instruction.opcode;
	});
	if (row == std::end(comparisonRows))
		return false;
	Value left = function.value(instruction, 0), right = function.value(instruction, 1);
	/* Pointers are compared by OpIEqual as well in older modules. */
	bool isPointers = row->kind == Type::Int && left.type->isOf(Type::Pointer);
	instruction.require((left.type->isOf(row->kind) || isPointers) &&
				    left.value->getType() == right.value->getType(),
			    "the operands are of different types, or of the wrong kind");
	function.define(instruction,
			function.builder.CreateCmp(row->predicate, left.value, right.value));
	return true;
}

/* OpIsNan and its kind: what a number is. */
static bool readClass(FunctionReader &function, const Instruction &instruction)
{
	unsigned classes = 0;

	switch (instruction.opcode) {
	case spv::Op::OpIsNan:
		classes = llvm::fcNan;
		break;
	case spv::Op::OpIsInf:
		classes = llvm::fcInf;
		break;
	case spv::Op::OpIsFinite:
		classes = llvm::fcFinite;
		break;
	case spv::Op::OpIsNormal:
		classes = llvm::fcNormal;
		break;
	default:
		return false;
	}
	Value value = function.value(instruction, 0);
	instruction.require(value.type->isOf(Type::Float), "its operand is no number");
	function.define(instruction, function.builder.createIsFPClass(value.value, classes));
	return true;
}

static void readSign(FunctionReader &function, const Instruction &instruction)
{
	Value value = function.value(instruction, 0);

	instruction.require(value.type->isOf(Type::Float), "its operand is no number");
	llvm::Type *bits = value.value->getType()->getWithNewType(
		function.builder.getIntNTy(value.type->scalar().bits));
	function.define(instruction, function.builder.CreateICmpSLT(
					     function.builder.CreateBitCast(value.value, bits),
					     llvm::Constant::getNullValue(bits)));
}

/* LLVM's back end for SPIR-V gives them integers, too: then the highest bits count, as those of any and all in OpenCL C. */
static void readAnyAll(FunctionReader &function, const Instruction &instruction)
{
	Value value = function.value(instruction, 0);
	llvm::IRBuilder<> &builder = function.builder;
	llvm::Value *truths = value.value;

	instruction.require(value.type->isOf(Type::Int) ||
				    (value.type->isOf(Type::Bool) && value.type->is(Type::Vector)),
			    "its operand is no vector of truth values");
	if (value.type->isOf(Type::Int))
		truths = builder.CreateICmpSLT(truths,
					       llvm::Constant::getNullValue(truths->getType()));
	if (truths->getType()->isVectorTy())
		truths = instruction.opcode == spv::Op::OpAny ? builder.CreateOrReduce(truths)
							      : builder.CreateAndReduce(truths);
	function.define(instruction, truths);
}

static void readSelect(FunctionReader &function, const Instruction &instruction)
{
	Value condition = function.value(instruction, 0);
	Value left = function.value(instruction, 1), right = function.value(instruction, 2);

	instruction.require(condition.type->isOf(Type::Bool), "the condition is no truth value");
	instruction.require(left.value->getType() == right.value->getType(),
			    "the objects are of different types");
	instruction.require(
		condition.type->is(Type::Bool) ||
			(left.type->is(Type::Vector) && left.type->count == condition.type->count),
		"the condition has not the components of the objects");
	function.define(instruction,
			function.builder.CreateSelect(condition.value, left.value, right.value));
}

bool readComparison(FunctionReader &function, const Instruction &instruction)
{
	if (readCompare(function, instruction) || readClass(function, instruction))
		return true;
	switch (instruction.opcode) {
	case spv::Op::OpSignBitSet:
		readSign(function, instruction);
		return true;
	case spv::Op::OpAny:
	case spv::Op::OpAll:
		readAnyAll(function, instruction);
		return true;
	case spv::Op::OpSelect:
		readSelect(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
