/* SPDX-License-Identifier: MIT
 *
 * The CPUs that code may be made for, and what it needs of them.
 */
#ifndef WEFT_CPU_LIST_H
#define WEFT_CPU_LIST_H

#include "llvm/ADT/SmallVector.h"

namespace weft
{

/* weft_compiler.cpus. False for a CPU that LLVM does not know. */
bool listCpus(const char *cpu, llvm::SmallVectorImpl<char> &text);

} // namespace weft

#endif
