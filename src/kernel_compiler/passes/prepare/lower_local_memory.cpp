/* SPDX-License-Identifier: MIT
 *
 * lower-local-memory: gives each local variable of a kernel its offset in the group's block.
 */
#include "prepare/lower_local_memory.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace weft
{

namespace
{

/* The group's block, filled from its start. */
class LocalLayout
{
      public:
	uint64_t place(uint64_t bytes, uint64_t alignment)
	{
		uint64_t offset = alignTo(size, std::max<uint64_t>(alignment, 1));
		size = offset + bytes;
		return offset;
	}
	uint64_t size = 0;
	std::string variables; /* weft-local-variables */
};

SmallVector<GlobalVariable *, 8> localVariables(Module &module)
{
	SmallVector<GlobalVariable *, 8> variables;
	for (GlobalVariable &variable : module.globals()) {
		if (variable.getAddressSpace() == LocalSpace)
			variables.push_back(&variable);
	}
	return variables;
}

Value *addressAt(Function &kernel, uint64_t offset)
{
	IRBuilder<> builder(&kernel.getEntryBlock(),
			    kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
	Value *base = createQuery(builder, Query::LocalMemory);
	return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
}

void lowerVariables(Module &module, MapVector<Function *, LocalLayout> &layouts)
{
	const DataLayout &layout = module.getDataLayout();
	SmallVector<GlobalVariable *, 8> variables = localVariables(module);
	SmallVector<Constant *, 8> constants(variables.begin(), variables.end());
	convertUsersOfConstantsToInstructions(constants);
	for (GlobalVariable *variable : variables) {
		Align align = layout.getPreferredAlign(variable);
		uint64_t bytes = layout.getTypeAllocSize(variable->getValueType());
		DenseMap<Function *, Value *> addresses;
		for (Use &use : make_early_inc_range(variable->uses())) {
			auto *user = dyn_cast<Instruction>(use.getUser());
			if (!user)
				continue;
			Function *kernel = user->getFunction();
			Value *&address = addresses[kernel];
			if (!address) {
				LocalLayout &block = layouts[kernel];
				const uint64_t offset = block.place(bytes, align.value());
				address = addressAt(*kernel, offset);
				block.variables += (block.variables.empty() ? "" : ",") +
						   std::to_string(offset) + ":" +
						   std::to_string(bytes);
			}
			use.set(address);
		}
		if (variable->use_empty())
			variable->eraseFromParent();
	}
}

void lowerGroupMemory(Module &module, MapVector<Function *, LocalLayout> &layouts)
{
	Function *function = module.getFunction(groupMemoryName);
	if (!function)
		return;
	for (User *user : make_early_inc_range(function->users())) {
		auto *call = cast<CallInst>(user);
		auto *size = dyn_cast<ConstantInt>(call->getArgOperand(0));
		auto *align = dyn_cast<ConstantInt>(call->getArgOperand(1));
		Function *kernel = call->getFunction();
		if (!size || !align) {
			reportError(*kernel, "error: the size of group memory is not a constant");
			continue;
		}
		uint64_t offset =
			layouts[kernel].place(size->getZExtValue(), align->getZExtValue());
		call->replaceAllUsesWith(addressAt(*kernel, offset));
		call->eraseFromParent();
	}
}

} // namespace

PreservedAnalyses LowerLocalMemoryPass::run(Module &module, ModuleAnalysisManager &)
{
	MapVector<Function *, LocalLayout> layouts;
	lowerVariables(module, layouts);
	lowerGroupMemory(module, layouts);
	for (auto &[kernel, layout] : layouts) {
		setKernelNumber(*kernel, localSizeAttribute, layout.size);
		if (!layout.variables.empty())
			kernel->addFnAttr(localVariablesAttribute, layout.variables);
	}
	return layouts.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace weft
