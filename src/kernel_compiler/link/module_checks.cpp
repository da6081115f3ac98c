/* SPDX-License-Identifier: MIT
 *
 * Sizes and alignments of what a module declares, and definitions that it lacks.
 */
#include "link/module_checks.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/readable_name.h"
#include "functions/source_place.h"
#include "kernel_abi.h"
#include "link/builtins_library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace
{

bool isSuppliedLater(const llvm::Function &function)
{
	llvm::StringRef name = function.getName();

	return function.isIntrinsic() || weft::isHostFunction(function) ||
	       name.starts_with("__weft_") || name.starts_with(weft::imageAddressPrefix) ||
	       name == "printf" || name == weft::samplerInitialiser;
}

/* OpenCL C's vectors have up to 16 elements, and optimisers work on longer ones; Clang's extension takes any. */
constexpr unsigned maxVectorElements = 256;
/* Bytes of all variables, and of those that are not zero at the start. The former must be in reach of a
 * 32-bit offset. */
constexpr uint64_t maxVariables = uint64_t{1} << 30;
constexpr uint64_t maxInitialised = uint64_t{64} << 20;

/* The place of a declaration, or of what uses one that Clang has made. */
std::string placeOfUse(const llvm::GlobalValue &value)
{
	std::string place = weft::placeOf(value);

	for (const llvm::User *user : value.users()) {
		auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
		if (place.empty() && instruction)
			place = weft::placeOf(*instruction->getFunction());
	}
	return place;
}

/* Bytes. Of variables that work-items or groups have: their memory begins, and is divided, at multiples of it. Of others: more
 * would be a waste of address space. */
constexpr uint64_t maxAlignment = WEFT_KERNEL_ALIGNMENT;
constexpr uint64_t maxSharedAlignment = uint64_t{1} << 16;

/* What a variable's alignment may be; a line in the log if it is less than what was asked for. */
llvm::Align boundedAlignment(const llvm::GlobalValue &owner, llvm::Align asked, uint64_t most,
			     std::string &log)
{
	if (asked.value() <= most)
		return asked;
	log += placeOfUse(owner) + "warning: in '" + weft::readableName(owner.getName()) +
	       "' an alignment of " + std::to_string(asked.value()) + " bytes becomes one of " +
	       std::to_string(most) + "\n";
	return llvm::Align(most);
}

void boundVariables(llvm::Function &function, std::string &log)
{
	for (llvm::Instruction &instruction : llvm::instructions(function)) {
		auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
		if (variable)
			variable->setAlignment(boundedAlignment(function, variable->getAlign(),
								maxAlignment, log));
	}
	for (llvm::Argument &argument : function.args()) {
		llvm::MaybeAlign align = argument.getParamAlign();
		if (!align || align->value() <= maxAlignment)
			continue;
		llvm::Align bounded = boundedAlignment(function, *align, maxAlignment, log);
		argument.removeAttr(llvm::Attribute::Alignment);
		argument.addAttr(llvm::Attribute::getWithAlignment(function.getContext(), bounded));
	}
}

bool isTooWide(const llvm::Type *type)
{
	auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);

	return vector && vector->getNumElements() > maxVectorElements;
}

bool hasWideVector(const llvm::Function &function)
{
	for (const llvm::BasicBlock &block : function) {
		for (const llvm::Instruction &instruction : block) {
			if (isTooWide(instruction.getType()))
				return true;
			for (const llvm::Value *operand : instruction.operands()) {
				if (isTooWide(operand->getType()))
					return true;
			}
		}
	}
	return false;
}

/* __builtin_alloca() of what is known only when the kernel runs, or in a loop: the stack has no room for that. */
bool hasUnboundedVariable(const llvm::Function &function)
{
	return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
		auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
		return variable && !variable->isStaticAlloca();
	});
}

