// SPDX-License-Identifier: MIT
//
// Instructions of sub-groups: votes, ballots, broadcasts and shuffles, also those of SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote
// and SPV_INTEL_subgroups.
#include "spirv/builtin_instructions.h"
#include "spirv/function_reader.h"
#include "spirv/group_values.h"
#include "spirv/scopes.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

class SubGroup
{
	FunctionReader &function;
	const Instruction &instruction;
	IRBuilder<> &builder;
	unsigned first; // the operand behind the scope, if there is one

	llvm::Type *integer() const
	{
		return builder.getInt32Ty();
	}
	llvm::Value *operand(unsigned index)
	{
		return function.operand(instruction, first + index);
	}

	BuiltinCall call(StringRef name)
	{
		BuiltinCall call(builder, instruction, ("sub_group_" + name).str());
		call.convergent();
		return call;
	}

	// A lane, a distance, a mask or a size.
	llvm::Value *number(unsigned index)
	{
		llvm::Value *value = operand(index);
		instruction.require(value->getType()->isIntegerTy(), "an operand is no integer");
		return builder.CreateZExtOrTrunc(value, integer());
	}

	llvm::Value *ballotOperand(unsigned index)
	{
		llvm::Value *value = operand(index);
		instruction.require(value->getType() == FixedVectorType::get(integer(), 4),
				    "a ballot is no vector of four integers");
		return value;
	}

	void defineExchange(llvm::Value *value, function_ref<llvm::Value *(llvm::Value *)> exchange)
	{
		function.define(instruction,
				exchangeComponents(builder, instruction, value, exchange));
	}

	llvm::Value *shuffle(StringRef name, llvm::Value *value, llvm::Value *argument)
	{
		return call(name).add(value).add(argument).make(value->getType());
	}

      public:
	SubGroup(FunctionReader &reader, const Instruction &group, bool hasScope)
	    : function(reader), instruction(group), builder(reader.builder), first(hasScope ? 1 : 0)
	{
		if (hasScope)
			requireSubGroup(reader, group, 0);
	}

	void elect()
	{
		function.define(instruction, truth(builder, call("elect").make(integer())));
	}

	void vote(StringRef name)
	{
		llvm::Value *number = predicate(builder, instruction, operand(0));
		function.define(
			instruction,
			truth(builder, call(name).add(number, Sign::Signed).make(integer())));
	}

	void voteEqual()
	{
		llvm::Value *value = operand(0), *all = builder.getTrue();
		auto compare = [&](llvm::Value *component) {
			llvm::Value *equal =
				call("non_uniform_all_equal").add(component).make(integer());
			all = builder.CreateAnd(all, truth(builder, equal));
			return component;
		};
		exchangeComponents(builder, instruction, value, compare);
		function.define(instruction, all);
	}

	void ballot()
	{
		llvm::Value *number = predicate(builder, instruction, operand(0));
		function.define(instruction, call("ballot")
						     .add(number, Sign::Signed)
						     .make(FixedVectorType::get(integer(), 4)));
	}

	void inverseBallot()
	{
		llvm::Value *result = call("inverse_ballot").add(ballotOperand(0)).make(integer());
		function.define(instruction, truth(builder, result));
	}

	void ballotBit()
	{
		llvm::Value *ballot = ballotOperand(0);
		llvm::Value *result =
			call("ballot_bit_extract").add(ballot).add(number(1)).make(integer());
		function.define(instruction, truth(builder, result));
	}

	// How many bits, or where the first or last of them is.
	void ballotNumber(StringRef name)
	{
		function.define(instruction, call(name).add(ballotOperand(0)).make(integer()));
	}

	void ballotCount()
	{
		static constexpr StringRef names[] = {"ballot_bit_count", "ballot_inclusive_scan",
						      "ballot_exclusive_scan"};
		uint32_t operation = instruction.literal(first);
		instruction.require(operation < std::size(names), "unknown operation of a group");
		function.define(instruction,
				call(names[operation]).add(ballotOperand(1)).make(integer()));
	}

