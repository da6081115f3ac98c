/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of a widened body.
 */
#include "lane_code/lane_memory.h"

#include "lane_code/lane_vectors.h"
#include "lanes/lane_elements.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

void LaneMemory::emitLoad(LoadInst &load)
{
	int64_t size = elementSize(load.getType(), body.layout);
	if (!load.isSimple() || size == 0) {
		laneByLane.emitLoop(load);
		return;
	}
	Shape shape = shapes.of(load.getPointerOperand());
	Value *mask = masks.ofCurrent();
	if (tables.emit(load))
		return;
	if (accessesRows(load, nullptr))
		branches.byMask(
			mask, {&load}, [&] { loadRows(load, nullptr); },
			[&] { loadSomeOfRows(load, mask); });
	else if (accessesOwnRow(load.getPointerOperand(), size))
		branches.unlessEmpty(mask, load, [&] { loadNeighbours(load, nullptr); });
	else if (loadIfNeighbours(load, mask))
		return;
	else if (areApart(load, size))
		branches.byMask(
			mask, {&load}, [&] { loadApart(load); }, [&] { gather(load, mask); });
	else if (shape.row || !shape.isLinear() || std::abs(shape.stride) != size)
		gather(load, mask);
	else if (branches.arePoor(load))
		loadNeighbours(load, mask);
	else
		branches.byMask(
			mask, {&load}, [&] { loadNeighbours(load, nullptr); },
			[&] {
				branches.lacksMasks(load) ? laneByLane.emitLoop(load)
							  : loadNeighbours(load, mask);
			});
}

void LaneMemory::emitStore(StoreInst &store)
{
	Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
	int64_t size = elementSize(value->getType(), body.layout);
	Shape shape = shapes.of(pointer);
	Value *mask = masks.ofCurrent();
	if (!store.isSimple() || size == 0 ||
	    (shape.kind == Shape::Uniform && value->getType()->isVectorTy()))
		laneByLane.emitLoop(store);
	else if (shape.kind == Shape::Uniform)
		storeLast(store);
	else if (accessesRows(store, nullptr))
		branches.byMask(
			mask, {&store}, [&] { storeRows(store, nullptr); },
			[&] {
				accessesRows(store, mask) ? storeRows(store, mask)
							  : scatter(store, mask);
			});
	else if (accessesOwnRow(pointer, size))
		branches.unlessEmpty(mask, store, [&] { storeOwnRow(store, mask); });
	else if (storeIfNeighbours(store, mask))
		return;
	else if (shape.row || !shape.isLinear() || std::abs(shape.stride) != size)
		scatter(store, mask);
	else if (branches.arePoor(store))
		storeNeighbours(store, mask);
	else
		branches.byMask(
			mask, {&store}, [&] { storeNeighbours(store, nullptr); },
			[&] {
				branches.lacksMasks(store) ? laneByLane.emitLoop(store)
							   : storeNeighbours(store, mask);
			});
}

/* ---- one place, and elements of private variables ----------------------------------------------------- */

/* All lanes that run store to one place: what the last of them stores stays. */
void LaneMemory::storeLast(StoreInst &store)
{
	Value *mask = masks.ofCurrent();
	Value *all = values.vectorOf(store.getValueOperand());
	Value *lane = builder.getInt64(width - 1);
	if (mask) {
		Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, masks.bitsOf(mask),
							     builder.getFalse());
		zeros = builder.CreateZExtOrTrunc(zeros, builder.getInt64Ty());
		lane = builder.CreateSub(lane, zeros);
	}
	Value *value = builder.CreateExtractElement(all, lane);
	builder.CreateAlignedStore(value, values.scalarOf(store.getPointerOperand()),
				   store.getAlign());
}

/* Whether the lanes that run, of which there are some, access one element of a private variable. The elements of all
 * lanes are there, and only these lanes access them. */
bool LaneMemory::accessesOwnRow(const Value *pointer, int64_t size) const
{
	Shape shape = shapes.of(pointer);
	return shapes.laneMajorBase(pointer) && shape.kind == Shape::Strided && !shape.row &&
	       shape.stride == size;
}

/* Whether lanes that do not run load what a store leaves of the variable. They do not where the mask is made once in an iteration
 * of the item loop, and all loads come behind its block. */
bool LaneMemory::isReadByOthers(const StoreInst &store)
{
	const BasicBlock *owner = body.current().maskOwner;
	if (!owner || body.plan.at(owner).loop != body.item.loop)
		return true;
	const AllocaInst *variable = shapes.laneMajorBase(store.getPointerOperand());
	auto [known, isNew] = readByOthers.try_emplace({variable, owner}, true);
	if (isNew)
		known->second = !shapes.isReadBelow(*variable, *owner);
	return known->second;
}

/* Lanes that do not run keep what they have. A store with a mask would not be forwarded to the next load. */
void LaneMemory::storeOwnRow(StoreInst &store, Value *mask)
{
	Value *all = values.vectorOf(store.getValueOperand());
	Value *address = values.scalarOf(store.getPointerOperand());
	if (mask && isReadByOthers(store)) {
		Value *kept = builder.CreateAlignedLoad(all->getType(), address, store.getAlign());
		all = selected(builder, mask, all, kept);
	}
	builder.CreateAlignedStore(all, address, store.getAlign());
}

/* ---- neighbours ----------------------------------------------------------------------------------------- */

/* Whether the last lane's element comes first in memory. */
bool LaneMemory::areBackwards(const Instruction &access) const
{
	return shapes.of(getLoadStorePointerOperand(&access)).stride < 0;
}

/* The lowest address of the lanes' elements. Where an index of 32 bits may wrap before the first lane that runs, it is
 * computed from that lane's address. */
Value *LaneMemory::firstAddress(Instruction &access, Value *mask)
{
	Value *pointer = getLoadStorePointerOperand(&access);
	Shape shape = shapes.of(pointer);
	Value *address = nullptr;
	if (mask && shape.kind == Shape::Address) {
		Value *lane = masks.firstLane(mask);
		Value *back = builder.CreateMul(lane, builder.getInt64(-uint64_t(shape.stride)));
		address = builder.CreatePtrAdd(values.atLane(pointer, lane), back);
	} else {
		address = values.scalarOf(pointer);
	}
	if (!areBackwards(access))
		return address;
	return builder.CreatePtrAdd(address,
				    builder.getInt64(uint64_t(shape.stride) * (width - 1)));
}

void LaneMemory::loadNeighbours(LoadInst &load, Value *mask)
{
	const bool backwards = areBackwards(load);
	Value *address = firstAddress(load, mask);
	if (mask && backwards)
		mask = reversed(builder, mask, width);
	Value *result = loadLanes(builder, load, body.vectorType(load.getType()), address, mask);
	values.setVector(&load, backwards ? reversed(builder, result, width) : result);
}

void LaneMemory::storeNeighbours(StoreInst &store, Value *mask)
{
	Value *all = values.vectorOf(store.getValueOperand());
	Value *address = firstAddress(store, mask);
	if (areBackwards(store)) {
		mask = mask ? reversed(builder, mask, width) : nullptr;
		all = reversed(builder, all, width);
	}
	storeLanes(builder, store, all, address, mask);
}

/* ---- at constant distances ------------------------------------------------------------------------------- */

/* Whether the lanes' elements lie at constant distances, and gathers do no more than as many loads; there are none of long vectors. */
bool LaneMemory::areApart(const LoadInst &load, int64_t size) const
{
	Shape shape = shapes.of(load.getPointerOperand());
	return shape.isLinear() && shape.kind != Shape::Uniform && !shape.row &&
	       std::abs(shape.stride) != size && !shapes.laneMajorBase(load.getPointerOperand()) &&
	       (load.getType()->isVectorTy() ? isLongVector(*load.getType())
					     : scattered.isLaneByLane());
}

/* Lane by lane: each address is lane 0's and a constant, and none is taken out of a vector. All lanes run. */
void LaneMemory::loadApart(LoadInst &load)
{
	Value *first = values.scalarOf(load.getPointerOperand());
	const int64_t stride = shapes.of(load.getPointerOperand()).stride;
	SmallVector<Value *, 16> lanes;
	for (unsigned lane = 0; lane < width; lane++) {
		Value *address =
			builder.CreatePtrAdd(first, builder.getInt64(uint64_t(stride) * lane));
		lanes.push_back(loadLanes(builder, load, load.getType(), address, nullptr));
	}
	values.setVector(&load, vectorOfLanes(builder, lanes));
}

/* ---- what may be neighbours ------------------------------------------------------------------------------ */

Value *LaneMemory::firstAddress(const NeighbourIndex &expected)
{
	Value *value = builder.CreateExtractElement(values.vectorOf(expected.index), uint64_t(0));
	for (Instruction *step : expected.steps) {
		Instruction *copy = step->clone();
		copy->dropPoisonGeneratingAnnotations();
		for (Use &operand : copy->operands())
			operand.set(shapes.isUniform(operand) ? values.scalarOf(operand) : value);
		value = builder.Insert(copy);
	}
	return value;
}

/* Which lanes' indices are lane 0's and the stride for each lane, modulo their size. */
Value *LaneMemory::lanesAsExpected(const NeighbourIndex &expected)
{
	Value *indices = values.vectorOf(expected.index);
	Value *first = builder.CreateExtractElement(indices, uint64_t(0));
	return builder.CreateICmpEQ(indices, stepped(builder, first, expected.stride, width));
}

/* A bit: whether the lanes are all lanes, and no index wraps. The steps extend those of 32 bits: an index that wraps between two
 * lanes lies lower in the last lane than in the first. */
Value *LaneMemory::areAll(const NeighbourIndex &expected, Value *lanes)
{
	Value *first = builder.CreateExtractElement(values.vectorOf(expected.index), uint64_t(0));
	Value *bits = masks.bitsOf(lanes);
	Value *last = builder.CreateAdd(
		first,
		ConstantInt::getSigned(first->getType(), expected.stride * int64_t(width - 1)));
	Value *isInOrder = expected.isUnsigned() ? builder.CreateICmpULE(first, last)
						 : builder.CreateICmpSLE(first, last);
	return builder.CreateAnd(
		isInOrder, builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType())));
}

Value *LaneMemory::differAsExpected(const NeighbourIndex &expected, Value *mask, bool isMasked)
{
	Value *lanes = lanesAsExpected(expected);
	if (mask)
		lanes = isMasked ? builder.CreateOr(lanes, builder.CreateNot(mask))
				 : builder.CreateAnd(lanes, mask);
	return areAll(expected, lanes);
}

/* Where an index was clamped, or was a float, the lanes' elements are neighbours in most vectors, and of a quotient they are one; a
 * test is much cheaper than a gather. Indices of lanes that do not run do not matter for one place, and where data decide which
 * lanes run: there all lanes seldom do. False: nothing was made. */
bool LaneMemory::loadIfNeighbours(LoadInst &load, Value *mask)
{
	std::optional<NeighbourIndex> expected = neighbourIndex(load, shapes);
	const bool isOnePlace = expected && expected->bytes == 0;
	if (!expected || branches.areMany() ||
	    (!isOnePlace && expected->bytes != elementSize(load.getType(), body.layout)))
		return false;
	Type *type = isOnePlace ? load.getType() : body.vectorType(load.getType());
	const bool isMasked = mask && (isOnePlace || branches.arePoor(load));
	Value *test = differAsExpected(*expected, mask, isMasked);
	if (isMasked && isOnePlace)
		test = builder.CreateAnd(test, masks.isAny(mask));
	branches.byTest(
		test, {&load},
		[&] {
			Value *loaded = loadLanes(builder, load, type, firstAddress(*expected),
						  isOnePlace || !isMasked ? nullptr : mask);
			values.setVector(&load,
					 isOnePlace ? repeated(builder, loaded, width) : loaded);
		},
		[&] { loadNearby(load, *expected, mask); });
	return true;
}

/* Where gathers do no more than as many loads. */
void LaneMemory::loadNearby(LoadInst &load, const NeighbourIndex &expected, Value *mask)
{
	if (branches.areSome() || !scattered.isLaneByLane() ||
	    !nearby.arePossible(load, expected)) {
		gather(load, mask);
		return;
	}
	branches.byTest(
		nearby.areNear(expected, mask), {&load},
		[&] {
			Value *all = nearby.emit(load, expected, firstAddress(expected));
			all ? values.setVector(&load, all) : gather(load, nullptr);
		},
		[&] { gather(load, mask); });
}

/* Where some lanes do not run, their indices do not matter. False: nothing was made. */
bool LaneMemory::storeIfNeighbours(StoreInst &store, Value *mask)
{
	Value *value = store.getValueOperand();
	std::optional<NeighbourIndex> expected = neighbourIndex(store, shapes);
	if (!expected || expected->bytes != elementSize(value->getType(), body.layout) ||
	    branches.areMany())
		return false;
	const bool hasMasks = mask && !branches.lacksMasks(store);
	branches.byTest(
		differAsExpected(*expected, mask, hasMasks), {&store},
		[&] {
			storeLanes(builder, store, values.vectorOf(value), firstAddress(*expected),
				   hasMasks ? mask : nullptr);
		},
		[&] { scatter(store, mask); });
	return true;
}

/* ---- row by row ----------------------------------------------------------------------------------------- */

/* Whether an access behind the mask, or behind none, is made row by row: to neighbours, to one place, or to what all rows
 * read alike. Where an index may have wrapped before the first lane that runs, and of rows that may not run at all, nothing is known;
 * not every CPU has masks for bytes and shorts. */
bool LaneMemory::accessesRows(const Instruction &access, const Value *mask) const
{
	Shape shape = shapes.of(getLoadStorePointerOperand(&access));
	Type *type = getLoadStoreType(&access);
	bool isSmall = elementSize(type->getScalarType(), body.layout) < 4;
	if (!shape.row || !shape.isLinear() || (mask && (shape.kind == Shape::Address || isSmall)))
		return false;
	if (shape.stride == elementSize(type, body.layout) || (!mask && isRowBackwards(access)))
		return true;
	bool areSame = shape.hasStep && shape.step == 0 && !isSmall && !type->isVectorTy();
	return isa<LoadInst>(access) && !mask && (shape.stride == 0 || areSame);
}

/* Whether each row's last lane comes first in memory. */
bool LaneMemory::isRowBackwards(const Instruction &access) const
{
	Type *type = getLoadStoreType(&access);
	const int64_t stride = shapes.of(getLoadStorePointerOperand(&access)).stride;
	return stride == -elementSize(type, body.layout);
}

/* The lowest address of a row's elements. */
Value *LaneMemory::startOfRow(const Instruction &access, Shape shape, unsigned row)
{
	Value *address =
		values.rowOf(const_cast<Value *>(getLoadStorePointerOperand(&access)), shape, row);
	if (!isRowBackwards(access))
		return address;
	return builder.CreatePtrAdd(address,
				    builder.getInt64(uint64_t(shape.stride) * (shape.row - 1)));
}

/* Of what all rows read alike, gathered once. */
Value *LaneMemory::gatherRow(LoadInst &load, Shape shape)
{
	Value *pointers = stepped(builder, values.scalarOf(load.getPointerOperand()), shape.stride,
				  shape.row);
	auto *type = FixedVectorType::get(load.getType(), shape.row);
	Value *row = builder.CreateMaskedGather(type, pointers, load.getAlign());
	return concatenateVectors(builder, SmallVector<Value *, 4>(values.rowsOf(shape), row));
}

Value *LaneMemory::rowOfMask(Value *mask, Shape shape, unsigned row)
{
	return mask ? partOf(builder, mask, width, row * shape.row, shape.row) : nullptr;
}

void LaneMemory::loadRows(LoadInst &load, Value *mask)
{
	Shape shape = shapes.of(load.getPointerOperand());
	const bool backwards = isRowBackwards(load);
	if (shape.stride != 0 && !backwards &&
	    shape.stride != elementSize(load.getType(), body.layout)) {
		values.setVector(&load, gatherRow(load, shape));
		return;
	}
	const bool isOnePlace = shape.stride == 0;
	const bool areSame = !mask && shape.hasStep && shape.step == 0;
	Type *type = isOnePlace ? load.getType() : lanesOf(load.getType(), shape.row);
	SmallVector<Value *, 4> parts;
	for (unsigned row = 0; row < values.rowsOf(shape); row++) {
		if (row > 0 && areSame) {
			parts.push_back(parts[0]);
			continue;
		}
		Value *address = startOfRow(load, shape, row);
		Value *part = loadLanes(builder, load, type, address, rowOfMask(mask, shape, row));
		part = backwards ? reversed(builder, part, shape.row) : part;
		parts.push_back(isOnePlace ? repeated(builder, part, shape.row) : part);
	}
	values.setVector(&load, concatenateVectors(builder, parts));
}

void LaneMemory::loadSomeOfRows(LoadInst &load, Value *mask)
{
	if (accessesRows(load, mask))
		loadRows(load, mask);
	else if (load.getType()->isVectorTy())
		laneByLane.emitLoop(load);
	else
		values.setVector(&load, gatherFrom(values.vectorOf(load.getPointerOperand()),
						   load.getType(), load.getAlign(), mask));
}

void LaneMemory::storeRows(StoreInst &store, Value *mask)
{
	Shape shape = shapes.of(store.getPointerOperand());
	Value *all = values.vectorOf(store.getValueOperand());
	for (unsigned row = 0; row < values.rowsOf(shape); row++) {
		Value *address = startOfRow(store, shape, row);
		Value *part = partOf(builder, all, width, row * shape.row, shape.row);
		part = isRowBackwards(store) ? reversed(builder, part, shape.row) : part;
		storeLanes(builder, store, part, address, rowOfMask(mask, shape, row));
	}
}

/* ---- gathers and scatters ------------------------------------------------------------------------------- */

Value *LaneMemory::gatherAround(Value *pointers, unsigned bits, uint64_t unit, Value *mask)
{
	auto *words = body.vectorType(builder.getIntNTy(bits));
	auto *numbers = body.vectorType(builder.getInt32Ty());
	auto *addresses = body.vectorType(builder.getInt64Ty());
	Value *aligned =
		builder.CreateIntrinsic(Intrinsic::ptrmask, {pointers->getType(), addresses},
					{pointers, ConstantInt::get(addresses, 0 - unit)});
	Value *word = builder.CreateMaskedGather(words, aligned, Align(unit), mask);
	Value *place = builder.CreateTrunc(builder.CreatePtrToInt(pointers, addresses), numbers);
	Value *shift =
		builder.CreateShl(builder.CreateAnd(place, ConstantInt::get(numbers, unit - 1)), 3);
	return builder.CreateLShr(word, builder.CreateZExt(shift, words));
}

/* A CPU with gathers has them for 32 bits and more. The aligned word around a smaller element lies in the page of the
 * element. */
Value *LaneMemory::gatherFrom(Value *pointers, Type *type, Align align, Value *mask)
{
	Type *cell = cellOfLane(*type);
	int64_t size = elementSize(cell, body.layout);
	bool inWord = size == 1 || (size == 2 && align >= 2);
	Value *all = nullptr;
	if (inWord && scattered.gathers(mask))
		all = builder.CreateTrunc(gatherAround(pointers, 32, 4, mask),
					  body.vectorType(builder.getIntNTy(unsigned(size * 8))));
	else
		all = builder.CreateMaskedGather(body.vectorType(cell), pointers, align, mask);
	return builder.CreateBitCast(all, body.vectorType(type));
}

/* A gather that becomes loads lane by lane pays as much for a mask as for the loads. */
void LaneMemory::gather(LoadInst &load, Value *mask)
{
	if (!cellOfLane(*load.getType())) {
		laneByLane.emitLoop(load);
		return;
	}
	Value *pointers = values.vectorOf(load.getPointerOperand());
	auto emitWith = [&](Value *lanes) {
		values.setVector(&load,
				 gatherFrom(pointers, load.getType(), load.getAlign(), lanes));
	};
	if (!mask || scattered.gathers(mask))
		emitWith(mask);
	else
		branches.byMask(mask, {&load}, [&] { emitWith(nullptr); }, [&] { emitWith(mask); });
}

/* Small elements behind a mask would become a branch for each lane, but where all lanes run after all. */
void LaneMemory::scatter(StoreInst &store, Value *mask)
{
	Value *value = store.getValueOperand();
	Type *cell = cellOfLane(*value->getType());
	if (!cell) {
		laneByLane.emitLoop(store);
		return;
	}
	auto emitWith = [&](Value *lanes) {
		builder.CreateMaskedScatter(
			asCells(builder, values.vectorOf(value), body.vectorType(cell)),
			values.vectorOf(store.getPointerOperand()), store.getAlign(), lanes);
	};
	if (mask && elementSize(cell, body.layout) < 4)
		branches.byMask(
			mask, {&store}, [&] { emitWith(nullptr); },
			[&] { laneByLane.emitLoop(store); });
	else
		emitWith(mask);
}

} // namespace weft
