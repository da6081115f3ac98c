/* SPDX-License-Identifier: MIT
 *
 * prefetch-scatters: a flag in the entry block, and behind it an address and a prefetch for each lane.
 */
#include "after_llvm/prefetch_scatters.h"

#include "after_llvm/launch_size.h"
#include "after_llvm/scattered_access.h"
#include "functions/internal_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Bytes that a launch stores through one scatter. Smaller ones find their lines in the first-level cache, where a prefetch takes half
 * as long as the store itself. */
constexpr uint64_t leastBytes = 1 << 17;
constexpr size_t mostScatters =
	8; /* in an entry point: each is a branch and a prefetch for each lane */
constexpr size_t mostOperations = 32; /* that addresses are computed from, looked at */

/* Whether lanes go through memory in equal steps: the CPU foresees these, and mostly the next lanes use the same lines. */
bool areInSteps(const Value &addresses)
{
	SmallSetVector<const Value *, 32> vectors;
	vectors.insert(&addresses);
	for (size_t next = 0; next < vectors.size() && next < mostOperations; next++) {
		if (isa<Constant, InsertElementInst, ShuffleVectorInst>(vectors[next]))
			continue;
		const auto *instruction = dyn_cast<Instruction>(vectors[next]);
		const bool isStep =
			instruction &&
			(isa<GetElementPtrInst, CastInst>(instruction) ||
			 is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul,
				       Instruction::Shl, Instruction::Or},
				      instruction->getOpcode()));
		if (!isStep)
			return false;
		for (const Value *operand : instruction->operand_values()) {
			if (operand->getType()->isVectorTy())
				vectors.insert(operand);
		}
	}
	return vectors.size() <= mostOperations;
}

bool wantsPrefetch(const ScatteredAccess &access)
{
	const auto *pointers = cast<FixedVectorType>(access.pointers()->getType());
	return access.isStore() &&
	       pointers->getElementType()->getPointerAddressSpace() == GlobalSpace &&
	       !areInSteps(*access.pointers());
}

/* Of lane by lane addresses, those of one base are made of the indices. */
Value *addressOf(Value &pointers, unsigned lane, IRBuilder<> &builder)
{
	auto *step = dyn_cast<GetElementPtrInst>(&pointers);
	if (!step || step->getNumIndices() != 1 ||
	    step->getPointerOperand()->getType()->isVectorTy())
		return builder.CreateExtractElement(&pointers, uint64_t(lane));
	Value *index = builder.CreateExtractElement(step->getOperand(1), uint64_t(lane));
	return builder.CreateGEP(step->getSourceElementType(), step->getPointerOperand(), index);
}

void prefetch(const ScatteredAccess &access, Value *isLarge)
{
	BasicBlock *then =
		SplitBlockAndInsertIfThen(isLarge, access.call->getIterator(), false)->getParent();
	IRBuilder<> builder(then->getTerminator());
	for (unsigned lane = 0; lane < access.type()->getNumElements(); lane++) {
		Value *address = addressOf(*access.pointers(), lane, builder);
		builder.CreateIntrinsic(
			Intrinsic::prefetch, {address->getType()},
			{address, builder.getInt32(1), builder.getInt32(3), builder.getInt32(1)});
	}
}

} // namespace

PreservedAnalyses PrefetchScattersPass::run(Function &function, FunctionAnalysisManager &)
{
	if (!function.getParent()->getTargetTriple().isX86() || !isEntryPoint(function))
		return PreservedAnalyses::all();
	SmallVector<ScatteredAccess, 8> scatters;
	for (Instruction &instruction : instructions(function)) {
		std::optional<ScatteredAccess> access = readScatteredAccess(instruction);
		if (access && wantsPrefetch(*access))
			scatters.push_back(*access);
	}
	if (scatters.empty() || scatters.size() > mostScatters)
		return PreservedAnalyses::all();
	BasicBlock &first = function.getEntryBlock();
	IRBuilder<> entry(&first, first.getFirstNonPHIOrDbgOrAlloca());
	Value *items = loadWorkItems(function, entry);
	for (const ScatteredAccess &access : scatters) {
		const uint64_t bytes = function.getDataLayout()
					       .getTypeStoreSize(access.type()->getElementType())
					       .getFixedValue();
		Value *isLarge =
			entry.CreateICmpUGT(items, entry.getInt64(leastBytes / bytes), "misses");
		prefetch(access, isLarge);
	}
	return PreservedAnalyses::none();
}

} // namespace weft
