// SPDX-License-Identifier: MIT
//
// Instructions of work-groups and sub-groups that combine the values of work-items, tell whether a predicate holds, or give all
// the value of one.
#include "spirv/builtins/group_values.h"
#include "spirv/builtins/scopes.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

enum class Family { Group, NonUniform };

struct CombinationRow {
	spv::Op opcode;
	Family family;
	StringRef operation;
	char kind;
};

constexpr CombinationRow combinations[] = {
#define GROUP(opcode, operation, kind) {spv::Op::opcode, Family::Group, operation, kind},
#define NON_UNIFORM(opcode, operation, kind) {spv::Op::opcode, Family::NonUniform, operation, kind},
#include "spirv/builtins/groups.def"
#undef GROUP
#undef NON_UNIFORM
};

const CombinationRow *findCombination(spv::Op opcode)
{
	for (const CombinationRow &row : combinations)
		if (row.opcode == opcode)
			return &row;
	return nullptr;
}

// Work-groups combine integers of 32 and 64 bits; the identity of a wider type is outside of a narrow one.
llvm::Value *narrowed(IRBuilderBase &builder, llvm::Value *wide, llvm::Type *type,
		      const CombinationRow &row)
{
	bool isSigned = row.kind == 's', isMin = row.operation == "min";
	if (isMin || row.operation == "max") {
		unsigned bits = type->getIntegerBitWidth(),
			 wideBits = wide->getType()->getIntegerBitWidth();
		APInt limit = isMin ? (isSigned ? APInt::getSignedMaxValue(bits).sext(wideBits)
						: APInt::getMaxValue(bits).zext(wideBits))
				    : (isSigned ? APInt::getSignedMinValue(bits).sext(wideBits)
						: APInt::getMinValue(bits).zext(wideBits));
		Intrinsic::ID bound = isMin ? (isSigned ? Intrinsic::smin : Intrinsic::umin)
					    : (isSigned ? Intrinsic::smax : Intrinsic::umax);
		wide = builder.CreateBinaryIntrinsic(bound, wide,
						     ConstantInt::get(wide->getType(), limit));
	}
	return builder.CreateTrunc(wide, type);
}

class Combination
{
	FunctionReader &function;
	const Instruction &instruction;
	const CombinationRow &row;
	bool isWorkGroup;
	std::string name;
	llvm::Value *clusterSize = nullptr;

	llvm::Value *call(llvm::Value *value)
	{
		BuiltinCall call(function.builder, instruction, name);
		bool isSigned = row.kind == 's' || row.kind == 'b';
		call.add(value, isSigned ? Sign::Signed : Sign::Unsigned);
		if (clusterSize)
			call.add(clusterSize);
		return call.convergent().make(value->getType());
	}

	llvm::Value *combine(llvm::Value *value)
	{
		llvm::Type *type = value->getType();
		IRBuilder<> &builder = function.builder;
		if (!isWorkGroup || !type->isIntegerTy() || type->getIntegerBitWidth() >= 32)
			return call(value);
		llvm::Value *wide =
			builder.CreateIntCast(value, builder.getInt32Ty(), row.kind == 's');
		return narrowed(builder, call(wide), type, row);
	}

	void checkKind(llvm::Type *type) const
	{
		llvm::Type *scalar = type->getScalarType();
		bool fits = row.kind == 'f'   ? scalar->isFloatingPointTy()
			    : row.kind == 'b' ? scalar->isIntegerTy(1)
					      : scalar->isIntegerTy() && !scalar->isIntegerTy(1);
		instruction.require(fits,
				    "a value is of another type than those that are combined");
	}

	StringRef groupOperation()
	{
		switch (instruction.enumerant<spv::GroupOperation>(1)) {
		case spv::GroupOperation::Reduce:
			return "reduce_";
		case spv::GroupOperation::InclusiveScan:
			return "scan_inclusive_";
		case spv::GroupOperation::ExclusiveScan:
			return "scan_exclusive_";
		case spv::GroupOperation::ClusteredReduce:
			if (row.family == Family::NonUniform) {
				clusterSize = function.operand(instruction, 3);
				return "clustered_reduce_";
			}
			[[fallthrough]];
		default:
			instruction.fail("unknown operation of a group");
		}
	}

