/* SPDX-License-Identifier: MIT
 *
 * Costs by class: integers, floating point by width, memory by address space, branches, calls.
 */
#include "simulate/element_cost.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/far_numbers.h"
#include "ir/variables.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t accessBytes = 8; /* of one access, at most */

class ElementCost
{
      public:
	ElementCost(const weft_costs &theCosts) : costs(theCosts)
	{
	}

	uint64_t of(const Instruction &instruction) const
	{
		if (const auto *call = dyn_cast<CallBase>(&instruction))
			return ofCall(*call);
		if (const auto *operation = dyn_cast<BinaryOperator>(&instruction))
			return lanesOf(instruction) * ofBinary(*operation);
		if (const auto *cast = dyn_cast<CastInst>(&instruction))
			return lanesOf(instruction) * ofCast(*cast);
		return ofOther(instruction);
	}

      private:
	static uint64_t lanesOf(const Value &value)
	{
		const auto *vector = dyn_cast<FixedVectorType>(value.getType());
		return vector ? vector->getNumElements() : 1;
	}

	uint64_t floating(const Type *type) const
	{
		return type->getScalarType()->isDoubleTy() ? costs.wide : costs.real;
	}

	uint64_t division(const Type *type) const
	{
		return type->getScalarType()->isDoubleTy() ? costs.wide_divide : costs.real_divide;
	}

	/* Private variables in memory lie in the cluster's memory; so do arguments that are not in registers. */
	uint64_t access(unsigned space) const
	{
		return isPrivateOrLocal(space) ? costs.local_access : costs.global_access;
	}

	/* A division by a constant: a multiplication by its inverse, and two shifts. */
	uint64_t byConstant(const Value &divisor) const
	{
		bool isShift = match(&divisor, PatternMatch::m_Power2());
		return isShift ? costs.integer : costs.multiply + 2 * uint64_t(costs.integer);
	}

	uint64_t ofBinary(const BinaryOperator &operation) const
	{
		const Value &right = *operation.getOperand(1);
		switch (operation.getOpcode()) {
		case Instruction::FDiv:
		case Instruction::FRem:
			return division(operation.getType());
		case Instruction::FAdd:
		case Instruction::FSub:
		case Instruction::FMul:
			return floating(operation.getType());
		case Instruction::Mul:
			return match(&right, PatternMatch::m_Power2()) ? costs.integer
								       : costs.multiply;
		case Instruction::UDiv:
		case Instruction::SDiv:
		case Instruction::URem:
		case Instruction::SRem:
			return isa<Constant>(right) ? byConstant(right) : costs.divide;
		default:
			return costs.integer;
		}
	}

	/* Integers of all widths, and addresses, are numbers in registers. */
	uint64_t ofCast(const CastInst &cast) const
	{
		const Type *from = cast.getSrcTy(), *to = cast.getDestTy();
		if (isa<BitCastInst>(cast) ||
		    (!from->isFPOrFPVectorTy() && !to->isFPOrFPVectorTy()))
			return 0;
		return floating(from->getScalarType()->isDoubleTy() ? from : to);
	}

	uint64_t ofOther(const Instruction &instruction) const
	{
		switch (instruction.getOpcode()) {
		case Instruction::Load:
			return ofAccess(instruction, *instruction.getOperand(0));
		case Instruction::Store:
			return ofAccess(*instruction.getOperand(0), *instruction.getOperand(1));
		case Instruction::AtomicRMW:
			return 2 *
			       access(cast<AtomicRMWInst>(instruction).getPointerAddressSpace());
		case Instruction::AtomicCmpXchg:
			return 2 * access(cast<AtomicCmpXchgInst>(instruction)
						  .getPointerAddressSpace());
		case Instruction::GetElementPtr:
			return costs.integer *
			       count_if(cast<GetElementPtrInst>(instruction).indices(),
					[](const Use &index) { return !isa<Constant>(index); });
		case Instruction::FNeg:
			return lanesOf(instruction) * floating(instruction.getType());
		case Instruction::FCmp:
			return lanesOf(instruction) *
			       floating(instruction.getOperand(0)->getType());
		case Instruction::ICmp:
		case Instruction::Select:
			return lanesOf(instruction) * costs.integer;
		case Instruction::Br:
			return cast<BranchInst>(instruction).isConditional() ? costs.branch : 0;
		case Instruction::Switch:
			return ofSwitch(cast<SwitchInst>(instruction));
		default:
			return 0;
		}
	}

