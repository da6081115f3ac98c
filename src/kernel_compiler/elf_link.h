/* SPDX-License-Identifier: MIT
 *
 * Object file to shared object: lld, in-process.
 */
#ifndef WEFT_ELF_LINK_H
#define WEFT_ELF_LINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft
{

/* Links `object` into an ELF shared object that needs nothing but libc, libm and libgcc_s, and these only where it
 * calls them. A call of anything else is an error. */
bool linkSharedObject(llvm::StringRef object, llvm::SmallVectorImpl<char> &shared,
		      std::string &log);

} // namespace weft

#endif
