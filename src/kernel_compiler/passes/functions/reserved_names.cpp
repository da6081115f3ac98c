/* SPDX-License-Identifier: MIT
 *
 * The list of the names.
 */
#include "functions/reserved_names.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"

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
