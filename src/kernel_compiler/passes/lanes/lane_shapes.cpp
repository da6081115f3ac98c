/* SPDX-License-Identifier: MIT
 *
 * The analysis of lane shapes: passes over the loop's blocks until nothing changes. What is known of a shape only gets less.
 */
#include "lanes/lane_shapes.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "ir/variables.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace weft
{

/* Values that carry a multiple of 2^32 on; past these it counts as kept. */
constexpr unsigned mostCarriers = 100;

LaneShapes::LaneShapes(const ItemLoop &theItem, const LoopInfo &theLoops,
		       const DominatorTree &theDominators, unsigned theWidth,
		       const ItemNest *theNest)
    : item(theItem), loops(theLoops), dominators(theDominators),
      layout(theItem.header->getDataLayout()), width(theWidth), nest(theNest)
{
	orderLoop(*item.loop);
	for (auto [number, block] : enumerate(order))
		index[block] = unsigned(number);
	findVariables();
	bool changed = true;
	while (changed && isValid()) {
		changed = false;
		for (BasicBlock *block : order) {
			for (Instruction &instruction : *block) {
				Shape shape = compute(instruction);
				Shape &known = shapes[&instruction];
				changed |= !(shape == known);
				known = shape;
			}
			if (isDivergent(*block) && diverged.insert(block).second) {
				SmallVector<BasicBlock *, 4> next(successors(block));
				spread(next, loops.getLoopFor(block), block);
				changed = true;
			}
		}
	}
}

/* The part of the loop that a block stands for where inner loops are one node each. */
static const BasicBlock *nodeIn(const Loop &loop, const BasicBlock *block, const LoopInfo &loops)
{
	const Loop *inner = loops.getLoopFor(block);
	if (inner == &loop)
		return block;
	while (inner->getParentLoop() != &loop)
		inner = inner->getParentLoop();
	return inner->getHeader();
}

static SmallVector<BasicBlock *, 4> nodeSuccessors(const Loop &loop, const BasicBlock *node,
						   const LoopInfo &loops)
{
	SmallVector<BasicBlock *, 4> next;
	const Loop *inner = loops.getLoopFor(node);
	if (inner == &loop)
		append_range(next, successors(const_cast<BasicBlock *>(node)));
	else
		inner->getUniqueExitBlocks(next);
	erase_if(next, [&](BasicBlock *block) {
		return !loop.contains(block) || block == loop.getHeader();
	});
	return next;
}

/* Preorder over the dominator tree of the loop's nodes, siblings in reverse post-order. */
void LaneShapes::orderLoop(const Loop &loop)
{
	BasicBlock *header = loop.getHeader();
	SmallVector<BasicBlock *, 16> postOrder;
	DenseSet<const BasicBlock *> seen = {header};
	SmallVector<std::pair<BasicBlock *, SmallVector<BasicBlock *, 4>>, 16> stack;
	auto open = [&](BasicBlock *block) {
		stack.push_back({block, nodeSuccessors(loop, block, loops)});
	};
	open(header);
	while (!stack.empty()) {
		auto &next = stack.back().second;
		if (next.empty()) {
			postOrder.push_back(stack.pop_back_val().first);
			continue;
		}
		auto *node = const_cast<BasicBlock *>(nodeIn(loop, next.pop_back_val(), loops));
		if (seen.insert(node).second)
			open(node);
	}
	DenseMap<const BasicBlock *, SmallVector<BasicBlock *, 4>> children;
	for (BasicBlock *node : reverse(postOrder)) {
		if (node == header)
			continue;
		const BasicBlock *parent = dominators.getNode(node)->getIDom()->getBlock();
		children[nodeIn(loop, parent, loops)].push_back(node);
	}
	SmallVector<BasicBlock *, 16> pending = {header};
	while (!pending.empty()) {
		BasicBlock *node = pending.pop_back_val();
		const Loop *inner = loops.getLoopFor(node);
		if (inner == &loop)
			order.insert(node);
		else
			orderLoop(*inner);
		for (BasicBlock *child : reverse(children[node]))
			pending.push_back(child);
	}
}

/* ---- shapes --------------------------------------------------------------------------------------- */

Shape LaneShapes::of(const Value *value) const
{
	if (const auto *variable = dyn_cast<AllocaInst>(value)) {
		auto found = variables.find(variable);
		if (found == variables.end())
			return Shape::uniform();
		uint64_t element = laneMajor.lookup(variable);
		return {Shape::Strided, int64_t(element ? element : found->second)};
	}
	if (nest && (value == nest->y || value == nest->z))
		return Shape::varying();
	const auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || !item.loop->contains(instruction))
		return Shape::uniform();
	return shapes.lookup(value);
}

