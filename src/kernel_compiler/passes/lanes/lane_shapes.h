/* SPDX-License-Identifier: MIT
 *
 * Lane shapes, an analysis of an item loop (`print<shape>`): how each value differs between the lanes of a vector,
 * `width` work-items that are neighbours along x; and which branches they take together.
 *
 * Control: at a branch on a value that is not uniform, labels run along its successors until one block is all
 * that is left; there the lanes have come together again. Blocks on the way are partial: not all lanes that
 * run an iteration of the loop around them need run them. A loop that a lane may leave before others loses lanes.
 */
#ifndef WEFT_PASSES_LANE_SHAPES_H
#define WEFT_PASSES_LANE_SHAPES_H

#include "functions/subgroup_functions.h"
#include "ir/item_loops.h"
#include "ir/required_pass.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>

namespace weft
{

struct Shape {
	enum Kind : uint8_t {
		Undefined, /* not computed yet */
		Uniform,   /* the same in all lanes that run */
		Strided,   /* lane l has the value of lane 0 plus l * stride, modulo 2^bits */
		Address, /* the same, but only where it is used as (part of) an address that is accessed: an index
			    of 32 bits that would wrap from one running lane to another would leave every object */
		Varying,
	};
	Kind kind = Undefined;
	int64_t stride = 0; /* bytes for pointers, else units */
	/* Lanes in a row of the work-group, where a vector holds several rows: kind and stride then hold within each row.
	 * 0: they hold in the whole vector. */
	unsigned row = 0;
	/* From each row to the next, where that is a constant. */
	bool hasStep = false;
	int64_t step = 0;

	static Shape uniform()
	{
		return {Uniform};
	}
	static Shape varying()
	{
		return {Varying};
	}
	/* Differences between the lanes, of each row, are constants. */
	bool isLinear() const
	{
		return kind == Uniform || kind == Strided || kind == Address;
	}
	/* The same in all lanes of each row. */
	bool isRowUniform() const
	{
		return kind == Uniform || (kind == Strided && row && stride == 0);
	}
	bool operator==(const Shape &other) const
	{
		return kind == other.kind && stride == other.stride && row == other.row &&
		       hasStep == other.hasStep && step == other.step;
	}
};

/* Of linear values (lane_rows.cpp): a + factor * b, and a * factor. Varying when it takes too large numbers. */
Shape sumOf(Shape a, Shape b, int64_t factor);
Shape productOf(Shape a, int64_t factor);

class LaneShapes
{
      public:
	/* With a nest, vectors run over all of the group's work-items, in the order of their linear ids, and x, y and z
	 * are varying; without, along x. */
	LaneShapes(const ItemLoop &item, const llvm::LoopInfo &loops,
		   const llvm::DominatorTree &dominators, unsigned width,
		   const ItemNest *nest = nullptr);

	/* False when the analysis took too long: then nothing is known. */
	bool isValid() const
	{
		return steps <= stepLimit;
	}
	unsigned lanes() const
	{
		return width;
	}
	Shape of(const llvm::Value *value) const;
	bool isUniform(const llvm::Value *value) const
	{
		return of(value).kind == Shape::Uniform;
	}
	/* Whether lanes may leave the block for different successors. */
	bool isDivergent(const llvm::BasicBlock &block) const;
	bool isPartial(const llvm::BasicBlock *block) const
	{
		return partial.contains(block);
	}
	bool losesLanes(const llvm::Loop *loop) const
	{
		return losing.contains(loop);
	}
	/* A block that dominates this one, and whose lanes are those of this one; or NULL. */
	const llvm::BasicBlock *gathersFrom(const llvm::BasicBlock *block) const
	{
		return gathering.lookup(block);
	}
	/* The loop's blocks, predecessors first, each loop and as a rule what a block dominates in one piece. */
	llvm::ArrayRef<llvm::BasicBlock *> blocks() const
	{
		return order.getArrayRef();
	}
	unsigned indexOf(const llvm::BasicBlock *block) const
	{
		return index.lookup(block);
	}
	/* Of a private variable: bytes between the lanes' copies of an element, if the lanes' copies of each element are neighbours; 0 if
	 * the whole variables of the lanes are. */
	uint64_t laneMajorSize(const llvm::AllocaInst *variable) const
	{
		return laneMajor.lookup(variable);
	}
	/* The lane-major variable that a pointer leads into; or NULL. */
	const llvm::AllocaInst *laneMajorBase(const llvm::Value *pointer) const
	{
		return laneMajorPointers.lookup(pointer);
	}
	/* Whether the item loop loads from a lane-major variable in blocks alone that the given one dominates. */
	bool isReadBelow(const llvm::AllocaInst &variable, const llvm::BasicBlock &block) const;
	void print(llvm::raw_ostream &out) const;

      private:
	void orderLoop(const llvm::Loop &loop);
	void findVariables();
	void layOutVariable(const llvm::AllocaInst &variable);
	Shape compute(const llvm::Instruction &instruction) const;
	Shape computePhi(const llvm::PHINode &phi) const;
	Shape computeBinary(const llvm::Instruction &instruction) const;
	Shape computeRow(const llvm::Instruction &instruction) const;
	Shape computeCut(const llvm::Instruction &instruction) const;
	Shape computeCast(const llvm::Instruction &instruction) const;
	Shape computeAddress(const llvm::Instruction &instruction) const;
	Shape computeCall(const llvm::CallBase &call) const;
	Shape computeSubgroupCall(const llvm::CallBase &call, SubgroupFunction function) const;
	void spread(llvm::ArrayRef<llvm::BasicBlock *> starts, const llvm::Loop *context,
		    const llvm::BasicBlock *from);
	void joinAt(llvm::BasicBlock &block);
	void loseLanes(const llvm::Loop &loop);

	static constexpr uint64_t stepLimit = 4000000; /* blocks looked at for divergent branches */

	ItemLoop item;
	const llvm::LoopInfo &loops;
	const llvm::DominatorTree &dominators;
	const llvm::DataLayout &layout;
	unsigned width;
	const ItemNest *nest;
	llvm::SetVector<llvm::BasicBlock *> order;
	llvm::DenseMap<const llvm::BasicBlock *, unsigned> index;
	llvm::DenseMap<const llvm::Value *, Shape> shapes;
	llvm::DenseSet<const llvm::Value *> joins; /* phis of lanes that come different ways */
	llvm::DenseSet<const llvm::BasicBlock *> partial, diverged;
	llvm::DenseSet<const llvm::Loop *> losing;
	llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> gathering;
	llvm::DenseMap<const llvm::AllocaInst *, uint64_t>
		variables; /* private ones: bytes of each copy */
	llvm::DenseMap<const llvm::AllocaInst *, uint64_t> laneMajor;
	llvm::DenseMap<const llvm::Value *, const llvm::AllocaInst *> laneMajorPointers;
	uint64_t steps = 0;
};

/* Prints the shapes of every item loop; expects those in the form that widen-loops makes first. */
struct ShapePrinterPass : llvm::PassInfoMixin<ShapePrinterPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Function &function,
				    llvm::FunctionAnalysisManager &analyses);
};

} // namespace weft

#endif
