/* SPDX-License-Identifier: MIT
 *
 * What is left of a module for one version.
 */
#include "link/specialisation.h"

#include "ir/internal_functions.h"
#include "ir/source_place.h"
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
	if (bitcode.size() > maxSpecialisationBytes)
		bitcode.clear();
}

bool keepForSize(Module &module, StringRef kernel, const uint32_t localSize[3])
{
	LLVMContext &context = module.getContext();
	Function *kept = module.getFunction(kernel);

	if (!kept || !isKernel(*kept))
		return false;
	for (Function &function : make_early_inc_range(module)) {
		if (isKernel(function) && &function != kept && function.use_empty())
			function.eraseFromParent();
	}
	SmallVector<Metadata *, 3> sizes;
	for (unsigned d = 0; d < 3; d++)
		sizes.push_back(ConstantAsMetadata::get(
			ConstantInt::get(Type::getInt32Ty(context), localSize[d])));
	kept->setMetadata("reqd_work_group_size", MDNode::get(context, sizes));
	kept->addFnAttr("uniform-work-group-size", "true");
	return true;
}

} // namespace weft
