/* SPDX-License-Identifier: MIT
 *
 * Makes the widened copy of one item loop's body, by a plan. Per value of the source there is
 *   a scalar, for what is linear in the lane: the value of lane 0; a scalar for each row where a wave is several;
 *   a vector of all lanes, for the rest, and for linear values where somebody asks;
 *   or a copy per lane in memory, for what fits no vector (vectors of three, structures).
 * Masks are vectors of i1; no mask means all lanes.
 */
#ifndef WEFT_PASSES_LOOP_WIDENER_H
#define WEFT_PASSES_LOOP_WIDENER_H

#include "lanes/lane_interleave.h"
#include "lanes/lane_plan.h"
#include "lanes/wide_accesses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft
{

/* Each private variable, and the one that holds it for all lanes; the copies of one body share them. */
using WideVariables = llvm::DenseMap<llvm::AllocaInst *, llvm::AllocaInst *>;

class LoopWidener
{
      public:
	/* Copies of one body share `variables`. */
	LoopWidener(ItemLoop &item, const LaneShapes &shapes, const WideAccesses &accesses,
		    const LanePlan &plan, const llvm::TargetTransformInfo &target,
		    WideVariables &variables);

	/* Whether every phi that must become a vector fits one, and private variables fit the stack. */
	bool isPossible() const;
	/* Puts a loop over whole waves before the item loop, which then begins with what is left. Where it begins now
	 * is a multiple of the width. Returns the new loop's latch. */
	llvm::BasicBlock &runWhole();
	/* Puts one wave with a mask in the place of the item loop, which has fewer work-items left than lanes. */
	void runLast();
	/* All waves of a group in the order of linear ids, with a mask each; returns its start, which nothing leads to
	 * yet. Expects shapes with the nest. */
	llvm::BasicBlock &runLinear(const ItemNest &nest);
	/* Mends what is not computed on every way, given the function's new dominators; names the variables that
	 * are to become values. */
	void finish(const llvm::DominatorTree &dominators,
		    llvm::SmallVectorImpl<llvm::AllocaInst *> &variables);

      private:
	using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

	/* Lanes that have left a loop by one edge while others went on. */
	struct Leavers {
		const llvm::Loop *outermost = nullptr;
		llvm::AllocaInst *mask = nullptr;
		llvm::MapVector<llvm::Value *, llvm::AllocaInst *> values;
	};

	/* control (loop_widener.cpp, wave_loops.cpp) */
	void makeBlocks();
	void emitBody();
	llvm::Value *lanesBelow(llvm::Value *count);
	void placeIds(const ItemNest &nest, llvm::Value *linear);
	void placeVariables();
	void findLeavers();
	void startLeavers(const llvm::Loop &around);
	void emitBlock(const LaneNode &node);
	void emitPhis(const LaneNode &node);
	void emitMask(const LaneNode &node);
	void emitBlends(const LaneNode &node);
	using Getter = llvm::function_ref<llvm::Value *(llvm::Value *)>;
	llvm::Value *blend(const llvm::PHINode &phi, bool scalar, Getter valueOf);
	void emitEdges(const LaneNode &node);
	void emitTerminator(const LaneNode &node);
	void leave(llvm::Value *mask, const LaneNode &here, const Leavers &leavers);
	bool hasEdgeBlock(const LaneNode &node, llvm::BasicBlock *successor) const;
	llvm::BasicBlock *edgeBlock(const LaneNode &node, llvm::BasicBlock *successor);
	llvm::BasicBlock *newBlock(const llvm::Twine &name);
	bool needsEdgeMask(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
	llvm::Value *conditionOf(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
	llvm::Value *incomingMask(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
	void finishPhis();
	void repair(const llvm::DominatorTree &dominators);
	void repairUses(llvm::Instruction &value, llvm::ArrayRef<llvm::Use *> uses,
			const llvm::DominatorTree &dominators);

	/* masks */
	llvm::Value *maskOf(const llvm::BasicBlock *block) const;
	llvm::Value *asMask(llvm::Value *value); /* remembers that it is one */
	llvm::Value *allLanes();
	llvm::Value *bitsOf(llvm::Value *mask);
	llvm::Value *isAny(llvm::Value *mask);
	llvm::Value *firstLane(llvm::Value *mask);

	/* values (lane_values.cpp) */
	llvm::Value *scalarOf(llvm::Value *value);
	llvm::Value *vectorOf(llvm::Value *value);
	llvm::AllocaInst *copiesOf(llvm::Value *value);
	llvm::Value *stepped(llvm::IRBuilder<> &at, llvm::Value *base, int64_t stride);
	llvm::Value *moved(llvm::IRBuilder<> &at, llvm::Value *base, llvm::Value *units);
	void placeBehind(llvm::IRBuilder<> &at, llvm::Value *value);
	llvm::FixedVectorType *vectorType(llvm::Type *type) const;
	llvm::Type *memoryType(llvm::Type *type) const;
	llvm::Value *toMemory(llvm::Value *value, llvm::Type *type);
	llvm::Value *fromMemory(llvm::Value *value, llvm::Type *type);
	llvm::AllocaInst *newVariable(llvm::Type *type, const llvm::Twine &name);
	llvm::Value *laneAt(llvm::AllocaInst *lanes, llvm::Value *lane, llvm::Type *type);
	bool isOutside(const llvm::Value *value) const;

	/* instructions (widen_instructions.cpp) */
	void emit(llvm::Instruction &instruction);
	void emitScalar(llvm::Instruction &instruction);
	void emitVector(llvm::Instruction &instruction);
	llvm::Value *widen(llvm::IRBuilder<> &at, llvm::Instruction &instruction);
	llvm::Value *widenAddress(llvm::IRBuilder<> &at, llvm::GetElementPtrInst &step, bool scalar,
				  Getter operandOf);
	llvm::Value *widenIntrinsic(llvm::IRBuilder<> &at, llvm::IntrinsicInst &call);
	llvm::Value *folded(llvm::Instruction *copy);

	/* lane by lane (widen_lane_by_lane.cpp) */
	void serialise(llvm::Instruction &instruction);
	void updateEach(llvm::Instruction &update);
	llvm::Value *laneOf(llvm::Value *value, unsigned lane, unsigned operations);

	/* sub-groups (widen_subgroups.cpp) */
	void emitSubgroup(llvm::CallInst &call, SubgroupFunction what);
	void emitShuffle(llvm::CallInst &call);
	void emitReduction(llvm::CallInst &call, SubgroupFunction what);
	void emitScan(llvm::CallInst &call, SubgroupFunction what);
	llvm::Value *ballot(llvm::Value *predicate);
	llvm::Value *activeOr(llvm::CallInst &call, llvm::Constant *identity);
	llvm::Value *permuted(llvm::Value *vector, llvm::Value *lanes);

	/* packed vectors (widen_packed.cpp) */
	llvm::FixedVectorType *lanesOf(llvm::Type *type, unsigned lanes) const;
	llvm::Value *repeated(llvm::IRBuilder<> &at, llvm::Value *value, unsigned lanes);
	llvm::Value *spread(llvm::IRBuilder<> &at, llvm::Value *vector, unsigned elements);
	llvm::Value *selected(llvm::IRBuilder<> &at, llvm::Value *mask, llvm::Value *value,
			      llvm::Value *otherwise);
	llvm::Value *partOf(llvm::Value *vector, unsigned first, unsigned lanes);
	llvm::Value *reversed(llvm::Value *vector);
	llvm::Value *widenShuffle(llvm::IRBuilder<> &at, llvm::Instruction &instruction);

	/* divisions (widen_division.cpp) */
	bool dividesAsFloat(const llvm::Instruction &instruction) const;
	llvm::Value *divideAsFloat(llvm::IRBuilder<> &at, const llvm::BinaryOperator &division);

	/* rows (widen_rows.cpp) */
	unsigned rowsOf(Shape shape) const;
	llvm::Value *rowOf(llvm::Value *value, Shape shape, unsigned row);
	void emitRows(llvm::Instruction &instruction, Shape shape);
	llvm::Value *vectorOfRows(llvm::IRBuilder<> &at, llvm::Value *value, Shape shape);
	llvm::Value *gatherRow(llvm::LoadInst &load, Shape shape);
	llvm::Value *loadRows(llvm::LoadInst &load, Shape shape, llvm::Value *mask);
	void storeRows(llvm::StoreInst &store, Shape shape, llvm::Value *mask);

	/* memory (widen_memory.cpp) */
	void emitLoad(llvm::LoadInst &load);
	void emitStore(llvm::StoreInst &store);
	void storeLast(llvm::StoreInst &store);
	bool accessesOwnRow(const llvm::Value *pointer, int64_t size) const;
	void storeOwnRow(llvm::StoreInst &store, llvm::Value *mask);
	void loadNeighbours(llvm::LoadInst &load, llvm::Value *mask);
	void storeNeighbours(llvm::StoreInst &store, llvm::Value *mask);
	void gather(llvm::LoadInst &load, llvm::Value *mask);
	void scatter(llvm::StoreInst &store, llvm::Value *mask);
	llvm::Value *gather(llvm::Type *type, llvm::Value *pointers, llvm::Align align,
			    llvm::Value *mask);
	llvm::Value *gatherSmall(llvm::Type *type, llvm::Value *pointers, llvm::Value *mask);
	llvm::Value *addressOf(llvm::Value *pointer, llvm::Value *mask);
	llvm::Value *atLane(llvm::Value *value, llvm::Value *lane);
	llvm::Value *held(llvm::Value *loaded);
	bool lacksMasks(const llvm::Instruction &access) const;
	using Emitter = llvm::function_ref<void()>;
	void joinWays(llvm::ArrayRef<std::pair<llvm::BasicBlock *, Emitter>> ways,
		      llvm::BasicBlock *without, llvm::BasicBlock *done,
		      llvm::ArrayRef<llvm::Instruction *> accesses);
	void unlessEmpty(llvm::Value *mask, llvm::Instruction &access, Emitter some);
	void byMask(llvm::Value *mask, llvm::ArrayRef<llvm::Instruction *> accesses, Emitter all,
		    Emitter some);

	/* walks (widen_walks.cpp) */
	void emitWalk(const Walk &walk);
	llvm::Value *startsOf(const Walk &walk, llvm::Value *mask);
	void fillWindow(const Walk &walk, llvm::Value *mask, llvm::Value *round,
			llvm::AllocaInst *window);

	/* access groups (widen_groups.cpp) */
	void emitMember(const AccessGroup &group, const llvm::Instruction &access);
	void emitConsecutive(const AccessGroup &group);
	void emitScattered(const AccessGroup &group, llvm::Value *mask);
	void emitApart(const AccessGroup &group, llvm::Value *mask);
	llvm::Value *pointersTo(const AccessGroup &group, int64_t offset);
	llvm::Type *cellType(const AccessGroup &group);
	llvm::Value *startOf(const AccessGroup &group);
	Vectors loadCells(const AccessGroup &group);
	void storeCells(const AccessGroup &group, const Vectors &cells);
	llvm::Instruction *storePart(llvm::Value *vector, llvm::Value *address, llvm::Align align,
				     const llvm::SmallBitVector &used);
	void splitCells(const AccessGroup &group, const Vectors &cells);
	Vectors joinMembers(const AccessGroup &group);

	ItemLoop &item;
	const LaneShapes &shapes;
	const AccessGroups &groups;
	const WalkedLoads &walks;
	const LanePlan &plan;
	const llvm::TargetTransformInfo &target;
	ScatteredCosts scattered;
	unsigned width;
	WideVariables &wideVariables;
	llvm::Function &function;
	llvm::LLVMContext &context;
	const llvm::DataLayout &layout;
	llvm::IRBuilder<> builder;

	llvm::BasicBlock *before = nullptr; /* the widened code */
	llvm::SmallVector<llvm::BasicBlock *, 16> starts, ends;
	const llvm::BasicBlock *current = nullptr; /* in the source */
	llvm::DenseMap<llvm::Value *, llvm::Value *> scalars, vectors;
	llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::Value *, 4>> rows;
	llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> copies;
	llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks;
	llvm::DenseMap<llvm::Value *, llvm::Value *> anyOf; /* by mask */
	llvm::DenseMap<Edge, llvm::Value *> edgeMasks;
	llvm::MapVector<Edge, Leavers> leaving;
	llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 16> phis; /* source, copy */
	llvm::MapVector<llvm::PHINode *, llvm::SmallVector<llvm::PHINode *, 4>> rowPhis;
	llvm::DenseSet<llvm::Value *> maskValues;
	unsigned branches = 0; /* that accesses make by their masks */
	llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> exchanges; /* for shuffles, by element */
	llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *>
		origins; /* of new blocks */
	llvm::SmallVector<llvm::BasicBlock *, 32> made;
};

} // namespace weft

#endif
