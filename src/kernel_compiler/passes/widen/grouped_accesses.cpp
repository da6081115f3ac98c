/* SPDX-License-Identifier: MIT
 *
 * Access groups of a widened loop: cells in vectors, between memory's order and the lanes'.
 */
#include "widen/loop_widener.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

/* What the metadata of all members says of the access that does their work. */
void describe(Instruction *access, const AccessGroup &group)
{
	SmallVector<Value *, 8> members;
	for (const AccessGroup::Member &member : group.members)
		members.push_back(member.access);
	propagateMetadata(access, members);
	access->setMetadata(LLVMContext::MD_access_group, nullptr);
}

} // namespace

/* Emits all members in place of their leader. */
void LoopWidener::emitMember(const AccessGroup &group, const Instruction &access)
{
	if (&access != group.leader().access)
		return;
	Value *mask = maskOf(current);
	if (group.stride == 0) {
		emitScattered(group, mask);
		return;
	}
	SmallVector<Instruction *, 8> accesses;
	for (const AccessGroup::Member &member : group.members)
		accesses.push_back(member.access);
	byMask(mask, accesses, [&] { emitConsecutive(group); }, [&] { emitApart(group, mask); });
}

/* Member by member, for the lanes that run. */
void LoopWidener::emitApart(const AccessGroup &group, Value *mask)
{
	for (const AccessGroup::Member &member : group.members) {
		if (group.isStore)
			scatter(*cast<StoreInst>(member.access), mask);
		else
			vectors[member.access] =
				gather(member.access->getType(), pointersTo(group, member.offset),
				       getLoadStoreAlignment(member.access), mask);
	}
}

/* From the leader's address, since others may not be known yet. */
Value *LoopWidener::pointersTo(const AccessGroup &group, int64_t offset)
{
	const AccessGroup::Member &leader = group.leader();
	Value *pointers = vectorOf(getLoadStorePointerOperand(leader.access));
	auto distance = uint64_t(offset - leader.offset);
	return distance ? builder.CreatePtrAdd(pointers, builder.getInt64(distance)) : pointers;
}

void LoopWidener::emitConsecutive(const AccessGroup &group)
{
	if (group.isStore)
		storeCells(group, joinMembers(group));
	else
		splitCells(group, loadCells(group));
}

void LoopWidener::emitScattered(const AccessGroup &group, Value *mask)
{
	Value *pointers = pointersTo(group, 0);
	if (group.isStore)
		builder.CreateMaskedScatter(joinMembers(group)[0], pointers, group.align, mask);
	else
		splitCells(group, {gather(cellType(group), pointers, group.align, mask)});
}

Type *LoopWidener::cellType(const AccessGroup &group)
{
	return builder.getIntNTy(unsigned(group.cell * 8));
}

/* The lowest address: lane 0's, or the last lane's when they go backwards. All lanes run. */
Value *LoopWidener::startOf(const AccessGroup &group)
{
	const AccessGroup::Member &leader = group.leader();
	int64_t last = group.stride < 0 ? group.stride * int64_t(width - 1) : 0;
	Value *address = scalarOf(getLoadStorePointerOperand(leader.access));
	return builder.CreatePtrAdd(address, builder.getInt64(uint64_t(last - leader.offset)));
}

/* The cells of all lanes, those that have members. Nothing behind the last lane's last one is read: what would be is
 * loaded from further in front, and moved. */
