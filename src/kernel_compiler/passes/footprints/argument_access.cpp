/* SPDX-License-Identifier: MIT
 *
 * argument-access: follows each pointer argument to its uses, and each access back to its objects.
 */
#include "footprints/argument_access.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/pipe_functions.h"
#include "functions/subgroup_functions.h"
#include "kernel/dma_requests.h"
#include "kernel_abi.h"
#include "kernel_reach.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace weft
{

bool isFirstAddress(const Value &value)
{
	std::optional<SubgroupFunction> asked = subgroupCallOf(value);
	return asked && *asked == SubgroupFunction::First;
}

/* Where an image's texels are, in code for its format. */
static bool isImageData(const Value &pointer)
{
	const auto *load = dyn_cast<LoadInst>(&pointer);
	const auto *image =
		load ? dyn_cast<Argument>(load->getPointerOperand()->stripPointerCasts()) : nullptr;
	return image && image->hasAttribute(imageAttribute);
}

bool isKnownObject(const Value &object)
{
	if (const auto *variable = dyn_cast<GlobalVariable>(&object))
		return variable->isConstant();
	std::optional<Query> query = queryOf(object);
	return isa<Argument, AllocaInst>(object) || isImageData(object) ||
	       query == Query::LocalMemory || query == Query::Context ||
	       isa<UndefValue, ConstantPointerNull>(object);
}

namespace
{

constexpr uint32_t everything = WEFT_POINTER_READ | WEFT_POINTER_WRITTEN | WEFT_POINTER_ESCAPES;

uint32_t accessOfCall(const CallBase &call, const Use &use)
{
	if (!call.isDataOperand(&use))
		return everything;
	unsigned operand = call.getDataOperandNo(&use);
	uint32_t access = call.doesNotCapture(operand) ? 0 : WEFT_POINTER_ESCAPES;
	if (!call.onlyWritesMemory(operand))
		access |= WEFT_POINTER_READ;
	if (!call.onlyReadsMemory(operand))
		access |= WEFT_POINTER_WRITTEN;
	return call.doesNotAccessMemory(operand) ? access & WEFT_POINTER_ESCAPES : access;
}

bool derivesPointer(const Instruction &user)
{
	return isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst, FreezeInst>(user) ||
	       isFirstAddress(user);
}

uint32_t accessOfUse(const Use &use)
{
	const auto *user = cast<Instruction>(use.getUser());
	if (isa<LoadInst>(user))
		return WEFT_POINTER_READ;
	if (isa<ICmpInst>(user) || derivesPointer(*user))
		return 0;
	if (const auto *store = dyn_cast<StoreInst>(user))
		return store->getValueOperand() == use ? everything
						       : uint32_t(WEFT_POINTER_WRITTEN);
	if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user) && use.getOperandNo() == 0)
		return WEFT_POINTER_READ | WEFT_POINTER_WRITTEN;
	if (const auto *call = dyn_cast<CallBase>(user))
		return accessOfCall(*call, use);
	return everything;
}

uint32_t accessThrough(const Value &pointer)
{
	uint32_t access = 0;
	SmallPtrSet<const Value *, 16> seen;
	SmallVector<const Value *, 16> work = {&pointer};
	while (!work.empty() && access != everything) {
		for (const Use &use : work.pop_back_val()->uses()) {
			const auto *user = cast<Instruction>(use.getUser());
			access |= accessOfUse(use);
			if (derivesPointer(*user) && seen.insert(user).second)
				work.push_back(user);
		}
	}
	return access & WEFT_POINTER_ESCAPES ? everything : access;
}

/* The parameter of a function that stays a call, or nullptr. */
const Argument *parameterOf(const CallBase &call, const Use &use)
{
	const Function *callee = call.getCalledFunction();
	return callee && call.isArgOperand(&use) && !callee->isDeclaration()
		       ? callee->getArg(call.getArgOperandNo(&use))
		       : nullptr;
}

/* What an image is asked for is no access of its texels; blocks are accessed through their address. Functions that are called
 * have no image but of a parameter. */
