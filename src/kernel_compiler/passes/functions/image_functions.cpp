/* SPDX-License-Identifier: MIT
 *
 * Names and operands of the functions, and calls of weft_image_functions.
 */
#include "functions/image_functions.h"

#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/Analysis/ValueTracking.h>

using namespace llvm;

namespace weft
{

namespace
{

struct Row {
	StringRef name;
	ImageAccess access;
};

constexpr Row imageFunctions[] = {
	{"__weft_image_sample_float", ImageAccess::Sample},
	{"__weft_image_sample_int", ImageAccess::Sample},
	{"__weft_image_read_float", ImageAccess::Read},
	{"__weft_image_read_int", ImageAccess::Read},
	{"__weft_image_write_float", ImageAccess::Write},
	{"__weft_image_write_int", ImageAccess::Write},
};

/* The operands, in their order: image, sampler unless it writes, access, coordinates, texel if it writes. */
unsigned firstCoordinate(const CallBase &call)
{
	return imageCallOf(call) == ImageAccess::Write ? 2 : 3;
}

uint64_t placeOf(ImageAccess access)
{
	switch (access) {
	case ImageAccess::Sample:
		return offsetof(weft_image_functions, sample);
	case ImageAccess::Read:
		return offsetof(weft_image_functions, read);
	case ImageAccess::Write:
		break;
	}
	return offsetof(weft_image_functions, write);
}

} // namespace

std::optional<ImageAccess> imageAccessOf(const Function &function)
{
	if (!function.getName().starts_with("__weft_image_"))
		return std::nullopt;
	for (const Row &row : imageFunctions) {
		if (function.getName() == row.name)
			return row.access;
	}
	return std::nullopt;
}

bool isImageCode(const Function &function)
{
	return function.getName().starts_with("__weft_image_") &&
	       function.getName().ends_with(imageCodeSuffix);
}

std::optional<ImageAccess> imageCallOf(const Value &value)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() ? imageAccessOf(*call->getCalledFunction())
						 : std::nullopt;
}

bool accessesImages(const BasicBlock &block)
{
	return any_of(block, [](const Instruction &instruction) {
		return imageCallOf(instruction).has_value();
	});
}

bool isImageField(const Value &pointer)
{
	const auto *argument = dyn_cast<Argument>(getUnderlyingObject(&pointer));
	return argument && argument->hasAttribute(imageAttribute);
}

Value *imageOf(const CallBase &call)
{
	return call.getArgOperand(0);
}

Value *samplerOf(const CallBase &call)
{
	return imageCallOf(call) == ImageAccess::Write ? nullptr : call.getArgOperand(1);
}

Value *coordinateOf(const CallBase &call, unsigned number)
{
	return call.getArgOperand(firstCoordinate(call) + number);
}

Value *writtenTexelOf(const CallBase &call)
{
	return imageCallOf(call) == ImageAccess::Write
		       ? call.getArgOperand(firstCoordinate(call) + imageCoordinates)
		       : nullptr;
}

bool isUniformOperand(const CallBase &call, const Use &operand)
{
	return call.isArgOperand(&operand) &&
	       call.getArgOperandNo(&operand) < firstCoordinate(call);
}

/* What images lead to is no memory that other instructions access, except through calls that access all memory. */
void declareImageAccess(Function &function, ImageAccess access)
{
	function.setAttributes(AttributeList());
	function.setCallingConv(CallingConv::C);
	function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly(
		access == ImageAccess::Write ? ModRefInfo::ModRef : ModRefInfo::Ref));
	function.setDoesNotThrow();
	function.setWillReturn();
	function.setNoSync();
}

void callImageFunction(IRBuilderBase &builder, const CallBase &call, unsigned count,
		       function_ref<Value *(Value *)> operandOf, Value *coordinates, Value *texels)
{
	Value *context = contextOf(builder);
	Value *table = loadInvariant(builder, builder.getPtrTy(), context,
				     offsetof(weft_work_context, images));
	Value *function = loadInvariant(builder, builder.getPtrTy(), table,
					placeOf(imageCallOf(call).value_or(ImageAccess::Sample)));
	SmallVector<Value *, 6> operands;
	for (const Use &use : call.args()) {
		if (isUniformOperand(call, use))
			operands.push_back(operandOf(use));
	}
	operands[0] = builder.CreateAddrSpaceCast(operands[0], builder.getPtrTy());
	append_range(operands, ArrayRef<Value *>({builder.getInt32(count), coordinates, texels}));
	SmallVector<Type *, 6> types;
	for (const Value *operand : operands)
		types.push_back(operand->getType());
	builder.CreateCall(FunctionType::get(builder.getVoidTy(), types, false), function,
			   operands);
}

} // namespace weft
