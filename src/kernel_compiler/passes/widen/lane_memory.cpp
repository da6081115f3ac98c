/* SPDX-License-Identifier: MIT
 *
 * Memory accesses of a widened loop: neighbours as one vector, the rest as gathers and scatters.
 */
#include "lanes/lane_elements.h"
#include "widen/loop_widener.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostBranches =
	100; /* of accesses by their masks, in an item loop: they are two each */

/* Bytes of an element that vectors of it are made of in memory; 0 when memory has it otherwise. */
int64_t elementSize(Type *type, const DataLayout &layout)
{
	if (!laneElements(*type) || layout.getTypeSizeInBits(type->getScalarType()) % 8 != 0 ||
	    layout.getTypeStoreSize(type) != layout.getTypeAllocSize(type))
		return 0;
	return int64_t(layout.getTypeAllocSize(type).getFixedValue());
}

/* Whether each row is an access of its own: of neighbours, of one place, or of what all rows access alike. Where an
 * index may have wrapped before the first lane that runs, and of rows that may not run at all, nothing is known; not
 * every CPU has masks for bytes and shorts. */
bool accessesRows(const Instruction &access, Shape shape, const Value *mask)
{
	Type *type = getLoadStoreType(&access);
	const DataLayout &layout = access.getDataLayout();
	bool isSmall = elementSize(type->getScalarType(), layout) < 4;
	if (!shape.row || !shape.isLinear() || (mask && (shape.kind == Shape::Address || isSmall)))
		return false;
	bool areSame = shape.hasStep && shape.step == 0 && !isSmall && !type->isVectorTy();
	return shape.stride == elementSize(type, layout) ||
	       ((shape.stride == 0 || areSame) && !mask);
}

} // namespace

/* LLVM 22 makes a masked load and a later selection by the same mask one load, in the later place, past stores that
 * may be in between. A freeze keeps them apart. */
Value *LoopWidener::held(Value *loaded)
{
	return builder.Insert(new FreezeInst(loaded));
}

/* What a linear value is in a given lane, where that lane runs. */
Value *LoopWidener::atLane(Value *value, Value *lane)
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

/* Lane 0's address for a linear one: as the first lane that runs has it, since an index of 32 bits may wrap
 * before that. */
Value *LoopWidener::addressOf(Value *pointer, Value *mask)
{
	Shape shape = shapes.of(pointer);
	if (!mask || shape.kind != Shape::Address)
		return scalarOf(pointer);
	Value *lane = firstLane(mask);
	Value *back = builder.CreateMul(lane, builder.getInt64(-uint64_t(shape.stride)));
	return builder.CreatePtrAdd(atLane(pointer, lane), back);
}

/* A machine with gathers has them for 32 bits and more. The aligned word around a smaller element lies in the
 * same page. */
Value *LoopWidener::gatherSmall(Type *type, Value *pointers, Value *mask)
{
	unsigned bits = type->getScalarSizeInBits();
	auto *words = vectorType(builder.getInt32Ty());
	auto *addresses = vectorType(builder.getInt64Ty());
	Value *clear =
		ConstantVector::getSplat(ElementCount::getFixed(width), builder.getInt64(~3ull));
	Value *aligned = builder.CreateIntrinsic(
		Intrinsic::ptrmask, {pointers->getType(), addresses}, {pointers, clear});
	Value *word = builder.CreateMaskedGather(words, aligned, Align(4), mask);
	Value *place = builder.CreateTrunc(builder.CreatePtrToInt(pointers, addresses), words);
	Value *shift = builder.CreateShl(builder.CreateAnd(place, ConstantInt::get(words, 3)),
					 ConstantInt::get(words, 3));
	Value *number = builder.CreateTrunc(builder.CreateLShr(word, shift),
					    vectorType(builder.getIntNTy(bits)));
	return builder.CreateBitCast(number, vectorType(type));
}

Value *LoopWidener::gather(Type *type, Value *pointers, Align align, Value *mask)
{
	int64_t size = elementSize(type, layout);
	bool inWord = size == 1 || (size == 2 && align >= 2);
	if (inWord && scattered.gathers(mask))
		return gatherSmall(type, pointers, mask);
	return builder.CreateMaskedGather(vectorType(type), pointers, align, mask);
}

/* Lane by lane a mask costs as much as the loads do. */
void LoopWidener::gather(LoadInst &load, Value *mask)
{
	if (load.getType()->isVectorTy()) {
		serialise(load);
		return;
	}
	Value *pointers = vectorOf(load.getPointerOperand());
	auto emitWith = [&](Value *lanes) {
		vectors[&load] = gather(load.getType(), pointers, load.getAlign(), lanes);
	};
	if (!mask || scattered.gathers(mask))
		emitWith(mask);
	else
		byMask(mask, {&load}, [&] { emitWith(nullptr); }, [&] { emitWith(mask); });
}

