/* SPDX-License-Identifier: MIT
 *
 * Loads of elements that lie near each other: between those of the first and of the last lane, and within two vectors. The two
 * vectors are loaded and permuted, which takes a quarter of the time of loads lane by lane. Sorting networks and transforms
 * have steps whose pairs are nearer than a vector is long, and filters read so at the ends of rows.
 */
#ifndef WEFT_PASSES_NEARBY_LOADS_H
#define WEFT_PASSES_NEARBY_LOADS_H

#include "lane_code/lane_masks.h"
#include "lanes/neighbour_index.h"

namespace weft
{

class NearbyLoads : public LanePart
{
      public:
	explicit NearbyLoads(const LanePart &part) : LanePart(part)
	{
	}

	/* Whether elements are counted by the index, and the CPU permutes them. */
	bool arePossible(const llvm::LoadInst &load, const NeighbourIndex &index) const;
	/* A bit: whether the elements lie as above, and all lanes run. No index wraps then. */
	llvm::Value *areNear(const NeighbourIndex &index, llvm::Value *mask);
	/* Where they do. `address`: the first lane's. NULL: too many instructions would permute them. */
	llvm::Value *emit(const llvm::LoadInst &load, const NeighbourIndex &index,
			  llvm::Value *address);

      private:
	/* Elements from the first lane's to each lane's, and to the last one's. */
	struct Distances {
		llvm::Value *all, *last;
	};
	Distances distancesOf(const NeighbourIndex &index);
};

} // namespace weft

#endif
