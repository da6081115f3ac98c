/* SPDX-License-Identifier: MIT
 *
 * The operations of a widened body.
 */
#include "lane_code/lane_operations.h"

#include "costs/integer_divisions.h"
#include "functions/internal_functions.h"
#include "functions/precompiled_functions.h"
#include "lane_code/float_division.h"
#include "lane_code/lane_vectors.h"
#include "lanes/lane_elements.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

bool fitsVectors(const Instruction &instruction)
{
	return laneElements(*instruction.getType()) &&
	       all_of(instruction.operands(), [](const Use &use) {
		       return laneElements(*use->getType()) || isa<Function>(use);
	       });
}

/* Of a value that is compared with bounds: all lanes together differ by less than 2^31. */
constexpr int64_t mostStride = 1 << 16;

} // namespace

/* ---- once for all lanes, or for each row -------------------------------------------------------------- */

/* The instruction, in its place, or the constant that it is: other code asks for constants. */
Value *LaneOperations::folded(Instruction *copy) const
{
	if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst>(copy) || copy->isIntDivRem())
		return copy;
	Constant *known = ConstantFoldInstruction(copy, body.layout);
	if (!known)
		return copy;
	copy->eraseFromParent();
	return known;
}

/* Behind a mask lane 0 may not run: then the source promises nothing about overflow in it. */
void LaneOperations::emitScalar(Instruction &instruction)
{
	Instruction *copy = instruction.clone();
	copy->setMetadata(LLVMContext::MD_access_group, nullptr);
	for (Use &use : copy->operands()) {
		if (!isa<Function>(use))
			use.set(values.scalarOf(use));
	}
	if (shapes.of(&instruction).kind != Shape::Uniform && masks.ofCurrent())
		copy->dropPoisonGeneratingAnnotations();
	builder.Insert(copy, instruction.getName());
	if (!instruction.getType()->isVoidTy())
		values.setScalar(&instruction, folded(copy));
}

void LaneOperations::emitLinear(Instruction &instruction)
{
	Shape shape = shapes.of(&instruction);
	auto *address = dyn_cast<GetElementPtrInst>(&instruction);
	if (shape.row)
		emitRows(instruction, shape);
	else if (shape.kind != Shape::Uniform && address)
		values.setScalar(address, widenAddress(builder, *address, true, [&](Value *value) {
					 return values.scalarOf(value);
				 }));
	else
		emitScalar(instruction);
}

/* The lanes of the rows in which a number is linear and each of its bounds is one number, as far as any of them has rows: more lanes may
 * have rows where fewer have none. None: there are no such rows. */
std::optional<unsigned> LaneOperations::rowsOfTest(const CallInst &test) const
{
	const Shape number = shapes.of(test.getArgOperand(0));
	const bool isKnown =
		number.kind == Shape::Uniform ||
		(number.kind == Shape::Strided && std::abs(number.stride) < mostStride);
	unsigned row = number.row;
	for (unsigned i = 1; i < test.arg_size(); i++) {
		const Shape bound = shapes.of(test.getArgOperand(i));
		if (!bound.isRowUniform() || (row && bound.row && row != bound.row))
			return std::nullopt;
		row = std::max(row, bound.row);
	}
	return isKnown ? std::optional(row) : std::nullopt;
}

/* A value that would wrap between two lanes lies lower in the last lane than in the first, or the other way round where it gets less
 * from lane to lane. */
void LaneOperations::emitLanesBetween(CallInst &test)
{
	Value *value = test.getArgOperand(0);
	Shape shape = shapes.of(value);
	const std::optional<unsigned> rowOfLanes = rowsOfTest(test);
	if (!rowOfLanes) {
		values.setScalar(&test, builder.getFalse());
		return;
	}
	shape.row = *rowOfLanes;
	const unsigned lanes = shape.row ? shape.row : width;
	Value *all = nullptr;
	for (unsigned row = 0; row < width / lanes; row++) {
		Value *begin = values.rowOf(value, shape, row);
		Value *low = values.rowOf(test.getArgOperand(1), shape, row);
		Value *high = values.rowOf(test.getArgOperand(2), shape, row);
		Value *end = builder.CreateAdd(
			begin, ConstantInt::getSigned(value->getType(),
						      shape.stride * int64_t(lanes - 1)));
		if (shape.stride < 0)
			std::swap(begin, end);
		for (Value *isIn :
		     {builder.CreateICmpSLE(low, begin), builder.CreateICmpSLE(begin, end),
		      builder.CreateICmpSLE(end, high)})
			all = all ? builder.CreateAnd(all, isIn) : isIn;
	}
	values.setScalar(&test, all);
}

