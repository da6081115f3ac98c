/* SPDX-License-Identifier: MIT
 *
 * Access groups of a widened body.
 */
#include "lane_code/grouped_accesses.h"

#include "lane_code/lane_vectors.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

/* What the metadata of all members says of the access that does their work. */
static void describe(Instruction *access, const AccessGroup &group)
{
	SmallVector<Value *, 8> members;
	for (const AccessGroup::Member &member : group.members)
		members.push_back(member.access);
	propagateMetadata(access, members);
	access->setMetadata(LLVMContext::MD_access_group, nullptr);
}

void GroupedAccesses::emit(const AccessGroup &group, const Instruction &access)
{
	if (&access != group.leader().access)
		return;
	Value *mask = masks.ofCurrent();
	if (group.stride == 0 && !group.isRecord) {
		emitScattered(group, mask);
		return;
	}
	SmallVector<Instruction *, 8> accesses;
	for (const AccessGroup::Member &member : group.members)
		accesses.push_back(member.access);
	if (group.isRecord)
		branches.byMask(
			mask, accesses, [&] { emitRecords(group, nullptr); },
			[&] {
				/* Without a branch there may be no lane that runs. */
				branches.areMany() ? emitApart(group, mask)
						   : emitRecords(group, mask);
			});
	else if (group.expected && branches.areMany())
		emitElsewhere(group, mask);
	else if (group.expected)
		emitIfConsecutive(group, *group.expected, accesses, mask);
	else
		branches.byMask(
			mask, accesses, [&] { emitConsecutive(group, nullptr); },
			[&] {
				hasMaskedCells(group) ? emitConsecutive(group, mask)
						      : emitApart(group, mask);
			});
}

/* Where data decide which lanes run, all lanes seldom do. */
void GroupedAccesses::emitIfConsecutive(const AccessGroup &group, const NeighbourIndex &expected,
					ArrayRef<Instruction *> accesses, Value *mask)
{
	const bool isMasked = mask && hasMaskedCells(group) && branches.areByData();
	branches.byTest(
		memory.differAsExpected(expected, mask, isMasked), accesses,
		[&] { emitConsecutive(group, isMasked ? mask : nullptr); },
		[&] { emitElsewhere(group, mask); });
}

/* Whether cells of some lanes are accessed as a vector. */
bool GroupedAccesses::hasMaskedCells(const AccessGroup &group)
{
	auto *type = body.vectorType(cellType(group));
	unsigned space = getLoadStoreAddressSpace(group.leader().access);
	return group.isStore ? body.target.isLegalMaskedStore(type, group.align, space)
			     : body.target.isLegalMaskedLoad(type, group.align, space);
}

/* Accesses that are not consecutive, although that was expected: as one, where one cell holds all of a lane's. */
void GroupedAccesses::emitElsewhere(const AccessGroup &group, Value *mask)
{
	const int64_t size = group.cell * int64_t(group.cells.size());
	if (size > widestCell || !isPowerOf2_64(uint64_t(size)) || !group.cells.all()) {
		emitApart(group, mask);
		return;
	}
	AccessGroup scattered = group;
	scattered.stride = 0;
	scattered.expected.reset();
	scattered.cell = size;
	scattered.cells = SmallBitVector(1, true);
	emitScattered(scattered, mask);
}

/* Each member alone, for the lanes that run. */
void GroupedAccesses::emitApart(const AccessGroup &group, Value *mask)
{
	for (const AccessGroup::Member &member : group.members) {
		if (group.isStore)
			memory.scatter(*cast<StoreInst>(member.access), mask);
		else
			values.setVector(member.access,
					 memory.gatherFrom(pointersTo(group, member.offset),
							   member.access->getType(),
							   getLoadStoreAlignment(member.access),
							   mask));
	}
}

/* Computed from the leader's address, since those of other members may not be made yet. */
Value *GroupedAccesses::pointersTo(const AccessGroup &group, int64_t offset)
{
	const AccessGroup::Member &leader = group.leader();
	Value *pointers = values.vectorOf(getLoadStorePointerOperand(leader.access));
	auto distance = uint64_t(offset - leader.offset);
	return distance ? builder.CreatePtrAdd(pointers, builder.getInt64(distance)) : pointers;
}

