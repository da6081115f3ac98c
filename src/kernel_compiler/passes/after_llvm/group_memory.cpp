/* SPDX-License-Identifier: MIT
 *
 * The memory's start is a field of the context; an argument is a distance from it, which entry-points marks.
 */
#include "after_llvm/group_memory.h"

#include "functions/internal_functions.h"
#include "kernel/argument_layout.h"
#include "kernel_abi.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>

using namespace llvm;

namespace weft
{

/* The argument of the entry point from which the pointer is loaded, and where it lies there; or NULL. */
static const Argument *loadedFrom(const Value &value, int64_t &offset)
{
	const auto *load = dyn_cast<LoadInst>(&value);
	if (!load)
		return nullptr;
	const DataLayout &layout = load->getDataLayout();
	return dyn_cast<Argument>(
		GetPointerBaseWithConstantOffset(load->getPointerOperand(), offset, layout));
}

/* Where in the context the pointer lies. */
static std::optional<int64_t> fieldOf(const Value &pointer)
{
	int64_t offset = 0;
	const Argument *context = loadedFrom(pointer, offset);
	return context && context->hasAttribute(contextAttribute) ? std::optional(offset)
								  : std::nullopt;
}

static bool isStart(const Value &pointer)
{
	return fieldOf(pointer) == int64_t(offsetof(weft_work_context, local));
}

/* Where in the packed block the argument lies that leads to the base. */
static std::optional<int64_t> argumentOf(const Value &base)
{
	const auto *place = dyn_cast<GetElementPtrInst>(&base);
	if (!place || place->getNumIndices() != 1 || !isStart(*place->getPointerOperand()))
		return std::nullopt;
	const auto *distance = dyn_cast<LoadInst>(place->getOperand(1));
	int64_t offset = 0;
	if (!distance || !distance->hasMetadata(localArgumentMetadata) ||
	    !loadedFrom(*distance, offset))
		return std::nullopt;
	return offset;
}

bool isPlaceInGroupMemory(const Value &base, const CycleInfo &cycles)
{
	const auto *place = dyn_cast<GetElementPtrInst>(&base);
	return isStart(base) || (place && !cycles.getCycle(place->getParent()) &&
				 isStart(*getUnderlyingObject(place)));
}

bool isItemMemory(const Value &object)
{
	const std::optional<int64_t> field = fieldOf(object);
	return field == int64_t(offsetof(weft_work_context, spill)) ||
	       field == int64_t(offsetof(weft_work_context, scratch));
}

bool areApart(const Value &base, const Value &other)
{
	std::optional<int64_t> argument = argumentOf(base), another = argumentOf(other);
	return (argument || isStart(base)) && (another || isStart(other)) && argument != another;
}

} // namespace weft
