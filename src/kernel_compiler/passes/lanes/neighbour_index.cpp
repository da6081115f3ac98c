/* SPDX-License-Identifier: MIT
 *
 * From the address back to the index, and from the index back to what is linear.
 */
#include "lanes/neighbour_index.h"

#include "lanes/clamp_versions.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostSteps = 6, mostDepth = 10;
constexpr uint64_t leastRange = 64; /* elements, of an index that is wrapped around */
constexpr int64_t mostScale = 1 << 16, mostStride = 1 << 16;

/* The one operand that is not uniform; NULL: there are more, or it is there twice. */
Value *onlyVarying(const Instruction &instruction, const LaneShapes &shapes)
{
	Value *found = nullptr;
	for (Value *operand : instruction.operands()) {
		if (shapes.isUniform(operand))
			continue;
		if (found)
			return nullptr;
		found = operand;
	}
	return found;
}

/* How many units of the result one unit of the varying operand is, below 2^32; 0: not a constant, or more. */
int64_t scaleOf(const Instruction &step, const Value &varying, const DataLayout &layout)
{
	uint64_t amount = 0;
	const APInt *number = nullptr;
	if (!step.getType()->isIntegerTy(64) && !step.getType()->isPointerTy())
		return 0;
	if (isa<SExtInst, ZExtInst>(step) ||
	    match(&step,
		  m_CombineOr(m_Add(m_Value(), m_Value()), m_DisjointOr(m_Value(), m_Value()))))
		return 1;
	if (match(&step, m_Shl(m_Specific(&varying), m_ConstantInt(amount))) && amount < 32)
		return int64_t(1) << amount;
	if (match(&step, m_Mul(m_Specific(&varying), m_APInt(number))) && number->isIntN(31))
		return int64_t(number->getZExtValue());
	const auto *address = dyn_cast<GetElementPtrInst>(&step);
	if (!address || address->getNumIndices() != 1)
		return 0;
	if (address->getPointerOperand() == &varying)
		return 1;
	const uint64_t size =
		layout.getTypeAllocSize(address->getSourceElementType()).getFixedValue();
	return isUInt<32>(size) ? int64_t(size) : 0;
}

/* Whether all lanes divide by one number, but for those whose quotient would not be defined: lower-division gives them 1. */
bool isSharedDivisor(const Value &divisor, const LaneShapes &shapes)
{
	Value *shared = nullptr;
	return shapes.isUniform(&divisor) ||
	       (match(&divisor, m_Select(m_Value(), m_One(), m_Value(shared))) &&
		shapes.isUniform(shared));
}

/* What differs between neighbouring lanes where nothing is clamped or rounded. */
class Expectation
{
      public:
	explicit Expectation(const LaneShapes &theShapes) : shapes(theShapes)
	{
	}

	std::optional<int64_t> strideOf(const Value &value, unsigned depth = 0)
	{
		Shape shape = shapes.of(&value);
		if (shape.isLinear())
			return shape.row ? std::nullopt : std::optional(shape.stride);
		const auto *instruction = dyn_cast<Instruction>(&value);
		if (!instruction || depth == mostDepth)
			return std::nullopt;
		if (const auto *call = dyn_cast<IntrinsicInst>(instruction))
			return strideOfCall(*call, depth);
		return strideOfInstruction(*instruction, depth);
	}

	/* Whether there was a clamp or a float: without one the address is not linear for another reason. */
	bool hasReason = false;

      private:
	std::optional<int64_t> operand(const Instruction &instruction, unsigned number,
				       unsigned depth)
	{
		return strideOf(*instruction.getOperand(number), depth + 1);
	}

	/* Of what is one of two values: lanes are clamped to a uniform one, or mirrored to one that goes backwards. */
	std::optional<int64_t> eitherOf(const Instruction &instruction, unsigned first,
					unsigned depth)
	{
		std::optional<int64_t> a = operand(instruction, first, depth),
				       b = operand(instruction, first + 1, depth);
		hasReason = true;
		if (!a || !b)
			return std::nullopt;
		return *a && *b ? std::max(*a, *b) : *a + *b;
	}

