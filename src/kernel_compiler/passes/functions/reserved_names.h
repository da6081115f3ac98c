/* SPDX-License-Identifier: MIT
 *
 * Names that the passes, or LLVM, give a meaning: no program may define them, in whatever language.
 */
#ifndef WEFT_PASSES_RESERVED_NAMES_H
#define WEFT_PASSES_RESERVED_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace weft
{

bool isReservedName(llvm::StringRef name);

} // namespace weft

#endif