uint32_t accessOfImage(const Argument &image)
{
	uint32_t access = 0;
	SmallSetVector<const Argument *, 4> parameters;
	parameters.insert(&image);
	for (size_t i = 0; i < parameters.size(); i++) {
		for (const Use &use : parameters[i]->uses()) {
			const User *user = use.getUser();
			std::optional<ImageAccess> kind = imageCallOf(*user);
			const auto *call = dyn_cast<CallBase>(user);
			if (kind)
				access |= *kind == ImageAccess::Write ? WEFT_POINTER_WRITTEN
								      : WEFT_POINTER_READ;
			else if (const Argument *other = call ? parameterOf(*call, use) : nullptr)
				parameters.insert(other);
			else if (isa<LoadInst>(user) && user->getType()->isPointerTy())
				access |= accessThrough(*user) & ~uint32_t(WEFT_POINTER_ESCAPES);
		}
	}
	return access;
}

/* The address goes to functions that run once for the group, which access nothing else. */
uint32_t accessOfPipe(const Argument &pipe)
{
	return accessThrough(pipe) & ~uint32_t(WEFT_POINTER_ESCAPES);
}

uint32_t accessOf(const Argument &argument)
{
	if (argument.hasAttribute(imageAttribute))
		return accessOfImage(argument);
	return isPipe(argument) ? accessOfPipe(argument) : accessThrough(argument);
}

bool isOncePipeCall(const CallBase &call)
{
	const Function *function = call.getCalledFunction();
	return function && function->getName().starts_with(oncePipePrefix);
}

/* A pointer that the kernel has found in memory or made from an integer. Other than these, as when the way back to an object
 * is too long, it may be a variable. */
bool isFoundPointer(const Value &object)
{
	return Operator::getOpcode(&object) == Instruction::IntToPtr ||
	       isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst, ExtractElementInst,
		   ExtractValueInst>(object);
}

/* By what ways the kernel reaches memory that no argument leads to. */
struct OtherMemory {
	bool byPointers = false;
	bool byOtherWays = false;

	void addPointer(const Value &pointer)
	{
		SmallVector<const Value *, 4> objects;
		getUnderlyingObjects(&pointer, objects);
		for (const Value *object : objects) {
			if (isFirstAddress(*object))
				addPointer(*cast<CallBase>(object)->getArgOperand(0));
			else if (!isKnownObject(*object))
				(isFoundPointer(*object) ? byPointers : byOtherWays) = true;
		}
	}

	void addCall(const CallBase &call)
	{
		/* An indirect call is one of the host, after check-calls. */
		if (call.isIndirectCall() || call.isLifetimeStartOrEnd() || isOncePipeCall(call))
			return;
		if (!isa<IntrinsicInst>(call) && !call.onlyAccessesArgMemory())
			byOtherWays = true;
		for (const Use &use : call.args()) {
			if (use->getType()->isPointerTy())
				addPointer(*use);
		}
	}

	void add(const Instruction &instruction)
	{
		if (!instruction.mayReadOrWriteMemory() || isBarrier(instruction) ||
		    subgroupCallOf(instruction) || imageCallOf(instruction) ||
		    isRequest(instruction) || isRequestEnd(instruction))
			return;
		if (const auto *call = dyn_cast<CallBase>(&instruction))
			addCall(*call);
		else if (const Value *pointer = getPointerOperand(&instruction))
			addPointer(*pointer);
	}
};

} // namespace

PreservedAnalyses ArgumentAccessPass::run(Function &function, FunctionAnalysisManager &)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	for (Argument &argument : function.args()) {
		if (!argument.getType()->isPointerTy())
			continue;
		argument.addAttr(Attribute::get(function.getContext(), accessAttribute,
						std::to_string(accessOf(argument))));
	}
	OtherMemory other;
	for (const Instruction &instruction : instructions(function))
		other.add(instruction);
	if (other.byPointers || other.byOtherWays)
		addKernelFlag(function, WEFT_KERNEL_TOUCHES_OTHER_MEMORY);
	if (other.byPointers && !other.byOtherWays)
		addKernelFlag(function, WEFT_KERNEL_ONLY_FOLLOWS_POINTERS);
	return PreservedAnalyses::all();
}

} // namespace weft
