/* SPDX-License-Identifier: MIT
 *
 * By how the places of accesses grow from iteration to iteration, and from work-item to work-item.
 */
#include "width/written_rows.h"

#include "accesses/iteration_values.h"
#include "functions/internal_functions.h"
#include "kernel/shown_group.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Bytes between rows of a constant length, at least: lines of shorter ones lie in different places of the first cache. */
constexpr int64_t leastDistance = 1024;
/* Of an iteration, beside accesses and indices: with more, lanes gain more than they lose. */
constexpr unsigned mostComputed = 40;

class RowLoop
{
      public:
	RowLoop(const Loop &theLoop, const Uniformity &theUniformity, const ItemSteps &theSteps)
	    : loop(theLoop), uniformity(theUniformity), steps(theSteps)
	{
	}

	bool writesRow()
	{
		return loop.getLoopLatch() &&
		       all_of(loop.blocks(),
			      [&](const BasicBlock *block) {
				      return all_of(*block, [&](const Instruction &instruction) {
					      return isUsual(instruction);
				      });
			      }) &&
		       !stored.empty() && computed <= mostComputed;
	}

	/* Whether an iteration takes a value of the one before, but for a sum, which is made quickly, or loads where another one
	 * stores. */
	bool needsEarlier() const
	{
		const bool carries = any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
			return !stepOf(phi) && !isSum(phi);
		});
		return carries || any_of(loads, [&](const Value *load) {
			       return any_of(stored, [&](const Value *place) {
				       return place != load && getUnderlyingObject(place) ==
								       getUnderlyingObject(load);
			       });
		       });
	}

      private:
	std::optional<int64_t> stepOf(const Value &value) const
	{
		return IterationValues(loop).stepOf(&value);
	}

	bool isSum(const PHINode &phi) const
	{
		const auto *next =
			dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
		return next && is_contained(next->operand_values(), &phi) &&
		       is_contained({Instruction::Add, Instruction::FAdd}, next->getOpcode());
	}

	/* Whether it is an access of what all have in common, or of a row; or none. */
	bool isUsual(const Instruction &instruction)
	{
		const Value *pointer = getLoadStorePointerOperand(&instruction);
		if (pointer && uniformity.isVarying(pointer)) {
			(isa<StoreInst>(instruction) ? stored : loads).push_back(pointer);
			return isOfRow(instruction, *pointer);
		}
		if (pointer || isAssumeLike(instruction))
			return isa<LoadInst>(instruction) || !pointer;
		if (instruction.mayReadOrWriteMemory() ||
		    (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) &&
		     !queryOf(instruction)))
			return false;
		computed += isa<UnaryOperator, BinaryOperator, SelectInst, IntrinsicInst>(
				    instruction) &&
			    !stepOf(instruction);
		return true;
	}

	static bool isAssumeLike(const Instruction &instruction)
	{
		const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
		return intrinsic && intrinsic->isAssumeLikeIntrinsic();
	}

	bool isOfRow(const Instruction &access, const Value &pointer) const
	{
		const auto size =
			int64_t(access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)));
		const std::optional<int64_t> along = stepOf(pointer), apart = steps.of(pointer);
		return !access.isVolatile() && !access.isAtomic() &&
		       isSharedSpace(pointer.getType()->getPointerAddressSpace()) && along &&
		       std::abs(*along) == size && (!apart || std::abs(*apart) >= leastDistance);
	}

	const Loop &loop;
	const Uniformity &uniformity;
	const ItemSteps &steps;
	SmallVector<const Value *, 4> loads, stored; /* places in rows */
	unsigned computed = 0;
};

} // namespace

WrittenRows writtenRows(const Function &kernel, const LoopInfo &loops, const Uniformity &uniformity,
			const ItemSteps &steps)
{
	WrittenRows result = WrittenRows::Independent;
	if (loops.empty() || !seemsToCoalesce(kernel))
		return WrittenRows::None;
	for (const Loop *loop : loops.getLoopsInPreorder()) {
		if (!loop->isInnermost())
			continue;
		RowLoop rows(*loop, uniformity, steps);
		if (!rows.writesRow())
			return WrittenRows::None;
		if (rows.needsEarlier())
			result = WrittenRows::Dependent;
	}
	return result;
}

} // namespace weft
