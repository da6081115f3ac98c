/* SPDX-License-Identifier: MIT
 *
 * Instructions by kind, the loops around a block, and the branches that lead to it.
 */
#include "footprints/footprint_blocks.h"

#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

/* What counts as one instruction at least; nothing: it costs nothing. */
std::optional<weft_footprint_work> workOfCall(const CallBase &call)
{
	if (isBarrier(call))
		return WEFT_FOOTPRINT_BARRIER;
	if (!call.doesNotAccessMemory())
		return isa<MemIntrinsic>(call) ? std::optional(WEFT_FOOTPRINT_LOCAL) : std::nullopt;
	const Intrinsic::ID id = call.getIntrinsicID();
	if (!call.getType()->isFPOrFPVectorTy())
		return id == Intrinsic::not_intrinsic || id == Intrinsic::assume
			       ? std::nullopt
			       : std::optional(WEFT_FOOTPRINT_INTEGER);
	switch (id) {
	case Intrinsic::fma:
	case Intrinsic::fmuladd:
	case Intrinsic::fabs:
	case Intrinsic::copysign:
	case Intrinsic::minnum:
	case Intrinsic::maxnum:
	case Intrinsic::canonicalize:
		return call.getType()->getScalarType()->isDoubleTy() ? WEFT_FOOTPRINT_DOUBLE
								     : WEFT_FOOTPRINT_FLOATING;
	default:
		return WEFT_FOOTPRINT_SPECIAL;
	}
}

std::optional<weft_footprint_work> workOfOperation(const Instruction &instruction)
{
	const Type *type = instruction.getNumOperands() ? instruction.getOperand(0)->getType()
							: instruction.getType();
	switch (instruction.getOpcode()) {
	case Instruction::FDiv:
	case Instruction::FRem:
	case Instruction::UDiv:
	case Instruction::SDiv:
	case Instruction::URem:
	case Instruction::SRem:
		return WEFT_FOOTPRINT_SPECIAL;
	case Instruction::BitCast:
	case Instruction::AddrSpaceCast:
	case Instruction::GetElementPtr:
	case Instruction::PHI:
	case Instruction::Freeze:
		return std::nullopt;
	default:
		break;
	}
	if (type->isFPOrFPVectorTy())
		return type->getScalarType()->isDoubleTy() ? WEFT_FOOTPRINT_DOUBLE
							   : WEFT_FOOTPRINT_FLOATING;
	return WEFT_FOOTPRINT_INTEGER;
}

std::optional<weft_footprint_work> workOf(const Instruction &instruction)
{
	if (const auto *call = dyn_cast<CallBase>(&instruction))
		return workOfCall(*call);
	if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
		return WEFT_FOOTPRINT_ATOMIC;
	if (const Value *pointer = getLoadStorePointerOperand(&instruction))
		return isPrivateOrLocal(pointer->getType()->getPointerAddressSpace())
			       ? std::optional(WEFT_FOOTPRINT_LOCAL)
			       : std::nullopt;
	if (instruction.isTerminator())
		return instruction.getNumSuccessors() > 1 ? std::optional(WEFT_FOOTPRINT_BRANCH)
							  : std::nullopt;
	return workOfOperation(instruction);
}

unsigned elementsOf(const Instruction &instruction)
{
	const auto *vector = dyn_cast<FixedVectorType>(
		isa<StoreInst>(instruction) ? instruction.getOperand(0)->getType()
					    : instruction.getType());
	return vector ? vector->getNumElements() : 1;
}

/* A branch of a loop's header or latch decides about iterations. */
bool decidesIterations(const BasicBlock &block, const LoopInfo &loops)
{
	const Loop *loop = loops.getLoopFor(&block);
	return loop && loop->isLoopExiting(&block);
}

constexpr unsigned mostOperands = 8; /* of operands of a condition */

/* Whether data decide; else ids, sizes and arguments do, as in a guard, which holds for nearly all work-items. */
bool dependsOnData(const Value &value, unsigned depth = 0)
{
	const auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction || isa<CallBase>(instruction))
		return false;
	if (depth == mostOperands || isa<LoadInst, FCmpInst>(instruction))
		return true;
	return any_of(instruction->operands(), [&](const Use &operand) {
		return !isa<BasicBlock>(operand.get()) && dependsOnData(*operand.get(), depth + 1);
	});
}

uint16_t countBranches(const BasicBlock &block, const LoopInfo &loops,
		       const DominatorTree &dominators)
{
	uint16_t branches = 0;
	const auto *node = dominators.getNode(&block)->getIDom();
	for (; node; node = node->getIDom()) {
		const auto *branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
		if (!branch || !branch->isConditional() ||
		    decidesIterations(*node->getBlock(), loops) ||
		    !dependsOnData(*branch->getCondition()))
			continue;
		for (const BasicBlock *way : branch->successors()) {
			if (dominators.dominates(BasicBlockEdge(node->getBlock(), way), &block))
				branches++;
		}
	}
	return branches;
}

} // namespace

weft_footprint_block describeBlock(const BasicBlock &block, const LoopInfo &loops,
				   const DominatorTree &dominators, FootprintNodes &nodes)
{
	weft_footprint_block described = {};
	for (const Instruction &instruction : block) {
		const std::optional<weft_footprint_work> work = workOf(instruction);
		if (!work)
			continue;
		const unsigned count = described.counts[*work] + elementsOf(instruction);
		described.counts[*work] = uint16_t(std::min(count, unsigned(UINT16_MAX)));
	}
	std::fill(std::begin(described.loops), std::end(described.loops), WEFT_FOOTPRINT_NO_NODE);
	unsigned depth = 0;
	for (const Loop *loop = loops.getLoopFor(&block); loop && depth < WEFT_FOOTPRINT_MOST_LOOPS;
	     loop = loop->getParentLoop())
		described.loops[depth++] = nodes.iteration(*loop);
	described.branches = countBranches(block, loops, dominators);
	return described;
}

} // namespace weft
