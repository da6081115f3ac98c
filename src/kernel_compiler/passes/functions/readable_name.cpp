/* SPDX-License-Identifier: MIT
 *
 * Names as the source spells them.
 */
#include "functions/readable_name.h"

#include "functions/internal_functions.h"

#include "llvm/Demangle/Demangle.h"

namespace weft
{

std::string readableName(llvm::StringRef name)
{
	static constexpr llvm::StringRef spaces[] = {"", "global", "constant", "local", "generic"};
	name.consume_front(kernelBodyPrefix); /* Clang's, of a kernel's body */
	std::string mangled = name.str();

	/* The address space of a method's object, which LLVM's reader of names does not know there. */
	for (size_t i = 1; i < std::size(spaces); i++) {
		llvm::StringRef rest = name;
		if (rest.consume_front("_ZNU3AS" + std::to_string(i)))
			mangled = "_ZN" + rest.str();
	}
	std::string text = llvm::demangle(mangled);
	for (size_t i = 1; i < std::size(spaces); i++) {
		std::string mark = "AS" + std::to_string(i);
		for (size_t at; (at = text.find(mark)) != std::string::npos;)
			text.replace(at, mark.size(), spaces[i]);
	}
	return text;
}

} // namespace weft
