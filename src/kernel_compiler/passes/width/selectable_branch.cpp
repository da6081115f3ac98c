/* SPDX-License-Identifier: MIT
 *
 * One or two ways to a common block: what each may do, what it takes, and how it moves in front of the branch.
 */
#include "width/selectable_branch.h"

#include "costs/division_costs.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

static constexpr unsigned longCost = 8; /* of a division, a root */

static bool isSameLoad(const LoadInst *first, const LoadInst *second)
{
	return first->getType() == second->getType() &&
	       first->getPointerAddressSpace() == second->getPointerAddressSpace();
}

bool SelectableBranch::isFound()
{
	auto *branch = dyn_cast<BranchInst>(block.getTerminator());
	if (!branch || !branch->isConditional())
		return false;
	BasicBlock *first = branch->getSuccessor(0), *second = branch->getSuccessor(1);
	BasicBlock *firstEnd = endOf(*first), *secondEnd = endOf(*second);
	if (firstEnd && firstEnd == secondEnd) {
		end = firstEnd;
		ways[0].block = first;
		ways[1].block = second;
	} else if (firstEnd && firstEnd == second) {
		end = second;
		ways[0].block = first;
	} else if (secondEnd && secondEnd == first) {
		end = first;
		ways[1].block = second;
	}
	const unsigned most =
		cpuCosts(*block.getModule()).misprediction * vectorsOfCycle / tenthsOfCycle;
	return end && end != &block && add(ways[0]) && add(ways[1]) && cost <= most &&
	       equal(ways[0].loads, ways[1].loads, isSameLoad);
}

/* Where a way that begins there, and that nothing else leads to, ends. */
BasicBlock *SelectableBranch::endOf(BasicBlock &way) const
{
	return way.getSinglePredecessor() == &block && way.phis().empty() ? way.getSingleSuccessor()
									  : nullptr;
}

bool SelectableBranch::add(Way &way)
{
	if (!way.block)
		return true;
	for (Instruction &instruction : *way.block) {
		if (instruction.isTerminator())
			break;
		auto *load = dyn_cast<LoadInst>(&instruction);
		if (load && load->isSimple() && !isSafeToSpeculativelyExecute(load))
			way.loads.push_back(load);
		else if (!isSafeToSpeculativelyExecute(&instruction))
			return false;
		cost += costOf(instruction);
	}
	return true;
}

unsigned SelectableBranch::costOf(const Instruction &instruction) const
{
	const bool isLong = instruction.isIntDivRem() ||
			    instruction.getOpcode() == Instruction::FDiv ||
			    isSquareRoot(instruction);
	const uint64_t bits = instruction.getType()->getPrimitiveSizeInBits().getFixedValue();
	return (isLong ? longCost : 1) * std::max(1u, unsigned(divideCeil(bits, registers.bits)));
}

/* LLVM makes a branch of a selection that it takes for foreseeable. */
static Value *createSelection(IRBuilder<> &builder, Value &condition, Value &first, Value &second)
{
	Value *chosen = builder.CreateSelect(&condition, &first, &second);
	if (auto *select = dyn_cast<SelectInst>(chosen))
		select->setMetadata(LLVMContext::MD_unpredictable,
				    MDNode::get(builder.getContext(), {}));
	return chosen;
}

static void mergeLoads(IRBuilder<> &builder, Value &condition, LoadInst &first, LoadInst &second)
{
	Value *pointer = createSelection(builder, condition, *first.getPointerOperand(),
					 *second.getPointerOperand());
	LoadInst *load = builder.CreateAlignedLoad(first.getType(), pointer,
						   std::min(first.getAlign(), second.getAlign()));
	load->setAAMetadata(first.getAAMetadata().merge(second.getAAMetadata()));
	for (LoadInst *old : {&first, &second}) {
		old->replaceAllUsesWith(load);
		old->eraseFromParent();
	}
}

/* What a way does before one of its loads, or all of it. */
void SelectableBranch::moveUpTo(const Way &way, const LoadInst *load)
{
	while (way.block && !way.block->front().isTerminator() && &way.block->front() != load) {
		Instruction &instruction = way.block->front();
		instruction.moveBefore(block.getTerminator()->getIterator());
		instruction.dropUBImplyingAttrsAndMetadata();
	}
}

void SelectableBranch::selectResults(PHINode &phi)
{
	auto *branch = cast<BranchInst>(block.getTerminator());
	IRBuilder<> builder(branch);
	Value *first = phi.getIncomingValueForBlock(from(ways[0]));
	Value *second = phi.getIncomingValueForBlock(from(ways[1]));
	if (first != second)
		first = createSelection(builder, *branch->getCondition(), *first, *second);
	for (const Way &way : ways)
		phi.removeIncomingValue(from(way), false);
	phi.addIncoming(first, &block);
}

void SelectableBranch::select()
{
	auto *branch = cast<BranchInst>(block.getTerminator());
	IRBuilder<> builder(branch);
	for (auto [first, second] : zip(ways[0].loads, ways[1].loads)) {
		moveUpTo(ways[0], first);
		moveUpTo(ways[1], second);
		mergeLoads(builder, *branch->getCondition(), *first, *second);
	}
	moveUpTo(ways[0], nullptr);
	moveUpTo(ways[1], nullptr);
	for (PHINode &phi : end->phis())
		selectResults(phi);
	builder.CreateBr(end);
	branch->eraseFromParent();
	for (const Way &way : ways) {
		if (way.block)
			way.block->eraseFromParent();
	}
}

} // namespace weft