/* Whether a multiple of 2^32 in a number of 64 bits is lost on this use of it. */
static bool isCut(const User &user)
{
	using namespace PatternMatch;
	const APInt *mask = nullptr;
	uint64_t amount = 0;
	if (isa<TruncInst>(user))
		return user.getType()->getScalarSizeInBits() <= 32;
	if (match(&user, m_Shl(m_Value(), m_ConstantInt(amount))) && amount >= 32)
		return true;
	return match(&user, m_And(m_Value(), m_APInt(mask))) && mask->isIntN(32);
}

/* Whether it is lost on all that use it, or on all that use what they make of it, where it stays such a multiple. */
static bool isCutByAll(const PHINode &phi)
{
	using namespace PatternMatch;
	SmallSetVector<const Instruction *, 8> carriers;
	if (phi.getType()->isIntegerTy(64))
		carriers.insert(&phi);
	for (unsigned i = 0; i < carriers.size() && i < mostCarriers; i++) {
		for (const User *user : carriers[i]->users()) {
			if (isCut(*user))
				continue;
			if (!isa<PHINode>(user) &&
			    !match(user, m_CombineOr(m_Add(m_Value(), m_Value()),
						     m_Sub(m_Value(), m_Value()))))
				return false;
			carriers.insert(cast<Instruction>(user));
		}
	}
	return !carriers.empty() && carriers.size() <= mostCarriers;
}

Shape LaneShapes::computePhi(const PHINode &phi) const
{
	if (&phi == item.x)
		return nest ? Shape::varying() : Shape{Shape::Strided, 1};
	if (joins.contains(&phi))
		return Shape::varying();
	Shape shape;
	for (const Value *incoming : phi.incoming_values()) {
		Shape other = of(incoming);
		if (other.kind == Shape::Undefined || incoming == &phi)
			continue;
		if (other.kind == Shape::Address && isCutByAll(phi))
			other.kind = Shape::Strided;
		if (shape.kind == Shape::Undefined)
			shape = other;
		if (!(shape == other) || other.kind == Shape::Address)
			return Shape::varying();
	}
	return shape;
}

static Shape asAddress(Shape shape)
{
	shape.kind = Shape::Address;
	return shape;
}

/* A number of 64 bits cut to 32 or more and extended again, in the forms that InstCombine prefers: a mask, which may clear low
 * bits that are the same in all lanes; or shifts to the left and back, perhaps not all the way where a size is multiplied in,
 * perhaps with a sum in between. It wraps when the number that was cut does. */
Shape LaneShapes::computeCut(const Instruction &instruction) const
{
	using namespace PatternMatch;
	Shape shape = of(instruction.getOperand(0));
	const APInt *mask = nullptr;
	uint64_t right = 0;
	if (!instruction.getType()->isIntegerTy(64) || shape.kind != Shape::Strided)
		return Shape::varying();
	if (match(&instruction, m_And(m_Value(), m_APInt(mask)))) {
		const int64_t unit = mask->isShiftedMask() ? int64_t(1) << mask->countr_zero() : 0;
		const bool isWhole = unit && shape.stride % unit == 0 && shape.step % unit == 0;
		return isWhole && mask->getActiveBits() >= 32 ? asAddress(shape) : Shape::varying();
	}
	if (!match(&instruction, m_Shr(m_Value(), m_ConstantInt(right))) || right > 32)
		return Shape::varying();
	const int64_t unit = int64_t(1) << right;
	if (shape.stride % unit != 0 || shape.step % unit != 0)
		return Shape::varying();
	shape.stride >>= right;
	shape.step >>= right;
	return asAddress(shape);
}

