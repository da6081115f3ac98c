/* SPDX-License-Identifier: MIT
 *
 * Makes the widened copy of one item loop's body, by a plan, and the code around it. Goes through the source's blocks in
 * the order of the plan and hands each instruction to the part that makes its code. docs/widening.md lists the parts; each
 * knows only those before it.
 */
#ifndef WEFT_PASSES_LOOP_WIDENER_H
#define WEFT_PASSES_LOOP_WIDENER_H

#include "accesses/wide_accesses.h"
#include "lane_code/grouped_accesses.h"
#include "lane_code/image_operations.h"
#include "lane_code/lane_control.h"
#include "lane_code/lane_operations.h"
#include "lane_code/row_distances.h"
#include "lane_code/subgroup_operations.h"
#include "lane_code/transposed_windows.h"
#include "lane_code/uniform_updates.h"
#include "width/uneven_loops.h"

namespace weft
{

/* Each private variable, and the one that holds it for all lanes. */
using WideVariables = llvm::DenseMap<llvm::AllocaInst *, llvm::AllocaInst *>;

/* Where whole vectors leave at least `least` work-items, one more vector ends with the last of them: it runs some of those before them
 * again (lanes/idempotent_items.h). The first work-item of all is `first`. */
struct RepeatedItems {
	llvm::Value *first;
	uint64_t least;
	bool ifApart; /* in launches alone whose arguments are (kernel/apart.h) */
};

class LoopWidener
{
      public:
	/* Copies of one body with one number of lanes share `variables`. */
	LoopWidener(ItemLoop &item, const LaneShapes &shapes, const WideAccesses &accesses,
		    const LanePlan &plan, const llvm::TargetTransformInfo &target,
		    WideVariables &variables);

	/* Whether every phi that must become a vector fits one, and private variables fit the stack. */
	bool isPossible() const;

	/* One of these makes the code:
	 *
	 * A loop in front of the item loop, over as many vectors as are whole. The item loop then begins with the rest, at
	 * a multiple of the width. Returns the new loop's latch.
	 * `uneven`: where scalars would have been faster than a vector, the next work-items run as such. `least`: with fewer
	 * work-items all are left to the item loop; so they are with `rows` that lanes may not write. `repeated`: the rest may be one vector more; not with
	 * `uneven`. */
	llvm::BasicBlock &createMainLoop(const RowDistances *rows = nullptr, uint64_t least = 0,
					 const UnevenLoop *uneven = nullptr,
					 const RepeatedItems *repeated = nullptr);
	/* One iteration in the place of the item loop, which has as many work-items as lanes. */
	void createWhole();
	/* One iteration with a mask, in the place of the item loop, which has fewer work-items left than lanes. */
	void createMaskedTail();
	/* A loop over the work-items of a group in the order of linear ids, in which each iteration has a mask. Returns its
	 * start, to which no branch leads yet. Expects shapes with the nest. */
	llvm::BasicBlock &createLinearLoop(const ItemNest &nest);

	/* Completes values that guards jump over, given the function's new dominators. Names the variables that are to
	 * become SSA values. */
	void finish(const llvm::DominatorTree &dominators,
		    llvm::SmallVectorImpl<llvm::AllocaInst *> &variables);

      private:
	void createOnce(llvm::function_ref<void()> mask);
	void placeIds(const ItemNest &nest, llvm::Value *linear);
	llvm::Value *createScalars(llvm::Value *first, llvm::Value *limit, const UnevenLoop &uneven,
				   llvm::PHINode &items);
	void enterTwice(llvm::Value *fits, llvm::Value *&first, llvm::Value *&limit,
			llvm::BasicBlock &rest, const RepeatedItems &repeated);
	llvm::BasicBlock *enterAgain(llvm::BasicBlock &after, llvm::BasicBlock &entry,
				     llvm::BasicBlock &rest, const RepeatedItems &repeated);
	llvm::Value *mayRepeat(llvm::Value *from, const RepeatedItems &repeated);
	void placeVariables();
	void emitBody();
	void emit(llvm::Instruction &instruction);
	void emitVector(llvm::Instruction &instruction);
	void emitLoad(llvm::LoadInst &load);
	void emitStore(llvm::StoreInst &store);

	ItemLoop &item;
	const LaneShapes &shapes;
	const WideAccesses &accesses;
	WideVariables &wideVariables;
	const unsigned width;
	WideBody body;
	LaneValues values;
	LaneMasks masks;
	LaneOperations operations;
	LaneByLane laneByLane;
	UniformUpdates uniformUpdates;
	MaskBranches branches;
	LaneMemory memory;
	GroupedAccesses groups;
	TransposedWindows windows;
	SubgroupOperations subgroups;
	ImageOperations images;
	LoopExits exits;
	CollectedWays collected;
	LaneControl control;
	llvm::IRBuilder<> &builder;
};

} // namespace weft

#endif
