/* SPDX-License-Identifier: MIT
 *
 * Access groups of a widened body: all accesses of a group at once, in the place of its leader. Cells go in vectors
 * between memory's order and the lanes'.
 */
#ifndef WEFT_PASSES_GROUPED_ACCESSES_H
#define WEFT_PASSES_GROUPED_ACCESSES_H

#include "accesses/access_groups.h"
#include "accesses/lane_interleave.h"
#include "lane_code/lane_memory.h"

namespace weft
{

class GroupedAccesses : public LanePart
{
      public:
	GroupedAccesses(MaskBranches &theBranches, LaneMemory &theMemory)
	    : LanePart(theMemory), branches(theBranches), memory(theMemory)
	{
	}

	/* Of a member, which makes all members if it is the leader. */
	void emit(const AccessGroup &group, const llvm::Instruction &access);

      private:
	void emitConsecutive(const AccessGroup &group, llvm::Value *mask);
	void emitIfConsecutive(const AccessGroup &group, const NeighbourIndex &expected,
			       llvm::ArrayRef<llvm::Instruction *> accesses, llvm::Value *mask);
	void emitScattered(const AccessGroup &group, llvm::Value *mask);
	void emitRecords(const AccessGroup &group, llvm::Value *mask);
	void emitApart(const AccessGroup &group, llvm::Value *mask);
	void emitElsewhere(const AccessGroup &group, llvm::Value *mask);
	llvm::Value *pointersTo(const AccessGroup &group, int64_t offset);
	llvm::Type *cellType(const AccessGroup &group);
	bool hasMaskedCells(const AccessGroup &group);
	llvm::Value *startOf(const AccessGroup &group, llvm::Value *mask);
	llvm::Value *maskOfPart(const AccessGroup &group, unsigned first, llvm::Value *mask);
	llvm::Value *loadPart(const AccessGroup &group, llvm::Value *start, unsigned first);
	llvm::Value *loadSome(const AccessGroup &group, llvm::Value *start, unsigned first,
			      llvm::Value *mask);
	Vectors loadCells(const AccessGroup &group, llvm::Value *mask);
	void storeCells(const AccessGroup &group, const Vectors &cells, llvm::Value *mask);
	llvm::Instruction *storePart(const AccessGroup &group, llvm::Value *vector,
				     llvm::Value *start, unsigned first, llvm::Value *mask);
	void splitCells(const AccessGroup &group, const Vectors &cells);
	Vectors joinMembers(const AccessGroup &group);

	MaskBranches &branches;
	LaneMemory &memory;
};

} // namespace weft

#endif
