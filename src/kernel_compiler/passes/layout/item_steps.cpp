/* SPDX-License-Identifier: MIT
 *
 * Steps from operands' steps, in passes over the kernel until loops add nothing new: a phi begins with the step of what comes
 * from outside its loop.
 */
#include "layout/item_steps.h"

#include "functions/internal_functions.h"
#include "layout/checked_sum.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostPasses = 20;
constexpr unsigned mostBits = 40;   /* of a factor */
constexpr uint64_t leastTable = 64; /* elements, of an index that is wrapped around */

} // namespace

ItemSteps::ItemSteps(Function &kernel, const Uniformity &theUniformity, unsigned theDimension,
		     bool isTheMost)
    : uniformity(theUniformity), dimension(theDimension), isMostly(isTheMost)
{
	if (dimension == 0 && getKernelNumber(kernel, interchangedIdsAttribute) > 0)
		known = stepsAlongRows(kernel);
	computeAll(kernel);
}

ItemSteps::ItemSteps(Function &kernel, const Uniformity &theUniformity, KnownSteps theKnown,
		     unsigned theDimension)
    : uniformity(theUniformity), dimension(theDimension), isMostly(false),
      known(std::move(theKnown))
{
	computeAll(kernel);
}

void ItemSteps::computeAll(Function &kernel)
{
	/* A step becomes known once and unknown once, so this ends; but each of several phis that depend on each other
	 * against the order may take a pass. If all take too many, nothing is known. */
	ReversePostOrderTraversal<Function *> order(&kernel);
	bool isNew = true;
	for (unsigned pass = 0; isNew && pass < mostPasses; pass++) {
		isNew = false;
		for (const BasicBlock *block : order) {
			for (const Instruction &instruction : *block) {
				if (!uniformity.isVarying(&instruction) || !isReady(instruction))
					continue;
				Step step = compute(instruction);
				auto [old, isFirst] = steps.try_emplace(&instruction, step);
				isNew |= isFirst || old->second != step;
				old->second = step;
			}
		}
	}
	if (isNew)
		steps.clear();
}

std::optional<int64_t> ItemSteps::of(const Value &value) const
{
	return uniformity.isVarying(&value) ? steps.lookup(&value) : Step(0);
}

bool ItemSteps::isReady(const Instruction &instruction) const
{
	auto isKnown = [&](const Use &use) {
		return !uniformity.isVarying(use) || steps.contains(use);
	};
	return isa<PHINode>(instruction) ? any_of(instruction.operands(), isKnown)
					 : all_of(instruction.operands(), isKnown);
}

/* What all known ways to it bring. */
std::optional<int64_t> ItemSteps::ofPhi(const PHINode &phi) const
{
	Step common;
	bool isFirst = true;
	for (const Use &use : phi.incoming_values()) {
		if (uniformity.isVarying(use) && !steps.contains(use))
			continue;
		if (!isFirst && common != of(*use))
			return std::nullopt;
		common = of(*use);
		isFirst = false;
	}
	return common;
}

std::optional<int64_t> ItemSteps::ofAddress(const GetElementPtrInst &address) const
{
	Step step = of(*address.getPointerOperand());
	const DataLayout &layout = address.getDataLayout();
	for (auto i = gep_type_begin(address), end = gep_type_end(address); i != end; ++i) {
		if (i.isStruct())
			continue;
		auto stride = int64_t(i.getSequentialElementStride(layout).getFixedValue());
		step = checkedSum(step, of(*i.getOperand()), stride);
	}
	return step;
}

std::optional<int64_t> ItemSteps::ofArithmetic(const Instruction &instruction) const
{
	if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst, AddrSpaceCastInst>(instruction))
		return of(*instruction.getOperand(0));
	if (!isa<BinaryOperator>(instruction))
		return std::nullopt;
	Step left = of(*instruction.getOperand(0)), right = of(*instruction.getOperand(1));
	const APInt *factor;
	const Value *other = nullptr;
	if (left == Step(0) && right == Step(0))
		return 0;
	if (instruction.getOpcode() == Instruction::Add ||
	    match(&instruction, m_DisjointOr(m_Value(), m_Value())))
		return checkedSum(left, right);
	if (instruction.getOpcode() == Instruction::Sub)
		return checkedSum(left, right, -1);
	if (match(&instruction, m_c_Mul(m_Value(other), m_APInt(factor))) &&
	    factor->getSignificantBits() <= mostBits)
		return checkedSum(0, of(*other), factor->getSExtValue());
	if (match(&instruction, m_Shl(m_Value(), m_APInt(factor))) && factor->ult(mostBits))
		return checkedSum(0, left, int64_t(1) << factor->getZExtValue());
	return std::nullopt;
}

/* Whether work-items compare numbers that grow, so that those with one answer are neighbours. */
bool ItemSteps::comparesSteps(const Value &condition) const
{
	const auto *compare = dyn_cast<CmpInst>(&condition);
	return compare && of(*compare->getOperand(0)) && of(*compare->getOperand(1));
}

/* Work-items are clamped to a uniform value, or begin again at 0, at an edge alone. */
std::optional<int64_t> ItemSteps::ofClamp(const Instruction &instruction) const
{
	const unsigned opcode = instruction.getOpcode();
	const bool wraps = opcode == Instruction::URem || opcode == Instruction::SRem ||
			   opcode == Instruction::And;
	const unsigned first = isa<SelectInst>(instruction);
	if (!wraps && !first && !isa<MinMaxIntrinsic>(instruction))
		return std::nullopt;
	if (const auto *select = dyn_cast<SelectInst>(&instruction);
	    select && !comparesSteps(*select->getCondition()))
		return std::nullopt;
	const Value *bound = instruction.getOperand(first + 1);
	const auto *number = dyn_cast<ConstantInt>(bound);
	Step left = of(*instruction.getOperand(first)), right = of(*bound);
	if (wraps && number &&
	    (number->getValue().ult(leastTable) ||
	     (opcode == Instruction::And && !number->getValue().isMask())))
		return std::nullopt;
	if (right == Step(0) || left == right)
		return left;
	return left == Step(0) && (!wraps || opcode == Instruction::And) ? right : std::nullopt;
}

std::optional<int64_t> ItemSteps::compute(const Instruction &instruction) const
{
	if (instruction.getType()->isVectorTy())
		return std::nullopt;
	if (const auto found = known.find(&instruction); found != known.end())
		return found->second;
	if (std::optional<Query> query = queryOf(instruction)) {
		const bool isId = *query == Query::LocalId || *query == Query::GlobalId;
		if (!isId || !isa<ConstantInt>(instruction.getOperand(0)))
			return std::nullopt;
		return match(instruction.getOperand(0), m_SpecificInt(dimension)) ? 1 : 0;
	}
	if (const auto *phi = dyn_cast<PHINode>(&instruction))
		return ofPhi(*phi);
	if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
		return ofAddress(*address);
	Step step = ofArithmetic(instruction);
	return step || !isMostly ? step : ofClamp(instruction);
}

} // namespace weft