	/* Of what is wrapped around, by a remainder or by a mask of low bits; not within a few lanes. */
	std::optional<int64_t> wrapped(const Instruction &instruction, unsigned depth)
	{
		const bool isMask = instruction.getOpcode() == Instruction::And;
		const unsigned wrapped = isMask && shapes.isUniform(instruction.getOperand(0));
		const Value *limit = instruction.getOperand(1 - wrapped);
		const auto *number = dyn_cast<ConstantInt>(limit);
		hasReason = true;
		if (!isSharedDivisor(*limit, shapes) ||
		    (number && (number->getValue().ult(leastRange - isMask) ||
				(isMask && !number->getValue().isMask()))))
			return std::nullopt;
		return operand(instruction, wrapped, depth);
	}

	/* Of a negative number -1 less the number, which is how LLVM mirrors; else itself. A number of which the same bits are
	 * changed in all lanes, to get the other one of a pair, goes on as before if they are no low bits. */
	std::optional<int64_t> mirrored(const Instruction &instruction, unsigned depth)
	{
		Value *number = nullptr;
		hasReason = true;
		if (match(&instruction,
			  m_c_Xor(m_Value(number), m_AShr(m_Deferred(number), m_Value()))))
			return strideOf(*number, depth + 1);
		number = instruction.getOperand(0);
		Value *changed = instruction.getOperand(1);
		if (shapes.isUniform(number))
			std::swap(number, changed);
		return shapes.isUniform(changed) && mayBeHigh(*changed)
			       ? strideOf(*number, depth + 1)
			       : std::nullopt;
	}

	/* Whether a number may be one without low bits, in which lanes differ. */
	bool mayBeHigh(const Value &bits) const
	{
		const auto *number = dyn_cast<ConstantInt>(&bits);
		return !number || number->getValue().countr_zero() >= Log2_32(shapes.lanes());
	}

	/* Of a quotient: as a rule the same in all lanes, if at least so many numbers have one quotient, or a number of them that is not known. */
	std::optional<int64_t> divided(const Instruction &instruction, unsigned depth)
	{
		const Value *divisor = instruction.getOperand(1);
		const auto *number = dyn_cast<ConstantInt>(divisor);
		const bool isShift = instruction.isShift();
		const std::optional<int64_t> stride = operand(instruction, 0, depth);
		hasReason = true;
		if (!stride || !isSharedDivisor(*divisor, shapes))
			return std::nullopt;
		if (number && number->getValue().ult(isShift ? Log2_64(leastRange) : leastRange))
			return std::nullopt;
		return 0;
	}

	/* Of a product: a uniform one, as long as the rows' places are not known. */
	std::optional<int64_t> scaled(const Instruction &instruction, unsigned depth)
	{
		for (unsigned number = 0; number < 2; number++) {
			if (shapes.isUniform(instruction.getOperand(1 - number)) &&
			    operand(instruction, number, depth) == 0)
				return 0;
		}
		return std::nullopt;
	}

	std::optional<int64_t> strideOfCall(const IntrinsicInst &call, unsigned depth)
	{
		switch (call.getIntrinsicID()) {
		case Intrinsic::smin:
		case Intrinsic::smax:
		case Intrinsic::umin:
		case Intrinsic::umax:
		case Intrinsic::minnum:
		case Intrinsic::maxnum:
			return eitherOf(call, 0, depth);
		case Intrinsic::abs:
		case Intrinsic::fptosi_sat:
		case Intrinsic::fptoui_sat:
		case Intrinsic::floor:
		case Intrinsic::rint:
		case Intrinsic::trunc:
			hasReason = true;
			return operand(call, 0, depth);
		default:
			return std::nullopt;
		}
	}

	/* Of a number that comes from one of two versions of code: mostly from that without clamps. */
	std::optional<int64_t> strideOfPhi(const PHINode &phi, unsigned depth)
	{
		for (const auto &[block, value] : zip_equal(phi.blocks(), phi.incoming_values())) {
			if (clampVersionOf(*block) != ClampVersion::Inside)
				continue;
			hasReason = true;
			return strideOf(*value, depth + 1);
		}
		return std::nullopt;
	}