void LaneOperations::emitFirstLane(CallInst &call)
{
	Value *number = call.getArgOperand(0);
	values.setScalar(&call, shapes.of(number).isLinear()
					? values.scalarOf(number)
					: Constant::getNullValue(call.getType()));
}

/* A row's first lane may not run. */
void LaneOperations::emitRows(Instruction &instruction, Shape shape)
{
	SmallVector<Value *, 4> rows;
	for (unsigned row = 0; row < values.rowsOf(shape); row++) {
		auto operandOf = [&](Value *value) { return values.rowOf(value, shape, row); };
		if (auto *step = dyn_cast<GetElementPtrInst>(&instruction)) {
			rows.push_back(widenAddress(builder, *step, true, operandOf));
			continue;
		}
		Instruction *copy = instruction.clone();
		copy->dropPoisonGeneratingAnnotations();
		for (Use &use : copy->operands())
			use.set(operandOf(use));
		rows.push_back(builder.Insert(copy, instruction.getName()));
	}
	values.setRows(&instruction, rows);
}

/* ---- on vectors --------------------------------------------------------------------------------------- */

bool LaneOperations::emitVector(Instruction &instruction)
{
	Value *result = fitsVectors(instruction) ? widen(builder, instruction) : nullptr;
	if (!result)
		return false;
	if (instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1)) &&
	    !dividesAsFloat(instruction) && masks.ofCurrent())
		guardDivision(*cast<Instruction>(result));
	values.setVector(&instruction, result);
	return true;
}

/* Lanes that do not run divide by 1, not by what they happen to hold. */
void LaneOperations::guardDivision(Instruction &division)
{
	IRBuilder<> at(&division);
	Value *divisor = division.getOperand(1);
	division.setOperand(1, selected(at, masks.ofCurrent(), divisor,
					ConstantInt::get(divisor->getType(), 1)));
}

/* Of functions that have a form for vectors; nullptr: it is no call of one. */
Value *LaneOperations::widenCall(IRBuilder<> &at, Instruction &instruction)
{
	const std::optional<CpuFunction> ofCpu = cpuCallOf(instruction);
	const PrecompiledFunction *compiled = precompiledCallOf(instruction);
	if (!ofCpu && !compiled)
		return nullptr;
	SmallVector<Value *, 3> operands;
	for (Value *operand : cast<CallBase>(instruction).args())
		operands.push_back(values.vectorOf(operand));
	Module &module = *body.function.getParent();
	Type *type = operands.front()->getType();
	return at.CreateCall(ofCpu ? declareCpuFunction(module, *ofCpu, type)
				   : declarePrecompiled(module, *compiled, type),
			     operands);
}

Value *LaneOperations::widen(IRBuilder<> &at, Instruction &instruction)
{
	if (auto *step = dyn_cast<GetElementPtrInst>(&instruction))
		return widenAddress(at, *step, false, [&](Value *value) {
			return shapes.isUniform(value) ? values.scalarOf(value)
						       : values.vectorOf(value);
		});
	if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
		return widenIntrinsic(at, *call);
	if (Value *called = widenCall(at, instruction))
		return called;
	if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
		return widenExtract(at, *extract);
	if (auto *insert = dyn_cast<InsertElementInst>(&instruction))
		return widenInsert(at, *insert);
	if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
		return widenShuffle(at, *shuffle);
	if (dividesAsFloat(instruction)) {
		Value *dividend = values.vectorOf(instruction.getOperand(0));
		Value *divisor = instruction.getOperand(1);
		Value *shared = shapes.isUniform(divisor) ? values.scalarOf(divisor) : nullptr;
		return divideAsFloat(at, cast<BinaryOperator>(instruction), dividend,
				     values.vectorOf(divisor), shared);
	}
	auto *selection = dyn_cast<SelectInst>(&instruction);
	if (selection && shapes.isUniform(selection->getCondition()) &&
	    !selection->getCondition()->getType()->isVectorTy())
		return widenUniformSelect(at, *selection);
	return widenElements(at, instruction);
}

