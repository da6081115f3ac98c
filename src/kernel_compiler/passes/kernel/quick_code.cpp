/* SPDX-License-Identifier: MIT
 *
 * Looks at variables and declarations.
 */
#include "kernel/quick_code.h"

#include "functions/internal_functions.h"
#include "ir/variables.h"

#include <llvm/ADT/STLExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char quickFlag[] = "weft-quick";

} // namespace

bool mayBeQuick(const Module &module)
{
	return !module.getFunction(enqueueName) && none_of(module.globals(), isProgramVariable);
}

void markQuick(Module &module)
{
	module.setModuleFlag(Module::Max, quickFlag, 1);
}

bool isQuick(const Module &module)
{
	return module.getModuleFlag(quickFlag);
}

} // namespace weft
