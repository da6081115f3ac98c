/* SPDX-License-Identifier: MIT
 *
 * Finds the counter, and tells the host.
 */
#include "ir/cycle_counter.h"

#include "ir/internal_functions.h"
#include "kernel_abi.h"

using namespace llvm;

namespace weft
{

bool countsCycles(const AllocaInst &variable)
{
	return variable.hasMetadata(cyclesMetadata);
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
