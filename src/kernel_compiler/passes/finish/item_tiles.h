/* SPDX-License-Identifier: MIT
 *
 * Loops over the work-items of a range of groups, tile by tile. Groups that show nothing of themselves need not run one by one. Where
 * accesses are far apart along x and near each other along y, a tile has whole cache lines of them, and so few that they stay in the
 * core's cache.
 */
#ifndef WEFT_PASSES_ITEM_TILES_H
#define WEFT_PASSES_ITEM_TILES_H

#include <llvm/IR/IRBuilder.h>

#include <array>

namespace weft
{

/* The groups from `first` to `end` of the range, in the kernel's order of dimensions. */
struct GroupRange {
	llvm::Value *first, *end;
	std::array<llvm::Value *, 3> firstId; /* of `first` */
	std::array<llvm::Value *, 3> numGroups, groupSize, globalSize;
};

/* Whether groups of the kernel run as tiles: where stores are far apart along x (swap-dimensions), or accesses of work-items that run
 * one after the other, and the host need not know groups from each other. */
bool runsInTiles(const llvm::Function &kernel);

/* What a tile has along x and y, in work-items. */
struct TileSize {
	llvm::Value *width, *height;
};

/* Tiles of a kernel. They are one vector wide where places along x seem to be a power of two apart, and as high as whole groups. Groups that
 * are high by themselves are tiles, `longestRun` of them beside each other. Without vectors tiles do not follow groups. */
TileSize chooseTileSize(llvm::IRBuilder<> &builder, const GroupRange &groups,
			llvm::Value *longestRun, const llvm::Function &kernel);

class ItemTiles
{
      public:
	/* At the builder's place. Ends in a block for what runs a tile. */
	ItemTiles(llvm::IRBuilder<> &theBuilder, const GroupRange &theGroups, TileSize theSize,
		  llvm::BasicBlock &theExit);

	/* Of the tile. */
	std::array<llvm::Value *, 3> firstItem, localSize;

	/* At the builder's place, behind what runs a tile. */
	void close();

      private:
	llvm::BasicBlock *createBlock(const llvm::Twine &name);
	void startBand();
	void endBand();

	llvm::IRBuilder<> &builder;
	const GroupRange &groups;
	const TileSize size;
	llvm::BasicBlock *before, *exit, *band, *row, *tile;
	llvm::PHINode *group, *bandId[3], *x, *y;
	/* Of the band: groups along x and y, and where its work-items end. */
	llvm::Value *columns, *rows, *endX, *endY;
};

} // namespace weft

#endif
