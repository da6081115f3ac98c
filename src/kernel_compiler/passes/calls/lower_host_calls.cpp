/* SPDX-License-Identifier: MIT
 *
 * lower-host-calls: packs arguments and calls back into the runtime.
 */
#include "calls/lower_host_calls.h"

#include "functions/internal_functions.h"
#include "kernel/host_functions.h"
#include "kernel_abi.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Of any argument: that of a vector of 16 long or double. */
constexpr uint64_t mostAlignment = 128;

struct Place {
	Type *type;
	uint64_t offset;
};

/* One function: what is said of it, and where its arguments lie in their block. */
class HostCalls
{
      public:
	HostCalls(Function &theFunction, bool isPosted)
	    : function(theFunction), module(*theFunction.getParent()),
	      layout(module.getDataLayout()), posts(isPosted)
	{
	}

	void run();

      private:
	void describe();
	void lower(CallInst &call);
	Type *argumentType(unsigned index) const;
	AllocaInst *block(CallInst &call, uint64_t size) const;
	void callWith(IRBuilder<> &builder, Value *arguments, Value *result) const;

	Function &function;
	Module &module;
	const DataLayout &layout;
	const bool posts;
	HostFunction description;
	SmallVector<Place, 8> places;
	uint64_t size = 0;
};

/* As it lies in memory: a bool is a byte. */
Type *memoryType(Type *type)
{
	return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

/* Of a structure that is passed by value: the structure. */
Type *HostCalls::argumentType(unsigned index) const
{
	Type *structure = function.getParamByValType(index);
	return structure ? structure : memoryType(function.getFunctionType()->getParamType(index));
}

void HostCalls::describe()
{
	Type *result = memoryType(function.getReturnType());
	description.name = function.getFnAttribute(hostFunctionAttribute).getValueAsString().str();
	description.resultSize =
		result->isVoidTy() ? 0 : uint32_t(layout.getTypeAllocSize(result).getFixedValue());
	for (unsigned i = 0; i < function.arg_size(); i++) {
		Type *type = argumentType(i);
		const uint64_t bytes = layout.getTypeAllocSize(type).getFixedValue();
		const Align align = layout.getABITypeAlign(type);
		size = alignTo(size, align);
		places.push_back({type, size});
		size += bytes;
		description.argumentSizes.push_back(uint32_t(bytes));
	}
	description.blockSize = size;
}

AllocaInst *HostCalls::block(CallInst &call, uint64_t bytes) const
{
	BasicBlock &entry = call.getFunction()->front();
	IRBuilder<> builder(&entry, entry.begin());
	const uint64_t room = std::max<uint64_t>(bytes, 1);
	AllocaInst *memory = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), room),
						  nullptr, "host.block");
	memory->setAlignment(Align(std::min(mostAlignment, PowerOf2Ceil(room))));
	return memory;
}

/* What is posted may wait until all work-items of the group have posted theirs. A function that stays one is no place for that. */
void HostCalls::callWith(IRBuilder<> &builder, Value *arguments, Value *result) const
{
	Value *key = builder.getInt64(description.key());
	if (!posts) {
		callHost(builder, offsetof(weft_work_context, call_host), builder.getVoidTy(),
			 {key, arguments, result});
		return;
	}
	CallInst *post =
		callHost(builder, offsetof(weft_work_context, post_call), builder.getInt64Ty(),
			 {key, arguments, builder.getInt64(size), result,
			  builder.getInt64(description.resultSize)});
	post->addParamAttr(
		2, Attribute::getWithCaptureInfo(builder.getContext(), CaptureInfo::none()));
	if (isKernel(*builder.GetInsertBlock()->getParent()))
		builder.CreateCall(declareMeeting(module));
	callHost(builder, offsetof(weft_work_context, await_call), builder.getVoidTy(), {post});
}

