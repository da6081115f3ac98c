/* SPDX-License-Identifier: MIT
 *
 * Finds access groups: block by block, each access joins the group that it fits, or starts one. Then cells are chosen
 * for each group, and groups that do not pay are dropped.
 */
#include "accesses/access_groups.h"

#include "accesses/access_cost.h"
#include "accesses/group_cells.h"
#include "accesses/lane_interleave.h"
#include "costs/vector_registers.h"
#include "ir/address_difference.h"
#include "lanes/lane_elements.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostAccesses = 64;  /* that are looked at together: pairs of them are compared */
constexpr size_t mostOpen = 8;       /* groups that an access is compared with */
constexpr uint64_t multipleCost = 4; /* operations that find where cells begin */
constexpr uint64_t smallShuffle = 3; /* operations that pick bytes or shorts from two registers */

int64_t sizeOf(const Instruction &access)
{
	return int64_t(getLoadStoreType(&access)->getPrimitiveSizeInBits().getFixedValue() / 8);
}

/* Accesses that may become members: a number each, of whole bytes, or a packed vector that has the size of one. */
bool isCandidate(const Instruction &access, const LaneShapes &shapes)
{
	const auto *load = dyn_cast<LoadInst>(&access);
	const auto *store = dyn_cast<StoreInst>(&access);
	if (!(load && load->isSimple()) && !(store && store->isSimple()))
		return false;
	const Type *type = getLoadStoreType(&access);
	unsigned bits = unsigned(type->getPrimitiveSizeInBits().getKnownMinValue());
	const bool isNumber = type->isIntegerTy() || type->isFloatingPointTy();
	if (!(isNumber || cellOf(*type)) || bits < 8 || bits > 64 || !isPowerOf2_32(bits))
		return false;
	const Value *pointer = getLoadStorePointerOperand(&access);
	Shape shape = shapes.of(pointer);
	if (shape.isRowUniform() || shapes.laneMajorBase(pointer) ||
	    std::abs(shape.stride) == int64_t(bits / 8))
		return false;
	return !isa<AllocaInst>(getUnderlyingObject(pointer));
}

/* Bytes between lanes that are near enough for shuffles; else 0. An access to expected neighbours by itself needs none. */
int64_t nearStride(const Instruction &access, const LaneShapes &shapes)
{
	Shape shape = shapes.of(getLoadStorePointerOperand(&access));
	int64_t stride = shape.isLinear() && !shape.row ? shape.stride : 0;
	int64_t least = sizeOf(access);
	if (std::optional<NeighbourIndex> expected = neighbourIndex(access, shapes)) {
		stride = expected->bytes;
		least++;
	}
	return std::abs(stride) >= least && std::abs(stride) <= mostCells * widestCell ? stride : 0;
}

/* ---- finding ------------------------------------------------------------------------------------ */

class BlockAccesses
{
      public:
	using Groups = std::vector<std::unique_ptr<AccessGroup>>;

	BlockAccesses(const LaneShapes &theShapes, AAResults &theAliases, Groups &into)
	    : shapes(theShapes), aliases(theAliases), groups(into)
	{
	}

	void find(BasicBlock &block)
	{
		for (Instruction &instruction : block) {
			if (!instruction.mayReadOrWriteMemory())
				continue;
			if (entries.size() == mostAccesses) {
				entries.clear();
				open.clear();
			}
			entries.push_back({&instruction, unsigned(entries.size())});
			if (isCandidate(instruction, shapes))
				place(instruction);
		}
	}

      private:
	/* What touches memory, in program order, and when it is done: places in that order. */
	struct Entry {
		Instruction *instruction;
		unsigned time;
	};
	struct OpenGroup {
		AccessGroup *group;
		SmallVector<unsigned, 4> entries;
	};

	void place(Instruction &access);
	bool fits(const AccessGroup &group, Instruction &access, int64_t offset) const;
	bool mayJoin(const OpenGroup &group) const;
	bool conflict(const Instruction &access, const Instruction &other) const;

	const LaneShapes &shapes;
	AAResults &aliases;
	Groups &groups;
	SmallVector<Entry, 64> entries;
	SmallVector<OpenGroup, 8> open;
};

