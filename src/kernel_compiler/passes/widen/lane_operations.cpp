/* SPDX-License-Identifier: MIT
 *
 * The instructions of a widened loop: once for all lanes, as vectors, or lane by lane.
 */
#include "ir/internal_functions.h"
#include "lanes/lane_elements.h"
#include "widen/loop_widener.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

/* What says something to the optimiser alone, and would be wrong or useless about a vector. */
bool isHint(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	if (!call)
		return false;
	switch (call->getIntrinsicID()) {
	case Intrinsic::assume:
	case Intrinsic::lifetime_start:
	case Intrinsic::lifetime_end:
	case Intrinsic::experimental_noalias_scope_decl:
	case Intrinsic::invariant_start:
	case Intrinsic::invariant_end:
		return true;
	default:
		return isa<DbgInfoIntrinsic>(call);
	}
}

bool fitsVectors(const Instruction &instruction)
{
	return laneElements(*instruction.getType()) &&
	       all_of(instruction.operands(), [](const Use &use) {
		       return laneElements(*use->getType()) || isa<Function>(use);
	       });
}

} // namespace

void LoopWidener::emit(Instruction &instruction)
{
	if (isHint(instruction))
		return;
	builder.SetCurrentDebugLocation(instruction.getDebugLoc());
	if (std::optional<SubgroupFunction> what = subgroupCallOf(instruction)) {
		emitSubgroup(cast<CallInst>(instruction), *what);
		return;
	}
	Shape shape = shapes.of(&instruction);
	if (instruction.getType()->isVoidTy() || !shape.isLinear()) {
		emitVector(instruction);
		return;
	}
	if (shape.row)
		emitRows(instruction, shape);
	else if (shape.kind != Shape::Uniform && isa<GetElementPtrInst>(instruction))
		scalars[&instruction] =
			widenAddress(builder, cast<GetElementPtrInst>(instruction), true,
				     [&](Value *value) { return scalarOf(value); });
	else
		emitScalar(instruction);
}

/* The instruction, in its place, or the constant that it is: what lanes ask by number is known with it. */
Value *LoopWidener::folded(Instruction *copy)
{
	if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst>(copy) || copy->isIntDivRem())
		return copy;
	Constant *known = ConstantFoldInstruction(copy, layout);
	if (!known)
		return copy;
	copy->eraseFromParent();
	return known;
}

/* Computes lane 0's value. Behind a mask it may not be running, and then knows nothing about overflow. */
void LoopWidener::emitScalar(Instruction &instruction)
{
	Instruction *copy = instruction.clone();
	copy->setMetadata(LLVMContext::MD_access_group, nullptr);
	for (Use &use : copy->operands()) {
		if (!isa<Function>(use))
			use.set(scalarOf(use));
	}
	if (shapes.of(&instruction).kind != Shape::Uniform && maskOf(current))
		copy->dropPoisonGeneratingAnnotations();
	builder.Insert(copy, instruction.getName());
	if (!instruction.getType()->isVoidTy())
		scalars[&instruction] = folded(copy);
}

void LoopWidener::emitVector(Instruction &instruction)
{
	if (auto *load = dyn_cast<LoadInst>(&instruction)) {
		emitLoad(*load);
		return;
	}
	if (auto *store = dyn_cast<StoreInst>(&instruction)) {
		emitStore(*store);
		return;
	}
	bool once = isa<FenceInst>(instruction);
	if (const auto *call = dyn_cast<CallBase>(&instruction)) {
		/* A void call with no operand that differs, such as a copy that all make: unless it counts how
		 * often it is made. */
		once = isa<MemIntrinsic>(call) &&
		       all_of(call->args(), [&](const Use &use) { return shapes.isUniform(use); });
	}
	if (once) {
		emitScalar(instruction);
		return;
	}
	if (isLocalUpdate(instruction) && !maskOf(current)) {
		updateEach(instruction);
		return;
	}
	bool divides = instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1)) &&
		       !dividesAsFloat(instruction);
	if (!fitsVectors(instruction)) {
		serialise(instruction);
		return;
	}
	Value *result = widen(builder, instruction);
	if (!result) {
		serialise(instruction);
		return;
	}
	Value *mask = divides ? maskOf(current) : nullptr;
	if (mask) {
		/* Lanes that do not run must not divide by what they happen to hold. */
		auto *division = cast<Instruction>(result);
		IRBuilder<> at(division);
		Value *divisor = division->getOperand(1);
		division->setOperand(
			1, selected(at, mask, divisor, ConstantInt::get(divisor->getType(), 1)));
	}
	vectors[&instruction] = result;
}

