/* SPDX-License-Identifier: MIT
 *
 * prepare-kernels: linkage, calling conventions, attributes, by-value structures, types of copied members, casts to integers.
 */
#include "prepare/prepare_kernels.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/precompiled_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/address_space_alias.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Members of a structure whose types its copies may name. */
constexpr unsigned mostNamedMembers = 32;

/* A copy that is split into its members has for each part the types of all members that follow: their number grows with the square of
 * the members. So copies of structures with many members lose these types. */
void dropLongTypes(Function &function)
{
	for (Instruction &instruction : instructions(function)) {
		const MDNode *members = instruction.getMetadata(LLVMContext::MD_tbaa_struct);
		if (members && members->getNumOperands() > 3 * mostNamedMembers)
			instruction.setMetadata(LLVMContext::MD_tbaa_struct, nullptr);
	}
}

/* Integers of 8 and 16 bits are cut from one of 32 bits. A float that they do not hold would become another one in a vector than alone:
 * CPUs convert it to 32 bits, signed or unsigned, as the code at hand allows. */
void castThroughInt(Function &function)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!isa<FPToSIInst, FPToUIInst>(instruction) ||
		    instruction.getType()->getScalarSizeInBits() >= 32)
			continue;
		IRBuilder<> builder(&instruction);
		Type *type = instruction.getType();
		Value *whole = builder.CreateFPToSI(instruction.getOperand(0),
						    type->getWithNewType(builder.getInt32Ty()));
		instruction.replaceAllUsesWith(builder.CreateTrunc(whole, type));
		instruction.eraseFromParent();
	}
}

/* Whether the fourth element of the value, a vector of four that Clang makes to store one of three, is any value. */
bool lacksFourth(const Value &value)
{
	constexpr unsigned fourth = 3;
	const Value *vector = &value;
	while (const auto *insert = dyn_cast<InsertElementInst>(vector)) {
		const auto *place = dyn_cast<ConstantInt>(insert->getOperand(2));
		if (!place || place->equalsInt(fourth))
			return false;
		vector = insert->getOperand(0);
	}
	if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
		int from = shuffle->getShuffleMask()[fourth];
		int first = int(
			cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
		return from == PoisonMaskElem ||
		       isa<UndefValue>(shuffle->getOperand(from >= first));
	}
	const auto *constant = dyn_cast<Constant>(vector);
	return constant && isa_and_nonnull<UndefValue>(constant->getAggregateElement(fourth));
}

/* Memory has a place for it, where what is found would depend on how many work-items one vector does. */
void fillFourths(Function &function)
{
	for (Instruction &instruction : instructions(function)) {
		auto *store = dyn_cast<StoreInst>(&instruction);
		auto *type = store ? dyn_cast<FixedVectorType>(store->getValueOperand()->getType())
				   : nullptr;
		if (!type || type->getNumElements() != 4 || !lacksFourth(*store->getValueOperand()))
			continue;
		IRBuilder<> builder(store);
		store->setOperand(0, builder.CreateInsertElement(
					     store->getValueOperand(),
					     Constant::getNullValue(type->getElementType()),
					     uint64_t(3)));
	}
}

/* Work-items of a group share the argument block, and a by-value parameter is a variable that each may
 * change: so each gets a copy, which the optimiser removes where nothing is written. */
void copyByValueParameters(Function &kernel)
{
	const DataLayout &layout = kernel.getParent()->getDataLayout();
	IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
	for (Argument &argument : kernel.args()) {
		if (!argument.hasByValAttr())
			continue;
		Type *type = argument.getParamByValType();
		Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
		uint64_t size = layout.getTypeAllocSize(type);
		AllocaInst *copy =
			builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
		copy->setAlignment(align);
		argument.replaceAllUsesWith(copy);
		builder.CreateMemCpy(copy, align, &argument, align, size);
		argument.removeAttr(Attribute::ByVal);
		argument.addAttr(
			Attribute::get(kernel.getContext(), Attribute::Alignment, align.value()));
		argument.addAttr(Attribute::ReadOnly);
		argument.addAttr(Attribute::NoAlias);
		argument.addAttr(Attribute::get(kernel.getContext(), byValueAttribute,
						std::to_string(size)));
	}
}

void normaliseFunction(Function &function)
{
	function.removeFnAttr(Attribute::OptimizeNone);
	function.removeFnAttr(Attribute::NoInline);
	function.setComdat(nullptr);
	/* The widest vectors that the CPU has; LLVM would rather not, on some. */
	function.addFnAttr("prefer-vector-width", "512");
	if (isKernel(function)) {
		function.setLinkage(GlobalValue::ExternalLinkage);
		copyByValueParameters(function);
		return;
	}
	if (function.isIntrinsic())
		return;
	function.setCallingConv(CallingConv::C);
	if (!function.isDeclaration() && !isImageCode(function))
		function.setLinkage(GlobalValue::InternalLinkage);
}

void normaliseCalls(Function &function)
{
	for (User *user : function.users()) {
		auto *call = dyn_cast<CallBase>(user);
		if (!call || call->getCalledOperand() != &function)
			continue;
		call->setCallingConv(function.getCallingConv());
		call->removeFnAttr(Attribute::NoInline);
		if (queryOfFunction(function) || subgroupFunctionOf(function) ||
		    cpuFunctionOf(function) || precompiledFunctionOf(function) ||
		    imageAccessOf(function))
			call->setAttributes(AttributeList());
	}
}

/* The place of a call says when the function runs: calls are neither moved nor merged. */
void keepBehindBarrier(Function &function)
{
	function.setConvergent();
	function.addFnAttr(Attribute::NoMerge);
}

} // namespace

PreservedAnalyses PrepareKernelsPass::run(Module &module, ModuleAnalysisManager &)
{
	markPointerConversions(module);
	for (Function &function : module) {
		if (std::optional<Query> query = queryOfFunction(function))
			declareQuery(module, *query);
		else if (function.getName() == barrierName)
			declareBarrier(module);
		else if (std::optional<SubgroupFunction> what = subgroupFunctionOf(function))
			declareSubgroupFunction(function, *what);
		else if (std::optional<ImageAccess> access = imageAccessOf(function))
			declareImageAccess(function, *access);
		else if (std::optional<CpuFunction> which = cpuFunctionOf(function))
			declareCpuFunction(module, *which, function.getReturnType());
		else if (const PrecompiledFunction *compiled = precompiledFunctionOf(function))
			declarePrecompiled(module, *compiled, function.getReturnType());
		else if (runsOnce(function))
			keepBehindBarrier(function);
		normaliseFunction(function);
		normaliseCalls(function);
		dropLongTypes(function);
		castThroughInt(function);
		fillFourths(function);
	}
	for (GlobalVariable &variable : module.globals()) {
		if (!variable.isDeclaration() && !variable.getName().starts_with("llvm.")) {
			variable.setLinkage(GlobalValue::InternalLinkage);
			variable.setComdat(nullptr);
			variable.setDSOLocal(true);
		}
	}
	return PreservedAnalyses::none();
}

} // namespace weft
