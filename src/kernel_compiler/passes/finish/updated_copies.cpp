/* SPDX-License-Identifier: MIT
 *
 * Copies are looked through line by line: a call may have updated few of their counters.
 */
#include "finish/updated_copies.h"

#include "ir/item_loops.h"

#include <llvm/Support/Alignment.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t lineBits = 512;
constexpr Align lineAlignment = Align::Constant<lineBits / 8>();

/* Whether a counter in the line at the address has been updated. */
Value *isLineUpdated(IRBuilder<> &builder, const UpdatedCopy &kind, Value *at)
{
	Type *type = builder.getIntNTy(kind.bits);
	const auto count = unsigned(lineBits / kind.bits);
	Value *line =
		builder.CreateAlignedLoad(FixedVectorType::get(type, count), at, lineAlignment);
	Value *same = builder.CreateVectorSplat(count, identityOf(kind.operation, *type));
	return builder.CreateOrReduce(builder.CreateICmpNE(line, same));
}

/* Updates the shared counter of that number, if its copy has been updated, and goes on to `next`. */
void applyElement(IRBuilder<> &builder, const CountersCopy &copy, Value *index, BasicBlock *next)
{
	Type *type = builder.getIntNTy(copy.kind.bits);
	auto *apply =
		BasicBlock::Create(builder.getContext(), "own.apply", next->getParent(), next);
	Value *value = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, copy.own, index));
	Value *isSame = builder.CreateICmpEQ(value, identityOf(copy.kind.operation, *type));
	builder.CreateCondBr(isSame, next, apply);
	builder.SetInsertPoint(apply);
	builder.CreateAtomicRMW(copy.kind.operation,
				builder.CreateInBoundsGEP(type, copy.shared, index), value,
				MaybeAlign(), AtomicOrdering::Monotonic);
	builder.CreateBr(next);
}

} // namespace

CountersCopy createCopy(IRBuilder<> &builder, Value &shared, UpdatedCopy kind)
{
	Type *element = builder.getIntNTy(kind.bits);
	auto *type = ArrayType::get(element, alignTo(kind.elements, lineBits / kind.bits));
	AllocaInst *memory = builder.CreateAlloca(type, nullptr, "own");
	memory->setAlignment(lineAlignment);
	/* Of the argument's space, and by a number: through a cast alias analysis would see private memory, which pointers of the argument's
	 * space that were loaded again never lead to (ir/address_space_alias.h). */
	Value *own = builder.CreateIntToPtr(builder.CreatePtrToInt(memory, builder.getInt64Ty()),
					    shared.getType());
	bool isZero = identityOf(kind.operation, *element)->isNullValue();
	builder.CreateMemSet(own, builder.getInt8(isZero ? 0 : 0xFF),
			     type->getNumElements() * (kind.bits / 8), lineAlignment);
	return {kind, &shared, own};
}

void applyCopy(IRBuilder<> &builder, const CountersCopy &copy)
{
	const uint64_t perLine = lineBits / copy.kind.bits;
	BasicBlock *start = builder.GetInsertBlock();
	auto create = [&](const char *name) {
		return BasicBlock::Create(builder.getContext(), name, start->getParent());
	};
	BasicBlock *line = create("own.line"), *element = create("own.element"),
		   *next = create("own.next"), *nextLine = create("own.line.next"),
		   *done = create("own.done");
	builder.CreateBr(line);
	builder.SetInsertPoint(line);
	PHINode *first = builder.CreatePHI(builder.getInt64Ty(), 2);
	Value *end = builder.CreateNUWAdd(first, builder.getInt64(perLine));
	Value *at = builder.CreateInBoundsGEP(builder.getIntNTy(copy.kind.bits), copy.own, first);
	builder.CreateCondBr(isLineUpdated(builder, copy.kind, at), element, nextLine);
	builder.SetInsertPoint(element);
	PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2);
	applyElement(builder, copy, index, next);
	builder.SetInsertPoint(next);
	Value *after = builder.CreateNUWAdd(index, builder.getInt64(1));
	builder.CreateCondBr(builder.CreateICmpEQ(after, end), nextLine, element);
	markSingleLoop(*next);
	builder.SetInsertPoint(nextLine);
	Value *isLast = builder.CreateICmpUGE(end, builder.getInt64(copy.kind.elements));
	builder.CreateCondBr(isLast, done, line);
	markSingleLoop(*nextLine);
	first->addIncoming(builder.getInt64(0), start);
	first->addIncoming(end, nextLine);
	index->addIncoming(first, line);
	index->addIncoming(after, next);
	builder.SetInsertPoint(done);
}

} // namespace weft
