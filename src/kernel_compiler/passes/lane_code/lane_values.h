/* SPDX-License-Identifier: MIT
 *
 * What each value of the source is in the widened code:
 *   a scalar, for what is linear in the lane (Shape): lane 0's value;
 *   a scalar for each row, for what is linear within each row of a vector that holds several;
 *   a vector of all lanes, for the rest, and for linear values where code needs all lanes.
 * The vector of a linear value is made when it is first asked for, right behind the scalar, so that it is there wherever
 * the scalar is.
 */
#ifndef WEFT_PASSES_LANE_VALUES_H
#define WEFT_PASSES_LANE_VALUES_H

#include "lane_code/wide_body.h"

#include <functional>

namespace weft
{

class LaneValues
{
      public:
	/* Makes an instruction of the source on vectors. */
	using Operation = std::function<llvm::Value *(llvm::IRBuilder<> &, llvm::Instruction &)>;

	/* `widen` makes vectors of addresses, which are linear only where they are accessed (Shape::Address). */
	LaneValues(WideBody &body, Operation widen);

	bool has(llvm::Value *value) const
	{
		return scalars.contains(value) || vectors.contains(value);
	}
	void setScalar(llvm::Value *value, llvm::Value *lane0)
	{
		scalars[value] = lane0;
	}
	void setVector(llvm::Value *value, llvm::Value *lanes)
	{
		vectors[value] = lanes;
	}
	/* Each row's first lane. */
	void setRows(llvm::Value *value, llvm::ArrayRef<llvm::Value *> firstLanes)
	{
		rows[value].assign(firstLanes.begin(), firstLanes.end());
	}

	/* The value of lane 0. Expects a linear value. */
	llvm::Value *scalarOf(llvm::Value *value) const;
	llvm::Value *vectorOf(llvm::Value *value);
	/* The vector, if there is one. */
	llvm::Value *madeVector(llvm::Value *value) const
	{
		return vectors.lookup(value);
	}
	/* The value of a row's first lane. Expects a value that is linear within rows as long as those of `shape`. */
	llvm::Value *rowOf(llvm::Value *value, Shape shape, unsigned row) const;
	unsigned rowsOf(Shape shape) const
	{
		return body.width / shape.row;
	}
	/* The value of a lane whose number is known when the code runs, if that lane runs. Expects a linear value. */
	llvm::Value *atLane(llvm::Value *value, llvm::Value *lane);

      private:
	llvm::Value *vectorOfRows(llvm::IRBuilder<> &at, llvm::Value *value, Shape shape) const;

	WideBody &body;
	const LaneShapes &shapes;
	llvm::IRBuilder<> &builder;
	Operation widen;
	llvm::DenseMap<llvm::Value *, llvm::Value *> scalars, vectors;
	llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::Value *, 4>> rows;
};

} // namespace weft

#endif
