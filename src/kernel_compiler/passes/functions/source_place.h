/* SPDX-License-Identifier: MIT
 *
 * Where a function or a variable stands in the source: an attribute that objects and libraries carry, too.
 */
#ifndef WEFT_PASSES_SOURCE_PLACE_H
#define WEFT_PASSES_SOURCE_PLACE_H

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include <string>

namespace weft
{

constexpr char placeAttribute[] = "weft-place"; /* "file:line:column" */

/* "file:line:column: ", or nothing where that is not known: how a line of the log begins. */
inline std::string placeOf(const llvm::GlobalValue &value)
{
	llvm::StringRef place;
	if (const auto *function = llvm::dyn_cast<llvm::Function>(&value))
		place = function->getFnAttribute(placeAttribute).getValueAsString();
	else if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value))
		place = variable->getAttribute(placeAttribute).getValueAsString();
	return place.empty() ? "" : place.str() + ": ";
}

} // namespace weft

#endif