	void broadcastFirst()
	{
		defineExchange(operand(0), [&](llvm::Value *value) -> llvm::Value * {
			return call("broadcast_first").add(value).make(value->getType());
		});
	}

	// What another lane has, which an operand tells.
	void exchange(StringRef name)
	{
		llvm::Value *argument = number(1);
		defineExchange(operand(0),
			       [&](llvm::Value *value) { return shuffle(name, value, argument); });
	}

	void rotate()
	{
		llvm::Value *distance = number(1);
		bool isClustered = instruction.size() > first + 2;
		llvm::Value *size = isClustered ? number(2) : nullptr;
		defineExchange(operand(0), [&](llvm::Value *value) -> llvm::Value * {
			BuiltinCall rotation = call(isClustered ? "clustered_rotate" : "rotate");
			rotation.add(value).add(distance, Sign::Signed);
			if (isClustered)
				rotation.add(size);
			return rotation.make(value->getType());
		});
	}

	// The lanes of two values, one behind the other, moved by a distance.
	void shuffleTwo(StringRef name)
	{
		llvm::Value *value = operand(0), *second = operand(1), *distance = number(2);
		instruction.require(value->getType() == second->getType(),
				    "the two values are of different types");
		bool isVector = value->getType()->isVectorTy();
		uint64_t next = 0;
		defineExchange(value, [&](llvm::Value *component) -> llvm::Value * {
			llvm::Value *other =
				isVector ? builder.CreateExtractElement(second, next++) : second;
			instruction.require(other->getType() == component->getType(),
					    "truth values are not shuffled from two");
			return intel(name).add(component).add(other).add(distance).make(
				component->getType());
		});
	}

	// The lanes' elements stand one behind the other in memory, or in a row of an image.
	void blockRead(bool isImage)
	{
		llvm::Type *type = function.resultType(instruction).llvm;
		BuiltinCall block = intel("block_read" + blockSuffix(type));
		addBlockPlace(block, isImage, type, true);
		function.define(instruction, block.make(type));
	}

	void blockWrite(bool isImage)
	{
		llvm::Value *data = operand(isImage ? 2 : 1);
		llvm::Type *type = data->getType();
		BuiltinCall block = intel("block_write" + blockSuffix(type));
		addBlockPlace(block, isImage, type, false);
		block.add(data).make(builder.getVoidTy());
	}

      private:
	BuiltinCall intel(const Twine &name)
	{
		BuiltinCall call(builder, instruction, ("intel_sub_group_" + name).str());
		call.convergent();
		return call;
	}

	// Of a function for blocks of a type.
	std::string blockSuffix(llvm::Type *type) const
	{
		const auto *vector = dyn_cast<FixedVectorType>(type);
		std::string lanes = vector ? utostr(vector->getNumElements()) : "";
		instruction.require(type->isIntOrIntVectorTy(),
				    "a block does not consist of integers");
		switch (type->getScalarSizeInBits()) {
		case 8:
			return "_uc" + lanes;
		case 16:
			return "_us" + lanes;
		case 32:
			return lanes;
		default:
			return "_ul" + lanes;
		}
	}

	void addBlockPlace(BuiltinCall &block, bool isImage, llvm::Type *type, bool isRead)
	{
		if (isImage) {
			block.add(operand(0)).add(operand(1), Sign::Signed);
			return;
		}
		std::optional<BuiltinType> element =
			builtinType(*type->getScalarType(), Sign::Unsigned);
		if (!element)
			instruction.fail("a block does not consist of integers");
		if (isRead)
			block.addConstPointer(operand(0), *element);
		else
			block.addPointer(operand(0), *element);
	}
};

bool readVote(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpGroupNonUniformElect:
		SubGroup(function, instruction, true).elect();
		return true;
	case spv::Op::OpGroupNonUniformAll:
		SubGroup(function, instruction, true).vote("non_uniform_all");
		return true;
	case spv::Op::OpGroupNonUniformAny:
		SubGroup(function, instruction, true).vote("non_uniform_any");
		return true;
	case spv::Op::OpGroupNonUniformAllEqual:
		SubGroup(function, instruction, true).voteEqual();
		return true;
	case spv::Op::OpSubgroupAllKHR:
		SubGroup(function, instruction, false).vote("non_uniform_all");
		return true;
	case spv::Op::OpSubgroupAnyKHR:
		SubGroup(function, instruction, false).vote("non_uniform_any");
		return true;
	case spv::Op::OpSubgroupAllEqualKHR:
		SubGroup(function, instruction, false).voteEqual();
		return true;
	default:
		return false;
	}
}

