/* SPDX-License-Identifier: MIT
 *
 * lower-target-types: a type remapping over the module, after which conversions from and to these types are nothing.
 */
#include "prepare/lower_target_types.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/pipe_functions.h"
#include "kernel_abi.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr StringRef imageType = "spirv.Image", samplerType = "spirv.Sampler",
		    queueType = "spirv.Queue", pipeType = "spirv.Pipe",
		    reservationType = "spirv.ReserveId";

class OpaqueTypeMapper : public ValueMapTypeRemapper
{
      public:
	Type *remapType(Type *type) override
	{
		auto found = known.find(type);
		if (found != known.end())
			return found->second;
		known[type] = type; /* ends recursion; no type here contains itself */
		Type *mapped = compute(type);
		known[type] = mapped;
		return mapped;
	}

      private:
	Type *compute(Type *type)
	{
		if (auto *opaque = dyn_cast<TargetExtType>(type))
			return computeOpaque(*opaque);
		if (auto *array = dyn_cast<ArrayType>(type))
			return ArrayType::get(remapType(array->getElementType()),
					      array->getNumElements());
		if (auto *function = dyn_cast<FunctionType>(type))
			return FunctionType::get(remapType(function->getReturnType()),
						 elements(function->params()),
						 function->isVarArg());
		auto *structure = dyn_cast<StructType>(type);
		if (!structure || structure->isOpaque())
			return type;
		SmallVector<Type *, 8> mapped = elements(structure->elements());
		if (ArrayRef<Type *>(mapped) == structure->elements())
			return type;
		return StructType::get(type->getContext(), mapped, structure->isPacked());
	}

	static Type *computeOpaque(const TargetExtType &type)
	{
		StringRef name = type.getName();
		if (name == samplerType || name == reservationType)
			return Type::getInt64Ty(type.getContext());
		const unsigned space = name == imageType  ? ConstantSpace
				       : name == pipeType ? GlobalSpace
							  : PrivateSpace;
		return PointerType::get(type.getContext(), space);
	}

	SmallVector<Type *, 8> elements(ArrayRef<Type *> types)
	{
		SmallVector<Type *, 8> mapped;
		for (Type *type : types)
			mapped.push_back(remapType(type));
		return mapped;
	}

	DenseMap<Type *, Type *> known;
};

bool usesTargetTypes(const Module &module)
{
	for (const Function &function : module) {
		if (isa<TargetExtType>(function.getReturnType()))
			return true;
		for (Type *type : function.getFunctionType()->params()) {
			if (isa<TargetExtType>(type))
				return true;
		}
		for (const BasicBlock &block : function) {
			for (const Instruction &instruction : block) {
				const auto *alloca = dyn_cast<AllocaInst>(&instruction);
				if (alloca && alloca->getAllocatedType()->isPtrOrPtrVectorTy())
					continue;
				if (isa<TargetExtType>(instruction.getType()) ||
				    (alloca && !alloca->getAllocatedType()->isSingleValueType()) ||
				    (alloca && isa<TargetExtType>(alloca->getAllocatedType())))
					return true;
			}
		}
	}
	return false;
}

using Lowering = function_ref<Value *(IRBuilder<> &, const CallInst &)>;

/* Puts something else in the place of each call of the function. */
void replaceCalls(Function &function, Lowering lower)
{
	for (User *user : make_early_inc_range(function.users())) {
		auto *call = dyn_cast<CallInst>(user);
		if (!call || call->getCalledOperand() != &function)
			continue;
		IRBuilder<> builder(call);
		Value *value = lower(builder, *call);
		if (value->getType() != call->getType())
			continue;
		call->replaceAllUsesWith(value);
		call->eraseFromParent();
	}
}

/* The operand, which had another type before. */
Value *convert(IRBuilder<> &, const CallInst &call)
{
	return call.getArgOperand(0);
}

/* A queue or an event to its handle, or the other way. */
Value *convertHandle(IRBuilder<> &builder, const CallInst &call)
{
	Value *handle = call.getArgOperand(0);
	return handle->getType()->isPointerTy() ? builder.CreatePtrToInt(handle, call.getType())
						: builder.CreateIntToPtr(handle, call.getType());
}

/* A sampler that the source writes down is its number. */
Value *translateSampler(IRBuilder<> &builder, const CallInst &call)
{
	return builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
}

Value *loadField(IRBuilder<> &builder, const CallInst &call)
{
	uint64_t offset = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
	return loadInvariant(builder, call.getType(), call.getArgOperand(0), offset);
}

bool isHandleConversion(StringRef name)
{
	return name == "__weft_queue_number" || name == "__weft_number_queue" ||
	       name == "__weft_event_number" || name == "__weft_number_event";
}

