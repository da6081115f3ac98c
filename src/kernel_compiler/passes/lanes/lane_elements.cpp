/* SPDX-License-Identifier: MIT
 *
 * Questions about types and single instructions.
 */
#include "lanes/lane_elements.h"

#include "ir/internal_functions.h"

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

bool isLocalUpdate(const Instruction &instruction)
{
	const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
	return update && update->use_empty() && update->getPointerAddressSpace() == LocalSpace;
}

} // namespace weft
