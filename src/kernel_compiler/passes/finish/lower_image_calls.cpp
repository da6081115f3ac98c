/* SPDX-License-Identifier: MIT
 *
 * lower-image-calls: coordinates and texels go through two variables of the kernel.
 */
#include "finish/lower_image_calls.h"

#include "functions/image_functions.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

AllocaInst *createVariable(Function &kernel, const Twine &name)
{
	BasicBlock &entry = kernel.getEntryBlock();
	auto *type = FixedVectorType::get(Type::getInt32Ty(kernel.getContext()), imageCoordinates);
	return new AllocaInst(type, kernel.getDataLayout().getAllocaAddrSpace(), name,
			      entry.begin());
}

void lower(CallInst &call, Value *coordinates, Value *texels)
{
	IRBuilder<> builder(&call);
	Value *texel = writtenTexelOf(call);
	for (unsigned i = 0; i < imageCoordinates; i++)
		builder.CreateStore(
			coordinateOf(call, i),
			builder.CreateConstInBoundsGEP1_32(builder.getInt32Ty(), coordinates, i));
	if (texel)
		builder.CreateStore(texel, texels);
	callImageFunction(
		builder, call, 1, [](Value *operand) { return operand; }, coordinates, texels);
	if (!texel)
		call.replaceAllUsesWith(builder.CreateLoad(call.getType(), texels));
	call.eraseFromParent();
}

} // namespace

PreservedAnalyses LowerImageCallsPass::run(Function &function, FunctionAnalysisManager &)
{
	SmallVector<CallInst *, 16> calls;
	for (Instruction &instruction : instructions(function)) {
		if (imageCallOf(instruction))
			calls.push_back(cast<CallInst>(&instruction));
	}
	if (calls.empty())
		return PreservedAnalyses::all();
	AllocaInst *coordinates = createVariable(function, "coordinates");
	AllocaInst *texels = createVariable(function, "texels");
	for (CallInst *call : calls)
		lower(*call, coordinates, texels);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