/* Small elements behind a mask would become a branch for each lane. */
void LoopWidener::scatter(StoreInst &store, Value *mask)
{
	Value *value = store.getValueOperand();
	if (value->getType()->isVectorTy() || (mask && elementSize(value->getType(), layout) < 4))
		serialise(store);
	else
		builder.CreateMaskedScatter(vectorOf(value), vectorOf(store.getPointerOperand()),
					    store.getAlign(), mask);
}

/* Makes accesses in one of several ways, behind which they are joined. From `without`, if there is that block, none is made. */
void LoopWidener::joinWays(ArrayRef<std::pair<BasicBlock *, Emitter>> ways, BasicBlock *without,
			   BasicBlock *done, ArrayRef<Instruction *> accesses)
{
	SmallVector<SmallVector<Value *, 4>, 2> results;
	SmallVector<BasicBlock *, 2> from;
	auto kept = copies; /* what is made on one way only */
	for (auto [start, emitWay] : ways) {
		builder.SetInsertPoint(start);
		emitWay();
		copies = kept;
		results.emplace_back();
		for (Instruction *access : accesses)
			results.back().push_back(vectors.lookup(access));
		from.push_back(builder.GetInsertBlock());
		builder.CreateBr(done);
	}
	builder.SetInsertPoint(done);
	for (auto [number, access] : enumerate(accesses)) {
		if (!isa<LoadInst>(access))
			continue;
		PHINode *phi = builder.CreatePHI(vectorType(access->getType()), 3);
		for (auto [values, block] : zip_equal(results, from))
			phi->addIncoming(values[number], block);
		if (without)
			phi->addIncoming(Constant::getNullValue(phi->getType()), without);
		vectors[access] = phi;
	}
}

/* One way when all lanes run and another when some do not, each making the accesses. Behind a guard such as `if (i < n)`
 * the first is nearly always the one, and neither waits for the mask nor asks which lane is the first that runs: a
 * filter of bytes takes half of the time. LLVM joins the branches of accesses that follow each other. Where no lane may run
 * there is a third way, which makes none: where a page is not there a masked access takes hundreds of cycles, though it is
 * of no lane (Zen 4: 370 for a store, 770 for a load). */
void LoopWidener::byMask(Value *mask, ArrayRef<Instruction *> accesses, Emitter all, Emitter some)
{
	if (!mask || branches == mostBranches) {
		mask ? some() : all();
		return;
	}
	branches++;
	const bool mayBeNone = plan.at(current).mayBeEmpty;
	BasicBlock *done = newBlock("accessed");
	BasicBlock *without = newBlock("all.lanes"), *with = newBlock("some.lanes");
	BasicBlock *partly = mayBeNone ? newBlock("not.all.lanes") : nullptr;
	Value *bits = bitsOf(mask);
	builder.CreateCondBr(builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType())),
			     without, partly ? partly : with);
	if (partly) {
		builder.SetInsertPoint(partly);
		builder.CreateCondBr(builder.CreateIsNotNull(bits), with, done);
	}
	joinWays({{without, all}, {with, some}}, partly, done, accesses);
}

/* For the lanes that run, if there are any. */
void LoopWidener::unlessEmpty(Value *mask, Instruction &access, Emitter some)
{
	if (!mask || !plan.at(current).mayBeEmpty) {
		some();
		return;
	}
	branches++;
	BasicBlock *start = builder.GetInsertBlock();
	BasicBlock *done = newBlock("accessed"), *with = newBlock("some.lanes");
	builder.CreateCondBr(isAny(mask), with, done);
	joinWays({{with, some}}, start, done, {&access});
}

/* Elements side by side: as one vector. */
void LoopWidener::loadNeighbours(LoadInst &load, Value *mask)
{
	int64_t size = elementSize(load.getType(), layout);
	bool backwards = shapes.of(load.getPointerOperand()).stride == -size;
	auto *type = vectorType(load.getType());
	Value *address = addressOf(load.getPointerOperand(), mask);
	if (backwards) {
		address = builder.CreatePtrAdd(address,
					       builder.getInt64(-uint64_t(size) * (width - 1)));
		mask = mask ? reversed(mask) : nullptr;
	}
	if (mask)
		mask = spread(builder, mask, laneElements(*load.getType()));
	Value *result = mask ? static_cast<Value *>(builder.CreateMaskedLoad(type, address,
									     load.getAlign(), mask))
			     : builder.CreateAlignedLoad(type, address, load.getAlign());
	for (unsigned kind : {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
			      LLVMContext::MD_noalias, LLVMContext::MD_invariant_load})
		cast<Instruction>(result)->setMetadata(kind, load.getMetadata(kind));
	if (mask)
		result = held(result);
	vectors[&load] = backwards ? reversed(result) : result;
}