Vectors LoopWidener::loadCells(const AccessGroup &group)
{
	auto *type = vectorType(cellType(group));
	Value *start = startOf(group);
	unsigned count = group.cells.size();
	unsigned total = (width - 1) * count + unsigned(group.cells.find_last()) + 1;
	Vectors memory;
	for (unsigned first = 0; first < count * width; first += width) {
		if (first >= total) {
			memory.push_back(PoisonValue::get(type));
			continue;
		}
		unsigned over = first + width > total ? first + width - total : 0;
		uint64_t offset = uint64_t(first - over) * uint64_t(group.cell);
		Value *address = builder.CreatePtrAdd(start, builder.getInt64(offset));
		LoadInst *load = builder.CreateAlignedLoad(type, address,
							   commonAlignment(group.align, offset));
		describe(load, group);
		SmallVector<int, 32> moved;
		for (unsigned i = 0; i < width; i++)
			moved.push_back(i + over < width ? int(i + over) : PoisonMaskElem);
		memory.push_back(over ? builder.CreateShuffleVector(load, moved) : load);
	}
	Vectors cells = deinterleave(builder, memory, group.cells);
	for (unsigned cell : group.cells.set_bits())
		cells[cell] = group.stride < 0 ? reversed(cells[cell]) : cells[cell];
	return cells;
}

void LoopWidener::storeCells(const AccessGroup &group, const Vectors &cells)
{
	Value *start = startOf(group);
	unsigned count = group.cells.size();
	Vectors ordered;
	for (Value *cell : cells) {
		/* Anything, but not poison: code generation without optimisation cannot spread a vector with gaps. */
		Value *kept = cell ? cell : cells[unsigned(group.cells.find_first())];
		ordered.push_back(group.stride < 0 ? reversed(kept) : kept);
	}
	for (auto [number, vector] : enumerate(interleave(builder, ordered))) {
		SmallBitVector used(width);
		for (unsigned i = 0; i < width; i++)
			used[i] = group.cells[(unsigned(number) * width + i) % count];
		uint64_t offset = number * width * uint64_t(group.cell);
		describe(storePart(vector, builder.CreatePtrAdd(start, builder.getInt64(offset)),
				   commonAlignment(group.align, offset), used),
			 group);
	}
}

/* Some elements of a vector. One alone as a number: LLVM 22 would store too much of it when it was made smaller. */
Instruction *LoopWidener::storePart(Value *vector, Value *address, Align align,
				    const SmallBitVector &used)
{
	if (used.all())
		return builder.CreateAlignedStore(vector, address, align);
	if (used.count() == 1) {
		auto element = uint64_t(used.find_first());
		uint64_t offset = element * vector->getType()->getScalarSizeInBits() / 8;
		return builder.CreateAlignedStore(
			builder.CreateExtractElement(vector, element),
			builder.CreatePtrAdd(address, builder.getInt64(offset)),
			commonAlignment(align, offset));
	}
	SmallVector<Constant *, 32> mask;
	for (unsigned i = 0; i < width; i++)
		mask.push_back(builder.getInt1(used[i]));
	return builder.CreateMaskedStore(vector, address, align, ConstantVector::get(mask));
}

void LoopWidener::splitCells(const AccessGroup &group, const Vectors &cells)
{
	for (const AccessGroup::Member &member : group.members) {
		Value *value = cells[group.cellOf(member)];
		if (unsigned bit = group.bitOf(member))
			value = builder.CreateLShr(value, bit);
		Type *number = builder.getIntNTy(unsigned(member.size * 8));
		value = builder.CreateTrunc(value, vectorType(number));
		vectors[member.access] =
			builder.CreateBitCast(value, vectorType(member.access->getType()));
	}
}

/* NULL for a cell without members. */
Vectors LoopWidener::joinMembers(const AccessGroup &group)
{
	auto *type = vectorType(cellType(group));
	Vectors cells(group.cells.size(), nullptr);
	for (const AccessGroup::Member &member : group.members) {
		Value *value = vectorOf(cast<StoreInst>(member.access)->getValueOperand());
		Type *number = builder.getIntNTy(unsigned(member.size * 8));
		value = builder.CreateZExt(builder.CreateBitCast(value, vectorType(number)), type);
		if (unsigned bit = group.bitOf(member))
			value = builder.CreateShl(value, bit);
		Value *&cell = cells[group.cellOf(member)];
		cell = cell ? builder.CreateOr(cell, value) : value;
	}
	return cells;
}

} // namespace weft
