/* SPDX-License-Identifier: MIT
 *
 * Finds the counter, and tells the host. A mark is a hint of RISC-V that is free for custom use.
 */
#include "kernel/cycle_counter.h"

#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/IR/InlineAsm.h>

using namespace llvm;

namespace weft
{

bool countsCycles(const AllocaInst &variable)
{
	return variable.hasMetadata(cyclesMetadata);
}

bool isExecuted(const AllocaInst &variable)
{
	return variable.getMetadata(cyclesMetadata)->getNumOperands() > 0;
}

void setExecuted(AllocaInst &variable)
{
	LLVMContext &context = variable.getContext();
	variable.setMetadata(cyclesMetadata,
			     MDNode::get(context, {MDString::get(context, "executed")}));
}

/* Marks keep their order, and that of calls; other accesses of memory may move past them. */
static void mark(IRBuilder<> &builder, uint64_t number)
{
	auto *type = FunctionType::get(builder.getVoidTy(), false);
	CallInst *call = builder.CreateCall(
		InlineAsm::get(type, "slti zero, zero, " + std::to_string(number), "", true));
	call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
	call->setDoesNotThrow();
	call->addFnAttr(Attribute::WillReturn);
}

void markCycles(IRBuilder<> &builder, CycleMark number)
{
	mark(builder, uint64_t(number));
}

void markTransferred(IRBuilder<> &builder, uint32_t transfer, uint64_t accesses)
{
	constexpr uint64_t most = 31; /* in the 12 bits of a number with a sign */
	for (uint64_t left = accesses; left > 0; left -= std::min(left, most))
		mark(builder, std::min(left, most) * WEFT_MOST_TRANSFERS + transfer);
}

Value *cycleCounter(Function &function)
{
	for (Argument &argument : function.args()) {
		if (argument.hasAttribute(cyclesMetadata))
			return &argument;
	}
	if (function.isDeclaration())
		return nullptr;
	for (Instruction &instruction : function.getEntryBlock()) {
		auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (variable && countsCycles(*variable))
			return variable;
	}
	return nullptr;
}

void reportCycles(IRBuilder<> &builder, Value *items, unsigned region)
{
	callHost(builder, offsetof(weft_work_context, measure), builder.getVoidTy(),
		 {items, builder.getInt32(region)});
}

} // namespace weft
