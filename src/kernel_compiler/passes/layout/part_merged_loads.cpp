/* SPDX-License-Identifier: MIT
 *
 * part-merged-loads: what computes the address between the block's start and the load is copied into each way.
 */
#include "layout/part_merged_loads.h"

#include "functions/internal_functions.h"
#include "layout/item_steps.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostAddressSteps = 8; /* instructions that are copied into each way */
constexpr int64_t mostWayStride = 16;    /* bytes */

/* Whether the sum of numbers with a step has one. */
bool keepsSteps(const Instruction &instruction)
{
	return isa<GetElementPtrInst, SExtInst, ZExtInst>(instruction) ||
	       match(&instruction, m_Add(m_Value(), m_Value())) ||
	       match(&instruction, m_Sub(m_Value(), m_Value())) ||
	       match(&instruction, m_Shl(m_Value(), m_ConstantInt())) ||
	       match(&instruction, m_Mul(m_Value(), m_ConstantInt()));
}

/* Whether work-items come to a block by different ways, each of which leads nowhere else. */
bool joinsWays(const BasicBlock &block, const DominatorTree &dominators,
	       const Uniformity &uniformity)
{
	const DomTreeNode *node = dominators.getNode(&block);
	const DomTreeNode *parting = node ? node->getIDom() : nullptr;
	return parting && uniformity.isDivergent(*parting->getBlock()) &&
	       all_of(predecessors(&block), [](const BasicBlock *way) {
		       const auto *branch = dyn_cast<BranchInst>(way->getTerminator());
		       return branch && branch->isUnconditional();
	       });
}

class MergedLoad
{
      public:
	MergedLoad(LoadInst &theLoad, const ItemSteps &theSteps) : load(theLoad), steps(theSteps)
	{
	}

	/* Whether each way accesses neighbours, or all one place: where lanes' places lie farther apart, one access costs less. */
	bool isFound()
	{
		const Value &pointer = *load.getPointerOperand();
		std::optional<int64_t> step = steps.of(pointer);
		return load.isSimple() && step && std::abs(*step) <= mostWayStride &&
		       isMadeHere(pointer) && !phis.empty();
	}

	void part()
	{
		BasicBlock *block = load.getParent();
		auto *result = PHINode::Create(load.getType(), pred_size(block));
		result->insertBefore(block->begin());
		for (BasicBlock *way : predecessors(block))
			result->addIncoming(loadIn(*way), way);
		result->takeName(&load);
		load.replaceAllUsesWith(result);
		load.eraseFromParent();
	}

      private:
	/* Collects what computes a number from phis of the block. False where that has no step in a way. */
	bool isMadeHere(const Value &value)
	{
		const auto *instruction = dyn_cast<Instruction>(&value);
		if (!instruction || instruction->getParent() != load.getParent())
			return steps.of(value).has_value();
		if (const auto *phi = dyn_cast<PHINode>(instruction)) {
			phis.insert(phi);
			return all_of(phi->incoming_values(),
				      [&](const Use &use) { return steps.of(*use).has_value(); });
		}
		if (!keepsSteps(*instruction) || made.size() == mostAddressSteps ||
		    !all_of(instruction->operands(),
			    [&](const Use &use) { return isMadeHere(*use); }))
			return false;
		made.insert(instruction);
		return true;
	}

	LoadInst *loadIn(BasicBlock &way)
	{
		DenseMap<const Value *, Value *> copies;
		for (const PHINode *phi : phis)
			copies[phi] = phi->getIncomingValueForBlock(&way);
		auto copied = [&](const Instruction &instruction) {
			Instruction *copy = instruction.clone();
			for (Use &operand : copy->operands())
				if (Value *other = copies.lookup(operand))
					operand.set(other);
			copy->insertBefore(way.getTerminator()->getIterator());
			copies[&instruction] = copy;
			return copy;
		};
		for (const Instruction *instruction : made)
			copied(*instruction);
		return cast<LoadInst>(copied(load));
	}

	LoadInst &load;
	const ItemSteps &steps;
	SmallSetVector<const PHINode *, 4> phis;
	SmallSetVector<const Instruction *, 8> made; /* operands first */
};

/* The loads of a block that could stand at its start. */
SmallVector<LoadInst *, 8> firstLoads(BasicBlock &block)
{
	SmallVector<LoadInst *, 8> loads;
	for (Instruction &instruction : block) {
		if (auto *load = dyn_cast<LoadInst>(&instruction))
			loads.push_back(load);
		if (instruction.mayWriteToMemory() ||
		    !isGuaranteedToTransferExecutionToSuccessor(&instruction))
			break;
	}
	return loads;
}

bool hasBarriers(const Function &kernel)
{
	return any_of(instructions(kernel), isBarrier);
}

} // namespace

PreservedAnalyses PartMergedLoadsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function) || hasBarriers(function) ||
	    getKernelNumber(function, vectorWidthAttribute) == 1)
		return PreservedAnalyses::all();
	const auto &loops = analyses.getResult<LoopAnalysis>(function);
	const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	const auto &uniformity = analyses.getResult<UniformityAnalysis>(function);
	const ItemSteps steps(function, uniformity, 0, true);
	SmallVector<MergedLoad, 8> found;
	for (BasicBlock &block : function) {
		if (loops.isLoopHeader(&block) || !joinsWays(block, dominators, uniformity))
			continue;
		for (LoadInst *load : firstLoads(block)) {
			MergedLoad merged(*load, steps);
			if (merged.isFound())
				found.push_back(merged);
		}
	}
	for (MergedLoad &merged : found)
		merged.part();
	if (found.empty())
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
