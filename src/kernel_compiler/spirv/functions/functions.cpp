/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.9 OpFunction, 2.15 linkage, FuncParamAttr; OpEntryPoint.
 */
#include "spirv/functions/functions.h"

#include "functions/reserved_names.h"
#include "spirv/functions/function_reader.h"
#include "spirv/module/linkage.h"

#include "llvm/IR/Attributes.h"
#include "llvm/IR/Intrinsics.h"

namespace weft::spirv
{

constexpr uint64_t mostBytesByValue = 1u << 28;
constexpr llvm::Align mostOfParameter = llvm::Align::Constant<65536>();
constexpr unsigned mostEntryPoints = 64; /* of one function */

/* One of LLVM's functions, whose name says its type. */
static llvm::Function *intrinsic(ModuleReader &module, const Instruction &instruction,
				 llvm::StringRef name, llvm::FunctionType *type)
{
	llvm::SmallVector<llvm::Type *, 2> types;
	llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);

	if (id == llvm::Intrinsic::not_intrinsic)
		return nullptr;
	instruction.require(
		llvm::Intrinsic::getIntrinsicSignature(id, type, types) &&
			llvm::Intrinsic::getName(id, types, module.module.get(), type) == name,
		"the function '" + name + "' has another type");
	return llvm::Intrinsic::getOrInsertDeclaration(module.module.get(), id, types);
}

/* FuncParamAttr: what a parameter is. */
static void addParameterAttribute(llvm::Function &function, unsigned index, const Type &type,
				  const Decoration &decoration)
{
	bool isPointer = type.is(Type::Pointer), isInt = type.is(Type::Int);
	const Instruction &instruction = decoration.instruction;

	switch (instruction.enumerant<spv::FunctionParameterAttribute>(0)) {
	case spv::FunctionParameterAttribute::Zext:
		if (isInt)
			function.addParamAttr(index, llvm::Attribute::ZExt);
		return;
	case spv::FunctionParameterAttribute::Sext:
		if (isInt && !function.hasParamAttribute(index, llvm::Attribute::ZExt))
			function.addParamAttr(index, llvm::Attribute::SExt);
		return;
	case spv::FunctionParameterAttribute::ByVal:
		instruction.require(isPointer && type.element && type.element->size &&
					    type.element->size <= mostBytesByValue &&
					    type.storage == spv::StorageClass::Function,
				    "what is passed by value is a pointer of storage class "
				    "Function to a type with a size that LLVM can pass");
		function.addParamAttr(index, llvm::Attribute::getWithByValType(
						     function.getContext(), type.element->llvm));
		return;
	case spv::FunctionParameterAttribute::NoAlias:
		if (isPointer)
			function.addParamAttr(index, llvm::Attribute::NoAlias);
		return;
	default: /* hints */
		return;
	}
}

static void addAttributes(const ModuleReader &module, FunctionInfo &info)
{
	llvm::Function &function = *info.function;

	for (unsigned i = 0; i < info.parameters.size(); i++) {
		const Type &type = *info.type->members[i];
		for (const Decoration &decoration :
		     module.decorations.of(info.parameters[i].result)) {
			if (decoration.kind == spv::Decoration::FuncParamAttr)
				addParameterAttribute(function, i, type, decoration);
			else if (decoration.kind == spv::Decoration::Restrict &&
				 type.is(Type::Pointer))
				function.addParamAttr(i, llvm::Attribute::NoAlias);
		}
		llvm::MaybeAlign alignment =
			module.decorations.alignment(info.parameters[i].result);
		if (alignment && type.is(Type::Pointer))
			function.addParamAttr(i, llvm::Attribute::getWithAlignment(
							 function.getContext(),
							 std::min(*alignment, mostOfParameter)));
	}
	function.setConvergent();
	function.setDoesNotThrow();
	const uint32_t control = info.instruction.literal(0);
	const auto is = [&](spv::FunctionControlMask mask) {
		return (control & static_cast<uint32_t>(mask)) != 0;
	};
	if (is(spv::FunctionControlMask::OptNoneINTEL)) {
		function.addFnAttr(llvm::Attribute::OptimizeNone);
		function.addFnAttr(llvm::Attribute::NoInline);
	} else if (is(spv::FunctionControlMask::DontInline)) {
		function.addFnAttr(llvm::Attribute::NoInline);
	} else if (is(spv::FunctionControlMask::Inline)) {
		function.addFnAttr(llvm::Attribute::AlwaysInline);
	}
}

