/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.17, control flow.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/instruction_readers.h"

#include "llvm/IR/MDBuilder.h"

#include <unordered_set>

namespace weft::spirv
{

static void readPhi(FunctionReader &function, const Instruction &instruction)
{
	const Type &type = function.resultType(instruction);
	llvm::BasicBlock *block = function.builder.GetInsertBlock();

	instruction.require(type.size || type.is(Type::Image) || type.is(Type::Pipe),
			    "its type has no values");
	instruction.require(block->empty() || llvm::isa<llvm::PHINode>(block->back()),
			    "it does not stand at its block's beginning");
	llvm::PHINode *phi = function.builder.CreatePHI(type.llvm, instruction.size() / 2);
	function.addPhi(instruction, phi);
	function.define(instruction, phi);
}

static void readConditional(FunctionReader &function, const Instruction &instruction)
{
	Value condition = function.value(instruction, 0);

	instruction.require(condition.type->is(Type::Bool), "the condition is no truth value");
	instruction.require(instruction.size() == 3 || instruction.size() == 5,
			    "there is one weight, not two or none");
	llvm::BranchInst *branch = function.builder.CreateCondBr(
		condition.value, function.block(instruction, 1), function.block(instruction, 2));
	if (instruction.size() == 5 && (instruction.literal(3) || instruction.literal(4)))
		branch->setMetadata(llvm::LLVMContext::MD_prof,
				    llvm::MDBuilder(function.module.context)
					    .createBranchWeights(instruction.literal(3),
								 instruction.literal(4)));
	function.endBlock();
}

static void readSwitch(FunctionReader &function, const Instruction &instruction)
{
	Value selector = function.value(instruction, 0);
	unsigned bits = selector.type->bits, words = bits > 32 ? 2 : 1;
	std::unordered_set<uint64_t> seen;

	instruction.require(selector.type->is(Type::Int), "the selector is no integer");
	instruction.require((instruction.size() - 2) % (words + 1) == 0,
			    "its literals have not the width of the selector");
	llvm::SwitchInst *made =
		function.builder.CreateSwitch(selector.value, function.block(instruction, 1),
					      (instruction.size() - 2) / (words + 1));
	for (unsigned i = 2; i < instruction.size(); i += words + 1) {
		llvm::APInt literal(bits, instruction.literal(i, bits), false, true);
		instruction.require(seen.insert(literal.getZExtValue()).second,
				    "a literal stands there twice");
		made->addCase(llvm::ConstantInt::get(function.module.context, literal),
			      function.block(instruction, i + words));
	}
	function.endBlock();
}

static void readReturn(FunctionReader &function, const Instruction &instruction)
{
	llvm::Type *type = function.function.getReturnType();

	if (instruction.opcode == spv::Op::OpReturn) {
		instruction.require(type->isVoidTy(), "the function returns a value");
		function.builder.CreateRetVoid();
	} else {
		llvm::Value *value = function.movedOperand(instruction, 0);
		instruction.require(value->getType() == type,
				    "the value is not of the function's type");
		function.builder.CreateRet(value);
	}
	function.endBlock();
}

/* What a loop control asks for, as Clang writes it for #pragma unroll and its kind. */
static void readLoopMerge(FunctionReader &function, const Instruction &instruction, unsigned index)
{
	llvm::LLVMContext &context = function.module.context;
	uint32_t mask = instruction.literal(index++);
	llvm::SmallVector<llvm::Metadata *, 4> rows = {nullptr};
	const auto has = [&](spv::LoopControlMask bit) {
		return (mask & static_cast<uint32_t>(bit)) != 0;
	};
	const auto add = [&](llvm::StringRef name, std::optional<uint32_t> number) {
		llvm::SmallVector<llvm::Metadata *, 2> row = {llvm::MDString::get(context, name)};
		if (number)
			row.push_back(
				llvm::ConstantAsMetadata::get(function.builder.getInt32(*number)));
		rows.push_back(llvm::MDNode::get(context, row));
	};

	if (has(spv::LoopControlMask::DependencyLength))
		index++;
	if (has(spv::LoopControlMask::MinIterations))
		index++;
	if (has(spv::LoopControlMask::MaxIterations))
		index++;
	if (has(spv::LoopControlMask::IterationMultiple))
		index++;
	if (has(spv::LoopControlMask::PeelCount))
		index++;
	uint32_t count = has(spv::LoopControlMask::PartialCount) ? instruction.literal(index) : 0;
	if (has(spv::LoopControlMask::DontUnroll) || count == 1)
		add("llvm.loop.unroll.disable", {});
	else if (count)
		add("llvm.loop.unroll.count", count);
	else if (has(spv::LoopControlMask::Unroll))
		add("llvm.loop.unroll.enable", {});
	if (rows.size() == 1)
		return;
	llvm::MDNode *control = llvm::MDNode::getDistinct(context, rows);
	control->replaceOperandWith(0, control);
	function.setLoopControl(control);
}

bool readControlFlow(FunctionReader &function, const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpPhi:
		readPhi(function, instruction);
		return true;
	case spv::Op::OpBranch:
		function.builder.CreateBr(function.block(instruction, 0));
		function.endBlock();
		return true;
	case spv::Op::OpBranchConditional:
		readConditional(function, instruction);
		return true;
	case spv::Op::OpSwitch:
		readSwitch(function, instruction);
		return true;
	case spv::Op::OpReturn:
	case spv::Op::OpReturnValue:
		readReturn(function, instruction);
		return true;
	case spv::Op::OpUnreachable:
		function.builder.CreateUnreachable();
		function.endBlock();
		return true;
	case spv::Op::OpSelectionMerge:
		return true;
	case spv::Op::OpLoopMerge:
		readLoopMerge(function, instruction, 2);
		return true;
	case spv::Op::OpLoopControlINTEL:
		readLoopMerge(function, instruction, 0);
		return true;
	default:
		return false;
	}
}

} // namespace weft::spirv
