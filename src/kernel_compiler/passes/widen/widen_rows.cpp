/* SPDX-License-Identifier: MIT
 *
 * Waves of several rows: what is linear within each is a scalar for each, and neighbours are accessed row by row.
 */
#include "lanes/lane_elements.h"
#include "widen/loop_widener.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

unsigned LoopWidener::rowsOf(Shape shape) const
{
	return width / shape.row;
}

/* What the first lane of a row has, rows being as those of the shape. */
Value *LoopWidener::rowOf(Value *value, Shape shape, unsigned row)
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

/* Computes each row's first lane's value, which may not be running. */
void LoopWidener::emitRows(Instruction &instruction, Shape shape)
{
	SmallVector<Value *, 4> values;
	for (unsigned row = 0; row < rowsOf(shape); row++) {
		auto operandOf = [&](Value *value) { return rowOf(value, shape, row); };
		if (auto *step = dyn_cast<GetElementPtrInst>(&instruction)) {
			values.push_back(widenAddress(builder, *step, true, operandOf));
			continue;
		}
		Instruction *copy = instruction.clone();
		copy->dropPoisonGeneratingAnnotations();
		for (Use &use : copy->operands())
			use.set(operandOf(use));
		values.push_back(builder.Insert(copy, instruction.getName()));
	}
	rows[&instruction] = values;
}

Value *LoopWidener::vectorOfRows(IRBuilder<> &at, Value *value, Shape shape)
{
	SmallVector<Value *, 4> parts;
	for (Value *base : rows.lookup(value))
		parts.push_back(at.CreateVectorSplat(shape.row, base));
	Value *bases = concatenateVectors(at, parts);
	if (shape.stride == 0)
		return bases;
	SmallVector<Constant *, 16> offsets;
	Type *type = value->getType()->isPointerTy() ? at.getInt64Ty() : value->getType();
	for (unsigned lane = 0; lane < width; lane++)
		offsets.push_back(ConstantInt::get(
			type, uint64_t(shape.stride) * (lane % shape.row), false, true));
	Constant *steps = ConstantVector::get(offsets);
	return value->getType()->isPointerTy() ? at.CreateGEP(at.getInt8Ty(), bases, steps)
					       : at.CreateAdd(bases, steps);
}

/* The same for all rows: gathered once. */
Value *LoopWidener::gatherRow(LoadInst &load, Shape shape)
{
	SmallVector<Constant *, 16> offsets;
	for (unsigned lane = 0; lane < shape.row; lane++)
		offsets.push_back(builder.getInt64(uint64_t(shape.stride) * lane));
	Value *pointers = builder.CreateGEP(builder.getInt8Ty(), scalarOf(load.getPointerOperand()),
					    ConstantVector::get(offsets));
	auto *type = FixedVectorType::get(load.getType(), shape.row);
	Value *row = builder.CreateMaskedGather(type, pointers, load.getAlign());
	return concatenateVectors(builder, SmallVector<Value *, 4>(rowsOf(shape), row));
}

Value *LoopWidener::loadRows(LoadInst &load, Shape shape, Value *mask)
{
	SmallVector<Value *, 4> parts;
	if (shape.stride != 0 &&
	    shape.stride != int64_t(layout.getTypeStoreSize(load.getType()).getFixedValue()))
		return gatherRow(load, shape);
	auto *type = lanesOf(load.getType(), shape.row);
	unsigned elements = laneElements(*load.getType());
	for (unsigned row = 0; row < rowsOf(shape); row++) {
		/* All rows read the same. */
		if (row > 0 && !mask && shape.hasStep && shape.step == 0) {
			parts.push_back(parts[0]);
			continue;
		}
		Value *address = rowOf(load.getPointerOperand(), shape, row);
		Value *part = nullptr;
		if (shape.stride == 0)
			part = builder.CreateAlignedLoad(load.getType(), address, load.getAlign());
		else if (mask)
			part = builder.CreateMaskedLoad(
				type, address, load.getAlign(),
				spread(builder, partOf(mask, row * shape.row, shape.row),
				       elements));
		else
			part = builder.CreateAlignedLoad(type, address, load.getAlign());
		for (unsigned kind : {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
				      LLVMContext::MD_noalias, LLVMContext::MD_invariant_load})
			cast<Instruction>(part)->setMetadata(kind, load.getMetadata(kind));
		if (shape.stride == 0)
			part = repeated(builder, part, shape.row);
		else if (mask)
			part = held(part);
		parts.push_back(part);
	}
	return concatenateVectors(builder, parts);
}

void LoopWidener::storeRows(StoreInst &store, Shape shape, Value *mask)
{
	Value *values = vectorOf(store.getValueOperand());
	unsigned elements = laneElements(*store.getValueOperand()->getType());
	for (unsigned row = 0; row < rowsOf(shape); row++) {
		Value *address = rowOf(store.getPointerOperand(), shape, row);
		Value *part = partOf(values, row * shape.row, shape.row);
		Instruction *result = nullptr;
		if (mask)
			result = builder.CreateMaskedStore(
				part, address, store.getAlign(),
				spread(builder, partOf(mask, row * shape.row, shape.row),
				       elements));
		else
			result = builder.CreateAlignedStore(part, address, store.getAlign());
		for (unsigned kind :
		     {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
			result->setMetadata(kind, store.getMetadata(kind));
	}
}

} // namespace weft
