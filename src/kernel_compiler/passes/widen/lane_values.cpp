/* SPDX-License-Identifier: MIT
 *
 * The values of a widened loop: from scalars to vectors and to copies in memory. What is made out of a value
 * stands right behind it, so it is there wherever the value is.
 */
#include "widen/loop_widener.h"

using namespace llvm;

namespace weft
{

FixedVectorType *LoopWidener::vectorType(Type *type) const
{
	return lanesOf(type, width);
}

bool LoopWidener::isOutside(const Value *value) const
{
	const auto *instruction = dyn_cast<Instruction>(value);
	return !instruction || !item.loop->contains(instruction);
}

AllocaInst *LoopWidener::newVariable(Type *type, const Twine &name)
{
	BasicBlock &entry = function.getEntryBlock();
	return new AllocaInst(type, layout.getAllocaAddrSpace(), name, entry.begin());
}

/* Behind a value; for one from outside, in front of the loop. */
void LoopWidener::placeBehind(IRBuilder<> &at, Value *value)
{
	auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || !origins.contains(instruction->getParent()))
		at.SetInsertPoint(before->getTerminator());
	else if (isa<PHINode>(instruction))
		at.SetInsertPoint(instruction->getParent(),
				  instruction->getParent()->getFirstInsertionPt());
	else if (Instruction *next = instruction->getNextNode())
		at.SetInsertPoint(next);
	else
		at.SetInsertPoint(instruction->getParent());
}

/* The value of lane 0. */
Value *LoopWidener::scalarOf(Value *value)
{
	auto found = scalars.find(value);
	if (found != scalars.end())
		return found->second;
	auto foundRows = rows.find(value);
	if (foundRows != rows.end())
		return foundRows->second.front();
	assert(isOutside(value) && "a value that differs between lanes has no scalar");
	return value;
}

/* base + units, of a number or an address in bytes. */
Value *LoopWidener::moved(IRBuilder<> &at, Value *base, Value *units)
{
	if (base->getType()->isPtrOrPtrVectorTy())
		return at.CreatePtrAdd(base, units);
	Type *type = base->getType()->isVectorTy() ? units->getType() : base->getType();
	return at.CreateAdd(base, at.CreateTrunc(units, type));
}

/* All lanes of a linear value. */
Value *LoopWidener::stepped(IRBuilder<> &at, Value *base, int64_t stride)
{
	SmallVector<Constant *, 16> offsets;
	Type *type = base->getType()->isPointerTy() ? at.getInt64Ty() : base->getType();
	for (unsigned lane = 0; lane < width; lane++)
		offsets.push_back(ConstantInt::get(type, uint64_t(stride) * lane, false, true));
	Constant *steps = ConstantVector::get(offsets);
	if (base->getType()->isPointerTy())
		return at.CreateGEP(at.getInt8Ty(), base, steps);
	return at.CreateAdd(at.CreateVectorSplat(width, base), steps);
}

Value *LoopWidener::vectorOf(Value *value)
{
	auto found = vectors.find(value);
	if (found != vectors.end())
		return found->second;
	Shape shape = shapes.of(value);
	Value *base = shape.row ? rows.lookup(value).back() : scalarOf(value);
	IRBuilder<> at(context);
	placeBehind(at, base);
	Value *result = nullptr;
	if (shape.kind == Shape::Uniform)
		result = repeated(at, base, width);
	else if (shape.kind == Shape::Strided && shape.row)
		result = vectorOfRows(at, value, shape);
	else if (shape.kind == Shape::Strided)
		result = stepped(at, base, shape.stride);
	else
		result = widen(at, *cast<Instruction>(value));
	vectors[value] = result;
	return result;
}

/* What holds a lane's value in memory: where vectors pack their elements, an integer of whole bytes. */
Type *LoopWidener::memoryType(Type *type) const
{
	auto *integer = dyn_cast<IntegerType>(type->getScalarType());
	if (!integer)
		return type;
	unsigned bits = std::max<unsigned>(8, unsigned(PowerOf2Ceil(integer->getBitWidth())));
	return type->getWithNewType(IntegerType::get(context, bits));
}

/* One lane's value, or all lanes', of the given type. */
Value *LoopWidener::toMemory(Value *value, Type *type)
{
	Type *kept = memoryType(type);
	if (kept == type)
		return value;
	return builder.CreateZExt(value, value->getType() == type ? kept : vectorType(kept));
}

Value *LoopWidener::fromMemory(Value *value, Type *type)
{
	Type *kept = memoryType(type);
	if (kept == type)
		return value;
	return builder.CreateTrunc(value, value->getType() == kept ? type : vectorType(type));
}

/* A copy for each lane, in memory. */
AllocaInst *LoopWidener::copiesOf(Value *value)
{
	auto found = copies.find(value);
	if (found != copies.end())
		return found->second;
	Value *vector = toMemory(vectorOf(value), value->getType());
	AllocaInst *result =
		newVariable(ArrayType::get(memoryType(value->getType()), width), "lanes");
	result->setAlignment(Align(64));
	builder.CreateAlignedStore(vector, result, Align(64));
	return result;
}

Value *LoopWidener::laneAt(AllocaInst *lanes, Value *lane, Type *type)
{
	return builder.CreateInBoundsGEP(memoryType(type), lanes, lane);
}

} // namespace weft