Shape LaneShapes::computeBinary(const Instruction &instruction) const
{
	Shape a = of(instruction.getOperand(0)), b = of(instruction.getOperand(1));
	if (!a.isLinear() || !b.isLinear())
		return Shape::varying();
	const auto *factor = dyn_cast<ConstantInt>(instruction.getOperand(1));
	bool fits = factor && factor->getValue().getSignificantBits() <= 32;
	switch (instruction.getOpcode()) {
	case Instruction::Add:
		return sumOf(a, b, 1);
	case Instruction::Sub:
		return sumOf(a, b, -1);
	case Instruction::Mul:
		return fits ? productOf(a, factor->getSExtValue()) : Shape::varying();
	case Instruction::Shl:
		return fits && factor->getZExtValue() <= 32
			       ? productOf(a, int64_t(1) << factor->getZExtValue())
			       : Shape::varying();
	case Instruction::Xor: /* by -1, which is -1 - a */
		return factor && factor->isMinusOne() ? sumOf(Shape::uniform(), a, -1)
						      : Shape::varying();
	case Instruction::And:
	case Instruction::AShr:
	case Instruction::LShr:
		return computeCut(instruction);
	default:
		return Shape::varying();
	}
}

Shape LaneShapes::computeCast(const Instruction &instruction) const
{
	Shape shape = of(instruction.getOperand(0));
	unsigned bits = instruction.getType()->getScalarSizeInBits();
	if (!shape.isLinear())
		return Shape::varying();
	switch (instruction.getOpcode()) {
	case Instruction::Trunc:
		/* What an address lacks is a multiple of 2^32. */
		if (bits == 1 || (shape.kind == Shape::Address && bits > 32))
			return Shape::varying();
		shape.kind = Shape::Strided;
		return productOf(shape, 1);
	case Instruction::SExt:
	case Instruction::ZExt:
		return instruction.getOperand(0)->getType()->getScalarSizeInBits() >= 32
			       ? asAddress(shape)
			       : Shape::varying();
	case Instruction::AddrSpaceCast:
		return shape;
	default:
		return Shape::varying();
	}
}

Shape LaneShapes::computeAddress(const Instruction &instruction) const
{
	const auto &step = cast<GetElementPtrInst>(instruction);
	Shape shape = of(step.getPointerOperand());
	const bool scaled = laneMajorBase(step.getPointerOperand());
	if (!shape.isLinear() || step.getType()->isVectorTy())
		return Shape::varying();
	Shape sum = shape;
	for (auto i = gep_type_begin(step), end = gep_type_end(step); i != end; ++i) {
		Shape part = of(i.getOperand());
		if (part.kind == Shape::Uniform)
			continue;
		if (!part.isLinear() || i.getOperand()->getType()->getScalarSizeInBits() != 64)
			return Shape::varying();
		int64_t unit = int64_t(i.getSequentialElementStride(layout).getFixedValue());
		sum = sumOf(sum, part, scaled ? unit * width : unit);
		if (!sum.isLinear())
			return sum;
	}
	return sum;
}

static bool areUniform(const LaneShapes &shapes, const User &user)
{
	return all_of(user.operands(), [&](const Use &use) { return shapes.isUniform(use); });
}

/* Whole sub-groups get one value; parts of them, and scans, do not. */
Shape LaneShapes::computeSubgroupCall(const CallBase &call, SubgroupFunction function) const
{
	switch (function.kind) {
	case SubgroupFunction::Lane:
		return {Shape::Strided, 1};
	case SubgroupFunction::Shuffle:
		return isUniform(call.getArgOperand(0)) || isUniform(call.getArgOperand(1))
			       ? Shape::uniform()
			       : Shape::varying();
	case SubgroupFunction::ShuffleTwo:
		return isUniform(call.getArgOperand(2)) ? Shape::uniform() : Shape::varying();
	case SubgroupFunction::Reduce:
		return clusterOf(call, width) == width ? Shape::uniform() : Shape::varying();
	case SubgroupFunction::Inclusive:
	case SubgroupFunction::Exclusive:
		return Shape::varying();
	case SubgroupFunction::Size:
	case SubgroupFunction::Barrier:
	case SubgroupFunction::Ballot:
	case SubgroupFunction::First:
		break;
	}
	return Shape::uniform();
}

