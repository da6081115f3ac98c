/* SPDX-License-Identifier: MIT
 *
 * The table of internal functions, and what is said about them in more than one pass.
 */
#include "functions/internal_functions.h"

#include "functions/pipe_functions.h"
#include "functions/precompiled_functions.h"
#include "functions/source_place.h"
#include "functions/typed_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr const char *queryNames[numQueries] = {
	"__weft_local_id",      "__weft_global_id",      "__weft_group_id",
	"__weft_first_item",    "__weft_num_groups",     "__weft_global_size",
	"__weft_global_offset", "__weft_local_size",     "__weft_enqueued_local_size",
	"__weft_work_dim",      "__weft_context",        "__weft_local_memory",
	"__weft_spill_memory",  "__weft_scratch_memory", "__weft_cycle_memory",
};

Type *resultType(LLVMContext &context, Query query)
{
	switch (query) {
	case Query::WorkDim:
		return Type::getInt32Ty(context);
	case Query::Context:
	case Query::SpillMemory:
	case Query::ScratchMemory:
	case Query::CycleMemory:
		return PointerType::get(context, PrivateSpace);
	case Query::LocalMemory:
		return PointerType::get(context, LocalSpace);
	default:
		return Type::getInt64Ty(context);
	}
}

constexpr StringRef lanesBetweenPrefix = "__weft_lanes_between_i";
constexpr StringRef firstLanePrefix = "__weft_first_lane_i";

constexpr StringRef cpuFunctions[] = {
	"__weft_estimate_rsqrt", "__weft_exponent",   "__weft_mantissa", "__weft_estimate_recip",
	"__weft_significand",    "__weft_within_one", "__weft_scale"};

unsigned argumentsOf(CpuFunction function)
{
	return function == CpuFunction::Scale ? 2 : 1;
}

std::string cpuFunctionName(CpuFunction function, const Type &type)
{
	return nameForType(cpuFunctions[size_t(function)], type);
}

} // namespace

bool isPrivateOrLocal(unsigned space)
{
	return space == PrivateSpace || space == LocalSpace;
}

bool isSharedSpace(unsigned space)
{
	return space == GlobalSpace || space == ConstantSpace || space == LocalSpace;
}

bool takesDimension(Query query)
{
	return query <= Query::EnqueuedLocalSize;
}

StringRef queryName(Query query)
{
	return queryNames[unsigned(query)];
}

std::optional<Query> queryOfFunction(const Function &function)
{
	StringRef name = function.getName();
	if (!name.starts_with("__weft_"))
		return std::nullopt;
	for (unsigned i = 0; i < numQueries; i++) {
		if (name == queryNames[i])
			return Query(i);
	}
	return std::nullopt;
}

std::optional<Query> queryOf(const Value &value)
{
	const auto *call = dyn_cast<CallInst>(&value);
	if (!call || !call->getCalledFunction())
		return std::nullopt;
	return queryOfFunction(*call->getCalledFunction());
}

bool isQueryOf(const Value &value, Query query, unsigned dimension)
{
	return queryOf(value) == query &&
	       PatternMatch::match(cast<CallInst>(value).getArgOperand(0),
				   PatternMatch::m_SpecificInt(dimension));
}

static bool isCallOf(const Value &value, StringRef name)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

bool isBarrier(const Value &value)
{
	return isCallOf(value, barrierName);
}

bool isMeeting(const Value &value)
{
	return isCallOf(value, meetingName);
}

bool runsOnce(const Function &function)
{
	return function.getName().starts_with(oncePrefix);
}

bool isOnceCall(const Value &value)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() && runsOnce(*call->getCalledFunction());
}

