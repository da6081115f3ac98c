/* SPDX-License-Identifier: MIT
 *
 * The packed block of a kernel's arguments.
 */
#include "kernel/argument_layout.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/pipe_functions.h"
#include "kernel_abi.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

namespace
{

ArgumentPlace placeOf(const Argument &argument)
{
	const DataLayout &layout = argument.getParent()->getDataLayout();
	Type *type = argument.getType();
	auto align = uint32_t(argument.getParamAlign().valueOrOne().value());
	if (argument.hasAttribute(byValueAttribute))
		return {WEFT_ARG_VALUE, getArgumentNumber(argument, byValueAttribute), 0, align};
	if (argument.hasAttribute(imageAttribute))
		return {WEFT_ARG_IMAGE, sizeof(weft_image), 0, 8};
	if (argument.hasAttribute(samplerAttribute))
		return {WEFT_ARG_SAMPLER, sizeof(weft_sampler), 0, 8};
	if (argument.hasAttribute(queueAttribute))
		return {WEFT_ARG_QUEUE, 8, 0, 8};
	if (isPipe(argument))
		return {WEFT_ARG_PIPE, 8, 0, 8};
	if (!type->isPointerTy())
		return {WEFT_ARG_VALUE, uint32_t(layout.getTypeAllocSize(type).getFixedValue()), 0,
			uint32_t(layout.getABITypeAlign(type).value())};
	switch (type->getPointerAddressSpace()) {
	case GlobalSpace:
		/* A block's captured variables are where the runtime has put them: no device translates their address. */
		return {argument.getParent()->hasFnAttribute(blockAttribute) ? WEFT_ARG_VALUE
									     : WEFT_ARG_GLOBAL,
			8, 0, 8};
	case ConstantSpace:
		return {WEFT_ARG_CONSTANT, 8, 0, 8};
	case LocalSpace:
		return {WEFT_ARG_LOCAL, 8, 0, align};
	default:
		return {WEFT_ARG_VALUE, 8, 0, 8};
	}
}

} // namespace

uint32_t getArgumentNumber(const Argument &argument, StringRef attribute)
{
	uint32_t number = 0;
	if (argument.hasAttribute(attribute))
		argument.getParent()
			->getAttributes()
			.getParamAttr(argument.getArgNo(), attribute)
			.getValueAsString()
			.getAsInteger(10, number);
	return number;
}

ArgumentLayout layOutArguments(const Function &kernel)
{
	ArgumentLayout result;
	for (const Argument &argument : kernel.args()) {
		ArgumentPlace place = placeOf(argument);
		uint32_t align = place.kind == WEFT_ARG_VALUE ? place.align : 8;
		place.offset = uint32_t(alignTo(result.size, align));
		result.size = place.offset + place.size;
		result.places.push_back(place);
	}
	return result;
}

void readSizes(const Function &kernel, StringRef metadata, uint32_t sizes[3])
{
	const MDNode *node = kernel.getMetadata(metadata);
	for (unsigned d = 0; d < 3; d++) {
		const auto *size = node && d < node->getNumOperands()
					   ? mdconst::dyn_extract<ConstantInt>(node->getOperand(d))
					   : nullptr;
		sizes[d] = size ? uint32_t(size->getZExtValue()) : 0;
	}
}

bool hasFixedSize(const Function &kernel)
{
	return kernel.hasMetadata("reqd_work_group_size") &&
	       kernel.getFnAttribute("uniform-work-group-size").getValueAsBool();
}

} // namespace weft