void GroupedAccesses::emitConsecutive(const AccessGroup &group, Value *mask)
{
	if (group.isStore)
		storeCells(group, joinMembers(group), mask);
	else
		splitCells(group, loadCells(group, mask));
}

void GroupedAccesses::emitScattered(const AccessGroup &group, Value *mask)
{
	Value *pointers = pointersTo(group, 0);
	if (group.isStore)
		builder.CreateMaskedScatter(joinMembers(group)[0], pointers, group.align, mask);
	else if (group.isFromMultiple)
		splitCells(group, {memory.gatherAround(pointers, unsigned(group.cell * 8),
						       group.align.value(), mask)});
	else
		splitCells(group,
			   {memory.gatherFrom(pointers, cellType(group), group.align, mask)});
}

/* One vector for each lane, transposed. A lane that does not run loads that of one that does. */
void GroupedAccesses::emitRecords(const AccessGroup &group, Value *mask)
{
	Value *pointers = masks.ofRunning(pointersTo(group, 0), mask);
	auto *type = FixedVectorType::get(cellType(group), group.cells.size());
	Vectors rows;
	for (unsigned lane = 0; lane < width; lane++) {
		Value *address = builder.CreateExtractElement(pointers, uint64_t(lane));
		LoadInst *load = builder.CreateAlignedLoad(type, address, group.align);
		describe(load, group);
		rows.push_back(load);
	}
	splitCells(group, transpose(builder, rows));
}

Type *GroupedAccesses::cellType(const AccessGroup &group)
{
	return builder.getIntNTy(unsigned(group.cell * 8));
}

/* The lowest address of all lanes' cells. */
Value *GroupedAccesses::startOf(const AccessGroup &group, Value *mask)
{
	const AccessGroup::Member &leader = group.leader();
	if (!group.expected)
		return builder.CreatePtrAdd(memory.firstAddress(*leader.access, mask),
					    builder.getInt64(uint64_t(-leader.offset)));
	int64_t last = group.stride < 0 ? group.stride * int64_t(width - 1) : 0;
	return builder.CreatePtrAdd(
		memory.firstAddress(*group.expected),
		builder.getInt64(uint64_t(last - group.members.front().offset)));
}

/* Which cells of a vector are accessed: those that are used, of the lanes that run. NULL: all of them. */
Value *GroupedAccesses::maskOfPart(const AccessGroup &group, unsigned first, Value *mask)
{
	unsigned count = group.cells.size();
	SmallVector<Constant *, 32> used;
	SmallVector<int, 32> lanes;
	for (unsigned cell = first; cell < first + width; cell++) {
		used.push_back(builder.getInt1(group.cells[cell % count]));
		unsigned lane = cell / count;
		lanes.push_back(int(group.stride < 0 ? width - 1 - lane : lane));
	}
	Value *all = mask ? builder.CreateShuffleVector(mask, lanes) : nullptr;
	if (group.cells.all())
		return all;
	Constant *constant = ConstantVector::get(used);
	return all ? builder.CreateAnd(all, constant) : constant;
}

/* Of all lanes. Nothing behind the last lane's last cell is read: the vector that would reach beyond it is loaded from further in
 * front, and its elements are moved. */
Value *GroupedAccesses::loadPart(const AccessGroup &group, Value *start, unsigned first)
{
	unsigned count = group.cells.size();
	unsigned total = (width - 1) * count + unsigned(group.cells.find_last()) + 1;
	unsigned over = first + width > total ? first + width - total : 0;
	uint64_t offset = uint64_t(first - over) * uint64_t(group.cell);
	Value *address = builder.CreatePtrAdd(start, builder.getInt64(offset));
	LoadInst *load = builder.CreateAlignedLoad(body.vectorType(cellType(group)), address,
						   commonAlignment(group.align, offset));
	describe(load, group);
	SmallVector<int, 32> moved;
	for (unsigned i = 0; i < width; i++)
		moved.push_back(i + over < width ? int(i + over) : PoisonMaskElem);
	return over ? builder.CreateShuffleVector(load, moved) : load;
}

/* Of the lanes that run. LLVM 22 would take a masked load past stores (loadLanes): a freeze keeps it. */
Value *GroupedAccesses::loadSome(const AccessGroup &group, Value *start, unsigned first,
				 Value *mask)
{
	uint64_t offset = first * uint64_t(group.cell);
	auto *type = body.vectorType(cellType(group));
	Instruction *load = builder.CreateMaskedLoad(
		type, builder.CreatePtrAdd(start, builder.getInt64(offset)),
		commonAlignment(group.align, offset), maskOfPart(group, first, mask));
	describe(load, group);
	return builder.Insert(new FreezeInst(load));
}

