/* SPDX-License-Identifier: MIT
 *
 * privatize-updates: all uses of a parameter, how large its indices may be, and what is reachable from its updates.
 */
#include "prepare/privatize_updates.h"

#include "functions/internal_functions.h"
#include "ir/atomic_updates.h"
#include "prepare/index_bounds.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Of one parameter: half of the core's first-level cache. */
constexpr uint64_t mostBytes = 16384;

/* A copy is filled with bytes that change nothing, so they are all equal. */
bool mayHaveCopy(const AtomicRMWInst &update)
{
	const auto *type = dyn_cast<IntegerType>(update.getType());
	bool isSized = type && (type->getBitWidth() == 32 || type->getBitWidth() == 64);
	return isSized && update.use_empty() && isCommutative(update) &&
	       update.getOperation() != AtomicRMWInst::Max &&
	       update.getOperation() != AtomicRMWInst::Min &&
	       update.getOrdering() == AtomicOrdering::Monotonic;
}

/* The one by which a copy of differences is applied is a sum, too. */
AtomicRMWInst::BinOp appliedBy(const AtomicRMWInst &update)
{
	return update.getOperation() == AtomicRMWInst::Sub ? AtomicRMWInst::Add
							   : update.getOperation();
}

/* All that is done through one parameter. */
class UpdatesOfParameter
{
      public:
	UpdatesOfParameter(Argument &theParameter, const DominatorTree &theDominators)
	    : parameter(theParameter), dominators(theDominators),
	      layout(theParameter.getParent()->getDataLayout())
	{
	}

	/* Whether there may be a copy, which is described then. */
	bool find()
	{
		return parameter.getType()->isPointerTy() &&
		       parameter.getType()->getPointerAddressSpace() == GlobalSpace &&
		       !parameter.hasAttribute(byValueAttribute) && collect(parameter) &&
		       !updates.empty() && areAlike() &&
		       all_of(updates, [&](auto *update) { return fits(*update); });
	}

	ArrayRef<AtomicRMWInst *> all() const
	{
		return updates.getArrayRef();
	}
	bool contains(const Instruction &instruction) const
	{
		const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
		return update && updates.contains(const_cast<AtomicRMWInst *>(update));
	}

	void mark()
	{
		unsigned bits = updates[0]->getType()->getIntegerBitWidth();
		setUpdatedCopy(parameter, {appliedBy(*updates[0]), bits, unsigned(elements)});
		for (AtomicRMWInst *update : updates)
			markOwnUpdate(*update);
	}

      private:
	bool collect(Value &address)
	{
		for (User *user : address.users()) {
			auto *update = dyn_cast<AtomicRMWInst>(user);
			if (isa<GetElementPtrInst>(user)) {
				if (!collect(*user))
					return false;
				continue;
			}
			if (!update || update->getValOperand() == &address || !mayHaveCopy(*update))
				return false;
			updates.insert(update);
		}
		return true;
	}

	bool areAlike() const
	{
		return all_of(updates, [&](const AtomicRMWInst *update) {
			return update->getType() == updates[0]->getType() &&
			       appliedBy(*update) == appliedBy(*updates[0]);
		});
	}

	/* Counts the elements up to the last that an update may reach. */
	bool fits(const AtomicRMWInst &update)
	{
		uint64_t size = update.getType()->getIntegerBitWidth() / 8;
		uint64_t last = 0; /* in elements */
		for (const Value *at = update.getPointerOperand(); at != &parameter;) {
			const auto *step = cast<GEPOperator>(at);
			SmallMapVector<Value *, APInt, 4> factors;
			APInt constant(64, 0);
			if (!step->collectOffset(layout, 64, factors, constant) ||
			    !addTo(last, constant, 1, size))
				return false;
			for (const auto &[index, factor] : factors) {
				std::optional<uint64_t> most =
					largestIndex(*index, update, dominators);
				if (!most || !addTo(last, factor, *most, size))
					return false;
			}
			at = step->getPointerOperand();
		}
		elements = std::max(elements, last + 1);
		return true;
	}

	/* So many times a number of bytes. */
	static bool addTo(uint64_t &last, const APInt &bytes, uint64_t times, uint64_t size)
	{
		if (bytes.isNegative() || bytes.getActiveBits() > 16 || bytes.urem(size) != 0)
			return false;
		last += bytes.getZExtValue() / size * times;
		return last < mostBytes / size;
	}

	Argument &parameter;
	const DominatorTree &dominators;
	const DataLayout &layout;
	SmallSetVector<AtomicRMWInst *, 4> updates;
	uint64_t elements = 0;
};

bool isOutsideGlobalMemory(const Value &pointer)
{
	unsigned space = pointer.getType()->getPointerAddressSpace();
	return space != GlobalSpace && space < GenericSpace;
}

/* Whether it may show what is in global memory, or change it. */
bool accessesGlobalMemory(const Instruction &instruction)
{
	if (!instruction.mayReadOrWriteMemory() || isa<FenceInst>(instruction) ||
	    instruction.isLifetimeStartOrEnd() || isBarrier(instruction) || queryOf(instruction))
		return false;
	if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
		return !isOutsideGlobalMemory(*update->getPointerOperand());
	if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
		return !isOutsideGlobalMemory(*exchange->getPointerOperand());
	const Value *pointer = getLoadStorePointerOperand(&instruction);
	return !pointer || !isOutsideGlobalMemory(*pointer);
}

using Updates = SmallVector<UpdatesOfParameter, 2>;

bool mayTell(const Instruction &instruction, const Updates &all)
{
	return accessesGlobalMemory(instruction) &&
	       none_of(all, [&](const auto &updates) { return updates.contains(instruction); });
}

/* Whether something behind the update may tell whether it has been made. */
bool isWatched(const AtomicRMWInst &update, const Updates &all)
{
	const BasicBlock *block = update.getParent();
	for (const Instruction &instruction : make_range(update.getIterator(), block->end())) {
		if (mayTell(instruction, all))
			return true;
	}
	df_iterator_default_set<const BasicBlock *> seen;
	for (const BasicBlock *next : successors(block)) {
		for (const BasicBlock *behind : depth_first_ext(next, seen)) {
			if (any_of(*behind, [&](const auto &i) { return mayTell(i, all); }))
				return true;
		}
	}
	return false;
}

} // namespace

PreservedAnalyses PrivatizeUpdatesPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	Updates all;
	for (Argument &parameter : function.args()) {
		UpdatesOfParameter updates(parameter, dominators);
		if (updates.find())
			all.push_back(std::move(updates));
	}
	bool isAnyWatched = any_of(all, [&](const UpdatesOfParameter &updates) {
		return any_of(updates.all(),
			      [&](const AtomicRMWInst *update) { return isWatched(*update, all); });
	});
	if (all.empty() || isAnyWatched)
		return PreservedAnalyses::all();
	for (UpdatesOfParameter &updates : all)
		updates.mark();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