bool readBallot(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpGroupNonUniformBallot:
		SubGroup(function, instruction, true).ballot();
		return true;
	case spv::Op::OpSubgroupBallotKHR:
		SubGroup(function, instruction, false).ballot();
		return true;
	case spv::Op::OpGroupNonUniformInverseBallot:
		SubGroup(function, instruction, true).inverseBallot();
		return true;
	case spv::Op::OpGroupNonUniformBallotBitExtract:
		SubGroup(function, instruction, true).ballotBit();
		return true;
	case spv::Op::OpGroupNonUniformBallotBitCount:
		SubGroup(function, instruction, true).ballotCount();
		return true;
	case spv::Op::OpGroupNonUniformBallotFindLSB:
		SubGroup(function, instruction, true).ballotNumber("ballot_find_lsb");
		return true;
	case spv::Op::OpGroupNonUniformBallotFindMSB:
		SubGroup(function, instruction, true).ballotNumber("ballot_find_msb");
		return true;
	default:
		return false;
	}
}

bool readShuffle(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpGroupNonUniformBroadcast:
		SubGroup(function, instruction, true).exchange("non_uniform_broadcast");
		return true;
	case spv::Op::OpGroupNonUniformBroadcastFirst:
		SubGroup(function, instruction, true).broadcastFirst();
		return true;
	case spv::Op::OpSubgroupFirstInvocationKHR:
		SubGroup(function, instruction, false).broadcastFirst();
		return true;
	case spv::Op::OpGroupNonUniformShuffle:
		SubGroup(function, instruction, true).exchange("shuffle");
		return true;
	case spv::Op::OpGroupNonUniformShuffleXor:
		SubGroup(function, instruction, true).exchange("shuffle_xor");
		return true;
	case spv::Op::OpGroupNonUniformShuffleUp:
		SubGroup(function, instruction, true).exchange("shuffle_up");
		return true;
	case spv::Op::OpGroupNonUniformShuffleDown:
		SubGroup(function, instruction, true).exchange("shuffle_down");
		return true;
	case spv::Op::OpGroupNonUniformRotateKHR:
		SubGroup(function, instruction, true).rotate();
		return true;
	case spv::Op::OpSubgroupReadInvocationKHR:
	case spv::Op::OpSubgroupShuffleINTEL:
		SubGroup(function, instruction, false).exchange("shuffle");
		return true;
	case spv::Op::OpSubgroupShuffleXorINTEL:
		SubGroup(function, instruction, false).exchange("shuffle_xor");
		return true;
	default:
		return false;
	}
}

bool readIntel(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpSubgroupShuffleDownINTEL:
		SubGroup(function, instruction, false).shuffleTwo("shuffle_down");
		return true;
	case spv::Op::OpSubgroupShuffleUpINTEL:
		SubGroup(function, instruction, false).shuffleTwo("shuffle_up");
		return true;
	case spv::Op::OpSubgroupBlockReadINTEL:
		SubGroup(function, instruction, false).blockRead(false);
		return true;
	case spv::Op::OpSubgroupBlockWriteINTEL:
		SubGroup(function, instruction, false).blockWrite(false);
		return true;
	case spv::Op::OpSubgroupImageBlockReadINTEL:
		SubGroup(function, instruction, false).blockRead(true);
		return true;
	case spv::Op::OpSubgroupImageBlockWriteINTEL:
		SubGroup(function, instruction, false).blockWrite(true);
		return true;
	default:
		return false;
	}
}

} // namespace

bool readSubGroup(FunctionReader &function, const Instruction &instruction)
{
	return readVote(function, instruction) || readBallot(function, instruction) ||
	       readShuffle(function, instruction) || readIntel(function, instruction);
}

} // namespace weft::spirv