void BlockAccesses::place(Instruction &access)
{
	auto number = unsigned(entries.size() - 1);
	const DataLayout &layout = access.getDataLayout();
	const Value *pointer = getLoadStorePointerOperand(&access);
	for (OpenGroup &other : reverse(open)) {
		AccessGroup &group = *other.group;
		if (group.isStore != isa<StoreInst>(access) ||
		    group.stride != nearStride(access, shapes))
			continue;
		const Value *first = getLoadStorePointerOperand(group.members[0].access);
		std::optional<int64_t> offset = addressDifference(pointer, first, layout);
		if (!offset || !fits(group, access, *offset) || !mayJoin(other))
			continue;
		group.members.push_back({&access, *offset, sizeOf(access)});
		other.entries.push_back(number);
		unsigned time = group.isStore ? number : other.entries[0];
		for (unsigned entry : other.entries)
			entries[entry].time = time;
		return;
	}
	auto group = std::make_unique<AccessGroup>();
	group->isStore = isa<StoreInst>(access);
	group->stride = nearStride(access, shapes);
	if (group->stride)
		group->expected = neighbourIndex(access, shapes);
	group->members.push_back({&access, 0, sizeOf(access)});
	if (open.size() == mostOpen)
		open.erase(open.begin());
	open.push_back({group.get(), {number}});
	groups.push_back(std::move(group));
}

/* Members lie within their room; those of stores do not overlap. */
bool BlockAccesses::fits(const AccessGroup &group, Instruction &access, int64_t offset) const
{
	int64_t size = sizeOf(access);
	Span span = spanOf(group);
	span.add(offset, size);
	if (span.end - span.begin > roomOf(group))
		return false;
	return !group.isStore || none_of(group.members, [&](const AccessGroup::Member &member) {
		return offset < member.offset + member.size && member.offset < offset + size;
	});
}

/* Whether the newest entry may join: a load then comes as early as the group's first, stores as late as this one. */
bool BlockAccesses::mayJoin(const OpenGroup &group) const
{
	const Entry &newest = entries.back();
	unsigned first = entries[group.entries[0]].time;
	if (!group.group->isStore) {
		return none_of(drop_end(entries), [&](const Entry &entry) {
			return entry.time > first &&
			       conflict(*newest.instruction, *entry.instruction);
		});
	}
	return none_of(group.entries, [&](unsigned number) {
		const Instruction &member = *entries[number].instruction;
		return any_of(drop_end(drop_begin(entries, number + 1)), [&](const Entry &entry) {
			return conflict(member, *entry.instruction);
		});
	});
}

/* Whether the order of an access and something else matters, in one lane: between lanes there is no order. */
bool BlockAccesses::conflict(const Instruction &access, const Instruction &other) const
{
	if (!access.mayWriteToMemory() && !other.mayWriteToMemory())
		return false;
	/* A barrier of the lanes orders all accesses, also those of memory that one lane alone can reach. */
	if (subgroupCallOf(other))
		return true;
	ModRefInfo info = aliases.getModRefInfo(&other, MemoryLocation::get(&access));
	return access.mayWriteToMemory() ? isModOrRefSet(info) : isModSet(info);
}

uint64_t costAlone(const AccessGroup &group, const LaneShapes &shapes, const ScatteredCosts &costs,
		   unsigned width)
{
	uint64_t cost = 0;
	for (const AccessGroup::Member &member : group.members)
		cost += accessCost(*member.access, shapes, costs, width);
	return cost;
}

/* Groups that the members of a scattered one may be instead, each within so many bytes. */
BlockAccesses::Groups narrowGroups(const AccessGroup &wide, int64_t room)
{
	BlockAccesses::Groups groups;
	for (const AccessGroup::Member &member : wide.members) {
		auto found = find_if(groups, [&](const std::unique_ptr<AccessGroup> &group) {
			Span span = spanOf(*group);
			span.add(member.offset, member.size);
			return span.end - span.begin <= room;
		});
		if (found == groups.end())
			found = groups.insert(found, std::make_unique<AccessGroup>());
		(*found)->members.push_back(member);
	}
	for (const std::unique_ptr<AccessGroup> &group : groups) {
		const int64_t first = group->members[0].offset;
		for (AccessGroup::Member &member : group->members)
			member.offset -= first;
	}
	return groups;
}

/* Chooses the cells of groups, and drops those that do not pay. */
class Choice
{
      public:
	Choice(const LaneShapes &theShapes, const TargetTransformInfo &theTarget,
	       const ScatteredCosts &theCosts, unsigned theWidth)
	    : shapes(theShapes), target(theTarget), costs(theCosts), width(theWidth)
	{
	}