void HostCalls::lower(CallInst &call)
{
	AllocaInst *arguments = block(call, size);
	AllocaInst *result = block(call, description.resultSize);
	IRBuilder<> builder(&call);
	builder.CreateLifetimeStart(arguments);
	builder.CreateLifetimeStart(result);
	for (auto [index, place] : enumerate(places)) {
		Value *argument = call.getArgOperand(unsigned(index));
		Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arguments,
								    place.offset);
		const Align align = layout.getABITypeAlign(place.type);
		if (function.getParamByValType(unsigned(index)))
			builder.CreateMemCpy(address, align, argument,
					     call.getParamAlign(unsigned(index)),
					     description.argumentSizes[index]);
		else
			builder.CreateAlignedStore(
				place.type == argument->getType()
					? argument
					: builder.CreateZExt(argument, place.type),
				address, align);
	}
	const bool isVoid = call.getType()->isVoidTy();
	Type *type = memoryType(call.getType());
	if (!isVoid)
		builder.CreateStore(Constant::getNullValue(type), result);
	callWith(builder, arguments, result);
	if (!isVoid) {
		Value *loaded = builder.CreateLoad(type, result);
		call.replaceAllUsesWith(type == call.getType() ? loaded
							       : builder.CreateIsNotNull(loaded));
	}
	builder.CreateLifetimeEnd(arguments);
	builder.CreateLifetimeEnd(result);
	call.eraseFromParent();
}

void HostCalls::run()
{
	SmallVector<CallInst *, 8> calls;
	SmallVector<Function *, 8> callers;
	for (User *user : function.users()) {
		auto *call = dyn_cast<CallInst>(user);
		if (!call || call->getCalledFunction() != &function)
			continue;
		calls.push_back(call);
		callers.push_back(call->getFunction());
	}
	if (calls.empty())
		return;
	describe();
	for (CallInst *call : calls)
		lower(*call);
	for (Function *kernel : kernelsThatReach(callers))
		addHostFunction(*kernel, description);
	flagCallers(callers, WEFT_KERNEL_CALLS_HOST | WEFT_KERNEL_TOUCHES_OTHER_MEMORY);
}

Value *placeInContext(IRBuilder<> &builder, uint64_t offset)
{
	return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), contextOf(builder), offset);
}

void noteWrongCall(IRBuilder<> &builder, CallInst &)
{
	builder.CreateStore(builder.getInt32(1),
			    placeInContext(builder, offsetof(weft_work_context, wrong_call)));
}

/* What lies on the stack says where that is. Once there was no room, there is none any more, so all calls that have begun end soon. */
void beginCall(IRBuilder<> &builder, CallInst &call)
{
	BasicBlock &entry = call.getFunction()->getEntryBlock();
	Value *here = IRBuilder<>(&entry, entry.begin())
			      .CreateAlloca(builder.getInt8Ty(), nullptr, "here");
	Value *place = placeInContext(builder, offsetof(weft_work_context, calls_left));
	Value *left = builder.CreateLoad(builder.getInt32Ty(), place);
	Value *end = loadInvariant(builder, builder.getInt64Ty(), contextOf(builder),
				   offsetof(weft_work_context, stack_end));
	Value *has = builder.CreateAnd(
		builder.CreateICmpSGT(left, builder.getInt32(0)),
		builder.CreateICmpUGT(builder.CreatePtrToInt(here, builder.getInt64Ty()), end));
	builder.CreateStore(builder.CreateSelect(has, builder.CreateSub(left, builder.getInt32(1)),
						 builder.getInt32(uint32_t(INT32_MIN))),
			    place);
	call.replaceAllUsesWith(has);
}

void endCall(IRBuilder<> &builder, CallInst &)
{
	Value *place = placeInContext(builder, offsetof(weft_work_context, calls_left));
	Value *left = builder.CreateLoad(builder.getInt32Ty(), place);
	builder.CreateStore(builder.CreateAdd(left, builder.getInt32(1)), place);
}

/* Of a function that has no body: the code for its calls. */
void lowerCalls(Function *function, void (*lower)(IRBuilder<> &builder, CallInst &call))
{
	if (!function)
		return;
	for (User *user : make_early_inc_range(function->users())) {
		auto *call = cast<CallInst>(user);
		IRBuilder<> builder(call);
		lower(builder, *call);
		call->eraseFromParent();
	}
	function->eraseFromParent();
}

} // namespace

PreservedAnalyses LowerHostCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	for (Function &function : module) {
		if (isHostFunction(function))
			HostCalls(function, posts).run();
	}
	lowerCalls(module.getFunction(wrongCallName), noteWrongCall);
	lowerCalls(module.getFunction(beginCallName), beginCall);
	lowerCalls(module.getFunction(endCallName), endCall);
	return PreservedAnalyses::none();
}

} // namespace weft