Value *LaneOperations::widenUniformSelect(IRBuilder<> &at, SelectInst &selection)
{
	Value *choice = at.CreateSelect(values.scalarOf(selection.getCondition()),
					values.vectorOf(selection.getTrueValue()),
					values.vectorOf(selection.getFalseValue()));
	if (auto *made = dyn_cast<Instruction>(choice))
		made->copyIRFlags(&selection);
	return choice;
}

/* What works element by element. */
Value *LaneOperations::widenElements(IRBuilder<> &at, Instruction &instruction)
{
	if (!isa<BinaryOperator, UnaryOperator, CmpInst, CastInst, SelectInst, FreezeInst>(
		    instruction))
		return nullptr;
	SmallVector<Value *, 3> operands;
	for (const Use &use : instruction.operands())
		operands.push_back(values.vectorOf(use));
	Instruction *copy = nullptr;
	Type *type = body.vectorType(instruction.getType());
	if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
		copy = BinaryOperator::Create(operation->getOpcode(), operands[0], operands[1]);
	else if (auto *unary = dyn_cast<UnaryOperator>(&instruction))
		copy = UnaryOperator::Create(unary->getOpcode(), operands[0]);
	else if (auto *compare = dyn_cast<CmpInst>(&instruction))
		copy = CmpInst::Create(compare->getOpcode(), compare->getPredicate(), operands[0],
				       operands[1]);
	else if (auto *cast = dyn_cast<CastInst>(&instruction))
		copy = CastInst::Create(cast->getOpcode(), operands[0], type);
	else if (isa<SelectInst>(instruction))
		copy = SelectInst::Create(
			spread(at, operands[0],
			       laneElements(*instruction.getType()) /
				       laneElements(*instruction.getOperand(0)->getType())),
			operands[1], operands[2]);
	else
		copy = new FreezeInst(operands[0]);
	copy->copyIRFlags(&instruction);
	copy->setMetadata(LLVMContext::MD_fpmath, instruction.getMetadata(LLVMContext::MD_fpmath));
	return folded(at.Insert(copy, instruction.getName()));
}

Value *LaneOperations::widenIntrinsic(IRBuilder<> &at, IntrinsicInst &call)
{
	Intrinsic::ID id = call.getIntrinsicID();
	if (!isTriviallyVectorizable(id))
		return nullptr;
	SmallVector<Value *, 4> operands;
	SmallVector<Type *, 2> types;
	if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
		types.push_back(body.vectorType(call.getType()));
	for (auto [number, use] : enumerate(call.args())) {
		bool scalar = isVectorIntrinsicWithScalarOpAtArg(id, unsigned(number), nullptr);
		if (scalar && !shapes.isUniform(use))
			return nullptr;
		operands.push_back(scalar ? values.scalarOf(use) : values.vectorOf(use));
		if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(number), nullptr))
			types.push_back(operands.back()->getType());
	}
	Function *callee = Intrinsic::getOrInsertDeclaration(body.function.getParent(), id, types);
	CallInst *copy = at.CreateCall(callee, operands);
	copy->copyIRFlags(&call);
	copy->setMetadata(LLVMContext::MD_fpmath, call.getMetadata(LLVMContext::MD_fpmath));
	return copy;
}

/* ---- addresses ---------------------------------------------------------------------------------------- */

/* One address, as a scalar, or those of all lanes. */
Value *LaneOperations::widenAddress(IRBuilder<> &at, GetElementPtrInst &step, bool scalar,
				    Getter operandOf)
{
	if (shapes.laneMajorBase(step.getPointerOperand()))
		return laneMajorAddress(at, step, operandOf);
	Value *base = operandOf(step.getPointerOperand());
	SmallVector<Value *, 4> indices;
	for (Value *index : step.indices())
		indices.push_back(operandOf(index));
	auto *copy = GetElementPtrInst::Create(step.getSourceElementType(), base, indices);
	if (!scalar || !masks.ofCurrent())
		copy->setNoWrapFlags(step.getNoWrapFlags());
	return at.Insert(copy, step.getName());
}

