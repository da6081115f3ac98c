/* SPDX-License-Identifier: MIT
 *
 * LLVM's name of the CPU that the library runs on, and what that CPU has.
 */
#ifndef WEFT_CODE_GENERATION_HOST_CPU_H
#define WEFT_CODE_GENERATION_HOST_CPU_H

#include <llvm/ADT/StringRef.h>

#include <string>

namespace weft
{

struct HostCpu {
	std::string name;     /* LLVM's: "rocketlake" */
	std::string family;   /* as intelFamily() says: "sapphirerapids" */
	std::string features; /* "+avx2,-sse4a,…" */
};

/* LLVM's targets must have been initialised. To ask for it takes long in a virtual machine: the first call does. */
const HostCpu &hostCpu();

/* LLVM's name of the Intel family with this feature that is the first one, if the CPU called `name` lacks it. Else `name`. `features`: as
 * HostCpu has them. */
llvm::StringRef intelFamily(llvm::StringRef name, llvm::StringRef features);

} // namespace weft

#endif