/* The instruction on vectors; NULL where there is none. Expects operands that fit. */
Value *LoopWidener::widen(IRBuilder<> &at, Instruction &instruction)
{
	if (auto *step = dyn_cast<GetElementPtrInst>(&instruction))
		return widenAddress(at, *step, false, [&](Value *value) {
			return shapes.isUniform(value) ? scalarOf(value) : vectorOf(value);
		});
	if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
		return widenIntrinsic(at, *call);
	if (std::optional<CpuFunction> which = cpuCallOf(instruction)) {
		Value *operand = vectorOf(instruction.getOperand(0));
		Module &module = *function.getParent();
		return at.CreateCall(declareCpuFunction(module, *which, operand->getType()),
				     operand);
	}
	if (isa<SelectInst>(instruction) && shapes.isUniform(instruction.getOperand(0)) &&
	    !instruction.getOperand(0)->getType()->isVectorTy()) {
		Value *choice = at.CreateSelect(scalarOf(instruction.getOperand(0)),
						vectorOf(instruction.getOperand(1)),
						vectorOf(instruction.getOperand(2)));
		if (auto *selection = dyn_cast<Instruction>(choice))
			selection->copyIRFlags(&instruction);
		return choice;
	}
	if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction))
		return widenShuffle(at, instruction);
	if (dividesAsFloat(instruction))
		return divideAsFloat(at, cast<BinaryOperator>(instruction));
	if (!isa<BinaryOperator, UnaryOperator, CmpInst, CastInst, SelectInst, FreezeInst>(
		    instruction))
		return nullptr;
	SmallVector<Value *, 3> operands;
	for (const Use &use : instruction.operands())
		operands.push_back(vectorOf(use));
	Instruction *copy = nullptr;
	Type *type = vectorType(instruction.getType());
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

/* Lane 0's address, or all lanes'. In lane-major variables offsets count for all lanes' elements. */
Value *LoopWidener::widenAddress(IRBuilder<> &at, GetElementPtrInst &step, bool scalar,
				 Getter operandOf)
{
	Value *pointer = step.getPointerOperand();
	Value *base = operandOf(pointer);
	if (!shapes.laneMajorBase(pointer)) {
		SmallVector<Value *, 4> indices;
		for (Value *index : step.indices())
			indices.push_back(operandOf(index));
		auto *copy = GetElementPtrInst::Create(step.getSourceElementType(), base, indices);
		if (!scalar || !maskOf(current))
			copy->setNoWrapFlags(step.getNoWrapFlags());
		return at.Insert(copy, step.getName());
	}
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

Value *LoopWidener::widenIntrinsic(IRBuilder<> &at, IntrinsicInst &call)
{
	Intrinsic::ID id = call.getIntrinsicID();
	if (!isTriviallyVectorizable(id))
		return nullptr;
	SmallVector<Value *, 4> operands;
	SmallVector<Type *, 2> types;
	if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
		types.push_back(vectorType(call.getType()));
	for (auto [number, use] : enumerate(call.args())) {
		bool scalar = isVectorIntrinsicWithScalarOpAtArg(id, unsigned(number), nullptr);
		if (scalar && !shapes.isUniform(use))
			return nullptr;
		operands.push_back(scalar ? scalarOf(use) : vectorOf(use));
		if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(number), nullptr))
			types.push_back(operands.back()->getType());
	}
	Function *callee = Intrinsic::getOrInsertDeclaration(function.getParent(), id, types);
	CallInst *copy = at.CreateCall(callee, operands);
	copy->copyIRFlags(&call);
	copy->setMetadata(LLVMContext::MD_fpmath, call.getMetadata(LLVMContext::MD_fpmath));
	return copy;
}

} // namespace weft
