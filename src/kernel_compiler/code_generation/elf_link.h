/* SPDX-License-Identifier: MIT
 *
 * Object files to shared object: lld, in-process.
 */
#ifndef WEFT_ELF_LINK_H
#define WEFT_ELF_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft
{

/* Links object files, and the precompiled functions that they call (lib/builtins/precompiled), into an ELF shared object that needs
 * nothing but libc, libm and libgcc_s, and these only where it calls them. A call of anything else is an error. Objects of another
 * machine's call no precompiled functions; who runs them has what the three libraries have. */
bool linkSharedObject(llvm::ArrayRef<llvm::StringRef> objects, llvm::SmallVectorImpl<char> &shared,
		      std::string &log);

} // namespace weft

#endif