/* Numbers, vectors of them, a bool, and pointers to memory that the host may see. */
bool isPassedToHost(const llvm::Type *type)
{
	const llvm::Type *scalar = type->getScalarType();

	if (scalar->isPointerTy())
		return type == scalar && scalar->getPointerAddressSpace() != weft::LocalSpace;
	return type->isIntegerTy(1) || scalar->isHalfTy() || scalar->isFloatTy() ||
	       scalar->isDoubleTy() || scalar->isIntegerTy(8) || scalar->isIntegerTy(16) ||
	       scalar->isIntegerTy(32) || scalar->isIntegerTy(64);
}

/* Whether the application's function can have such parameters and such a result. */
bool canBeCalled(const llvm::Function &host)
{
	return !host.isVarArg() && !host.hasStructRetAttr() &&
	       (host.getReturnType()->isVoidTy() || isPassedToHost(host.getReturnType())) &&
	       llvm::all_of(host.getFunctionType()->params(), isPassedToHost);
}

bool isInOneGroup(const llvm::GlobalVariable &variable)
{
	return variable.getAddressSpace() == 3; /* local: the runtime knows its limit */
}

} // namespace

namespace weft
{

bool checkSizes(const llvm::Module &module, std::string &log)
{
	uint64_t variables = 0, initialised = 0;

	for (const llvm::GlobalVariable &variable : module.globals()) {
		if (variable.isDeclaration() || isInOneGroup(variable))
			continue;
		uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
		size = std::min(size, maxVariables + 1); /* sums cannot wrap */
		variables += size;
		initialised += variable.getInitializer()->isNullValue() ? 0 : size;
		if (variables > maxVariables || initialised > maxInitialised) {
			log += (placeOf(variable) + "error: program-scope variable '" +
				variable.getName() + "' is too large\n")
				       .str();
			return false;
		}
	}
	for (const llvm::Function &function : module) {
		if (hasWideVector(function)) {
			log += placeOf(function) + "error: a vector in '" +
			       readableName(function.getName()) + "' has too many elements\n";
			return false;
		}
		if (hasUnboundedVariable(function)) {
			log += placeOf(function) + "error: '" + readableName(function.getName()) +
			       "' calls __builtin_alloca for memory without a fixed size\n";
			return false;
		}
	}
	return true;
}

void boundAlignments(llvm::Module &module, std::string &log)
{
	for (llvm::GlobalVariable &variable : module.globals()) {
		if (llvm::MaybeAlign align = variable.getAlign())
			variable.setAlignment(boundedAlignment(
				variable, *align,
				isInOneGroup(variable) ? maxAlignment : maxSharedAlignment, log));
	}
	for (llvm::Function &function : module)
		boundVariables(function, log);
}

bool checkAllDefined(const llvm::Module &module, std::string &log)
{
	bool complete = true;

	for (const llvm::Function &function : module) {
		if (weft::isHostFunction(function) && !canBeCalled(function)) {
			log += placeOfUse(function) + "error: host function '" +
			       readableName(function.getName()) +
			       "' has a parameter or a result that it cannot have\n";
			complete = false;
		}
		if (!function.isDeclaration() || function.use_empty() || isSuppliedLater(function))
			continue;
		log += placeOfUse(function) + "error: undefined function '" +
		       readableName(function.getName()) + "'\n";
		complete = false;
	}
	for (const llvm::GlobalVariable &variable : module.globals()) {
		if (!variable.isDeclaration() || variable.use_empty())
			continue;
		log += (placeOfUse(variable) + "error: undefined variable '" + variable.getName() +
			"'\n")
			       .str();
		complete = false;
	}
	return complete;
}

bool hasAllDefinitions(const llvm::Module &module)
{
	const bool functions = llvm::all_of(module, [](const llvm::Function &function) {
		return !function.isDeclaration() || function.use_empty() ||
		       isSuppliedLater(function) || isBuiltin(function.getName().str());
	});
	return functions &&
	       llvm::all_of(module.globals(), [](const llvm::GlobalVariable &variable) {
		       return !variable.isDeclaration() || variable.use_empty();
	       });
}

} // namespace weft
