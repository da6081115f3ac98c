/* SPDX-License-Identifier: MIT
 *
 * llvm.loop.parallel_accesses and llvm.access.group.
 */
#include "regions/parallel_accesses.h"

#include "functions/internal_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char parallelAccesses[] = "llvm.loop.parallel_accesses";

MDNode *accessGroup(const BasicBlock &latch)
{
	MDNode *loop = latch.getTerminator()->getMetadata(LLVMContext::MD_loop);
	return cast<MDNode>(cast<MDNode>(loop->getOperand(1))->getOperand(1));
}

bool isShared(const Value &pointer)
{
	return isSharedSpace(pointer.getType()->getPointerAddressSpace()) ||
	       isa<Argument, GlobalVariable>(getUnderlyingObject(&pointer));
}

bool isParallel(const Instruction &instruction)
{
	if (const auto *load = dyn_cast<LoadInst>(&instruction))
		return load->isSimple() && isShared(*load->getPointerOperand());
	if (const auto *store = dyn_cast<StoreInst>(&instruction))
		return store->isSimple() && isShared(*store->getPointerOperand());
	return false;
}

} // namespace

void markParallelLoop(BasicBlock &latch)
{
	LLVMContext &context = latch.getContext();
	MDNode *group = MDNode::getDistinct(context, {});
	MDNode *accesses = MDNode::get(context, {MDString::get(context, parallelAccesses), group});
	MDNode *loop = MDNode::getDistinct(context, {nullptr, accesses});
	loop->replaceOperandWith(0, loop);
	latch.getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
}

void markParallelAccesses(ArrayRef<BasicBlock *> blocks, BasicBlock &latch)
{
	MDNode *group = accessGroup(latch);
	for (BasicBlock *block : blocks) {
		for (Instruction &instruction : *block) {
			if (isParallel(instruction))
				instruction.setMetadata(LLVMContext::MD_access_group, group);
		}
	}
}

void markParallelUsers(Value &address, BasicBlock *latch)
{
	for (User *user : address.users()) {
		auto *instruction = dyn_cast<Instruction>(user);
		if (instruction && isa<LoadInst, StoreInst>(instruction) &&
		    getLoadStorePointerOperand(instruction) == &address)
			instruction->setMetadata(LLVMContext::MD_access_group, accessGroup(*latch));
	}
}

} // namespace weft
