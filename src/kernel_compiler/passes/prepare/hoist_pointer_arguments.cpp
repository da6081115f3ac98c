/* SPDX-License-Identifier: MIT
 *
 * hoist-pointer-arguments: the places that a function reads of its private pointers, and the loads that read them.
 */
#include "prepare/hoist_pointer_arguments.h"

#include "ir/internal_functions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

using namespace llvm;

namespace weft
{

namespace
{

/* Places of one parameter at most: values that find no register would be on the stack again. */
constexpr size_t mostPlaces = 64;

/* What all callers pass for a parameter. */
struct Passed {
	uint64_t size = ~uint64_t(0);
	Align align = Align(Value::MaximumAlignment);
};

using Place = std::pair<uint64_t, Type *>; /* bytes from the pointer, and what is read there */
using PlaceLoads = std::map<Place, SmallVector<LoadInst *, 4>>;

bool writesCallersMemory(const Instruction &instruction)
{
	const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
	if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction) ||
	    (intrinsic && intrinsic->isAssumeLikeIntrinsic()))
		return false;
	const auto *copy = dyn_cast<AnyMemIntrinsic>(&instruction);
	std::optional<MemoryLocation> place =
		copy ? MemoryLocation::getForDest(copy) : MemoryLocation::getOrNone(&instruction);
	return !place || !(isSharedSpace(place->Ptr->getType()->getPointerAddressSpace()) ||
			   isa<AllocaInst>(getUnderlyingObject(place->Ptr)));
}

/* Nothing, if a caller passes something else than a variable. */
std::optional<Passed> passedFor(const Argument &parameter)
{
	const Function &function = *parameter.getParent();
	const DataLayout &layout = function.getDataLayout();
	Passed all;
	for (const Use &use : function.uses()) {
		const auto *call = dyn_cast<CallBase>(use.getUser());
		if (!call || !call->isCallee(&use))
			return std::nullopt;
		APInt offset(layout.getIndexTypeSizeInBits(parameter.getType()), 0);
		const auto *variable = dyn_cast<AllocaInst>(
			call->getArgOperand(parameter.getArgNo())
				->stripAndAccumulateConstantOffsets(layout, offset, true));
		std::optional<TypeSize> size =
			variable ? variable->getAllocationSize(layout) : std::nullopt;
		if (!size || size->isScalable() || offset.ugt(size->getFixedValue()))
			return std::nullopt;
		all.size = std::min(all.size, size->getFixedValue() - offset.getZExtValue());
		all.align = std::min(all.align,
				     commonAlignment(variable->getAlign(), offset.getZExtValue()));
	}
	return all;
}

/* Nothing, if the pointer is used for anything but reading at fixed places. */
std::optional<PlaceLoads> placesOf(Argument &parameter, const LoopInfo &loops)
{
	const DataLayout &layout = parameter.getParent()->getDataLayout();
	const unsigned bits = layout.getIndexTypeSizeInBits(parameter.getType());
	PlaceLoads places;
	SmallVector<std::pair<Value *, APInt>, 16> pointers = {{&parameter, APInt(bits, 0)}};
	while (!pointers.empty()) {
		auto [pointer, offset] = pointers.pop_back_val();
		for (User *user : pointer->users()) {
			auto *load = dyn_cast<LoadInst>(user);
			auto *element = dyn_cast<GetElementPtrInst>(user);
			APInt inside = offset;
			if (load && load->isSimple() && !load->getType()->isScalableTy()) {
				if (loops.getLoopFor(load->getParent()))
					places[{offset.getZExtValue(), load->getType()}].push_back(
						load);
			} else if (element && element->accumulateConstantOffset(layout, inside)) {
				pointers.push_back({element, inside});
			} else {
				return std::nullopt;
			}
		}
	}
	return places;
}

bool loadAtBegin(Argument &parameter, const Passed &passed, const PlaceLoads &places)
{
	Function &function = *parameter.getParent();
	const DataLayout &layout = function.getDataLayout();
	IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
	bool isChanged = false;
	for (const auto &[place, loads] : places) {
		auto [offset, type] = place;
		uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
		if (offset > passed.size || size > passed.size - offset)
			continue;
		Value *value = builder.CreateAlignedLoad(
			type,
			builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &parameter, offset),
			commonAlignment(passed.align, offset));
		for (LoadInst *load : loads) {
			load->replaceAllUsesWith(value);
			load->eraseFromParent();
		}
		isChanged = true;
	}
	return isChanged;
}

bool runOnFunction(Function &function, FunctionAnalysisManager &analyses)
{
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	if (loops.empty() || any_of(instructions(function), writesCallersMemory))
		return false;
	bool isChanged = false;
	for (Argument &parameter : function.args()) {
		auto *type = dyn_cast<PointerType>(parameter.getType());
		if (!type || type->getAddressSpace() != PrivateSpace || parameter.hasByValAttr())
			continue;
		std::optional<Passed> passed = passedFor(parameter);
		std::optional<PlaceLoads> places =
			passed ? placesOf(parameter, loops) : std::nullopt;
		if (places && places->size() <= mostPlaces)
			isChanged |= loadAtBegin(parameter, *passed, *places);
	}
	return isChanged;
}

} // namespace

PreservedAnalyses HoistPointerArgumentsPass::run(Module &module, ModuleAnalysisManager &analyses)
{
	auto &functions =
		analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
	bool isChanged = false;
	for (Function &function : module) {
		if (!function.isDeclaration() && function.hasLocalLinkage() && !isKernel(function))
			isChanged |= runOnFunction(function, functions);
	}
	return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft
