/* SPDX-License-Identifier: MIT
 *
 * The blocks of a widened body.
 */
#include "lane_code/wide_body.h"

#include "lane_code/lane_vectors.h"

using namespace llvm;

namespace weft
{

WideBody::WideBody(const ItemLoop &theItem, const LaneShapes &theShapes, const LanePlan &thePlan,
		   const TargetTransformInfo &theTarget)
    : item(theItem), shapes(theShapes), plan(thePlan), target(theTarget), width(theShapes.lanes()),
      function(*theItem.header->getParent()), layout(function.getDataLayout()),
      builder(function.getContext())
{
}

void WideBody::createBlocks()
{
	LLVMContext &context = function.getContext();
	front = BasicBlock::Create(context, "wide.before", &function, item.header);
	for (BasicBlock *block : shapes.blocks()) {
		starts.push_back(BasicBlock::Create(context, block->getName() + ".wide", &function,
						    item.header));
		made.push_back(starts.back());
		origins[starts.back()] = block;
	}
	ends = starts;
	builder.SetInsertPoint(front);
}

void WideBody::begin(const BasicBlock *block)
{
	currentSource = block;
	builder.SetInsertPoint(startOf(block));
}

void WideBody::end()
{
	ends[shapes.indexOf(currentSource)] = builder.GetInsertBlock();
}

BasicBlock *WideBody::newBlock(const Twine &name)
{
	BasicBlock *next = builder.GetInsertBlock()->getNextNode();
	BasicBlock *block = BasicBlock::Create(function.getContext(), name, &function, next);
	made.push_back(block);
	origins[block] = currentSource;
	return block;
}

bool WideBody::isOutside(const Value *value) const
{
	const auto *instruction = dyn_cast<Instruction>(value);
	return !instruction || !item.loop->contains(instruction);
}

void WideBody::placeBehind(IRBuilder<> &at, Value *value) const
{
	auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || !origins.contains(instruction->getParent()))
		at.SetInsertPoint(front->getTerminator());
	else if (isa<PHINode>(instruction))
		at.SetInsertPoint(instruction->getParent(),
				  instruction->getParent()->getFirstInsertionPt());
	else if (Instruction *next = instruction->getNextNode())
		at.SetInsertPoint(next);
	else
		at.SetInsertPoint(instruction->getParent());
}

FixedVectorType *WideBody::vectorType(Type *type) const
{
	return lanesOf(type, width);
}

AllocaInst *WideBody::newVariable(Type *type, const Twine &name) const
{
	return new AllocaInst(type, layout.getAllocaAddrSpace(), name,
			      function.getEntryBlock().begin());
}

} // namespace weft
