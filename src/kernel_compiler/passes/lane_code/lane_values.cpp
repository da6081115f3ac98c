/* SPDX-License-Identifier: MIT
 *
 * The values of a widened body.
 */
#include "lane_code/lane_values.h"

#include "lane_code/lane_vectors.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

LaneValues::LaneValues(WideBody &theBody, Operation toWiden)
    : body(theBody), shapes(theBody.shapes), builder(theBody.builder), widen(std::move(toWiden))
{
}

Value *LaneValues::scalarOf(Value *value) const
{
	auto found = scalars.find(value);
	if (found != scalars.end())
		return found->second;
	auto foundRows = rows.find(value);
	if (foundRows != rows.end())
		return foundRows->second.front();
	assert(body.isOutside(value) && "a value that differs between lanes has no scalar");
	return value;
}

Value *LaneValues::vectorOf(Value *value)
{
	auto found = vectors.find(value);
	if (found != vectors.end())
		return found->second;
	Shape shape = shapes.of(value);
	Value *base = shape.row ? rows.lookup(value).back() : scalarOf(value);
	IRBuilder<> at(value->getContext());
	body.placeBehind(at, base);
	Value *result = nullptr;
	if (shape.kind == Shape::Uniform)
		result = repeated(at, base, body.width);
	else if (shape.kind == Shape::Strided && shape.row)
		result = vectorOfRows(at, value, shape);
	else if (shape.kind == Shape::Strided)
		result = stepped(at, base, shape.stride, body.width);
	else
		result = widen(at, *cast<Instruction>(value));
	vectors[value] = result;
	return result;
}

Value *LaneValues::vectorOfRows(IRBuilder<> &at, Value *value, Shape shape) const
{
	SmallVector<Value *, 4> parts;
	for (Value *base : rows.lookup(value))
		parts.push_back(at.CreateVectorSplat(shape.row, base));
	Value *bases = concatenateVectors(at, parts);
	if (shape.stride == 0)
		return bases;
	return plusOffsets(at, bases,
			   laneOffsets(*value->getType(), shape.stride, body.width, shape.row));
}

Value *LaneValues::rowOf(Value *value, Shape shape, unsigned row) const
{
	auto found = rows.find(value);
	if (found != rows.end())
		return found->second[row];
	Value *base = scalarOf(value);
	Shape along = shapes.of(value);
	if (along.kind == Shape::Uniform || row == 0)
		return base;
	return moved(builder, base, builder.getInt64(uint64_t(along.stride) * shape.row * row));
}

Value *LaneValues::atLane(Value *value, Value *lane)
{
	Shape shape = shapes.of(value);
	if (shape.kind == Shape::Uniform)
		return scalarOf(value);
	if (shape.row)
		return builder.CreateExtractElement(vectorOf(value), lane);
	Value *units = builder.CreateMul(lane, builder.getInt64(uint64_t(shape.stride)));
	if (shape.kind == Shape::Strided)
		return moved(builder, scalarOf(value), units);
	Instruction *copy = cast<Instruction>(value)->clone();
	copy->dropPoisonGeneratingAnnotations();
	for (Use &use : copy->operands())
		use.set(atLane(use, lane));
	return builder.Insert(copy);
}

} // namespace weft
