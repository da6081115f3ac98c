/* SPDX-License-Identifier: MIT
 *
 * A gather or a scatter, taken apart.
 */
#ifndef WEFT_PASSES_SCATTERED_ACCESS_H
#define WEFT_PASSES_SCATTERED_ACCESS_H

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace weft
{

struct ScatteredAccess {
	llvm::IntrinsicInst *call;
	unsigned place; /* which operand has the addresses */

	bool isStore() const
	{
		return place == 1;
	}
	llvm::Value *pointers() const
	{
		return call->getArgOperand(place);
	}
	llvm::Value *mask() const
	{
		return call->getArgOperand(place + 1);
	}
	/* Of the vector that is loaded or stored. */
	llvm::FixedVectorType *type() const
	{
		llvm::Type *type = isStore() ? call->getArgOperand(0)->getType() : call->getType();
		return llvm::cast<llvm::FixedVectorType>(type);
	}
	llvm::Align align() const
	{
		return call->getParamAlign(place).valueOrOne();
	}
};

/* Nothing if the instruction is neither. */
inline std::optional<ScatteredAccess> readScatteredAccess(llvm::Instruction &instruction)
{
	auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
	if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
		return ScatteredAccess{call, 0};
	if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_scatter)
		return ScatteredAccess{call, 1};
	return std::nullopt;
}

/* Whether the CPU has an instruction for it, or for each register of it; else LLVM takes it lane by lane. */
inline bool isInstruction(const ScatteredAccess &access, const llvm::TargetTransformInfo &target)
{
	llvm::FixedVectorType *type = access.type();
	const llvm::Align align = access.align();
	return access.isStore() ? target.isLegalMaskedScatter(type, align) &&
					  !target.forceScalarizeMaskedScatter(type, align)
				: target.isLegalMaskedGather(type, align) &&
					  !target.forceScalarizeMaskedGather(type, align);
}

} // namespace weft

#endif
