/* SPDX-License-Identifier: MIT
 *
 * Names of functions, for messages.
 */
#ifndef WEFT_PASSES_READABLE_NAME_H
#define WEFT_PASSES_READABLE_NAME_H

#include <llvm/ADT/StringRef.h>

#include <string>

namespace weft
{

/* "float foo(float vector[4], char global*)" reads better than Clang's own spelling of it. */
std::string readableName(llvm::StringRef name);

} // namespace weft

#endif
