/* SPDX-License-Identifier: MIT
 *
 * Chooses cells by what is known of a group's alignment.
 */
#include "accesses/group_cells.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostGaps =
	4; /* cells for each that is stored: beyond, a scatter has fewer stores */

/* What is known of the address that is `begin` in a group's offsets: it is `phase` more than a multiple of `align`. */
struct Alignment {
	uint64_t align = 1;
	int64_t phase = 0;

	void know(uint64_t other, int64_t distance)
	{
		if (other <= align)
			return;
		align = other;
		phase = distance & int64_t(other - 1);
	}
};

Alignment alignmentOf(const AccessGroup &group, int64_t begin)
{
	Alignment result;
	for (const AccessGroup::Member &member : group.members)
		result.know(getLoadStoreAlignment(member.access).value(), begin - member.offset);
	const Instruction &access = *group.members[0].access;
	const DataLayout &layout = access.getDataLayout();
	APInt offset(64, 0);
	const Value *base = getLoadStorePointerOperand(&access)->stripAndAccumulateConstantOffsets(
		layout, offset, true);
	result.know(getKnownAlignment(const_cast<Value *>(base), layout).value(),
		    begin + offset.getSExtValue());
	return result;
}

class CellChooser
{
      public:
	CellChooser(AccessGroup &theGroup, const TargetTransformInfo &theTarget, unsigned theWidth)
	    : group(theGroup), target(theTarget), width(theWidth), span(spanOf(theGroup)),
	      alignment(alignmentOf(theGroup, span.begin))
	{
		const Value *base =
			getUnderlyingObject(getLoadStorePointerOperand(group.members[0].access));
		known = isa<GlobalVariable>(base);
	}

	bool choose()
	{
		int64_t largest = 1;
		for (const AccessGroup::Member &member : group.members)
			largest = std::max(largest, member.size);
		if (group.isRecord)
			return chooseRecord(largest);
		if (group.stride == 0)
			return chooseOne(largest);
		for (int64_t cell = std::max<int64_t>(largest, 4); cell >= largest; cell /= 2) {
			if (std::abs(group.stride) % cell == 0 &&
			    std::abs(group.stride) / cell <= mostCells && use(cell))
				return true;
		}
		return false;
	}

      private:
	/* The smallest cell that holds all of a scattered group. */
	bool chooseOne(int64_t largest)
	{
		for (int64_t cell = largest; cell <= widestCell; cell *= 2) {
			if (use(cell) || useFromMultiple(cell))
				return true;
		}
		return false;
	}

	/* A cell that is loaded from a multiple of `from` bytes, before the first member or at it. As far as that may be before, so far it
	 * may reach behind the last member: so it lies in aligned words that have bytes of members, which can be read, as use says. */
	bool useFromMultiple(int64_t cell)
	{
		const int64_t slack = cell - (span.end - span.begin);
		const Align first =
			commonAlignment(Align(alignment.align), uint64_t(alignment.phase));
		const uint64_t from = uint64_t(slack) + first.value();
		unsigned fast = 0;
		Instruction &access = *group.members[0].access;
		if (group.isStore || known || cell < 4 || slack <= 0 || !isPowerOf2_64(from) ||
		    !target.allowsMisalignedMemoryAccesses(access.getContext(), unsigned(cell * 8),
							   getLoadStoreAddressSpace(&access),
							   Align(from), &fast) ||
		    !fast || !useFrom(span.begin, cell))
			return false;
		group.align = Align(from);
		group.isFromMultiple = true;
		return true;
	}

	/* Each lane's vector is one that all lanes' can be transposed with. */
	bool chooseRecord(int64_t cell)
	{
		return cell >= 4 && recordSize / cell <= int64_t(width) && use(cell);
	}

	/* Cells from the first member on, when its last cell is full, or aligned ones: all of an aligned word can be
	 * read where a part of it can, unless LLVM knows the object's size. */
	bool use(int64_t cell)
	{
		const int64_t unit = group.isRecord ? recordSize : cell;
		bool aligned = alignment.align >= uint64_t(unit) && !known;
		if (aligned && useFrom(span.begin - (alignment.phase & (unit - 1)), cell))
			return true;
		return (span.end - span.begin) % unit == 0 && useFrom(span.begin, cell);
	}

	bool useFrom(int64_t begin, int64_t cell)
	{
		int64_t end = int64_t(alignTo(uint64_t(span.end - begin), uint64_t(cell)));
		int64_t room = group.stride || group.isRecord ? roomOf(group) : cell;
		if (end > room)
			return false;
		SmallBitVector cells(unsigned(room / cell));
		SmallVector<int64_t, 16> covered(cells.size(), 0);
		for (const AccessGroup::Member &member : group.members) {
			int64_t first = (member.offset - begin) / cell;
			if ((member.offset - begin + member.size - 1) / cell != first)
				return false;
			cells.set(unsigned(first));
			covered[size_t(first)] += member.size;
		}
		if (group.isStore &&
		    any_of(covered, [&](int64_t bytes) { return bytes % cell != 0; }))
			return false;
		group.align = commonAlignment(Align(alignment.align),
					      uint64_t(begin - span.begin + alignment.phase));
		if (group.isStore && !cells.all() && !storesSome(cells, cell))
			return false;
		for (AccessGroup::Member &member : group.members)
			member.offset -= begin;
		group.cell = cell;
		group.cells = cells;
		return true;
	}

	/* Whether stores may leave out cells: each vector has some that are stored, and the CPU has masks. */
	bool storesSome(const SmallBitVector &cells, int64_t cell) const
	{
		if (cells.size() > width || cells.size() > mostGaps * cells.count())
			return false;
		const Value *pointer = getLoadStorePointerOperand(group.members[0].access);
		Type *number = IntegerType::get(pointer->getContext(), unsigned(cell * 8));
		return target.isLegalMaskedStore(FixedVectorType::get(number, width), Align(1),
						 pointer->getType()->getPointerAddressSpace());
	}

	AccessGroup &group;
	const TargetTransformInfo &target;
	unsigned width;
	Span span;
	Alignment alignment;
	bool known;
};

} // namespace

Span spanOf(const AccessGroup &group)
{
	Span span;
	for (const AccessGroup::Member &member : group.members)
		span.add(member.offset, member.size);
	return span;
}

int64_t roomOf(const AccessGroup &group)
{
	if (group.stride)
		return std::abs(group.stride);
	return group.isStore ? widestCell : recordSize;
}

bool chooseCells(AccessGroup &group, const TargetTransformInfo &target, unsigned width)
{
	return CellChooser(group, target, width).choose();
}

} // namespace weft