std::optional<CpuFunction> cpuFunctionOf(const Function &function)
{
	const Type *type = function.getReturnType();
	const Type *element = type->getScalarType();
	if (!function.isDeclaration() || !(element->isFloatTy() || element->isDoubleTy()) ||
	    any_of(function.args(),
		   [&](const Argument &argument) { return argument.getType() != type; }))
		return std::nullopt;
	for (size_t i = 0; i < std::size(cpuFunctions); i++) {
		if (function.arg_size() == argumentsOf(CpuFunction(i)) &&
		    function.getName() == cpuFunctionName(CpuFunction(i), *type))
			return CpuFunction(i);
	}
	return std::nullopt;
}

std::optional<CpuFunction> cpuCallOf(const Value &value)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() ? cpuFunctionOf(*call->getCalledFunction())
						 : std::nullopt;
}

bool isRealCall(const Instruction &instruction)
{
	return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) &&
	       !cpuCallOf(instruction) && !precompiledCallOf(instruction);
}

/* The function may also be called where the program would not call it. */
static void setPure(Function &function)
{
	setComputes(function);
	function.addFnAttr(Attribute::Speculatable);
}

Function *declareQuery(Module &module, Query query)
{
	LLVMContext &context = module.getContext();
	SmallVector<Type *, 1> parameters;
	if (takesDimension(query))
		parameters.push_back(Type::getInt32Ty(context));
	auto *type = FunctionType::get(resultType(context, query), parameters, false);
	auto *function =
		cast<Function>(module.getOrInsertFunction(queryName(query), type).getCallee());
	setPure(*function);
	return function;
}

Function *declareCpuFunction(Module &module, CpuFunction function, Type *type)
{
	const SmallVector<Type *, 2> parameters(argumentsOf(function), type);
	auto *called = FunctionType::get(type, parameters, false);
	auto *declared = cast<Function>(
		module.getOrInsertFunction(cpuFunctionName(function, *type), called).getCallee());
	setPure(*declared);
	return declared;
}

/* A function of numbers of the type, whose name says the type. */
static Function *declareOfLanes(Module &module, StringRef prefix, FunctionType *type)
{
	const unsigned bits = type->getParamType(0)->getIntegerBitWidth();
	auto *function = cast<Function>(
		module.getOrInsertFunction(prefix.str() + std::to_string(bits), type).getCallee());
	setPure(*function);
	return function;
}

static bool isLaneCall(const Value &value, StringRef prefix)
{
	const auto *call = dyn_cast<CallInst>(&value);
	return call && call->getCalledFunction() &&
	       call->getCalledFunction()->getName().starts_with(prefix);
}

Function *declareLanesBetween(Module &module, Type *type)
{
	Type *result = Type::getInt1Ty(module.getContext());
	return declareOfLanes(module, lanesBetweenPrefix,
			      FunctionType::get(result, {type, type, type}, false));
}

bool isLanesBetween(const Value &value)
{
	return isLaneCall(value, lanesBetweenPrefix);
}

Function *declareFirstLane(Module &module, Type *type)
{
	return declareOfLanes(module, firstLanePrefix, FunctionType::get(type, {type}, false));
}

bool isFirstLane(const Value &value)
{
	return isLaneCall(value, firstLanePrefix);
}

static Function *declareMeetingPlace(Module &module, StringRef name)
{
	auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
	auto *function = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
	function->setAttributes(AttributeList());
	function->setCallingConv(CallingConv::C);
	function->setConvergent();
	function->setCannotDuplicate();
	function->setDoesNotThrow();
	function->setWillReturn();
	return function;
}

Function *declareBarrier(Module &module)
{
	return declareMeetingPlace(module, barrierName);
}

Function *declareMeeting(Module &module)
{
	return declareMeetingPlace(module, meetingName);
}

/* Of no parameters; it accesses the context alone. */
static Function *declareOfContext(Module &module, StringRef name, Type *result)
{
	if (Function *function = module.getFunction(name))
		return function;
	Function *function = Function::Create(FunctionType::get(result, false),
					      GlobalValue::ExternalLinkage, name, module);
	function->setOnlyAccessesInaccessibleMemory();
	function->setDoesNotThrow();
	function->setWillReturn();
	return function;
}