void LoopWidener::storeNeighbours(StoreInst &store, Value *mask)
{
	Value *values = vectorOf(store.getValueOperand());
	int64_t size = elementSize(store.getValueOperand()->getType(), layout);
	Value *address = addressOf(store.getPointerOperand(), mask);
	if (shapes.of(store.getPointerOperand()).stride == -size) {
		address = builder.CreatePtrAdd(address,
					       builder.getInt64(-uint64_t(size) * (width - 1)));
		mask = mask ? reversed(mask) : nullptr;
		values = reversed(values);
	}
	if (mask)
		mask = spread(builder, mask, laneElements(*store.getValueOperand()->getType()));
	Instruction *result = mask ? static_cast<Instruction *>(builder.CreateMaskedStore(
					     values, address, store.getAlign(), mask))
				   : builder.CreateAlignedStore(values, address, store.getAlign());
	for (unsigned kind :
	     {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
		result->setMetadata(kind, store.getMetadata(kind));
}

/* Whether an access to neighbours behind a mask would become a branch for each lane: bytes and shorts, where they have
 * no masks. */
bool LoopWidener::lacksMasks(const Instruction &access) const
{
	auto *type = vectorType(getLoadStoreType(&access));
	Align align = getLoadStoreAlignment(&access);
	unsigned space = getLoadStoreAddressSpace(&access);
	if (elementSize(type->getElementType(), layout) >= 4)
		return false;
	return isa<LoadInst>(access) ? !target.isLegalMaskedLoad(type, align, space)
				     : !target.isLegalMaskedStore(type, align, space);
}

/* Whether the lanes that run, of which there are some, access one element of a private variable: those of all lanes are
 * there, and nobody else's business. */
bool LoopWidener::accessesOwnRow(const Value *pointer, int64_t size) const
{
	Shape shape = shapes.of(pointer);
	return shapes.laneMajorBase(pointer) && shape.kind == Shape::Strided && !shape.row &&
	       shape.stride == size;
}

/* Lanes that do not run keep what they have. A store with a mask would not be forwarded to the next load. */
void LoopWidener::storeOwnRow(StoreInst &store, Value *mask)
{
	Value *values = vectorOf(store.getValueOperand());
	Value *address = scalarOf(store.getPointerOperand());
	if (mask) {
		Value *kept =
			builder.CreateAlignedLoad(values->getType(), address, store.getAlign());
		values = selected(builder, mask, values, kept);
	}
	builder.CreateAlignedStore(values, address, store.getAlign());
}

void LoopWidener::emitLoad(LoadInst &load)
{
	int64_t size = elementSize(load.getType(), layout);
	if (!load.isSimple() || size == 0) {
		serialise(load);
		return;
	}
	Shape shape = shapes.of(load.getPointerOperand());
	Value *mask = maskOf(current);
	if (const AccessGroup *group = groups.of(load))
		emitMember(*group, load);
	else if (const Walk *walk = walks.of(load))
		emitWalk(*walk);
	else if (accessesRows(load, shape, mask))
		vectors[&load] = loadRows(load, shape, mask);
	else if (accessesOwnRow(load.getPointerOperand(), size))
		unlessEmpty(mask, load, [&] { loadNeighbours(load, nullptr); });
	else if (shape.row || !shape.isLinear() || std::abs(shape.stride) != size)
		gather(load, mask);
	else
		byMask(
			mask, {&load}, [&] { loadNeighbours(load, nullptr); },
			[&] { lacksMasks(load) ? serialise(load) : loadNeighbours(load, mask); });
}

/* All lanes that run store to one place, and the last has the last word. */
void LoopWidener::storeLast(StoreInst &store)
{
	Value *mask = maskOf(current);
	Value *values = vectorOf(store.getValueOperand());
	Value *lane = builder.getInt64(width - 1);
	if (mask) {
		Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, bitsOf(mask),
							     builder.getFalse());
		zeros = builder.CreateZExtOrTrunc(zeros, builder.getInt64Ty());
		lane = builder.CreateSub(lane, zeros);
	}
	Value *value = builder.CreateExtractElement(values, lane);
	builder.CreateAlignedStore(value, scalarOf(store.getPointerOperand()), store.getAlign());
}

void LoopWidener::emitStore(StoreInst &store)
{
	Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
	int64_t size = elementSize(value->getType(), layout);
	Shape shape = shapes.of(pointer);
	Value *mask = maskOf(current);
	if (store.isSimple() && shape.kind == Shape::Uniform && shapes.isUniform(value))
		emitScalar(store);
	else if (!store.isSimple() || size == 0 ||
		 (shape.kind == Shape::Uniform && value->getType()->isVectorTy()))
		serialise(store);
	else if (shape.kind == Shape::Uniform)
		storeLast(store);
	else if (const AccessGroup *group = groups.of(store))
		emitMember(*group, store);
	else if (shape.stride == size && accessesRows(store, shape, mask))
		storeRows(store, shape, mask);
	else if (accessesOwnRow(pointer, size))
		unlessEmpty(mask, store, [&] { storeOwnRow(store, mask); });
	else if (shape.row || !shape.isLinear() || std::abs(shape.stride) != size)
		scatter(store, mask);
	else
		byMask(
			mask, {&store}, [&] { storeNeighbours(store, nullptr); },
			[&] {
				lacksMasks(store) ? serialise(store) : storeNeighbours(store, mask);
			});
}

} // namespace weft
