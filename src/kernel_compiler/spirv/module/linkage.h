/* SPDX-License-Identifier: MIT
 *
 * What other modules call a function or variable, and what it is called where they do not see it.
 */
#ifndef WEFT_SPIRV_LINKAGE_H
#define WEFT_SPIRV_LINKAGE_H

#include "spirv/module/module_reader.h"

namespace weft::spirv
{

/* The linkage that the decorations of `id` say, internal without any; `name` is what other modules call it then. */
llvm::GlobalValue::LinkageTypes linkageOf(const ModuleReader &module, Id id, llvm::StringRef &name,
					  bool &isImport);

/* A name for what other modules do not see: it says what OpName says, and is no function's that the library has. */
std::string internalName(const ModuleReader &module, Id id);

} // namespace weft::spirv

#endif
