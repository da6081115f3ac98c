/* SPDX-License-Identifier: MIT
 *
 * Looks at each instruction once.
 */
#include "ir/quick_code.h"

#include "ir/internal_functions.h"
#include "ir/variables.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char quickFlag[] = "weft-quick";

bool isRelaxed(const Instruction &instruction)
{
	const auto *operation = dyn_cast<FPMathOperator>(&instruction);
	return operation && operation->getFastMathFlags().any();
}

} // namespace

bool mayBeQuick(const Module &module)
{
	if (module.getFunction(enqueueName) || any_of(module.globals(), isProgramVariable))
		return false;
	return none_of(module, [](const Function &function) {
		return any_of(instructions(function), isRelaxed);
	});
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