	void choose(BlockAccesses::Groups &groups) const
	{
		BlockAccesses::Groups chosen;
		for (std::unique_ptr<AccessGroup> &group : groups) {
			Span span = spanOf(*group);
			if (group->stride == 0 && span.end - span.begin > widestCell)
				chooseRecord(std::move(group), chosen);
			else if (pays(*group))
				chosen.push_back(std::move(group));
			else if (group->stride == 0 && !group->isStore)
				chooseHalves(*group, chosen);
		}
		groups = std::move(chosen);
	}

      private:
	bool pays(AccessGroup &group) const
	{
		return (group.stride != 0 || group.members.size() > 1) &&
		       chooseCells(group, target, width) &&
		       (!group.isFromMultiple || mayBeFromMultiple()) &&
		       groupCost(group, costs, width) < costAlone(group, shapes, costs, width);
	}

	/* Where lanes are loaded one by one, vectors of addresses are taken to pieces for it: with AVX2 that costs more than is won. */
	bool mayBeFromMultiple() const
	{
		constexpr unsigned ofAvx512 = 512; /* bits */
		return !costs.isLaneByLane() ||
		       permutedBits(*shapes.blocks()[0]->getModule()) >= ofAvx512;
	}

	/* Six bytes anywhere have no cell of 8 bytes that begins at a multiple of the same number; each three of them have one of 4 bytes. */
	void chooseHalves(const AccessGroup &wide, BlockAccesses::Groups &chosen) const
	{
		constexpr int64_t half = 3; /* bytes */
		for (std::unique_ptr<AccessGroup> &group : narrowGroups(wide, half)) {
			if (pays(*group))
				chosen.push_back(std::move(group));
		}
	}

	/* As one, or as the narrow groups. */
	void chooseRecord(std::unique_ptr<AccessGroup> record, BlockAccesses::Groups &chosen) const
	{
		BlockAccesses::Groups narrow = narrowGroups(*record, widestCell), paying;
		uint64_t cost = 0;
		for (std::unique_ptr<AccessGroup> &group : narrow) {
			const bool isGroup = pays(*group);
			cost += isGroup ? groupCost(*group, costs, width)
					: costAlone(*group, shapes, costs, width);
			if (isGroup)
				paying.push_back(std::move(group));
		}
		record->isRecord = true;
		if (chooseCells(*record, target, width) && groupCost(*record, costs, width) < cost)
			chosen.push_back(std::move(record));
		else
			std::move(paying.begin(), paying.end(), std::back_inserter(chosen));
	}

	const LaneShapes &shapes;
	const TargetTransformInfo &target;
	const ScatteredCosts &costs;
	const unsigned width;
};

/* Tenths of a cycle for each lane of a record. Its loads, and what puts them together, take a third more than those of elements, for several
 * elements. Where gathers are good: on most CPUs. */
unsigned recordLoad(const ScatteredCosts &costs)
{
	constexpr unsigned usual = 20;
	return costs.isLaneByLane() ? costs.cpu().load * 4 / 3 : usual;
}

} // namespace

/* Loads lane by lane, parts of registers put together, and the shuffles. */
uint64_t recordCost(uint64_t cells, const ScatteredCosts &costs, unsigned width)
{
	return width * recordLoad(costs) / tenthsOfCycle + 2 * cells;
}

uint64_t groupCost(const AccessGroup &group, const ScatteredCosts &costs, unsigned width)
{
	uint64_t parts = count_if(group.members, [&](const AccessGroup::Member &member) {
		return member.size < group.cell;
	});
	if (group.isRecord)
		return recordCost(group.cells.size(), costs, width);
	if (group.stride == 0)
		return parts + (group.isFromMultiple ? multipleCost : 0) +
		       costs.of(group.isStore, group.cell, width);
	uint64_t shuffles =
		interleavingCost(group.cells) + (group.stride < 0 ? group.cells.count() : 0);
	const uint64_t test =
		group.expected ? 4 + costs.of(group.isStore, group.cell, width) / 4 : 0;
	return parts + group.cells.size() + shuffles * (group.cell < 4 ? smallShuffle : 1) + test;
}

AccessGroups::AccessGroups(const LaneShapes &shapes, AAResults &aliases,
			   const TargetTransformInfo &target, unsigned width)
{
	const ScatteredCosts costs(target, *shapes.blocks()[0]->getModule());
	for (BasicBlock *block : shapes.blocks())
		BlockAccesses(shapes, aliases, list).find(*block);
	Choice(shapes, target, costs, width).choose(list);
	for (const std::unique_ptr<AccessGroup> &group : list) {
		for (const AccessGroup::Member &member : group->members)
			groups[member.access] = group.get();
	}
}

} // namespace weft
