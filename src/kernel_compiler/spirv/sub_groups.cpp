// SPDX-License-Identifier: MIT
//
// Instructions of sub-groups: votes, ballots, broadcasts and shuffles, also those of SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote
// and SPV_INTEL_subgroups.
#include "spirv/builtin_instructions.h"
#include "spirv/function_reader.h"
#include "spirv/group_values.h"
#include "spirv/scopes.h"

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

	llvm::Value *query(StringRef name)
	{
		return BuiltinCall(builder, instruction, name).make(integer());
	}

	// The lanes of two values, one behind the other, moved by a distance: of Intel's.
	void shuffleTwo(bool isUp)
	{
		llvm::Value *distance = number(2), *second = operand(1);
		llvm::Value *lane = query("get_sub_group_local_id"),
			    *size = query("get_max_sub_group_size");
		// Counted from the start of the first value.
		llvm::Value *from =
			isUp ? builder.CreateSub(builder.CreateAdd(lane, size), distance)
			     : builder.CreateAdd(lane, distance);
		llvm::Value *inFirst = builder.CreateICmpULT(from, size),
			    *behind = builder.CreateSub(from, size);
		instruction.require(second->getType() == operand(0)->getType(),
				    "the two values are of different types");
		// A lane that the sub-group does not have gives some value; it is not asked for by what is chosen.
		auto both = [&](llvm::Value *value, llvm::Value *other) {
			llvm::Value *near = shuffle("shuffle", value, from),
				    *far = shuffle("shuffle", other, behind);
			return builder.CreateSelect(inFirst, near, far);
		};
		const auto *vector = dyn_cast<FixedVectorType>(second->getType());
		uint64_t next = 0;
		defineExchange(operand(0), [&](llvm::Value *value) {
			return both(value,
				    vector ? builder.CreateExtractElement(second, next++) : second);
		});
	}

	// Each lane's elements stand a sub-group's width apart.
	llvm::Value *blockElement(llvm::Value *pointer, llvm::Type *element, uint64_t index)
	{
		llvm::Value *lane = query("get_sub_group_local_id"),
			    *size = query("get_max_sub_group_size");
		llvm::Value *place = builder.CreateAdd(
			lane,
			builder.CreateMul(size, builder.getInt32(static_cast<uint32_t>(index))));
		return builder.CreateGEP(element, pointer,
					 builder.CreateZExt(place, builder.getInt64Ty()));
	}

	void checkBlock(llvm::Value *pointer, llvm::Type *type) const
	{
		instruction.require(pointer->getType()->isPointerTy(), "an operand is no pointer");
		instruction.require(type->isIntOrIntVectorTy() && type->getScalarSizeInBits() >= 8,
				    "a block does not consist of integers");
	}

	void blockRead()
	{
		llvm::Type *type = function.resultType(instruction).llvm,
			   *element = type->getScalarType();
		llvm::Value *pointer = operand(0);
		checkBlock(pointer, type);
		const auto *vector = dyn_cast<FixedVectorType>(type);
		Align alignment(element->getScalarSizeInBits() / 8);
		auto load = [&](uint64_t index) {
			return builder.CreateAlignedLoad(
				element, blockElement(pointer, element, index), alignment);
		};
		if (!vector) {
			function.define(instruction, load(0));
			return;
		}
		llvm::Value *result = PoisonValue::get(type);
		for (uint64_t i = 0; i < vector->getNumElements(); i++)
			result = builder.CreateInsertElement(result, load(i), i);
		function.define(instruction, result);
	}

	void blockWrite()
	{
		llvm::Value *pointer = operand(0), *data = operand(1);
		llvm::Type *type = data->getType(), *element = type->getScalarType();
		checkBlock(pointer, type);
		const auto *vector = dyn_cast<FixedVectorType>(type);
		Align alignment(element->getScalarSizeInBits() / 8);
		for (uint64_t i = 0; i < (vector ? vector->getNumElements() : 1); i++)
			builder.CreateAlignedStore(vector ? builder.CreateExtractElement(data, i)
							  : data,
						   blockElement(pointer, element, i), alignment);
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
		SubGroup(function, instruction, false).shuffleTwo(false);
		return true;
	case spv::Op::OpSubgroupShuffleUpINTEL:
		SubGroup(function, instruction, false).shuffleTwo(true);
		return true;
	case spv::Op::OpSubgroupBlockReadINTEL:
		SubGroup(function, instruction, false).blockRead();
		return true;
	case spv::Op::OpSubgroupBlockWriteINTEL:
		SubGroup(function, instruction, false).blockWrite();
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
