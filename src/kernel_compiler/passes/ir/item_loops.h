/* SPDX-License-Identifier: MIT
 *
 * Item loops: the innermost loops that work-item-loops makes, over the work-items of a region along x. Their
 * iterations are independent by the language's rules, so they may run in any order, or at once.
 */
#ifndef WEFT_PASSES_ITEM_LOOPS_H
#define WEFT_PASSES_ITEM_LOOPS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace weft
{

/* Metadata of the latch's terminator of an item loop that may be widened; its operand, if any, is the length of the loop's rows. */
constexpr char itemLoopMetadata[] = "weft.item.loop";
/* Metadata of the latch's terminator of an item loop that runs some of a region's work-items; its operand is the enum ItemPart. */
constexpr char itemPartMetadata[] = "weft.item.part";
/* Metadata of the latch's terminator of the loop along z of a region's nest. */
constexpr char itemNestMetadata[] = "weft.item.nest";

/* Loop property: LLVM makes no versions of the loop. For loops over rows, layers or groups, and over the last work-items. */
constexpr char singleLoopProperty[] = "weft.loop.single";
/* Loop property: the loop runs over the last work-items only. */
constexpr char restLoopProperty[] = "weft.loop.rest";

/* Which of a region's work-items an item loop runs (split-guarded-items): whole vectors of those that a guard lets pass, or those that
 * are left. */
enum class ItemPart { All, Whole, Rest };

/* for (x = first; x < size; x++), tested at its end; x is an i64 and the loop's only phi. */
struct ItemLoop {
	llvm::Loop *loop;
	llvm::BasicBlock *header, *latch;
	llvm::BasicBlock *before, *after; /* the only ways in and out */
	llvm::PHINode *x;
	llvm::Value *first, *size;
	unsigned
		row; /* work-items of each of the rows that it runs over, one after the other; 0: of one only */
	ItemPart part;
};

/* The loops along z and y around an item loop; nothing but the item loop is in them. */
struct ItemNest {
	llvm::BasicBlock *before, *after; /* the only ways in and out; NULL: there is no nest */
	llvm::PHINode *y, *z;
	llvm::Value *sizeY, *sizeZ;
};

/* Whether a work-item that begins the loop's body comes to the latch in any case: a copy of the loop's blocks is then all that
 * it runs. Not so where the body leads to an endless loop or ends in a trap: such code lies outside of the loop. A way to
 * nothing but `unreachable` is none. */
bool isWhole(const ItemLoop &item);

void markItemLoop(llvm::BasicBlock &latch, unsigned row = 0);
void markItemPart(llvm::BasicBlock &latch, ItemPart part);
ItemPart partOf(const llvm::BasicBlock &latch);
void unmarkItemLoop(llvm::BasicBlock &latch);
llvm::SmallVector<llvm::BasicBlock *, 4> markedLatches(llvm::Function &function);
/* Item loops, but for those over the rest of a region's work-items. */
unsigned countRegions(llvm::ArrayRef<llvm::BasicBlock *> latches);
void markItemNest(llvm::BasicBlock &latch);
void unmarkItemNests(llvm::Function &function);
ItemLoop readItemLoop(llvm::BasicBlock &latch, const llvm::LoopInfo &loops);
ItemNest readItemNest(const ItemLoop &item);

/* The loop, made known by its latch, stays one loop: it is not unrolled, not vectorized by LLVM and not unswitched. */
void markSingleLoop(llvm::BasicBlock &latch);
bool isSingleLoop(const llvm::Loop &loop);

/* The loop is unrolled whole, if the group's size is known and so is the number of iterations. */
void markShortLoop(llvm::BasicBlock &latch);

/* The same as a single one, for an item loop that does the work-items that whole vectors leave. */
void markRestLoop(llvm::BasicBlock &latch);
bool isRestLoop(const llvm::Loop &loop);

} // namespace weft

#endif