/* The cells that have members. */
Vectors GroupedAccesses::loadCells(const AccessGroup &group, Value *mask)
{
	auto *type = body.vectorType(cellType(group));
	Value *start = startOf(group, mask);
	unsigned count = group.cells.size();
	unsigned total = (width - 1) * count + unsigned(group.cells.find_last()) + 1;
	Vectors ordered;
	for (unsigned first = 0; first < count * width; first += width) {
		if (first >= total) {
			ordered.push_back(PoisonValue::get(type));
			continue;
		}
		ordered.push_back(mask ? loadSome(group, start, first, mask)
				       : loadPart(group, start, first));
	}
	Vectors cells = deinterleave(builder, ordered, group.cells);
	for (unsigned cell : group.cells.set_bits())
		cells[cell] =
			group.stride < 0 ? reversed(builder, cells[cell], width) : cells[cell];
	return cells;
}

void GroupedAccesses::storeCells(const AccessGroup &group, const Vectors &cells, Value *mask)
{
	Value *start = startOf(group, mask);
	Vectors ordered;
	for (Value *cell : cells) {
		/* A cell without a member gets any value but poison: code generation without optimisation cannot spread a
		 * vector with gaps. */
		Value *kept = cell ? cell : cells[unsigned(group.cells.find_first())];
		ordered.push_back(group.stride < 0 ? reversed(builder, kept, width) : kept);
	}
	for (auto [number, vector] : enumerate(interleave(builder, ordered)))
		describe(storePart(group, vector, start, unsigned(number) * width, mask), group);
}

/* A single cell is stored as a number, since LLVM 22 would store too much of a vector that it makes smaller. */
Instruction *GroupedAccesses::storePart(const AccessGroup &group, Value *vector, Value *start,
					unsigned first, Value *mask)
{
	auto place = [&](unsigned cell) {
		return builder.CreatePtrAdd(start, builder.getInt64(cell * uint64_t(group.cell)));
	};
	auto alignment = [&](unsigned cell) {
		return commonAlignment(group.align, cell * uint64_t(group.cell));
	};
	SmallVector<unsigned, 32> used;
	for (unsigned cell = first; cell < first + width; cell++)
		if (group.cells[cell % group.cells.size()])
			used.push_back(cell);
	if (!mask && used.size() == 1)
		return builder.CreateAlignedStore(
			builder.CreateExtractElement(vector, uint64_t(used[0] - first)),
			place(used[0]), alignment(used[0]));
	Value *cells = maskOfPart(group, first, mask);
	if (!cells)
		return builder.CreateAlignedStore(vector, place(first), alignment(first));
	return builder.CreateMaskedStore(vector, place(first), alignment(first), cells);
}

void GroupedAccesses::splitCells(const AccessGroup &group, const Vectors &cells)
{
	for (const AccessGroup::Member &member : group.members) {
		Value *value = cells[group.cellOf(member)];
		if (unsigned bit = group.bitOf(member))
			value = builder.CreateLShr(value, bit);
		Type *number = builder.getIntNTy(unsigned(member.size * 8));
		value = builder.CreateTrunc(value, body.vectorType(number));
		Type *type = body.vectorType(member.access->getType());
		values.setVector(member.access, builder.CreateBitCast(value, type));
	}
}

/* NULL for a cell without members. */
Vectors GroupedAccesses::joinMembers(const AccessGroup &group)
{
	auto *type = body.vectorType(cellType(group));
	Vectors cells(group.cells.size(), nullptr);
	for (const AccessGroup::Member &member : group.members) {
		Value *value = values.vectorOf(cast<StoreInst>(member.access)->getValueOperand());
		Type *number = builder.getIntNTy(unsigned(member.size * 8));
		value = builder.CreateZExt(asCells(builder, value, body.vectorType(number)), type);
		if (unsigned bit = group.bitOf(member))
			value = builder.CreateShl(value, bit);
		Value *&cell = cells[group.cellOf(member)];
		cell = cell ? builder.CreateOr(cell, value) : value;
	}
	return cells;
}

} // namespace weft
