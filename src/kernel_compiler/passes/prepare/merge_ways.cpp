/* SPDX-License-Identifier: MIT
 *
 * merge-ways: from each phi, the operations of all ways are compared, and those of their operands, as long as they are alike.
 */
#include "prepare/merge_ways.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostWays = 8;
constexpr unsigned mostDepth = 6; /* operations one over the other */
/* What operations take, a choice between two vectors being 1. One between loads is a load from anywhere: InstCombine makes one of them. */
constexpr int longCost = 8, loadsCost = 6, mostCost = 40;
constexpr unsigned mostVisited = 32;

/* By way. */
using Values = SmallVector<Value *, 4>;

/* Functions of numbers alone: what they ask of other work-items or of the place of their own would be another thing elsewhere. */
class PureFunctions
{
      public:
	bool contains(const Function &function)
	{
		auto [place, isNew] = known.try_emplace(&function, false);
		if (!isNew)
			return place->second;
		const bool isPure = isFound(function);
		return known[&function] = isPure;
	}

      private:
	bool isFound(const Function &function)
	{
		if (!function.doesNotAccessMemory())
			return false;
		if (function.isDeclaration())
			return function.isSpeculatable() && !function.isConvergent();
		return all_of(instructions(function), [&](const Instruction &instruction) {
			const auto *call = dyn_cast<CallBase>(&instruction);
			return !call || isa<DbgInfoIntrinsic, LifetimeIntrinsic>(call) ||
			       (call->getCalledFunction() && contains(*call->getCalledFunction()));
		});
	}

	DenseMap<const Function *, bool> known;
};

bool isOperation(const Instruction &instruction, PureFunctions &pure)
{
	const auto *call = dyn_cast<CallInst>(&instruction);
	if (call)
		return call->getCalledFunction() && call->doesNotAccessMemory() &&
		       !call->cannotMerge() && pure.contains(*call->getCalledFunction());
	return isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst, InsertElementInst,
		   ExtractElementInst, ShuffleVectorInst>(instruction);
}

/* Of a call as much as of what the function does. */
int costOf(const Instruction &instruction, unsigned depth = 0)
{
	if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
		return intrinsic->getIntrinsicID() == Intrinsic::sqrt ? longCost : 1;
	const auto *call = dyn_cast<CallInst>(&instruction);
	if (!call)
		return instruction.isIntDivRem() || instruction.getOpcode() == Instruction::FDiv
			       ? longCost
			       : !instruction.isTerminator();
	const Function &callee = *call->getCalledFunction();
	int cost = callee.isDeclaration() || depth == mostDepth;
	for (const Instruction &other : instructions(callee)) {
		if (cost >= mostCost || depth == mostDepth)
			break;
		cost += costOf(other, depth + 1);
	}
	return std::min(cost, mostCost);
}

bool isSameOperation(const Instruction &one, const Instruction &other)
{
	const auto *call = dyn_cast<CallInst>(&one);
	return one.isSameOperationAs(&other) &&
	       (!call || call->getCalledOperand() == cast<CallInst>(other).getCalledOperand());
}

bool isSame(const Values &values)
{
	return all_equal(values);
}

/* Whether it is seen to be the same for all work-items: computed from a kernel's arguments, and memory at such places. `steps`: values
 * that may be looked at. */
bool isUniform(const Value &value, unsigned &steps)
{
	if (const auto *argument = dyn_cast<Argument>(&value))
		return isKernel(*argument->getParent()) ||
		       argument->getParent()->getName().starts_with(kernelBodyPrefix);
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction)
		return true;
	if (steps == 0 || isa<PHINode, AllocaInst>(instruction) || instruction->mayWriteToMemory())
		return false;
	steps--;
	const auto *call = dyn_cast<CallInst>(instruction);
	const bool asks = call && !isa<IntrinsicInst>(call) &&
			  all_of(call->args(), [](const Use &use) { return isa<Constant>(use); });
	return !asks && all_of(instruction->operands(),
			       [&](const Use &use) { return isUniform(*use, steps); });
}

bool areUniform(ArrayRef<Value *> values)
{
	unsigned steps = mostVisited;
	return all_of(values, [&](const Value *value) { return isUniform(*value, steps); });
}

/* A number of its own in each way in place of a constant makes an operation dear: a division, a shift, a product of integers, a place in
 * a vector. */
bool isDearWithout(const Instruction &instruction, const Value &operand)
{
	return isa<Constant>(operand) && (instruction.getType()->isIntOrIntVectorTy() ||
					  instruction.getOpcode() == Instruction::FDiv ||
					  isa<ExtractElementInst, InsertElementInst>(instruction));
}

class WaysOfBlock
{
      public:
	WaysOfBlock(BasicBlock &theBlock, PureFunctions &thePure)
	    : block(theBlock), pure(thePure), ways(predecessors(&theBlock)),
	      first(theBlock.getFirstNonPHIIt())
	{
	}

	/* Whether all ways lead here and nowhere else, and each once. */
	bool areOwn() const
	{
		return ways.size() > 1 && ways.size() <= mostWays &&
		       all_of(ways, [](const BasicBlock *way) {
			       const auto *branch = dyn_cast<BranchInst>(way->getTerminator());
			       return branch && branch->isUnconditional();
		       });
	}

