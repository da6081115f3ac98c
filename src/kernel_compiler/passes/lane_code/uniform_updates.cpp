/* SPDX-License-Identifier: MIT
 *
 * Updates of one place.
 */
#include "lane_code/uniform_updates.h"

#include "ir/atomic_updates.h"
#include "lane_code/lane_vectors.h"

using namespace llvm;

namespace weft
{

Value *UniformUpdates::together(const AtomicRMWInst &update, Value *lanes)
{
	switch (update.getOperation()) {
	case AtomicRMWInst::And:
		return builder.CreateAndReduce(lanes);
	case AtomicRMWInst::Or:
		return builder.CreateOrReduce(lanes);
	case AtomicRMWInst::Xor:
		return builder.CreateXorReduce(lanes);
	case AtomicRMWInst::Max:
	case AtomicRMWInst::UMax:
		return builder.CreateIntMaxReduce(lanes,
						  update.getOperation() == AtomicRMWInst::Max);
	case AtomicRMWInst::Min:
	case AtomicRMWInst::UMin:
		return builder.CreateIntMinReduce(lanes,
						  update.getOperation() == AtomicRMWInst::Min);
	default:
		return builder.CreateAddReduce(lanes);
	}
}

Value *UniformUpdates::sumsBefore(Value *lanes)
{
	Constant *none = Constant::getNullValue(lanes->getType());
	Value *sums = shiftedUp(builder, lanes, none, width, 1);
	for (unsigned distance = 1; distance < width; distance *= 2)
		sums = builder.CreateAdd(shiftedUp(builder, sums, none, width, distance), sums);
	return sums;
}

/* What the operation finds. Where no lane runs the address may be none: there is no operation. */
Value *UniformUpdates::found(AtomicRMWInst &update, Value *together)
{
	Value *mask = masks.ofCurrent();
	auto operation = [&] {
		auto *copy = cast<AtomicRMWInst>(update.clone());
		copy->setMetadata(LLVMContext::MD_access_group, nullptr);
		copy->setOperand(0, values.scalarOf(update.getPointerOperand()));
		copy->setOperand(1, together);
		return builder.Insert(copy);
	};
	if (!mask || !body.current().mayBeEmpty)
		return operation();
	BasicBlock *before = builder.GetInsertBlock();
	BasicBlock *with = body.newBlock("some.lanes"), *done = body.newBlock("updated");
	builder.CreateCondBr(masks.isAny(mask), with, done);
	builder.SetInsertPoint(with);
	Value *result = operation();
	builder.CreateBr(done);
	builder.SetInsertPoint(done);
	if (update.use_empty())
		return nullptr;
	PHINode *phi = builder.CreatePHI(update.getType(), 2);
	phi->addIncoming(result, with);
	phi->addIncoming(Constant::getNullValue(update.getType()), before);
	return phi;
}

void UniformUpdates::emit(AtomicRMWInst &update)
{
	Value *lanes = values.vectorOf(update.getValOperand());
	if (Value *mask = masks.ofCurrent())
		lanes = builder.CreateSelect(
			mask, lanes,
			ConstantVector::getSplat(
				ElementCount::getFixed(width),
				identityOf(update.getOperation(), *update.getType())));
	Value *old = found(update, together(update, lanes));
	if (update.use_empty())
		return;
	Value *all = builder.CreateVectorSplat(width, old), *before = sumsBefore(lanes);
	values.setVector(&update, update.getOperation() == AtomicRMWInst::Add
					  ? builder.CreateAdd(all, before)
					  : builder.CreateSub(all, before));
}

} // namespace weft