/* The type of the function, which its parameters have as well. */
static void checkType(const ModuleReader &module, FunctionInfo &info)
{
	const Instruction &instruction = info.instruction;
	const Type &type = module.type(instruction, instruction.id(1));

	instruction.require(type.is(Type::Function), "its type is no function type");
	instruction.require(&module.resultType(instruction) == type.element,
			    "it does not return what its type says");
	instruction.require(info.parameters.size() == type.members.size(),
			    "it has not the parameters that its type says");
	for (unsigned i = 0; i < type.members.size(); i++)
		info.parameters[i].require(&module.resultType(info.parameters[i]) ==
						   type.members[i],
					   "it has not the type that the function's type says");
	info.type = &type;
}

void declareFunction(ModuleReader &module, FunctionInfo &info)
{
	const Instruction &instruction = info.instruction;
	llvm::StringRef name;
	bool isImport = false;

	checkType(module, info);
	auto linkage = linkageOf(module, instruction.result, name, isImport);
	instruction.require(isImport == !info.body,
			    isImport ? "an imported function has no body"
				     : "it has no body, and is not imported");
	auto *type = llvm::cast<llvm::FunctionType>(info.type->llvm);
	if (isImport && (info.function = intrinsic(module, instruction, name, type)))
		return;
	if (llvm::GlobalValue *there =
		    name.empty() ? nullptr : module.module->getNamedValue(name)) {
		auto *function = llvm::dyn_cast<llvm::Function>(there);
		instruction.require(isImport && function && function->isDeclaration() &&
					    function->getFunctionType() == type,
				    "the name '" + name + "' is another's in this module");
		info.function = function;
		return;
	}
	info.function = llvm::Function::Create(
		type, linkage, name.empty() ? internalName(module, instruction.result) : name.str(),
		*module.module);
	info.function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
	addAttributes(module, info);
}

/* Whether a kernel can have the function's parameters as they are: aggregates come by address. */
static bool hasKernelParameters(const FunctionInfo &info)
{
	return llvm::none_of(info.type->members,
			     [](const Type *type) { return type->isAggregate(); });
}

/* A kernel that calls the function, for a function that others call, or that is several entry points. */
static llvm::Function *wrap(ModuleReader &module, const FunctionInfo &info)
{
	llvm::SmallVector<llvm::Type *, 8> parameters;
	llvm::SmallVector<llvm::Value *, 8> arguments;

	for (const Type *type : info.type->members)
		parameters.push_back(type->isAggregate() ? llvm::PointerType::get(module.context, 0)
							 : type->llvm);
	auto *kernel = llvm::Function::Create(
		llvm::FunctionType::get(info.function->getReturnType(), parameters, false),
		llvm::GlobalValue::ExternalLinkage, "", *module.module);
	kernel->setAttributes(info.function->getAttributes());
	kernel->removeFnAttr(llvm::Attribute::AlwaysInline);
	llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context, "", kernel));
	for (llvm::Argument &argument : kernel->args()) {
		const Type &type = *info.type->members[argument.getArgNo()];
		if (type.isAggregate()) {
			checkParts(info.instruction, type);
			kernel->addParamAttr(
				argument.getArgNo(),
				llvm::Attribute::getWithByValType(module.context, type.llvm));
			arguments.push_back(builder.CreateLoad(type.llvm, &argument));
		} else {
			arguments.push_back(&argument);
		}
	}
	llvm::CallInst *call = builder.CreateCall(info.function, arguments);
	call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
	call->setAttributes(info.function->getAttributes());
	builder.CreateRetVoid();
	return kernel;
}

void makeKernel(ModuleReader &module, const EntryPoint &entry, FunctionInfo &info)
{
	const Instruction &instruction = entry.instruction;
	llvm::Function *kernel = info.function;
	std::string name = entry.name.str();

	instruction.require(info.type->element->is(Type::Void), "an entry point returns nothing");
	instruction.require(!name.empty() && !isReservedName(name),
			    "this name is none for an entry point: '" + name + "'");
	instruction.require(info.entryPoints <= mostEntryPoints,
			    "one function is more than " + llvm::Twine(mostEntryPoints) +
				    " entry points");
	for (const Type *type : info.type->members)
		instruction.require(!type->isOf(Type::Bool),
				    "a truth value cannot be passed to a kernel");
	if (module.isCalled(entry.function) || info.entryPoints > 1 || !hasKernelParameters(info))
		kernel = wrap(module, info);
	llvm::GlobalValue *there = module.module->getNamedValue(name);
	if (there && there != kernel) {
		instruction.require(there == info.function,
				    "the name '" + name + "' is another's in this module");
		there->setName(name + ".spirv");
		there->setLinkage(llvm::GlobalValue::InternalLinkage);
	}
	kernel->setName(name);
	kernel->setLinkage(llvm::GlobalValue::ExternalLinkage);
	kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
	readModes(module, entry, *kernel);
	describeArguments(module, entry, info, *kernel);
	kernel->addFnAttr("uniform-work-group-size",
			  module.options.uniformWorkGroupSize ? "true" : "false");
}

} // namespace weft::spirv