Function *declareWrongCall(Module &module)
{
	return declareOfContext(module, wrongCallName, Type::getVoidTy(module.getContext()));
}

Function *declareBeginCall(Module &module)
{
	return declareOfContext(module, beginCallName, Type::getInt1Ty(module.getContext()));
}

Function *declareEndCall(Module &module)
{
	return declareOfContext(module, endCallName, Type::getVoidTy(module.getContext()));
}

CallInst *createQuery(IRBuilderBase &builder, Query query, unsigned dimension)
{
	Function *function = declareQuery(*builder.GetInsertBlock()->getModule(), query);
	if (takesDimension(query))
		return builder.CreateCall(function, {builder.getInt32(dimension)});
	return builder.CreateCall(function);
}

Value *contextOf(IRBuilderBase &builder)
{
	for (Argument &argument : builder.GetInsertBlock()->getParent()->args()) {
		if (argument.hasAttribute(itemContextAttribute))
			return &argument;
	}
	return createQuery(builder, Query::Context);
}

LoadInst *loadInvariant(IRBuilderBase &builder, Type *type, Value *base, uint64_t offset,
			MaybeAlign align)
{
	Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
	LoadInst *load = builder.CreateAlignedLoad(type, place, align);
	load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
	return load;
}

CallInst *callHost(IRBuilderBase &builder, uint64_t offset, Type *result,
		   ArrayRef<Value *> arguments)
{
	Value *context = contextOf(builder);
	Value *function = loadInvariant(builder, builder.getPtrTy(), context, offset);
	SmallVector<Value *, 5> all = {context};
	append_range(all, arguments);
	SmallVector<Type *, 5> types;
	for (const Value *argument : all)
		types.push_back(argument->getType());
	return builder.CreateCall(FunctionType::get(result, types, false), function, all);
}

bool isKernel(const Function &function)
{
	return function.getCallingConv() == CallingConv::SPIR_KERNEL && !function.isDeclaration();
}

bool isHostFunction(const Function &function)
{
	return function.isDeclaration() && function.hasFnAttribute(hostFunctionAttribute);
}

bool callsByNumber(const Function &function)
{
	return function.hasFnAttribute(indirectCallAttribute);
}

bool needsContext(const Function &function)
{
	const StringRef name = function.getName();
	return name == "printf" || name == enqueueName || name == wrongCallName ||
	       name == beginCallName || name == endCallName || name == yieldName ||
	       isHostFunction(function);
}

uint64_t getKernelNumber(const Function &kernel, StringRef attribute)
{
	return kernel.getFnAttributeAsParsedInteger(attribute, 0);
}

void setKernelNumber(Function &kernel, StringRef attribute, uint64_t value)
{
	kernel.addFnAttr(attribute, std::to_string(value));
}

void addKernelFlag(Function &kernel, uint64_t flag)
{
	setKernelNumber(kernel, flagsAttribute, getKernelNumber(kernel, flagsAttribute) | flag);
}

SmallVector<Function *, 8> kernelsThatReach(ArrayRef<Function *> functions)
{
	SmallVector<Function *, 8> kernels;
	SmallSetVector<Function *, 8> work(functions.begin(), functions.end());
	for (size_t i = 0; i < work.size(); i++) {
		if (isKernel(*work[i]))
			kernels.push_back(work[i]);
		for (User *user : work[i]->users()) {
			if (auto *call = dyn_cast<CallInst>(user))
				work.insert(call->getFunction());
		}
	}
	return kernels;
}

void flagCallers(ArrayRef<Function *> functions, uint64_t flag)
{
	for (Function *kernel : kernelsThatReach(functions))
		addKernelFlag(*kernel, flag);
}

void reportError(const Function &function, const Twine &message)
{
	function.getContext().diagnose(
		DiagnosticInfoGeneric(placeOf(function) + message, DS_Error));
}

} // namespace weft
