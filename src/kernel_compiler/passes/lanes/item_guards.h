/* SPDX-License-Identifier: MIT
 *
 * Branches of an item loop that part its work-items by their ids along x: which ids go which way.
 */
#ifndef WEFT_PASSES_ITEM_GUARDS_H
#define WEFT_PASSES_ITEM_GUARDS_H

#include "ir/item_loops.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace weft
{

/* A branch that takes work-items with ids from `first` on, and below `limit`, to `inside`, others to `outside`. All values are
 * computed before the loop. */
struct Guard {
	llvm::Value *first, *limit;
	llvm::BasicBlock *inside, *outside;
	llvm::Value *
		exact; /* whether no others go inside, and the first is the one with id 0; NULL: not known */
	llvm::Value *any; /* whether any work-item goes inside, just so; NULL: not known */
};

/* Work-items from `limit` on, which is no more than there are, do nothing at all, by this branch, the first in the loop; others go on to `inside`: all that where
 * `exact` is true. The values are computed before the loop. */
struct Cut {
	llvm::Value *limit, *exact;
	llvm::BranchInst *branch;
	llvm::BasicBlock *inside;
};

/* Whether the instruction changes nothing, and tells nothing. */
bool isUnseen(const llvm::Instruction &instruction);
bool doesNothing(const llvm::BasicBlock *block);

/* Reads guards of one item loop, and computes their values before it. */
class GuardReader
{
      public:
	GuardReader(const ItemLoop &theItem, const llvm::LoopInfo &theLoops);

	/* What each work-item does first: blocks that follow each other, up to a branch. */
	llvm::ArrayRef<llvm::BasicBlock *> firsts() const
	{
		return firstBlocks;
	}
	/* The blocks that follow from each other from this one on. */
	llvm::SmallVector<llvm::BasicBlock *, 4> straightFrom(llvm::BasicBlock &first) const;
	/* The branch behind the first blocks; NULL where it is none, or takes all work-items the same way. */
	llvm::BranchInst *firstBranch() const;

	/* A comparison of the id is a guard of one of its ways, several conditions of which all must hold are one of the way
	 * where they do: `a && b` of the first way, `a || b` of the second. */
	std::optional<Guard> read(llvm::BranchInst &branch);
	/* Nothing where some work-items may have to do something beside those that the first branch lets pass. */
	std::optional<Cut> readCut();
	/* The value is moved to before the loop if it can be; else NULL. */
	llvm::Value *beforeLoop(llvm::Value *value);

	llvm::IRBuilder<> builder; /* before the loop */

      private:
	/* Ids below `value` pass a comparison. `small`: where it is false all may, and `any` says whether any does; NULL: always true. */
	struct Limit {
		llvm::Value *value, *small, *any;
	};
	/* What narrow has read. */
	struct Reading {
		Guard guard;
		unsigned numTests;
		bool wraps;
	};

	bool makeInvariant(llvm::Value *value);
	bool isLoadedFirst(llvm::LoadInst &load) const;
	bool isId(const llvm::Value *value) const;
	llvm::Value *addedTo(llvm::Value *sum);
	std::optional<Limit> limitOf(llvm::Value *left, llvm::Value *right,
				     llvm::CmpInst::Predicate predicate);
	std::optional<Limit> limitOfCut(llvm::Value *left, llvm::Value *right, bool isSigned);
	bool isUpperBound(const llvm::ICmpInst &test) const;
	llvm::CmpInst::Predicate predicateOfId(const llvm::ICmpInst &test) const;
	void narrow(Reading &reading, llvm::Value *condition, bool wanted, unsigned depth);
	bool narrow(Reading &reading, llvm::ICmpInst &test);

	const ItemLoop &item;
	const llvm::LoopInfo &loops;
	llvm::SmallVector<llvm::BasicBlock *, 4> firstBlocks;
};

} // namespace weft

#endif
