/* SPDX-License-Identifier: MIT
 *
 * What has no vector form: once for each lane.
 */
#include "lanes/lane_elements.h"
#include "widen/loop_widener.h"

#include "ir/internal_functions.h"

using namespace llvm;

namespace weft
{

/* Operations of an address that each lane does anew. */
static constexpr unsigned mostOfAddress = 4;

/* One lane's value: an address as the scalar kernel has it, of so many operations, from the vector of what it is made
 * of. */
Value *LoopWidener::laneOf(Value *value, unsigned lane, unsigned operations)
{
	if (shapes.isUniform(value))
		return scalarOf(value);
	bool isSimple =
		operations > 0 && !isOutside(value) && !shapes.laneMajorBase(value) &&
		isa<GetElementPtrInst, CastInst>(value) &&
		all_of(cast<Instruction>(value)->operand_values(),
		       [](const Value *operand) { return laneElements(*operand->getType()); });
	if (!isSimple && value->getType()->isVectorTy())
		return partOf(vectorOf(value), lane, 1);
	if (!isSimple)
		return builder.CreateExtractElement(vectorOf(value), lane);
	Instruction *copy = cast<Instruction>(value)->clone();
	copy->dropPoisonGeneratingAnnotations();
	for (Use &use : copy->operands())
		use.set(laneOf(use, lane, operations - 1));
	return builder.Insert(copy);
}

/* Whether it does not matter in which order lanes make an update. */
static bool isCommutative(const AtomicRMWInst &update)
{
	switch (update.getOperation()) {
	case AtomicRMWInst::Add:
	case AtomicRMWInst::Sub:
	case AtomicRMWInst::And:
	case AtomicRMWInst::Or:
	case AtomicRMWInst::Xor:
	case AtomicRMWInst::Max:
	case AtomicRMWInst::Min:
	case AtomicRMWInst::UMax:
	case AtomicRMWInst::UMin:
		return true;
	default:
		return false;
	}
}

/* All lanes' updates, one behind the other: each is no more than an addition to memory, and a loop would take longer to
 * go round. Neighbours, which often update the same place and would wait for each other, come some apart. */
void LoopWidener::updateEach(Instruction &update)
{
	unsigned apart = isCommutative(cast<AtomicRMWInst>(update)) ? std::min(width, 4u) : 1;
	for (unsigned i = 0; i < width; i++) {
		unsigned lane = i * apart % width + i * apart / width;
		Instruction *copy = update.clone();
		copy->setMetadata(LLVMContext::MD_access_group, nullptr);
		for (Use &use : copy->operands())
			use.set(laneOf(use, lane, mostOfAddress));
		builder.Insert(copy);
	}
}

/* A loop over the lanes that run, in order. */
void LoopWidener::serialise(Instruction &instruction)
{
	SmallVector<AllocaInst *, 4> lanes;
	for (const Use &use : instruction.operands()) {
		bool same = isa<Function>(use) || shapes.isUniform(use);
		lanes.push_back(same ? nullptr : copiesOf(use));
	}
	Type *type = instruction.getType();
	AllocaInst *results = nullptr;
	if (!type->isVoidTy()) {
		results = newVariable(ArrayType::get(memoryType(type), width), "results");
		results->setAlignment(Align(64));
	}
	Value *mask = maskOf(current);
	Type *bits = builder.getIntNTy(std::max(width, 64u));
	Value *running =
		mask ? builder.CreateZExt(bitsOf(mask), bits)
		     : ConstantInt::get(context,
					APInt::getLowBitsSet(bits->getIntegerBitWidth(), width));
	Constant *none = Constant::getNullValue(bits), *one = ConstantInt::get(bits, 1);
	BasicBlock *entry = builder.GetInsertBlock();
	BasicBlock *done = newBlock("lanes.done"), *body = newBlock("lane");
	builder.CreateCondBr(builder.CreateICmpNE(running, none), body, done);
	builder.SetInsertPoint(body);
	PHINode *left = builder.CreatePHI(bits, 2, "left");
	left->addIncoming(running, entry);
	Value *lane = builder.CreateZExtOrTrunc(
		builder.CreateBinaryIntrinsic(Intrinsic::cttz, left, builder.getTrue()),
		builder.getInt64Ty());
	Instruction *copy = instruction.clone();
	copy->setMetadata(LLVMContext::MD_access_group, nullptr);
	for (auto [number, kept] : enumerate(lanes)) {
		Value *operand = instruction.getOperand(unsigned(number));
		Type *of = operand->getType();
		if (kept) {
			operand = fromMemory(
				builder.CreateLoad(memoryType(of), laneAt(kept, lane, of)), of);
		} else if (!isa<Function>(operand)) {
			operand = scalarOf(operand);
		}
		copy->setOperand(unsigned(number), operand);
	}
	builder.Insert(copy, instruction.getName());
	if (results)
		builder.CreateStore(toMemory(copy, type), laneAt(results, lane, type));
	Value *rest = builder.CreateAnd(left, builder.CreateSub(left, one));
	left->addIncoming(rest, body);
	builder.CreateCondBr(builder.CreateICmpNE(rest, none), body, done);
	builder.SetInsertPoint(done);
	if (!results)
		return;
	if (!laneElements(*type)) {
		copies[&instruction] = results;
		return;
	}
	Value *kept = builder.CreateAlignedLoad(vectorType(memoryType(type)), results, Align(64));
	vectors[&instruction] = fromMemory(kept, type);
}

} // namespace weft