      public:
	Combination(FunctionReader &reader, const Instruction &group, const CombinationRow &entry)
	    : function(reader), instruction(group), row(entry),
	      isWorkGroup(groupScope(reader, group, 0) == GroupScope::WorkGroup)
	{
	}

	void read()
	{
		bool isNonUniform = row.family == Family::NonUniform;
		instruction.require(!isNonUniform || !isWorkGroup, "the scope is no sub-group");
		StringRef kind = groupOperation();
		// Of sub-groups, the functions for those that come to it have all operations.
		name = isWorkGroup ? "work_group_" : "sub_group_";
		bool isBasic =
			row.operation == "add" || row.operation == "min" || row.operation == "max";
		if (!isWorkGroup && !clusterSize && (isNonUniform || !isBasic))
			name += "non_uniform_";
		name += (kind + row.operation).str();
		llvm::Value *value = function.operand(instruction, 2);
		checkKind(value->getType());
		function.define(instruction,
				exchangeComponents(function.builder, instruction, value,
						   [this](llvm::Value *component) {
							   return combine(component);
						   }));
	}
};

void readPredicate(FunctionReader &function, const Instruction &instruction, StringRef name)
{
	bool isWorkGroup = groupScope(function, instruction, 0) == GroupScope::WorkGroup;
	IRBuilder<> &builder = function.builder;
	llvm::Value *number = predicate(builder, instruction, function.operand(instruction, 1));
	CallInst *call = BuiltinCall(builder, instruction,
				     ((isWorkGroup ? "work_group_" : "sub_group_") + name).str())
				 .add(number, Sign::Signed)
				 .convergent()
				 .make(builder.getInt32Ty());
	function.define(instruction, truth(builder, call));
}

// The local id is a number, or a vector of as many as the work-group has dimensions.
void addLocalId(BuiltinCall &call, IRBuilderBase &builder, llvm::Value *id, bool isWorkGroup)
{
	if (!isWorkGroup) {
		call.add(builder.CreateZExtOrTrunc(id, builder.getInt32Ty()));
		return;
	}
	const auto *vector = dyn_cast<FixedVectorType>(id->getType());
	if (!vector) {
		call.addSize(id);
		return;
	}
	for (uint64_t i = 0; i < vector->getNumElements(); i++)
		call.addSize(builder.CreateExtractElement(id, i));
}

void readBroadcast(FunctionReader &function, const Instruction &instruction)
{
	bool isWorkGroup = groupScope(function, instruction, 0) == GroupScope::WorkGroup;
	IRBuilder<> &builder = function.builder;
	llvm::Value *value = function.movedOperand(instruction, 1),
		    *id = function.operand(instruction, 2);
	instruction.require(isWorkGroup ? id->getType()->isIntOrIntVectorTy()
					: id->getType()->isIntegerTy(),
			    "a local id is no integer");
	auto broadcast = [&](llvm::Value *component) -> llvm::Value * {
		llvm::Type *type = component->getType();
		bool isNarrow =
			isWorkGroup && type->isIntegerTy() && type->getIntegerBitWidth() < 32;
		llvm::Value *number =
			isNarrow ? builder.CreateZExt(component, builder.getInt32Ty()) : component;
		BuiltinCall call(builder, instruction,
				 isWorkGroup ? "work_group_broadcast" : "sub_group_broadcast");
		call.add(number);
		addLocalId(call, builder, id, isWorkGroup);
		llvm::Value *result = call.convergent().make(number->getType());
		return isNarrow ? builder.CreateTrunc(result, type) : result;
	};
	function.define(instruction, exchangeComponents(builder, instruction, value, broadcast));
}

} // namespace

bool readGroup(FunctionReader &function, const Instruction &instruction)
{
	if (const CombinationRow *row = findCombination(instruction.opcode)) {
		Combination(function, instruction, *row).read();
		return true;
	}
	switch (instruction.opcode) {
	case spv::Op::OpGroupAll:
		readPredicate(function, instruction, "all");
		return true;
	case spv::Op::OpGroupAny:
		readPredicate(function, instruction, "any");
		return true;
	case spv::Op::OpGroupBroadcast:
		readBroadcast(function, instruction);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
