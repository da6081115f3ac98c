/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.7, OpSpecConstantOp.
 */
#include "spirv/binary/grammar.h"
#include "spirv/functions/function_reader.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/ValueHandle.h"

namespace weft::spirv
{

constexpr unsigned mostOfExpression = 256;

/* Addresses are constants without a number: what is computed of them is an expression, which LLVM writes out as a tree.
 * `room`: of how many operations it may still be. */
static bool isSmallExpression(const llvm::Constant &constant, unsigned &room)
{
	if (!llvm::isa<llvm::ConstantExpr, llvm::ConstantAggregate>(constant))
		return true;
	if (llvm::isa<llvm::ConstantExpr>(constant) && room-- == 0)
		return false;
	return llvm::all_of(constant.operands(), [&room](const llvm::Use &part) {
		return isSmallExpression(*llvm::cast<llvm::Constant>(part.get()), room);
	});
}

static void checkExpression(const Instruction &operation, const llvm::Constant &constant)
{
	unsigned room = mostOfExpression;

	operation.require(isSmallExpression(constant, room),
			  "a constant is computed of addresses by more than " +
				  llvm::Twine(mostOfExpression) + " operations");
}

/* An operation on constants is made as in a function that is thrown away, and folded. */
void readConstantOperation(ModuleReader &module, const Instruction &instruction)
{
	Instruction operation = instruction;
	operation.opcode = instruction.enumerant<spv::Op>(0);
	operation.operands = instruction.operands.drop_front(1);

	const InstructionLayout *layout = layoutOf(instruction.literal(0));
	instruction.require(layout && layout->hasType && layout->hasResult &&
				    operation.size() >= layout->least &&
				    operation.size() <= layout->most,
			    "there is no such operation, or it has not so many operands");
	switch (operation.opcode) {
	case spv::Op::OpFunctionCall:
	case spv::Op::OpExtInst:
	case spv::Op::OpLoad:
	case spv::Op::OpPhi:
		operation.fail("this operation cannot make a constant");
	default:
		break;
	}
	operation.require(module.resultType(operation).leaves <= mostPartsOfConstant,
			  "a constant of more than " + llvm::Twine(mostPartsOfConstant) +
				  " parts cannot be computed");
	auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.context), false);
	struct Scratch {
		llvm::Function *function;
		~Scratch()
		{
			function->eraseFromParent();
		}
	} scratch = {llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "scratch",
					    *module.module)};
	FunctionReader reader(module, *scratch.function);
	llvm::BasicBlock *block = llvm::BasicBlock::Create(module.context, "", scratch.function);
	reader.builder.SetInsertPoint(block);
	reader.readInstruction(operation);
	Value value = reader.valueOf(operation, operation.result);
	llvm::WeakTrackingVH result(value.value); /* follows the folding */
	for (llvm::Instruction &made : llvm::make_early_inc_range(*block)) {
		llvm::Constant *folded =
			llvm::ConstantFoldInstruction(&made, module.module->getDataLayout());
		operation.require(folded, "its operands are no constants");
		made.replaceAllUsesWith(folded);
	}
	auto *constant = llvm::dyn_cast<llvm::Constant>(static_cast<llvm::Value *>(result));
	operation.require(constant, "its operands are no constants");
	/* What has no value, such as a number divided by zero, is some number. */
	if (llvm::isa<llvm::PoisonValue>(constant))
		constant = nullOf(operation, *value.type);
	checkExpression(operation, *constant);
	module.define(instruction, constant);
}

} // namespace weft::spirv