	bool merge(PHINode &phi)
	{
		Values values;
		for (BasicBlock *way : ways)
			values.push_back(phi.getIncomingValueForBlock(way));
		savesLong = false;
		if (isSame(values) || gainOf(values, 0) <= 0 || !savesLong)
			return false;
		Value *merged = make(values, 0);
		merged->takeName(&phi);
		phi.replaceAllUsesWith(merged);
		phi.eraseFromParent();
		for (Value *value : values)
			RecursivelyDeleteTriviallyDeadInstructions(value);
		return true;
	}

      private:
	bool isInWay(const Value &value, size_t way) const
	{
		const auto *instruction = dyn_cast<Instruction>(&value);
		return instruction && instruction->getParent() == ways[way] &&
		       instruction->hasOneUse();
	}

	bool areAlike(const Values &values)
	{
		for (size_t way = 0; way < ways.size(); way++) {
			if (!isInWay(*values[way], way) ||
			    !isSameOperation(cast<Instruction>(*values[way]),
					     cast<Instruction>(*values[0])))
				return false;
		}
		return isOperation(cast<Instruction>(*values[0]), pure);
	}

	/* Of operations that are alike; their callees are not among them. */
	SmallVector<Values, 4> operandsOf(const Values &values) const
	{
		const auto &model = cast<Instruction>(*values[0]);
		const auto *call = dyn_cast<CallInst>(&model);
		SmallVector<Values, 4> operands(call ? call->arg_size() : model.getNumOperands());
		for (const Value *value : values) {
			const auto &operation = cast<Instruction>(*value);
			const bool isTurned = operation.isCommutative() &&
					      operation.getOperand(1) == model.getOperand(0);
			for (size_t i = 0; i < operands.size(); i++)
				operands[i].push_back(
					operation.getOperand(isTurned && i < 2 ? 1 - i : i));
		}
		return operands;
	}

	bool mayDiffer(const Values &values, size_t operand, const Values &own) const
	{
		for (size_t way = 0; way < ways.size(); way++) {
			const auto &operation = cast<Instruction>(*values[way]);
			if (!canReplaceOperandWithVariable(&operation, operand) ||
			    isDearWithout(operation, *own[way]))
				return false;
		}
		return true;
	}

	/* InstCombine moves a choice between operations of two numbers, with one operand that differs, to that operand. */
	int choiceCost(Values values)
	{
		while (!all_of(values, [](const Value *value) { return isa<LoadInst>(value); })) {
			if (!areAlike(values) || !isa<BinaryOperator, CmpInst, CastInst>(values[0]))
				return 1;
			SmallVector<Values, 4> operands = operandsOf(values);
			erase_if(operands, isSame);
			if (operands.size() != 1)
				return 1;
			values = operands[0];
		}
		return loadsCost;
	}

	/* What is saved if the values are computed here, instead of chosen; 0 or less: they cannot be, or nothing is. */
	int gainOf(const Values &values, unsigned depth)
	{
		if (depth == mostDepth || !areAlike(values) || areUniform(values))
			return 0;
		const SmallVector<Values, 4> operands = operandsOf(values);
		const int cost = costOf(cast<Instruction>(*values[0]));
		int gain = 1 + int(ways.size() - 1) * cost;
		for (size_t i = 0; i < operands.size(); i++) {
			if (isSame(operands[i]))
				continue;
			if (!mayDiffer(values, i, operands[i]))
				return 0;
			gain -= choiceCost(operands[i]) -
				std::max(0, gainOf(operands[i], depth + 1));
		}
		savesLong |= cost >= longCost && gain > 0;
		return gain;
	}

	Value *make(const Values &values, unsigned depth)
	{
		if (isSame(values))
			return values[0];
		if (gainOf(values, depth) <= 0) {
			auto *phi = PHINode::Create(values[0]->getType(), ways.size(), "",
						    block.begin());
			for (size_t way = 0; way < ways.size(); way++)
				phi->addIncoming(values[way], ways[way]);
			return phi;
		}
		/* First: a copy would be a second use of its operands. */
		SmallVector<Value *, 4> made;
		for (const Values &own : operandsOf(values))
			made.push_back(make(own, depth + 1));
		Instruction *merged = cast<Instruction>(*values[0]).clone();
		for (size_t i = 0; i < made.size(); i++)
			merged->setOperand(i, made[i]);
		merged->dropUnknownNonDebugMetadata();
		for (const Value *value : values)
			merged->andIRFlags(value);
		merged->insertBefore(first);
		return merged;
	}

	BasicBlock &block;
	PureFunctions &pure;
	SmallVector<BasicBlock *, 4> ways;
	BasicBlock::iterator first; /* behind what is merged */
	bool savesLong = false; /* a call, a root or a division is among what has been compared */
};

} // namespace

PreservedAnalyses MergeWaysPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	PureFunctions pure;
	bool hasChanged = false;
	for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
		WaysOfBlock ways(*block, pure);
		if (block->phis().empty() || !ways.areOwn() ||
		    any_of(predecessors(block),
			   [&](const BasicBlock *way) { return dominators.dominates(block, way); }))
			continue;
		for (PHINode &phi : make_early_inc_range(block->phis()))
			hasChanged |= ways.merge(phi);
	}
	if (!hasChanged)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