	std::optional<int64_t> strideOfInstruction(const Instruction &instruction, unsigned depth)
	{
		switch (instruction.getOpcode()) {
		case Instruction::PHI:
			return strideOfPhi(cast<PHINode>(instruction), depth);
		case Instruction::Select:
			return shapes.isUniform(instruction.getOperand(0))
				       ? std::nullopt
				       : eitherOf(instruction, 1, depth);
		case Instruction::URem:
		case Instruction::SRem:
		case Instruction::And:
			return wrapped(instruction, depth);
		case Instruction::UDiv:
		case Instruction::SDiv:
		case Instruction::LShr:
		case Instruction::AShr:
			return divided(instruction, depth);
		case Instruction::Mul:
		case Instruction::Shl:
			return scaled(instruction, depth);
		case Instruction::Xor:
			return mirrored(instruction, depth);
		case Instruction::FPToSI:
		case Instruction::FPToUI:
		case Instruction::SIToFP:
		case Instruction::UIToFP:
			hasReason = true;
			return operand(instruction, 0, depth);
		case Instruction::SExt:
		case Instruction::ZExt:
		case Instruction::Trunc:
		case Instruction::Freeze:
			return operand(instruction, 0, depth);
		case Instruction::Add:
		case Instruction::FAdd:
			return sum(instruction, 1, depth);
		case Instruction::Sub:
		case Instruction::FSub:
			return sum(instruction, -1, depth);
		case Instruction::FMul: /* by the size of a picture, after a division by it */
			return sum(instruction, 1, depth);
		default:
			return std::nullopt;
		}
	}

	std::optional<int64_t> sum(const Instruction &instruction, int64_t sign, unsigned depth)
	{
		std::optional<int64_t> a = operand(instruction, 0, depth),
				       b = operand(instruction, 1, depth);
		return a && b ? std::optional(*a + sign * *b) : std::nullopt;
	}

	const LaneShapes &shapes;
};

/* Whether the number may not be linear for a reason of its own; those of 32 bits end the search. */
bool isIndex(const Value &value)
{
	const auto *instruction = dyn_cast<Instruction>(&value);
	return value.getType()->isIntegerTy(32) ||
	       (value.getType()->isIntegerTy(64) && instruction &&
		(isa<MinMaxIntrinsic, SelectInst, PHINode>(instruction) ||
		 is_contained({Instruction::URem, Instruction::SRem, Instruction::And,
			       Instruction::UDiv, Instruction::SDiv, Instruction::LShr,
			       Instruction::AShr},
			      instruction->getOpcode())));
}

} // namespace

std::optional<NeighbourIndex> neighbourIndex(const Instruction &access, const LaneShapes &shapes)
{
	const DataLayout &layout = access.getDataLayout();
	Value *value = const_cast<Value *>(getLoadStorePointerOperand(&access));
	NeighbourIndex found = {nullptr, 0, 0, {}};
	int64_t scale = 1; /* 0: not a constant, or too much for lanes in different places */
	if (access.isVolatile() || access.isAtomic() || shapes.of(value).isLinear())
		return std::nullopt;
	while (!isIndex(*value)) {
		auto *step = dyn_cast<Instruction>(value);
		if (!step || found.steps.size() == mostSteps || shapes.of(value).isLinear())
			return std::nullopt;
		Value *varying = onlyVarying(*step, shapes);
		if (!varying && value->getType()->isIntegerTy(64))
			break;
		if (!varying || !isa<BinaryOperator, CastInst, GetElementPtrInst>(step))
			return std::nullopt;
		value = varying;
		scale *= scaleOf(*step, *value, layout);
		scale = scale > mostScale ? 0 : scale;
		found.steps.push_back(step);
	}
	Expectation expected(shapes);
	std::optional<int64_t> stride = expected.strideOf(*value);
	if (!stride || !expected.hasReason || *stride < 0 || *stride > mostStride ||
	    (*stride > 0 && scale == 0))
		return std::nullopt;
	std::reverse(found.steps.begin(), found.steps.end());
	found.index = value;
	found.stride = *stride;
	found.bytes = *stride * scale;
	return found;
}

} // namespace weft
