/* SPDX-License-Identifier: MIT
 *
 * split-inductions: follows what comes around a loop back to its phi, and sums up on the way what was added.
 */
#include "regions/split_inductions.h"

#include "functions/internal_functions.h"
#include "ir/regions.h"
#include "ir/uniformity.h"
#include "regions/recomputed_values.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

using namespace llvm;

namespace weft
{

namespace
{

/* Additions in one iteration at most. */
constexpr unsigned mostSteps = 16;

struct Induction {
	PHINode *phi;
	Value *start;
	SmallVector<Instruction *, 4> steps; /* each after the one that it adds to */
};

class InductionFinder
{
      public:
	InductionFinder(const Uniformity &theUniformity, const DominatorTree &theDominators)
	    : uniformity(theUniformity), dominators(theDominators)
	{
	}

	void add(BasicBlock &header, bool hasBarrier, SmallVectorImpl<Induction> &inductions) const
	{
		for (PHINode &phi : header.phis()) {
			std::optional<Induction> induction = find(phi);
			if (induction && (hasBarrier || hasNarrowIndex(*induction->start)))
				inductions.push_back(std::move(*induction));
		}
	}

      private:
	std::optional<Induction> find(PHINode &phi) const
	{
		if (!uniformity.isVarying(&phi) ||
		    !(phi.getType()->isPointerTy() || phi.getType()->isIntegerTy()))
			return std::nullopt;
		Induction found = {&phi, nullptr, {}};
		for (Value *incoming : phi.incoming_values()) {
			if (!addSteps(found, *incoming) && !addStart(found, *incoming))
				return std::nullopt;
		}
		if (!found.start || found.steps.empty())
			return std::nullopt;
		return found;
	}

	/* Whether the value, linear in ids, is an address or an offset of which a part has fewer bits. */
	bool hasNarrowIndex(const Value &value) const
	{
		const auto *instruction = dyn_cast<Instruction>(&value);
		if (!instruction || !uniformity.isVarying(&value) || queryOf(value))
			return false;
		if (isa<SExtInst, ZExtInst>(value) || instruction->getOpcode() == Instruction::AShr)
			return true;
		return !isa<TruncInst>(value) &&
		       any_of(instruction->operands(),
			      [&](const Use &use) { return hasNarrowIndex(*use); });
	}

	/* The value to which a step adds something uniform. */
	Value *addedTo(const Instruction &step) const
	{
		if (isa<GetElementPtrInst>(step)) {
			const bool isUniform =
				none_of(drop_begin(step.operands()),
					[&](const Use &use) { return uniformity.isVarying(use); });
			return isUniform ? step.getOperand(0) : nullptr;
		}
		if (step.getOpcode() == Instruction::Add &&
		    !uniformity.isVarying(step.getOperand(1)))
			return step.getOperand(0);
		if (step.getOpcode() == Instruction::Add &&
		    !uniformity.isVarying(step.getOperand(0)))
			return step.getOperand(1);
		if (step.getOpcode() == Instruction::Sub &&
		    !uniformity.isVarying(step.getOperand(1)))
			return step.getOperand(0);
		return nullptr;
	}

	/* Whether a value is the phi and uniform values. */
	bool addSteps(Induction &found, Value &incoming) const
	{
		SmallVector<Instruction *, 4> back;
		Value *value = &incoming;
		while (value != found.phi) {
			auto *step = dyn_cast<Instruction>(value);
			value = step && back.size() < mostSteps ? addedTo(*step) : nullptr;
			if (!value)
				return false;
			back.push_back(step);
		}
		for (Instruction *step : reverse(back)) {
			if (!is_contained(found.steps, step))
				found.steps.push_back(step);
		}
		return true;
	}

	bool addStart(Induction &found, Value &incoming) const
	{
		if ((found.start && found.start != &incoming) || !uniformity.isVarying(&incoming) ||
		    !isLinearInIds(incoming, uniformity) ||
		    !dominators.dominates(&incoming, found.phi))
			return false;
		found.start = &incoming;
		return true;
	}

	const Uniformity &uniformity;
	const DominatorTree &dominators;
};

/* What a step adds, in bytes for a pointer. */
Value *addedBy(Instruction &step, Value *to, IRBuilder<> &builder)
{
	if (isa<GetElementPtrInst>(step))
		return emitGEPOffset(&builder, step.getDataLayout(), &step);
	if (step.getOpcode() == Instruction::Sub)
		return builder.CreateNeg(step.getOperand(1));
	return step.getOperand(step.getOperand(0) == to ? 1 : 0);
}

/* The value that the phi has: what is added stays within the same object, if each step does. */
Value *wholeValue(const Induction &induction, Value *sum, IRBuilder<> &builder)
{
	const PHINode &phi = *induction.phi;
	if (!phi.getType()->isPointerTy())
		return builder.CreateAdd(induction.start, sum);
	const bool isInBounds = all_of(induction.steps, [](const Instruction *step) {
		return cast<GetElementPtrInst>(step)->isInBounds();
	});
	return builder.CreatePtrAdd(induction.start, sum, "",
				    isInBounds ? GEPNoWrapFlags::inBounds()
					       : GEPNoWrapFlags::none());
}

void split(const Induction &induction)
{
	PHINode &phi = *induction.phi;
	Type *type = phi.getType();
	if (type->isPointerTy())
		type = phi.getDataLayout().getIndexType(type);
	IRBuilder<> builder(&phi);
	PHINode *sum = builder.CreatePHI(type, phi.getNumIncomingValues(), phi.getName() + ".sum");
	DenseMap<Value *, Value *> sums = {{&phi, sum},
					   {induction.start, Constant::getNullValue(type)}};
	for (Instruction *step : induction.steps) {
		Value *to = sums.contains(step->getOperand(0)) ? step->getOperand(0)
							       : step->getOperand(1);
		builder.SetInsertPoint(step);
		Value *added = addedBy(*step, to, builder);
		sums[step] = builder.CreateAdd(sums.lookup(to), added);
	}
	for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values()))
		sum->addIncoming(sums.lookup(value), block);

	/* A barrier at the beginning stays there. */
	auto first = phi.getParent()->getFirstNonPHIOrDbg()->getIterator();
	builder.SetInsertPoint(isBarrier(*first) ? std::next(first) : first);
	Value *whole = wholeValue(induction, sum, builder);
	whole->takeName(&phi);
	phi.replaceAllUsesWith(whole);
	phi.eraseFromParent();
}

} // namespace

PreservedAnalyses SplitInductionsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	const RegionList &regions = analyses.getResult<RegionAnalysis>(function);
	const InductionFinder finder(analyses.getResult<UniformityAnalysis>(function),
				     analyses.getResult<DominatorTreeAnalysis>(function));
	SmallVector<Induction, 4> found;
	SmallPtrSet<const BasicBlock *, 4> starts;
	for (const Region &region : drop_begin(regions.regions())) {
		starts.insert(region.start);
		finder.add(*region.start, true, found);
	}
	for (const Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
		if (!starts.contains(loop->getHeader()))
			finder.add(*loop->getHeader(), false, found);
	}
	for (const Induction &induction : found)
		split(induction);
	if (found.empty())
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	preserved.preserve<RegionAnalysis>();
	return preserved;
}

} // namespace weft
