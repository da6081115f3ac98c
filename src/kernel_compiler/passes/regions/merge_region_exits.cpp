/* SPDX-License-Identifier: MIT
 *
 * One region with a switch at its start. Values that cross blocks go through memory while the control flow
 * changes, and are put back into SSA form afterwards.
 */
#include "regions/merge_region_exits.h"

#include "functions/internal_functions.h"
#include "ir/regions.h"
#include "regions/private_variables.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace weft
{

namespace
{

SmallVector<AllocaInst *, 16> demoteCrossing(Function &kernel)
{
	SmallVector<AllocaInst *, 16> slots;
	SmallVector<PHINode *, 16> phis;
	SmallVector<Instruction *, 32> crossing;
	for (BasicBlock &block : kernel) {
		for (Instruction &instruction : block) {
			if (isa<AllocaInst>(instruction))
				continue;
			if (auto *phi = dyn_cast<PHINode>(&instruction))
				phis.push_back(phi);
			if (instruction.isUsedOutsideOfBlock(&block))
				crossing.push_back(&instruction);
		}
	}
	auto place = kernel.getEntryBlock().begin();
	for (Instruction *instruction : crossing)
		slots.push_back(DemoteRegToStack(*instruction, false, place));
	for (PHINode *phi : phis)
		slots.push_back(DemotePHIToStack(phi, place));
	return slots;
}

/* Barriers end their blocks, so that what comes before one and after it crosses blocks. */
SmallVector<Instruction *, 8> endBlocksAtBarriers(Function &kernel)
{
	SmallVector<Instruction *, 8> barriers;
	for (Instruction &instruction : instructions(kernel)) {
		if (isBarrier(instruction))
			barriers.push_back(&instruction);
	}
	for (Instruction *barrier : barriers)
		barrier->getParent()->splitBasicBlock(std::next(barrier->getIterator()), "resumed");
	return barriers;
}

void rewireBarriers(Function &kernel, BasicBlock *body, ArrayRef<Instruction *> barriers,
		    bool parts)
{
	LLVMContext &context = kernel.getContext();
	auto *gather = BasicBlock::Create(context, "gather", &kernel, body);
	IRBuilder<> builder(gather);
	PHINode *resume =
		builder.CreatePHI(builder.getInt32Ty(), unsigned(barriers.size()) + 1, "resume");
	builder.CreateCall(declareBarrier(*kernel.getParent()));
	SwitchInst *dispatch = builder.CreateSwitch(resume, body, unsigned(barriers.size()));
	if (parts)
		dispatch->setMetadata(addedMetadata, MDNode::get(context, {}));
	resume->addIncoming(builder.getInt32(0), &kernel.getEntryBlock());
	kernel.getEntryBlock().getTerminator()->replaceSuccessorWith(body, gather);
	for (auto [number, barrier] : enumerate(barriers)) {
		BasicBlock *block = barrier->getParent(), *after = block->getSingleSuccessor();
		ConstantInt *id = builder.getInt32(uint32_t(number) + 1);
		barrier->eraseFromParent();
		block->getTerminator()->replaceSuccessorWith(after, gather);
		resume->addIncoming(id, block);
		dispatch->addCase(id, after);
	}
}

} // namespace

void mergeRegionExits(Function &kernel, bool parts)
{
	BasicBlock *body = splitEntry(kernel);
	SmallVector<Instruction *, 8> barriers = endBlocksAtBarriers(kernel);
	SmallVector<AllocaInst *, 16> slots = demoteCrossing(kernel);
	rewireBarriers(kernel, body, barriers, parts);
	DominatorTree dominators(kernel);
	erase_if(slots, [](AllocaInst *slot) { return !slot || !isAllocaPromotable(slot); });
	PromoteMemToReg(slots, dominators);
}

} // namespace weft
