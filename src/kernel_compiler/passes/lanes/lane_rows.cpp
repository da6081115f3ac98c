/* SPDX-License-Identifier: MIT
 *
 * Lane shapes where a vector holds several rows of a work-group: what is linear within each row. A vector begins at a
 * multiple of its width, so lane l is item l % row of its row; x & (row - 1) and x / row say so. Vectors over linear ids begin
 * anywhere in x.
 */
#include "lanes/lane_shapes.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace weft
{

/* A shape that goes on from row to row as it does within a row is one of the whole vector; one without steps is uniform. */
static Shape simplified(Shape shape)
{
	if (shape.row && shape.hasStep && shape.step == shape.stride * int64_t(shape.row)) {
		shape.row = 0;
		shape.hasStep = false;
		shape.step = 0;
	}
	if (!shape.row && shape.stride == 0 && shape.kind == Shape::Strided)
		return Shape::uniform();
	return shape;
}

/* The shape as one of rows of so many lanes. */
static Shape inRows(Shape shape, unsigned row)
{
	if (shape.row || !row)
		return shape;
	shape.row = row;
	shape.hasStep = !MulOverflow(shape.stride, int64_t(row), shape.step);
	return shape;
}

Shape productOf(Shape a, int64_t factor)
{
	if (MulOverflow(a.stride, factor, a.stride) || MulOverflow(a.step, factor, a.step))
		return Shape::varying();
	return simplified(a);
}

Shape sumOf(Shape a, Shape b, int64_t factor)
{
	b = productOf(b, factor);
	if (b.kind == Shape::Varying || (a.row && b.row && a.row != b.row))
		return Shape::varying();
	a = inRows(a, b.row);
	b = inRows(b, a.row);
	Shape sum = {std::max(a.kind, b.kind)};
	sum.row = a.row;
	sum.hasStep = a.hasStep && b.hasStep;
	if (AddOverflow(a.stride, b.stride, sum.stride) ||
	    (sum.hasStep && AddOverflow(a.step, b.step, sum.step)))
		return Shape::varying();
	return simplified(sum);
}

/* What makes rows, and what is the same within each because all operands are. */
Shape LaneShapes::computeRow(const Instruction &instruction) const
{
	using namespace PatternMatch;
	uint64_t number = 0;
	if (!instruction.getType()->isIntegerTy() || nest)
		return Shape::varying();
	if (match(&instruction, m_And(m_Specific(item.x), m_ConstantInt(number))) &&
	    isPowerOf2_64(number + 1) && number > 0) {
		if (number + 1 >= width)
			return {Shape::Strided, 1};
		return {Shape::Strided, 1, unsigned(number + 1), true, 0};
	}
	if (match(&instruction, m_LShr(m_Specific(item.x), m_ConstantInt(number))) && number > 0 &&
	    number < 32) {
		if (uint64_t(1) << number >= width)
			return Shape::uniform();
		return {Shape::Strided, 0, 1u << number, true, 1};
	}
	if (!isa<CastInst, BinaryOperator>(instruction) || instruction.isIntDivRem() ||
	    !instruction.getOperand(0)->getType()->isIntegerTy())
		return Shape::varying();
	unsigned row = 0;
	for (const Use &operand : instruction.operands()) {
		Shape shape = of(operand);
		if (!shape.isRowUniform() || (row && shape.row && row != shape.row))
			return Shape::varying();
		row = std::max(row, shape.row);
	}
	/* Sums and products with constants say more. */
	Shape known = instruction.isCast() ? computeCast(instruction) : computeBinary(instruction);
	if (known.kind == Shape::Strided || (known.kind == Shape::Address && known.hasStep))
		return known;
	return {Shape::Strided, 0, row, false, 0};
}

} // namespace weft
