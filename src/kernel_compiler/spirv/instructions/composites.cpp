/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.12, composites: vectors, arrays and structures as values.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

namespace weft::spirv
{

/* Not folded: each constant that this would make is as large as the aggregate. */
static llvm::Value *insertValue(FunctionReader &function, llvm::Value *aggregate, llvm::Value *part,
				llvm::ArrayRef<unsigned> indices)
{
	return function.builder.Insert(llvm::InsertValueInst::Create(aggregate, part, indices));
}

static Value vectorOperand(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	Value value = function.value(instruction, index);
	instruction.require(value.type->is(Type::Vector),
			    "operand " + llvm::Twine(index + 1) + " is no vector");
	return value;
}

static llvm::Value *indexOperand(FunctionReader &function, const Instruction &instruction,
				 unsigned index)
{
	Value value = function.value(instruction, index);
	instruction.require(value.type->is(Type::Int), "the index is no integer");
	return value.value;
}

static void readShuffle(FunctionReader &function, const Instruction &instruction)
{
	Value left = vectorOperand(function, instruction, 0);
	Value right = vectorOperand(function, instruction, 1);
	llvm::SmallVector<int, 16> mask;
	uint64_t both = left.type->count + right.type->count;
	llvm::IRBuilder<> &builder = function.builder;

	instruction.require(left.type->element->llvm == right.type->element->llvm,
			    "the vectors have different components");
	/* LLVM's shuffle takes vectors of one length. */
	uint64_t longest = std::max(left.type->count, right.type->count);
	const auto lengthen = [&](const Value &vector) {
		if (vector.type->count == longest)
			return vector.value;
		llvm::SmallVector<int, 16> all(longest, llvm::PoisonMaskElem);
		for (uint64_t i = 0; i < vector.type->count; i++)
			all[i] = static_cast<int>(i);
		return builder.CreateShuffleVector(vector.value, all);
	};
	for (unsigned i = 2; i < instruction.size(); i++) {
		uint32_t component = instruction.literal(i);
		instruction.require(component < both || component == UINT32_MAX,
				    "a component is in neither vector");
		bool isRight = component != UINT32_MAX && component >= left.type->count;
		mask.push_back(
			component == UINT32_MAX
				? llvm::PoisonMaskElem
				: static_cast<int>(isRight ? component - left.type->count + longest
							   : component));
	}
	instruction.require(!mask.empty(), "it has no components");
	function.define(instruction,
			builder.CreateShuffleVector(lengthen(left), lengthen(right), mask));
}

/* A vector of numbers and vectors, one behind the other. */
static llvm::Value *constructVector(FunctionReader &function, const Instruction &instruction,
				    const Type &type)
{
	llvm::IRBuilder<> &builder = function.builder;
	llvm::Value *vector = llvm::PoisonValue::get(type.llvm);
	uint64_t filled = 0;

	for (unsigned i = 0; i < instruction.size(); i++) {
		Value part = function.value(instruction, i);
		bool isVector = part.type->is(Type::Vector);
		uint64_t count = isVector ? part.type->count : 1;
		instruction.require(part.type->scalar().llvm == type.element->llvm &&
					    filled + count <= type.count,
				    "a part does not fit into the vector");
		for (uint64_t k = 0; k < count; k++)
			vector = builder.CreateInsertElement(
				vector,
				isVector ? builder.CreateExtractElement(part.value, k) : part.value,
				filled++);
	}
	instruction.require(filled == type.count, "the vector has more components");
	return vector;
}

static void readConstruct(FunctionReader &function, const Instruction &instruction)
{
	const Type &type = function.resultType(instruction);

	if (type.is(Type::Vector)) {
		function.define(instruction, constructVector(function, instruction, type));
		return;
	}
	instruction.require(type.isAggregate(), "its type has no parts");
	checkParts(instruction, type);
	instruction.require(instruction.size() ==
				    (type.is(Type::Struct) ? type.members.size() : type.count),
			    "it has not the parts of its type");
	llvm::Value *value = llvm::PoisonValue::get(type.llvm);
	for (unsigned i = 0; i < instruction.size(); i++) {
		const Type &wanted = type.is(Type::Struct) ? *type.members[i] : *type.element;
		llvm::Value *part = function.movedOperand(instruction, i);
		instruction.require(part->getType() == wanted.llvm,
				    "part " + llvm::Twine(i) + " is not of its member's type");
		value = insertValue(function, value, part, i);
	}
	function.define(instruction, value);
}

/* The part that literal indices lead to: its aggregate indices, and the component when the last selects one of a vector. */
struct Part {
	llvm::SmallVector<unsigned, 8> indices;
	const Type *type;             /* of the part */
	const Type *vector = nullptr; /* that it is a component of */
	unsigned component = 0;
};

static Part partOf(const Instruction &instruction, const Type &type, unsigned first)
{
	Part part = {{}, &type};

	for (unsigned i = first; i < instruction.size(); i++) {
		uint32_t index = instruction.literal(i);
		const Type &whole = *part.type;
		instruction.require(whole.is(Type::Struct) || whole.is(Type::Array) ||
					    whole.is(Type::Vector),
				    "an index is for a value without parts");
		instruction.require(
			index < (whole.is(Type::Struct) ? whole.members.size() : whole.count),
			"there is no part " + llvm::Twine(index));
		part.type = whole.is(Type::Struct) ? whole.members[index] : whole.element;
		if (whole.is(Type::Vector)) {
			part.vector = &whole;
			part.component = index;
		} else {
			part.indices.push_back(index);
		}
	}
	return part;
}

static void readExtract(FunctionReader &function, const Instruction &instruction)
{
	Value composite = function.value(instruction, 0);
	Part part = partOf(instruction, *composite.type, 1);
	llvm::Value *value = composite.value;

	if (!part.indices.empty())
		value = function.builder.CreateExtractValue(value, part.indices);
	if (part.vector)
		value = function.builder.CreateExtractElement(value, uint64_t{part.component});
	function.define(instruction, value);
}

static void readInsert(FunctionReader &function, const Instruction &instruction)
{
	llvm::Value *object = function.movedOperand(instruction, 0);
	Value composite = function.value(instruction, 1);
	Part part = partOf(instruction, *composite.type, 2);
	llvm::IRBuilder<> &builder = function.builder;

	instruction.require(object->getType() == part.type->llvm,
			    "the object is not of the part's type");
	if (part.vector) {
		llvm::Value *vector =
			part.indices.empty()
				? composite.value
				: builder.CreateExtractValue(composite.value, part.indices);
		object = builder.CreateInsertElement(vector, object, uint64_t{part.component});
	}
	function.define(instruction, part.indices.empty() ? object
							  : insertValue(function, composite.value,
									object, part.indices));
}

/* OpCopyLogical: to a type whose members are of the same kinds. */
static llvm::Value *copyLogical(FunctionReader &function, const Instruction &instruction,
				llvm::Value *value, const Type &from, const Type &to)
{
	if (from.llvm == to.llvm)
		return value;
	bool isStruct = from.is(Type::Struct);
	uint64_t count = isStruct ? from.members.size() : from.count;
	instruction.require(from.kind == to.kind && from.isAggregate() &&
				    count == (isStruct ? to.members.size() : to.count),
			    "the types do not match logically");
	function.module.multiply(instruction, count);
	llvm::Value *copy = llvm::PoisonValue::get(to.llvm);
	for (unsigned i = 0; i < count; i++) {
		llvm::Value *part = copyLogical(function, instruction,
						function.builder.CreateExtractValue(value, i),
						isStruct ? *from.members[i] : *from.element,
						isStruct ? *to.members[i] : *to.element);
		copy = insertValue(function, copy, part, i);
	}
	return copy;
}

bool readComposite(FunctionReader &function, const Instruction &instruction)
{
	llvm::IRBuilder<> &builder = function.builder;

	switch (instruction.opcode) {
	case spv::Op::OpVectorExtractDynamic: {
		llvm::Value *vector = vectorOperand(function, instruction, 0).value;
		function.define(instruction,
				builder.CreateExtractElement(
					vector, indexOperand(function, instruction, 1)));
		return true;
	}
	case spv::Op::OpVectorInsertDynamic: {
		Value vector = vectorOperand(function, instruction, 0);
		llvm::Value *component = function.movedOperand(instruction, 1);
		instruction.require(component->getType() == vector.type->element->llvm,
				    "the component is not of the vector's type");
		function.define(instruction, builder.CreateInsertElement(
						     vector.value, component,
						     indexOperand(function, instruction, 2)));
		return true;
	}
	case spv::Op::OpVectorShuffle:
		readShuffle(function, instruction);
		return true;
	case spv::Op::OpCompositeConstruct:
		readConstruct(function, instruction);
		return true;
	case spv::Op::OpCompositeExtract:
		readExtract(function, instruction);
		return true;
	case spv::Op::OpCompositeInsert:
		readInsert(function, instruction);
		return true;
	case spv::Op::OpCopyObject:
		function.define(instruction, function.movedOperand(instruction, 0));
		return true;
	case spv::Op::OpCopyLogical: {
		Value value = function.value(instruction, 0);
		function.define(instruction,
				copyLogical(function, instruction, value.value, *value.type,
					    function.resultType(instruction)));
		return true;
	}
	case spv::Op::OpUndef: {
		const Type &type = function.resultType(instruction);
		instruction.require(type.size, "its type has no values");
		function.define(instruction, llvm::UndefValue::get(type.llvm));
		return true;
	}
	default:
		return false;
	}
}

} // namespace weft::spirv