	/* Few cases: comparisons by halves. More: a comparison with the bounds, and a jump by a table, which lies where the code is, as near as the
	 * cluster's memory. Numbers that are far apart, as those of functions, have a place in a table of numbers beside it (hash-switches): two
	 * operations give the place, and the number there is compared in the place of the bounds. */
	uint64_t ofSwitch(const SwitchInst &choice) const
	{
		const unsigned cases = choice.getNumCases();
		const uint64_t decision = costs.integer + uint64_t(costs.branch);
		if (cases == 0)
			return 0;
		const uint64_t byHalves = Log2_32_Ceil(cases + 1) * decision;
		const uint64_t byTable =
			decision + costs.integer + uint64_t(costs.local_access) + costs.branch;
		const uint64_t lookUp =
			isFarApart(choice) ? costs.integer + uint64_t(costs.local_access) : 0;
		return std::min(byHalves, byTable + lookUp);
	}

	/* Values that are uniform in the group are in registers. */
	uint64_t ofAccess(const Value &value, const Value &address) const
	{
		const auto *variable = dyn_cast<AllocaInst>(&address);
		if ((variable && !isPrivate(*variable)) || isImageField(address))
			return 0;
		return lanesOf(value) * access(address.getType()->getPointerAddressSpace());
	}

	/* What a call costs in addition to the function's body. */
	uint64_t ofCall(const CallBase &call) const
	{
		const Function *callee = call.getCalledFunction();
		if (!callee || queryOfFunction(*callee) || isBarrier(call))
			return 0;
		if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
			return ofIntrinsic(*intrinsic);
		if (std::optional<ImageAccess> image = imageCallOf(call))
			return ofImageAccess(*image);
		if (isOnceCall(call) || subgroupFunctionOf(*callee))
			return costs.integer +
			       2 * uint64_t(costs.local_access); /* exchanged through memory */
		return 2 * uint64_t(costs.branch);
	}

	/* The address of one texel, the access, and the conversion of its channels. */
	uint64_t ofImageAccess(ImageAccess access) const
	{
		uint64_t place = access == ImageAccess::Sample ? 4 * uint64_t(costs.real) : 0;
		place += 4 * uint64_t(costs.integer) + costs.multiply;
		return place + costs.global_access + imageChannels * uint64_t(costs.real);
	}

	uint64_t ofBlock(const MemIntrinsic &block) const
	{
		const auto *length = dyn_cast<ConstantInt>(block.getLength());
		uint64_t accesses = length ? divideCeil(length->getZExtValue(), accessBytes) : 1;
		uint64_t each = access(block.getDestAddressSpace());
		if (const auto *transfer = dyn_cast<MemTransferInst>(&block))
			each += access(transfer->getSourceAddressSpace());
		return accesses * each;
	}

	uint64_t ofIntrinsic(const IntrinsicInst &intrinsic) const
	{
		if (intrinsic.isAssumeLikeIntrinsic())
			return 0;
		if (const auto *block = dyn_cast<MemIntrinsic>(&intrinsic))
			return ofBlock(*block);
		const Value &first =
			*intrinsic.getOperand(0); /* an argument, or the called function */
		uint64_t lanes = std::max(lanesOf(intrinsic), lanesOf(first));
		const Type *type = intrinsic.getType();
		if (!type->isFPOrFPVectorTy())
			type = first.getType();
		if (!type->isFPOrFPVectorTy())
			return lanes * costs.integer;
		switch (intrinsic.getIntrinsicID()) {
		case Intrinsic::sqrt:
			return lanes * division(type);
		case Intrinsic::fma:
		case Intrinsic::fmuladd:
			return lanes * 2 * floating(type);
		default:
			return lanes * floating(type);
		}
	}

	const weft_costs &costs;
};

} // namespace

uint64_t elementCost(const Instruction &instruction, const weft_costs &costs)
{
	return ElementCost(costs).of(instruction);
}

} // namespace weft
