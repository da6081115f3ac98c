/* SPDX-License-Identifier: MIT
 *
 * From the functions that the device lacks, which are those of images, up the call graph to kernels.
 */
#include "link/unavailable_kernels.h"

#include "ir/internal_functions.h"
#include "ir/source_place.h"
#include "link/link_objects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace weft
{

namespace
{

bool isImageType(const Type *type)
{
	auto *target = dyn_cast<TargetExtType>(type);
	return target &&
	       (target->getName() == "spirv.Image" || target->getName() == "spirv.Sampler");
}

/* All that calls the function, directly or through others. */
SetVector<Function *> callersOf(Function &function)
{
	SetVector<Function *> found;
	SmallVector<Value *, 16> pending = {&function};
	while (!pending.empty()) {
		for (User *user : pending.pop_back_val()->users()) {
			auto *instruction = dyn_cast<Instruction>(user);
			if (!instruction)
				pending.push_back(user); /* a constant expression */
			else if (found.insert(instruction->getFunction()))
				pending.push_back(instruction->getFunction());
		}
	}
	return found;
}

void makeUnavailable(Function &kernel, const Twine &reason, std::string &log)
{
	log += (placeOf(kernel) + "warning: kernel '" + kernel.getName() +
		"' cannot be created: " + reason + ", and this device has no images\n")
		       .str();
	for (BasicBlock &block : kernel)
		block.dropAllReferences();
	while (!kernel.empty())
		kernel.begin()->eraseFromParent();
	ReturnInst::Create(kernel.getContext(),
			   BasicBlock::Create(kernel.getContext(), "", &kernel));
	kernel.addFnAttr(unavailableAttribute);
}

StringRef nameOf(const Argument &argument)
{
	const MDNode *names = argument.getParent()->getMetadata("kernel_arg_name");
	if (!names || argument.getArgNo() >= names->getNumOperands())
		return "";
	const auto *name = dyn_cast<MDString>(names->getOperand(argument.getArgNo()));
	return name ? name->getString() : "";
}

} // namespace

bool isUnavailable(const Function &function)
{
	const FunctionType &type = *function.getFunctionType();
	return function.isDeclaration() && function.getName().starts_with("_Z") &&
	       (isImageType(type.getReturnType()) || any_of(type.params(), isImageType));
}

void dropUnavailableKernels(Module &module, std::string &log)
{
	for (Function &function : module) {
		const auto *argument = find_if(function.args(), [](const Argument &one) {
			return isImageType(one.getType());
		});
		if (isKernel(function) && argument != function.arg_end())
			makeUnavailable(function,
					"its parameter '" + nameOf(*argument) +
						"' is an image or a sampler",
					log);
	}
	for (Function &function : module) {
		if (!isUnavailable(function))
			continue;
		for (Function *caller : callersOf(function)) {
			if (isKernel(*caller) && !caller->hasFnAttribute(unavailableAttribute))
				makeUnavailable(*caller,
						"it needs the function '" +
							readableName(function.getName()) + "'",
						log);
		}
	}
}

} // namespace weft
