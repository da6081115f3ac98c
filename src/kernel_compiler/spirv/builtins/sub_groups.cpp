// SPDX-License-Identifier: MIT
//
// Instructions of sub-groups: votes, ballots, broadcasts and shuffles, also those of SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote
// and SPV_INTEL_subgroups. sub_groups.def lists them.
#include "spirv/builtins/group_values.h"
#include "spirv/builtins/scopes.h"
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

struct SubGroupRow {
	spv::Op opcode;
	bool hasScope;
	StringRef function;
	StringRef operands;
	char result;
};

constexpr SubGroupRow subGroupRows[] = {
#define SUB_GROUP(opcode, function, operands, result)                                              \
	{spv::Op::opcode, true, function, operands, result},
#define SUB_GROUP_OF_ALL(opcode, function, operands, result)                                       \
	{spv::Op::opcode, false, function, operands, result},
#include "spirv/builtins/sub_groups.def"
#undef SUB_GROUP
#undef SUB_GROUP_OF_ALL
};

class SubGroupCall
{
	FunctionReader &function;
	const Instruction &instruction;
	const SubGroupRow &row;
	IRBuilder<> &builder;
	std::string name;
	SmallVector<llvm::Value *, 4> arguments;

	llvm::Type *integer() const
	{
		return builder.getInt32Ty();
	}
	llvm::Type *ballot() const
	{
		return FixedVectorType::get(integer(), 4);
	}

	void readOperation(unsigned index)
	{
		static constexpr StringRef names[] = {"bit_count", "inclusive_scan",
						      "exclusive_scan"};
		uint32_t operation = instruction.literal(index);
		instruction.require(operation < std::size(names), "unknown operation of a group");
		name += names[operation];
	}

	// The argument that an operand of this letter makes.
	llvm::Value *read(char letter, unsigned index)
	{
		llvm::Value *value = row.result == 'v' ? function.movedOperand(instruction, index)
						       : function.operand(instruction, index);
		switch (letter) {
		case 'p':
			return predicate(builder, instruction, value);
		case 'b':
			instruction.require(value->getType() == ballot(),
					    "a ballot is no vector of four integers");
			return value;
		case 'n':
		case 'd':
			instruction.require(value->getType()->isIntegerTy(),
					    "an operand is no integer");
			return builder.CreateZExtOrTrunc(value, integer());
		case 'w':
			instruction.require(value->getType() == arguments.front()->getType(),
					    "the two values are of different types");
			instruction.require(!value->getType()->isIntOrIntVectorTy(1),
					    "truth values are not shuffled from two");
			return value;
		default:
			return value;
		}
	}

	// Of a value that is a vector, the component of this number.
	llvm::Value *part(llvm::Value *value, uint64_t number)
	{
		return value->getType()->isVectorTy() ? builder.CreateExtractElement(value, number)
						      : value;
	}

	// `component`: of the value, as functions take it; NULL: there is none.
	llvm::Value *make(llvm::Value *component, uint64_t number)
	{
		BuiltinCall call(builder, instruction, name);
		const auto *argument = arguments.begin();
		for (char letter : row.operands) {
			bool isSigned = letter == 'p' || letter == 'd';
			if (letter == 'o')
				continue;
			call.add(letter == 'v'   ? component
				 : letter == 'w' ? part(*argument, number)
						 : *argument,
				 isSigned ? Sign::Signed : Sign::Unsigned);
			argument++;
		}
		return call.convergent().make(row.result == 'v'   ? component->getType()
					      : row.result == 'b' ? ballot()
								  : integer());
	}

	// A call for each component of the value.
	llvm::Value *makeParts()
	{
		uint64_t next = 0;
		llvm::Value *all = builder.getTrue();
		llvm::Value *exchanged = exchangeComponents(
			builder, instruction, arguments.front(), [&](llvm::Value *component) {
				llvm::Value *made = make(component, next++);
				if (row.result == 'v')
					return made;
				all = builder.CreateAnd(all, truth(builder, made));
				return component;
			});
		return row.result == 'v' ? exchanged : all;
	}

      public:
	SubGroupCall(FunctionReader &reader, const Instruction &group, const SubGroupRow &entry)
	    : function(reader), instruction(group), row(entry), builder(reader.builder),
	      name(entry.function)
	{
		unsigned index = 0;
		if (row.hasScope)
			requireSubGroup(reader, group, index++);
		for (char letter : row.operands) {
			if (letter == 'o')
				readOperation(index++);
			else
				arguments.push_back(read(letter, index++));
		}
	}

	void define()
	{
		llvm::Value *value = nullptr;
		if (row.operands.starts_with("v"))
			value = makeParts();
		else if (row.result == 't')
			value = truth(builder, make(nullptr, 0));
		else
			value = make(nullptr, 0);
		function.define(instruction, value);
	}
};

} // namespace

bool readSubGroup(FunctionReader &function, const Instruction &instruction)
{
	for (const SubGroupRow &row : subGroupRows) {
		if (row.opcode == instruction.opcode &&
		    row.operands.size() + (row.hasScope ? 1 : 0) == instruction.size()) {
			SubGroupCall(function, instruction, row).define();
			return true;
		}
	}
	return false;
}

} // namespace weft::spirv