Shape LaneShapes::computeCall(const CallBase &call) const
{
	if (call.getType()->isVoidTy())
		return Shape::uniform();
	if (std::optional<SubgroupFunction> function = subgroupCallOf(call))
		return computeSubgroupCall(call, *function);
	const bool isRead = call.doesNotAccessMemory() || imageCallOf(call);
	if (queryOf(call) || isLanesBetween(call) || isFirstLane(call) ||
	    (isRead && areUniform(*this, call)))
		return Shape::uniform();
	return Shape::varying();
}

/* What memory holds at one address is one value, as long as no other lane may write there in
 * between: that would be a data race. So it is with the texels of images. */
static bool readsOneValue(const LoadInst &load)
{
	return load.isSimple();
}

Shape LaneShapes::compute(const Instruction &instruction) const
{
	if (const auto *phi = dyn_cast<PHINode>(&instruction))
		return computePhi(*phi);
	for (const Use &operand : instruction.operands()) {
		const auto *other = dyn_cast<Instruction>(operand);
		if (other && item.loop->contains(other) &&
		    shapes.lookup(other).kind == Shape::Undefined)
			return Shape();
	}
	if (const auto *call = dyn_cast<CallBase>(&instruction))
		return computeCall(*call);
	if (const auto *load = dyn_cast<LoadInst>(&instruction))
		return readsOneValue(*load) && isUniform(load->getPointerOperand())
			       ? Shape::uniform()
			       : Shape::varying();
	if (instruction.isAtomic())
		return Shape::varying();
	if (areUniform(*this, instruction))
		return Shape::uniform();
	Shape row = computeRow(instruction);
	if (row.kind != Shape::Varying)
		return row;
	if (isa<GetElementPtrInst>(instruction))
		return computeAddress(instruction);
	if (instruction.isBinaryOp() && instruction.getType()->isIntegerTy())
		return computeBinary(instruction);
	if (instruction.isCast())
		return computeCast(instruction);
	if (const auto *select = dyn_cast<SelectInst>(&instruction)) {
		Shape a = of(select->getTrueValue()), b = of(select->getFalseValue());
		return isUniform(select->getCondition()) && a == b && a.kind == Shape::Strided
			       ? a
			       : Shape::varying();
	}
	return Shape::varying();
}

/* ---- printing ---------------------------------------------------------------------------------------- */

static void printShape(raw_ostream &out, Shape shape)
{
	switch (shape.kind) {
	case Shape::Undefined:
		out << "undefined";
		break;
	case Shape::Uniform:
		out << "uniform";
		break;
	case Shape::Strided:
		out << "strided(" << shape.stride << ")";
		break;
	case Shape::Address:
		out << "address(" << shape.stride << ")";
		break;
	case Shape::Varying:
		out << "varying";
		break;
	}
	if (shape.row)
		out << " in rows of " << shape.row;
	if (shape.hasStep)
		out << " by " << shape.step;
}

void LaneShapes::print(raw_ostream &out) const
{
	for (const BasicBlock *block : order) {
		block->printAsOperand(out, false);
		out << ':' << (isPartial(block) ? " partial" : "")
		    << (isDivergent(*block) ? " divergent" : "");
		const Loop *loop = loops.getLoopFor(block);
		out << (loop->getHeader() == block && losesLanes(loop) ? " loses-lanes" : "")
		    << '\n';
		for (const Instruction &instruction : *block) {
			if (instruction.getType()->isVoidTy())
				continue;
			out << "  ";
			printShape(out, of(&instruction));
			out << ":" << instruction << '\n';
		}
	}
}

} // namespace weft