bool isConversion(StringRef name)
{
	return name.starts_with(imageAddressPrefix) || name == samplerNumberName ||
	       name == pipeReadEndName || name == pipeWriteEndName ||
	       name == reservationNumberName || name == reservationName;
}

/* What turns images, samplers, pipes and reservations into addresses and numbers, and queues and events into handles. */
void lowerConversions(Module &module)
{
	for (Function &function : module) {
		StringRef name = function.getName();
		if (isConversion(name))
			replaceCalls(function, convert);
		else if (name == samplerInitialiser)
			replaceCalls(function, translateSampler);
		else if (name == imageFieldName || name == pipeFieldName)
			replaceCalls(function, loadField);
		else if (isHandleConversion(name))
			replaceCalls(function, convertHandle);
	}
}

/* weft_arg_desc.image. The first numbers of the type are SPIR-V's of OpTypeImage: dimensions, depth, an array. */
uint32_t imageTypeOf(const TargetExtType &type)
{
	enum { OneDimension, TwoDimensions, ThreeDimensions, Buffer = 5 };
	bool isArray = type.getIntParameter(2) != 0;
	uint32_t bits = type.getIntParameter(1) != 0 ? WEFT_IMAGE_OF_DEPTH : 0;
	switch (type.getIntParameter(0)) {
	case OneDimension:
		return bits | (isArray ? WEFT_IMAGE_1D_ARRAY : WEFT_IMAGE_1D);
	case TwoDimensions:
		return bits | (isArray ? WEFT_IMAGE_2D_ARRAY : WEFT_IMAGE_2D);
	case ThreeDimensions:
		return bits | WEFT_IMAGE_3D;
	case Buffer:
		return bits | WEFT_IMAGE_1D | WEFT_IMAGE_FROM_BUFFER;
	default:
		return 0;
	}
}

/* SPIR-V's access qualifier is the last number of the type. */
uint32_t imageQualifierOf(const TargetExtType &type)
{
	constexpr uint32_t qualifiers[] = {WEFT_QUALIFIER_READ_ONLY, WEFT_QUALIFIER_WRITE_ONLY,
					   WEFT_QUALIFIER_READ_WRITE};
	return qualifiers[std::min(type.int_params().back(), 2u)];
}

/* The type of a parameter no longer says what it is. */
void markParameter(const Argument &old, Argument &fresh)
{
	auto *type = dyn_cast<TargetExtType>(old.getType());
	if (!type)
		return;
	LLVMContext &context = type->getContext();
	if (type->getName() == imageType) {
		fresh.addAttr(Attribute::get(context, imageAttribute, utostr(imageTypeOf(*type))));
		fresh.addAttr(Attribute::get(context, imageAccessAttribute,
					     utostr(imageQualifierOf(*type))));
	} else if (type->getName() == samplerType)
		fresh.addAttr(Attribute::get(context, samplerAttribute));
	else if (type->getName() == queueType)
		fresh.addAttr(Attribute::get(context, queueAttribute));
	else if (type->getName() == pipeType)
		fresh.addAttr(Attribute::get(context, pipeAttribute));
}

/* A function of the new type takes over place, body, name and uses. */
Function *retypeFunction(Function &old, FunctionType *type, ValueToValueMapTy &values)
{
	Function *fresh = Function::Create(type, old.getLinkage(), old.getAddressSpace());
	old.getParent()->getFunctionList().insert(old.getIterator(), fresh);
	fresh->copyAttributesFrom(&old);
	fresh->copyMetadata(&old, 0);
	fresh->takeName(&old);
	fresh->splice(fresh->begin(), &old);
	for (auto [from, to] : zip_equal(old.args(), fresh->args())) {
		to.takeName(&from);
		values[&from] = &to;
		if (isKernel(*fresh))
			markParameter(from, to);
	}
	values[&old] = fresh;
	return fresh;
}

} // namespace

PreservedAnalyses LowerTargetTypesPass::run(Module &module, ModuleAnalysisManager &)
{
	if (!usesTargetTypes(module))
		return PreservedAnalyses::all();
	OpaqueTypeMapper types;
	ValueToValueMapTy values;
	SmallVector<Function *, 16> replaced;
	for (Function &function : make_early_inc_range(module)) {
		auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
		if (type == function.getFunctionType())
			continue;
		retypeFunction(function, type, values);
		replaced.push_back(&function);
	}
	for (Function &function : module) {
		if (!is_contained(replaced, &function))
			RemapFunction(function, values,
				      RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs,
				      &types);
	}
	for (Function *function : replaced) {
		function->replaceAllUsesWith(cast<Constant>(values.lookup(function)));
		function->eraseFromParent();
	}
	lowerConversions(module);
	return PreservedAnalyses::none();
}

} // namespace weft
