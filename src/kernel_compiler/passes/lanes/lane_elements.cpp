/* SPDX-License-Identifier: MIT
 *
 * Questions about types and single instructions.
 */
#include "lanes/lane_elements.h"

#include "ir/atomic_updates.h"
#include "lanes/lane_shapes.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

unsigned laneElements(const Type &type)
{
	if (const auto *vector = dyn_cast<FixedVectorType>(&type)) {
		unsigned count = vector->getNumElements();
		return isPowerOf2_32(count) ? count * laneElements(*vector->getElementType()) : 0;
	}
	return type.isIntegerTy() || type.isPointerTy() || type.isHalfTy() || type.isBFloatTy() ||
	       type.isFloatTy() || type.isDoubleTy();
}

IntegerType *cellOf(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	const uint64_t bits = vector ? vector->getPrimitiveSizeInBits().getFixedValue() : 0;
	if (!vector || laneElements(type) == 0 || vector->getScalarSizeInBits() < 8 ||
	    (bits != 32 && bits != 64))
		return nullptr;
	return IntegerType::get(type.getContext(), unsigned(bits));
}

Type *cellOfLane(Type &type)
{
	return type.isVectorTy() ? cellOf(type) : &type;
}

bool isLongVector(const Type &type)
{
	constexpr uint64_t leastBits = 128;
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	return vector && laneElements(type) > 0 && vector->getScalarSizeInBits() >= 8 &&
	       vector->getPrimitiveSizeInBits().getFixedValue() >= leastBits;
}

bool isLocalUpdate(const Instruction &instruction)
{
	const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
	return update && update->use_empty() && isOwnUpdate(*update);
}

bool isUniformUpdate(const Instruction &instruction, const LaneShapes &shapes)
{
	const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
	if (!update || !isCommutative(*update) || !shapes.isUniform(update->getPointerOperand()))
		return false;
	/* What a lane finds there is known for sums alone. */
	return update->use_empty() || update->getOperation() == AtomicRMWInst::Add ||
	       update->getOperation() == AtomicRMWInst::Sub;
}

} // namespace weft
