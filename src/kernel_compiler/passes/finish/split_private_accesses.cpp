/* SPDX-License-Identifier: MIT
 *
 * split-private-accesses: shuffles take the parts of a stored vector, and join those of a loaded one.
 */
#include "finish/split_private_accesses.h"

#include "costs/vector_registers.h"
#include "functions/internal_functions.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Elements of a part; 0: the access stays whole. */
unsigned elementsOfPart(const Instruction &access, uint64_t registerBits)
{
	const Value *pointer = getLoadStorePointerOperand(&access);
	if (!pointer || pointer->getType()->getPointerAddressSpace() != PrivateSpace ||
	    access.isVolatile() || access.isAtomic())
		return 0;
	const auto *type = dyn_cast<FixedVectorType>(getLoadStoreType(&access));
	if (!type)
		return 0;
	uint64_t bits = access.getDataLayout().getTypeSizeInBits(type->getElementType());
	if (bits % 8 != 0 || registerBits % bits != 0)
		return 0;
	const auto elements = unsigned(registerBits / bits);
	const bool isLonger = type->getNumElements() > elements;
	return isLonger && type->getNumElements() % elements == 0 ? elements : 0;
}

void split(Instruction &access, unsigned elements)
{
	auto *store = dyn_cast<StoreInst>(&access);
	auto *type = cast<FixedVectorType>(getLoadStoreType(&access));
	auto *partType = FixedVectorType::get(type->getElementType(), elements);
	const uint64_t bytes = access.getDataLayout().getTypeStoreSize(partType);
	IRBuilder<> builder(&access);
	SmallVector<Value *, 8> parts;
	for (unsigned first = 0; first < type->getNumElements(); first += elements) {
		const uint64_t offset = first / elements * bytes;
		Value *place = builder.CreateConstInBoundsGEP1_64(
			builder.getInt8Ty(), getLoadStorePointerOperand(&access), offset);
		Align align = commonAlignment(getLoadStoreAlignment(&access), offset);
		Instruction *part;
		if (store)
			part = builder.CreateAlignedStore(
				builder.CreateShuffleVector(
					store->getValueOperand(),
					createSequentialMask(first, elements, 0)),
				place, align);
		else
			part = builder.CreateAlignedLoad(partType, place, align);
		part->copyMetadata(access, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
					    LLVMContext::MD_noalias, LLVMContext::MD_access_group});
		parts.push_back(part);
	}
	if (!store)
		access.replaceAllUsesWith(concatenateVectors(builder, parts));
	access.eraseFromParent();
}

} // namespace

PreservedAnalyses SplitPrivateAccessesPass::run(Function &function,
						FunctionAnalysisManager &analyses)
{
	const auto &target = analyses.getResult<TargetIRAnalysis>(function);
	const uint64_t registerBits = vectorRegisters(target).bits;
	bool isChanged = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (unsigned elements = elementsOfPart(instruction, registerBits)) {
			split(instruction, elements);
			isChanged = true;
		}
	}
	if (!isChanged)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
