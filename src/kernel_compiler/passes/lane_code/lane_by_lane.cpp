/* SPDX-License-Identifier: MIT
 *
 * Instructions lane by lane.
 */
#include "lane_code/lane_by_lane.h"

#include "ir/atomic_updates.h"
#include "lane_code/lane_vectors.h"
#include "lanes/lane_elements.h"

using namespace llvm;

namespace weft
{

namespace
{

/* Operations of an address that are repeated for each lane. */
constexpr unsigned mostOfAddress = 4;

/* What holds a lane's value in memory: where vectors pack their elements, an integer of whole bytes. */
Type *memoryType(Type *type)
{
	auto *integer = dyn_cast<IntegerType>(type->getScalarType());
	if (!integer)
		return type;
	unsigned bits = std::max<unsigned>(8, unsigned(PowerOf2Ceil(integer->getBitWidth())));
	return type->getWithNewType(IntegerType::get(type->getContext(), bits));
}

/* A value or a vector of values, as memory has it. */
Value *toMemory(IRBuilder<> &at, Value *value)
{
	Type *kept = memoryType(value->getType());
	return kept == value->getType() ? value : at.CreateZExt(value, kept);
}

/* And back. */
Value *fromMemory(IRBuilder<> &at, Value *value, Type *type)
{
	return type == value->getType() ? value : at.CreateTrunc(value, type);
}

} // namespace

/* ---- updates ------------------------------------------------------------------------------------------ */

/* What lanes take as vectors goes to memory, but for vectors of the source. An address of a few operations is computed as the
 * scalar kernel does it, from what it is made of. */
void LaneByLane::stage(Value *value, unsigned operations, StagedLanes &staged)
{
	if (shapes.isUniform(value) || value->getType()->isVectorTy())
		return;
	if (isSimpleAddress(value, operations)) {
		for (Value *operand : cast<Instruction>(value)->operand_values())
			stage(operand, operations - 1, staged);
		return;
	}
	AllocaInst *&lanes = staged[value];
	if (!lanes)
		lanes = lanesInMemory(value);
}

bool LaneByLane::isSimpleAddress(const Value *value, unsigned operations) const
{
	return operations > 0 && !body.isOutside(value) && !shapes.laneMajorBase(value) &&
	       isa<GetElementPtrInst, CastInst>(value) &&
	       all_of(cast<Instruction>(value)->operand_values(),
		      [](const Value *operand) { return laneElements(*operand->getType()); });
}

Value *LaneByLane::laneOf(Value *value, unsigned lane, unsigned operations,
			  const StagedLanes &staged)
{
	if (shapes.isUniform(value))
		return values.scalarOf(value);
	if (AllocaInst *lanes = staged.lookup(value))
		return operandAt(value, lanes, builder.getInt64(lane), true);
	if (!isSimpleAddress(value, operations))
		return partOf(builder, values.vectorOf(value), width, lane, 1);
	Instruction *copy = cast<Instruction>(value)->clone();
	copy->dropPoisonGeneratingAnnotations();
	for (Use &use : copy->operands())
		use.set(laneOf(use, lane, operations - 1, staged));
	return builder.Insert(copy);
}

/* Each is no more than an addition to memory: a loop would take longer to go round. Lanes are loaded from memory, which keeps the
 * order of the updates: taken out of a vector, some addresses are there before those of older updates, and the CPU
 * starts again when both are one place (Zen 4: 9 cycles for an update instead of 2). LLVM would take them out of the vector if the
 * loads were not volatile. */
void LaneByLane::emitUpdates(AtomicRMWInst &update)
{
	StagedLanes staged;
	for (Value *operand : update.operand_values())
		stage(operand, mostOfAddress, staged);
	for (unsigned lane = 0; lane < width; lane++) {
		Instruction *copy = update.clone();
		copy->setMetadata(LLVMContext::MD_access_group, nullptr);
		for (Use &use : copy->operands())
			use.set(laneOf(use, lane, mostOfAddress, staged));
		builder.Insert(copy);
	}
}

/* ---- loops -------------------------------------------------------------------------------------------- */

AllocaInst *LaneByLane::newLanes(Type *type, const Twine &name)
{
	AllocaInst *lanes = body.newVariable(ArrayType::get(memoryType(type), width), name);
	lanes->setAlignment(Align(64));
	return lanes;
}

AllocaInst *LaneByLane::lanesInMemory(Value *value)
{
	auto found = inMemory.find(value);
	if (found != inMemory.end())
		return found->second;
	Value *vector = toMemory(builder, values.vectorOf(value));
	AllocaInst *result = newLanes(value->getType(), "lanes");
	builder.CreateAlignedStore(vector, result, Align(64));
	return result;
}

Value *LaneByLane::elementAt(AllocaInst *lanes, Value *lane, Type *type)
{
	return builder.CreateInBoundsGEP(memoryType(type), lanes, lane);
}

/* A bit for each lane that runs. */
Value *LaneByLane::runningBits(Type *bits)
{
	if (Value *mask = masks.ofCurrent())
		return builder.CreateZExt(masks.bitsOf(mask), bits);
	return ConstantInt::get(bits, APInt::getLowBitsSet(bits->getIntegerBitWidth(), width));
}

/* An operand in one lane. `kept`: where all lanes' values lie; NULL for what is uniform, or a function. */
Value *LaneByLane::operandAt(Value *operand, AllocaInst *kept, Value *lane, bool isVolatile)
{
	Type *type = operand->getType();
	if (!kept)
		return isa<Function>(operand) ? operand : values.scalarOf(operand);
	Value *element = elementAt(kept, lane, type);
	return fromMemory(builder, builder.CreateLoad(memoryType(type), element, isVolatile), type);
}

void LaneByLane::emitLoop(Instruction &instruction)
{
	SmallVector<AllocaInst *, 4> operands;
	for (const Use &use : instruction.operands()) {
		bool same = isa<Function>(use) || shapes.isUniform(use);
		operands.push_back(same ? nullptr : lanesInMemory(use));
	}
	Type *type = instruction.getType();
	AllocaInst *results = type->isVoidTy() ? nullptr : newLanes(type, "results");
	Type *bits = builder.getIntNTy(std::max(width, 64u));
	Value *running = runningBits(bits);
	Constant *none = Constant::getNullValue(bits), *one = ConstantInt::get(bits, 1);
	BasicBlock *entry = builder.GetInsertBlock();
	BasicBlock *done = body.newBlock("lanes.done"), *loop = body.newBlock("lane");
	builder.CreateCondBr(builder.CreateICmpNE(running, none), loop, done);
	builder.SetInsertPoint(loop);
	PHINode *left = builder.CreatePHI(bits, 2, "left");
	left->addIncoming(running, entry);
	Value *lane = builder.CreateZExtOrTrunc(
		builder.CreateBinaryIntrinsic(Intrinsic::cttz, left, builder.getTrue()),
		builder.getInt64Ty());
	Instruction *copy = instruction.clone();
	copy->setMetadata(LLVMContext::MD_access_group, nullptr);
	for (auto [use, kept] : zip_equal(copy->operands(), operands))
		use.set(operandAt(use, kept, lane));
	builder.Insert(copy, instruction.getName());
	if (results)
		builder.CreateStore(toMemory(builder, copy), elementAt(results, lane, type));
	Value *rest = builder.CreateAnd(left, builder.CreateSub(left, one));
	left->addIncoming(rest, loop);
	builder.CreateCondBr(builder.CreateICmpNE(rest, none), loop, done);
	builder.SetInsertPoint(done);
	if (results && laneElements(*type)) {
		Type *vector = body.vectorType(memoryType(type));
		Value *kept = builder.CreateAlignedLoad(vector, results, Align(64));
		values.setVector(&instruction, fromMemory(builder, kept, body.vectorType(type)));
	} else if (results) {
		inMemory[&instruction] = results;
	}
}

} // namespace weft
