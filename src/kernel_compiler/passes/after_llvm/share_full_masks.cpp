/* SPDX-License-Identifier: MIT
 *
 * share-full-masks: the entry block hides the mask of a register's lanes; shuffles make those of several registers.
 */
#include "after_llvm/share_full_masks.h"

#include "after_llvm/scattered_access.h"
#include "ir/hidden_value.h"

#include <llvm/ADT/Sequence.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned registerBits = 512;
constexpr unsigned leastLanes = 8; /* of a mask that a register of LLVM's class k has */

class FullMasks
{
      public:
	explicit FullMasks(Function &theFunction) : function(theFunction)
	{
	}

	/* For the access, whose register has so many lanes. */
	Value *forAccess(const ScatteredAccess &access)
	{
		const unsigned lanes = access.type()->getNumElements();
		const unsigned inRegister =
			std::max(leastLanes, registerBits / std::max(32u, elementBits(access)));
		Value *mask = forRegister(inRegister);
		if (lanes == inRegister)
			return mask;
		SmallVector<int, 64> places;
		for (unsigned lane : seq(lanes))
			places.push_back(static_cast<int>(lane % inRegister));
		return IRBuilder<>(access.call).CreateShuffleVector(mask, places);
	}

      private:
	static unsigned elementBits(const ScatteredAccess &access)
	{
		const DataLayout &layout = access.call->getDataLayout();
		return static_cast<unsigned>(
			layout.getTypeSizeInBits(access.type()->getElementType()));
	}

	/* A constant would be an instruction beside each access again. */
	Value *forRegister(unsigned lanes)
	{
		Value *&mask = masks[lanes];
		if (mask)
			return mask;
		BasicBlock &entry = function.getEntryBlock();
		IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
		auto *type = FixedVectorType::get(builder.getInt1Ty(), lanes);
		return mask = hideValue(builder, Constant::getAllOnesValue(type), "k");
	}

	Function &function;
	SmallDenseMap<unsigned, Value *, 2> masks;
};

bool hasFullMask(const ScatteredAccess &access)
{
	const auto *mask = dyn_cast<Constant>(access.mask());
	return mask && mask->isAllOnesValue();
}

} // namespace

PreservedAnalyses ShareFullMasksPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const auto &target = analyses.getResult<TargetIRAnalysis>(function);
	SmallVector<ScatteredAccess, 8> accesses;
	for (Instruction &instruction : instructions(function)) {
		std::optional<ScatteredAccess> access = readScatteredAccess(instruction);
		if (access && hasFullMask(*access) && isInstruction(*access, target))
			accesses.push_back(*access);
	}
	FullMasks masks(function);
	for (const ScatteredAccess &access : accesses)
		access.call->setArgOperand(access.place + 1, masks.forAccess(access));
	if (accesses.empty())
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
