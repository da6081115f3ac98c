/* SPDX-License-Identifier: MIT
 *
 * Sub-group functions of a widened body.
 */
#include "lane_code/subgroup_operations.h"

#include "lane_code/lane_permutations.h"
#include "lane_code/lane_vectors.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

using Operation = SubgroupFunction::Operation;

/* The better one, or b where neither is; what is no NaN if only one is. Written out, since which of two zeros an intrinsic
 * gives is for optimisations to choose. */
Value *betterOf(IRBuilder<> &builder, Value *a, Value *b, CmpInst::Predicate isBetter)
{
	Value *ordered = builder.CreateSelect(builder.CreateFCmp(isBetter, a, b), a, b);
	return builder.CreateSelect(builder.CreateFCmpUNO(b, b), a, ordered);
}

Value *combineFloats(IRBuilder<> &builder, Operation operation, Value *a, Value *b)
{
	switch (operation) {
	case Operation::Mul:
		return builder.CreateFMul(a, b);
	case Operation::Min:
		return betterOf(builder, a, b, CmpInst::FCMP_OLT);
	case Operation::Max:
		return betterOf(builder, a, b, CmpInst::FCMP_OGT);
	default:
		return builder.CreateFAdd(a, b);
	}
}

Value *combine(IRBuilder<> &builder, SubgroupFunction function, Value *a, Value *b)
{
	if (a->getType()->isFPOrFPVectorTy())
		return combineFloats(builder, function.operation, a, b);
	switch (function.operation) {
	case Operation::Mul:
		return builder.CreateMul(a, b);
	case Operation::Min:
		return builder.CreateBinaryIntrinsic(
			function.isSigned ? Intrinsic::smin : Intrinsic::umin, a, b);
	case Operation::Max:
		return builder.CreateBinaryIntrinsic(
			function.isSigned ? Intrinsic::smax : Intrinsic::umax, a, b);
	case Operation::And:
		return builder.CreateAnd(a, b);
	case Operation::Or:
		return builder.CreateOr(a, b);
	case Operation::Xor:
		return builder.CreateXor(a, b);
	default:
		return builder.CreateAdd(a, b);
	}
}

/* Each lane's value and that of the lane whose number differs in one bit. */
Value *combineNeighbours(IRBuilder<> &builder, SubgroupFunction function, Value *vector,
			 unsigned width, unsigned bit)
{
	SmallVector<int, 32> lanes;
	for (unsigned lane = 0; lane < width; lane++)
		lanes.push_back(int(lane ^ bit));
	return combine(builder, function, vector, builder.CreateShuffleVector(vector, lanes));
}

/* In the order that is written here, whatever becomes of the code: halves of the vector, and halves of what they give. */
Value *reduceFloats(IRBuilder<> &builder, Operation operation, Value *vector)
{
	unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
	for (lanes /= 2; lanes > 0; lanes /= 2) {
		Value *low = builder.CreateShuffleVector(vector, createSequentialMask(0, lanes, 0));
		Value *high =
			builder.CreateShuffleVector(vector, createSequentialMask(lanes, lanes, 0));
		vector = combineFloats(builder, operation, low, high);
	}
	return builder.CreateExtractElement(vector, uint64_t(0));
}

Value *reduceAll(IRBuilder<> &builder, SubgroupFunction function, Value *vector)
{
	if (vector->getType()->isFPOrFPVectorTy())
		return reduceFloats(builder, function.operation, vector);
	switch (function.operation) {
	case Operation::Mul:
		return builder.CreateMulReduce(vector);
	case Operation::Min:
		return builder.CreateIntMinReduce(vector, function.isSigned);
	case Operation::Max:
		return builder.CreateIntMaxReduce(vector, function.isSigned);
	case Operation::And:
		return builder.CreateAndReduce(vector);
	case Operation::Or:
		return builder.CreateOrReduce(vector);
	case Operation::Xor:
		return builder.CreateXorReduce(vector);
	default:
		return builder.CreateAddReduce(vector);
	}
}

} // namespace

void SubgroupOperations::emit(CallInst &call, SubgroupFunction what)
{
	switch (what.kind) {
	case SubgroupFunction::Size:
		values.setScalar(&call, builder.getInt32(width));
		return;
	case SubgroupFunction::Lane:
		values.setScalar(&call, builder.getInt32(0));
		return;
	case SubgroupFunction::Barrier:
		return;
	case SubgroupFunction::Ballot:
		values.setScalar(&call, ballot(values.vectorOf(call.getArgOperand(0))));
		return;
	case SubgroupFunction::Shuffle:
		emitShuffle(call);
		return;
	case SubgroupFunction::ShuffleTwo:
		emitShuffleTwo(call);
		return;
	case SubgroupFunction::First:
		emitFirst(call);
		return;
	case SubgroupFunction::Reduce:
		emitReduction(call, what);
		return;
	case SubgroupFunction::Inclusive:
	case SubgroupFunction::Exclusive:
		emitScan(call, what);
		return;
	}
}

Value *SubgroupOperations::ballot(Value *predicate)
{
	Value *isSet =
		builder.CreateICmpNE(predicate, Constant::getNullValue(predicate->getType()));
	if (Value *mask = masks.ofCurrent())
		isSet = builder.CreateLogicalAnd(mask, isSet);
	return builder.CreateZExtOrTrunc(masks.bitsOf(isSet), builder.getInt32Ty());
}

