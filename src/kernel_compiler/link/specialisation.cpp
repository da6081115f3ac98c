/* SPDX-License-Identifier: MIT
 *
 * What is left of a module for one specialisation.
 */
#include "link/specialisation.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/source_place.h"
#include "link/builtins_library.h"
#include "link/link_objects.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

void writeForSpecialisation(Module &module, SmallVectorImpl<char> &bitcode)
{
	SmallVector<std::pair<Function *, Attribute>, 16> places;
	for (Function &function : module) {
		const Attribute place = function.getFnAttribute(placeAttribute);
		if (!place.isValid())
			continue;
		places.push_back({&function, place});
		function.removeFnAttr(placeAttribute);
	}
	writeObject(module, bitcode);
	for (const auto &[function, place] : places)
		function->addFnAttr(place);
}

namespace
{

void requireSize(Function &kernel, const uint32_t localSize[3])
{
	LLVMContext &context = kernel.getContext();
	SmallVector<Metadata *, 3> sizes;
	for (unsigned d = 0; d < 3; d++)
		sizes.push_back(ConstantAsMetadata::get(
			ConstantInt::get(Type::getInt32Ty(context), localSize[d])));
	kernel.setMetadata("reqd_work_group_size", MDNode::get(context, sizes));
	kernel.addFnAttr("uniform-work-group-size", "true");
}

bool isImageOrSampler(const Argument &argument)
{
	const auto *type = dyn_cast<TargetExtType>(argument.getType());
	return type && (type->getName() == "spirv.Image" || type->getName() == "spirv.Sampler");
}

bool giveConstants(Function &kernel, ArrayRef<uint64_t> constants)
{
	for (Argument &argument : kernel.args()) {
		if (!isImageOrSampler(argument))
			continue;
		if (constants.empty())
			return false;
		argument.addAttr(Attribute::get(kernel.getContext(), imageConstantAttribute,
						std::to_string(constants.front())));
		constants = constants.drop_front();
	}
	return constants.empty();
}

} // namespace

bool keepSpecialised(Module &module, const weft_specialise_desc &desc)
{
	Function *kept = module.getFunction(desc.kernel);

	if (!kept || !isKernel(*kept))
		return false;
	for (Function &function : make_early_inc_range(module)) {
		if (isKernel(function) && &function != kept && function.use_empty())
			function.eraseFromParent();
	}
	if (desc.local_size[0])
		requireSize(*kept, desc.local_size);
	return desc.num_image_constants == 0 ||
	       giveConstants(*kept, {desc.image_constants, desc.num_image_constants});
}

bool linkImageCode(Module &module, Precompiled precompiled, std::string &log)
{
	SmallVector<Function *, 6> accesses;
	SmallVector<std::string, 6> names;
	for (Function &function : module) {
		if (function.isDeclaration() && imageAccessOf(function))
			accesses.push_back(&function);
	}
	for (Function *access : accesses) {
		names.push_back((access->getName() + imageCodeSuffix).str());
		FunctionCallee code =
			module.getOrInsertFunction(names.back(), access->getFunctionType());
		cast<Function>(code.getCallee())->setCallingConv(access->getCallingConv());
	}
	if (!linkBuiltins(module, precompiled, log))
		return false;
	for (const std::string &name : names)
		module.getFunction(name)->setLinkage(GlobalValue::ExternalLinkage);
	return true;
}

} // namespace weft
