/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of a widened body that are made each by itself, by how their address differs between the lanes: whole
 * vectors of neighbours, one place for all, row by row, else gathers and scatters; lane by lane what none of these fits.
 */
#ifndef WEFT_PASSES_LANE_MEMORY_H
#define WEFT_PASSES_LANE_MEMORY_H

#include "costs/scattered_costs.h"
#include "lane_code/lane_by_lane.h"
#include "lane_code/mask_branches.h"
#include "lane_code/nearby_loads.h"
#include "lane_code/table_loads.h"
#include "lanes/neighbour_index.h"

namespace weft
{

class LaneMemory : public LanePart
{
      public:
	LaneMemory(MaskBranches &theBranches, LaneByLane &theLaneByLane,
		   const ScatteredCosts &theScattered)
	    : LanePart(theBranches), branches(theBranches), laneByLane(theLaneByLane),
	      nearby(theBranches), tables(theBranches), scattered(theScattered)
	{
	}

	void emitLoad(llvm::LoadInst &load);
	/* Not of a uniform value to a uniform place. */
	void emitStore(llvm::StoreInst &store);

	/* From a place for each lane. */
	void gather(llvm::LoadInst &load, llvm::Value *mask);
	void scatter(llvm::StoreInst &store, llvm::Value *mask);
	/* A bit: whether the addresses of all lanes differ as expected, and all lanes run. `isMasked`: those that do not run may be
	 * anything, as the access leaves them out. */
	llvm::Value *differAsExpected(const NeighbourIndex &expected, llvm::Value *mask,
				      bool isMasked);
	/* Lane 0's address. */
	llvm::Value *firstAddress(const NeighbourIndex &expected);
	llvm::Value *firstAddress(llvm::Instruction &access, llvm::Value *mask);
	/* A gather of values of the type, for the lanes in the mask. */
	llvm::Value *gatherFrom(llvm::Value *pointers, llvm::Type *type, llvm::Align align,
				llvm::Value *mask);
	/* A gather of so many bits from the last multiple of `unit` that is no more than each address, of which those before the address
	 * are shifted out. */
	llvm::Value *gatherAround(llvm::Value *pointers, unsigned bits, uint64_t unit,
				  llvm::Value *mask);

      private:
	bool accessesOwnRow(const llvm::Value *pointer, int64_t size) const;
	bool isReadByOthers(const llvm::StoreInst &store);
	void storeOwnRow(llvm::StoreInst &store, llvm::Value *mask);
	void storeLast(llvm::StoreInst &store);
	void loadNeighbours(llvm::LoadInst &load, llvm::Value *mask);
	bool areApart(const llvm::LoadInst &load, int64_t size) const;
	void loadApart(llvm::LoadInst &load);
	bool loadIfNeighbours(llvm::LoadInst &load, llvm::Value *mask);
	void loadNearby(llvm::LoadInst &load, const NeighbourIndex &expected, llvm::Value *mask);
	void storeNeighbours(llvm::StoreInst &store, llvm::Value *mask);
	bool storeIfNeighbours(llvm::StoreInst &store, llvm::Value *mask);
	llvm::Value *lanesAsExpected(const NeighbourIndex &expected);
	llvm::Value *areAll(const NeighbourIndex &expected, llvm::Value *lanes);
	bool areBackwards(const llvm::Instruction &access) const;
	bool accessesRows(const llvm::Instruction &access, const llvm::Value *mask) const;
	bool isRowBackwards(const llvm::Instruction &access) const;
	llvm::Value *startOfRow(const llvm::Instruction &access, Shape shape, unsigned row);
	llvm::Value *rowOfMask(llvm::Value *mask, Shape shape, unsigned row);
	llvm::Value *gatherRow(llvm::LoadInst &load, Shape shape);
	void loadRows(llvm::LoadInst &load, llvm::Value *mask);
	void loadSomeOfRows(llvm::LoadInst &load, llvm::Value *mask);
	void storeRows(llvm::StoreInst &store, llvm::Value *mask);

	MaskBranches &branches;
	LaneByLane &laneByLane;
	NearbyLoads nearby;
	TableLoads tables;
	const ScatteredCosts &scattered;
	/* By a private variable and the block that makes the mask of a store to it. */
	llvm::DenseMap<std::pair<const llvm::AllocaInst *, const llvm::BasicBlock *>, bool>
		readByOthers;
};

} // namespace weft

#endif
