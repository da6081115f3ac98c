/* SPDX-License-Identifier: MIT
 *
 * lower-target-types: a type remapping over the module.
 */
#include "prepare/lower_target_types.h"

#include "ir/internal_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace weft
{

namespace
{

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
		if (isa<TargetExtType>(type))
			return PointerType::get(type->getContext(), 0);
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

/* A sampler that the source writes down is its number, where a pointer would stand. */
void lowerSamplers(Module &module)
{
	Function *initialiser = module.getFunction(samplerInitialiser);
	if (!initialiser)
		return;
	for (User *user : make_early_inc_range(initialiser->users())) {
		auto *call = dyn_cast<CallInst>(user);
		if (!call || call->arg_size() != 1 || !call->getType()->isPointerTy())
			continue;
		IRBuilder<> builder(call);
		call->replaceAllUsesWith(
			builder.CreateIntToPtr(call->getArgOperand(0), call->getType()));
		call->eraseFromParent();
	}
}

/* A function of the new type takes over body, name and uses. */
Function *retypeFunction(Function &old, FunctionType *type, ValueToValueMapTy &values)
{
	Function *fresh = Function::Create(type, old.getLinkage(), old.getAddressSpace(), "",
					   old.getParent());
	fresh->copyAttributesFrom(&old);
	fresh->copyMetadata(&old, 0);
	fresh->takeName(&old);
	fresh->splice(fresh->begin(), &old);
	for (auto [from, to] : zip_equal(old.args(), fresh->args())) {
		to.takeName(&from);
		values[&from] = &to;
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
	lowerSamplers(module);
	return PreservedAnalyses::none();
}

} // namespace weft