void SubgroupOperations::emitShuffle(CallInst &call)
{
	Value *value = call.getArgOperand(0), *from = call.getArgOperand(1);
	if (shapes.isUniform(value)) {
		values.setScalar(&call, values.scalarOf(value));
		return;
	}
	if (!shapes.isUniform(from)) {
		values.setVector(&call, permuted({values.vectorOf(value)}, values.vectorOf(from)));
		return;
	}
	Value *lane = builder.CreateZExt(builder.CreateAnd(values.scalarOf(from), width - 1),
					 builder.getInt64Ty());
	values.setScalar(&call,
			 shapes.of(value).kind == Shape::Strided
				 ? values.atLane(value, lane)
				 : builder.CreateExtractElement(values.vectorOf(value), lane));
}

void SubgroupOperations::emitShuffleTwo(CallInst &call)
{
	Value *low = values.vectorOf(call.getArgOperand(0));
	Value *high = values.vectorOf(call.getArgOperand(1));
	Value *from = call.getArgOperand(2);
	if (!shapes.isUniform(from)) {
		values.setVector(&call, permuted({low, high}, values.vectorOf(from)));
		return;
	}
	Value *number = values.scalarOf(from);
	Value *isHigh = builder.CreateIsNotNull(builder.CreateAnd(number, width));
	values.setScalar(&call,
			 builder.CreateExtractElement(builder.CreateSelect(isHigh, high, low),
						      builder.CreateAnd(number, width - 1)));
}

void SubgroupOperations::emitFirst(CallInst &call)
{
	Value *address = call.getArgOperand(0);
	Shape shape = shapes.of(address);
	values.setScalar(&call, shape.isLinear() && !shape.row
					? values.scalarOf(address)
					: builder.CreateExtractElement(values.vectorOf(address),
								       uint64_t(0)));
}

/* To each lane the element of the sources that it names. */
Value *SubgroupOperations::permuted(ArrayRef<Value *> sources, Value *lanes)
{
	unsigned count = unsigned(sources.size()) * width;
	if (auto *known = dyn_cast<Constant>(lanes)) {
		SmallVector<int, 32> numbers;
		for (unsigned lane = 0; lane < width; lane++) {
			auto *number =
				dyn_cast_or_null<ConstantInt>(known->getAggregateElement(lane));
			numbers.push_back(number ? int(number->getZExtValue() & (count - 1))
						 : PoisonMaskElem);
		}
		return sources.size() == 1
			       ? builder.CreateShuffleVector(sources[0], numbers)
			       : builder.CreateShuffleVector(sources[0], sources[1], numbers);
	}
	Value *vector = permutedByInstructions(builder, sources, lanes);
	return vector ? vector : permutedInMemory(sources, lanes);
}

Value *SubgroupOperations::permutedInMemory(ArrayRef<Value *> sources, Value *lanes)
{
	auto *element = sources[0]->getType()->getScalarType();
	AllocaInst *&place = exchanges[element];
	if (!place) {
		place = body.newVariable(ArrayType::get(element, uint64_t(2) * width), "exchange");
		place->setAlignment(Align(64));
	}
	for (auto [number, source] : enumerate(sources))
		builder.CreateAlignedStore(
			source, builder.CreateConstInBoundsGEP1_64(element, place, number * width),
			number ? body.layout.getABITypeAlign(element) : Align(64));
	unsigned count = unsigned(sources.size()) * width;
	Value *inRange = builder.CreateAnd(lanes, ConstantInt::get(lanes->getType(), count - 1));
	Value *addresses = builder.CreateInBoundsGEP(
		element, place, builder.CreateZExt(inRange, body.vectorType(builder.getInt64Ty())));
	return builder.CreateMaskedGather(sources[0]->getType(), addresses,
					  body.layout.getABITypeAlign(element), masks.ofCurrent());
}

/* In each lane the value that changes no result. */
Constant *SubgroupOperations::identities(CallInst &call, SubgroupFunction what)
{
	return ConstantVector::getSplat(ElementCount::getFixed(width),
					identityOf(what, call.getType()));
}

/* The operand of lanes that run, and the identity in others. */
Value *SubgroupOperations::activeOr(CallInst &call, Constant *identity)
{
	Value *vector = values.vectorOf(call.getArgOperand(0));
	Value *mask = masks.ofCurrent();
	return mask ? builder.CreateSelect(mask, vector, identity) : vector;
}

void SubgroupOperations::emitReduction(CallInst &call, SubgroupFunction what)
{
	unsigned cluster = clusterOf(call, width);
	Value *vector = activeOr(call, identities(call, what));
	if (cluster == width) {
		values.setScalar(&call, reduceAll(builder, what, vector));
		return;
	}
	for (unsigned bit = 1; bit < cluster; bit *= 2)
		vector = combineNeighbours(builder, what, vector, width, bit);
	values.setVector(&call, vector);
}

void SubgroupOperations::emitScan(CallInst &call, SubgroupFunction what)
{
	Constant *identity = identities(call, what);
	Value *vector = activeOr(call, identity);
	if (what == SubgroupFunction::Exclusive)
		vector = shiftedUp(builder, vector, identity, width, 1);
	for (unsigned distance = 1; distance < width; distance *= 2)
		vector = combine(builder, what,
				 shiftedUp(builder, vector, identity, width, distance), vector);
	values.setVector(&call, vector);
}

} // namespace weft