/* In a variable whose elements lie side by side for all lanes an offset counts for the elements of all lanes. */
Value *LaneOperations::laneMajorAddress(IRBuilder<> &at, GetElementPtrInst &step, Getter operandOf)
{
	const DataLayout &layout = body.layout;
	Value *base = operandOf(step.getPointerOperand());
	Value *offset = at.getInt64(0);
	for (auto i = gep_type_begin(step), end = gep_type_end(step); i != end; ++i) {
		if (StructType *type = i.getStructTypeOrNull()) {
			uint64_t field = cast<ConstantInt>(i.getOperand())->getZExtValue();
			uint64_t bytes =
				layout.getStructLayout(type)->getElementOffset(unsigned(field));
			offset = at.CreateAdd(offset, at.getInt64(bytes * width));
			continue;
		}
		Value *index = operandOf(i.getOperand());
		if (!offset->getType()->isVectorTy() && index->getType()->isVectorTy())
			offset = at.CreateVectorSplat(width, offset);
		index = at.CreateSExtOrTrunc(index, offset->getType());
		uint64_t unit = i.getSequentialElementStride(layout).getFixedValue() * width;
		offset = at.CreateAdd(
			offset, at.CreateMul(index, ConstantInt::get(offset->getType(), unit)));
	}
	return at.CreatePtrAdd(base, offset, step.getName());
}

/* ---- elements of packed vectors ------------------------------------------------------------------------- */

/* The number of an element of the vector, if it is known. */
static std::optional<unsigned> knownElement(const Value *number, const Value *vector)
{
	const auto *known = dyn_cast<ConstantInt>(number);
	if (!known || known->getValue().uge(laneElements(*vector->getType())))
		return std::nullopt;
	return unsigned(known->getZExtValue());
}

Value *LaneOperations::widenExtract(IRBuilder<> &at, ExtractElementInst &extract)
{
	Value *vector = extract.getVectorOperand();
	std::optional<unsigned> number = knownElement(extract.getIndexOperand(), vector);
	if (!number)
		return nullptr;
	const unsigned count = laneElements(*vector->getType());
	return at.CreateShuffleVector(values.vectorOf(vector),
				      createStrideMask(*number, count, width));
}

Value *LaneOperations::widenInsert(IRBuilder<> &at, InsertElementInst &insert)
{
	Value *vector = insert.getOperand(0);
	std::optional<unsigned> number = knownElement(insert.getOperand(2), vector);
	if (!number)
		return nullptr;
	const unsigned count = laneElements(*vector->getType());
	SmallVector<int, 64> mask;
	for (unsigned i = 0; i < width * count; i++)
		mask.push_back(int(i % count == *number ? width * count + i : i));
	Value *element = spread(at, values.vectorOf(insert.getOperand(1)), count);
	return at.CreateShuffleVector(values.vectorOf(vector), element, mask);
}

Value *LaneOperations::widenShuffle(IRBuilder<> &at, ShuffleVectorInst &shuffle)
{
	Value *element;
	if (match(&shuffle, m_Shuffle(m_InsertElt(m_Value(), m_Value(element), m_Zero()), m_Value(),
				      m_ZeroMask())))
		return spread(at, values.vectorOf(element), laneElements(*shuffle.getType()));
	const unsigned count = laneElements(*shuffle.getOperand(0)->getType());
	SmallVector<int, 64> mask;
	for (unsigned lane = 0; lane < width; lane++) {
		for (int number : shuffle.getShuffleMask()) {
			bool isSecond = number >= int(count);
			int from = isSecond ? int(width * count) + number - int(count) : number;
			mask.push_back(number < 0 ? PoisonMaskElem : int(lane * count) + from);
		}
	}
	Value *second = values.vectorOf(shuffle.getOperand(1));
	return at.CreateShuffleVector(values.vectorOf(shuffle.getOperand(0)), second, mask);
}

} // namespace weft
