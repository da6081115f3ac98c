/* SPDX-License-Identifier: MIT
 *
 * A gather or a scatter, taken apart.
 */
#ifndef WEFT_PASSES_SCATTERED_ACCESS_H
#define WEFT_PASSES_SCATTERED_ACCESS_H

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

} // namespace weft

#endif
