/* SPDX-License-Identifier: MIT
 *
 * The list of the names.
 */
#include "ir/reserved_names.h"

#include "ir/image_functions.h"
#include "ir/internal_functions.h"

#include "llvm/ADT/STLExtras.h"

namespace weft
{

bool isReservedName(llvm::StringRef name)
{
	static constexpr llvm::StringRef prefixes[] = {"llvm.", "weft.", "__weft_",
						       imageAddressPrefix, samplerInitialiser};

	return name == "printf" || llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
		       return name.starts_with(prefix);
	       });
}

} // namespace weft
