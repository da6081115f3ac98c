/* SPDX-License-Identifier: MIT
 *
 * A module flag has the number of the row, another one whether gathers are slow.
 */
#include "costs/cpu_costs.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr CpuCosts rows[] = {
#define WEFT_CPU_COSTS(...) {__VA_ARGS__},
#include "costs/cpu_costs.def"
#undef WEFT_CPU_COSTS
};

constexpr char rowFlag[] = "weft-cpu-costs", slowGathersFlag[] = "weft-slow-gathers";

} // namespace

void setCpu(Module &module, StringRef name, bool slowGathers)
{
	const auto *row = find_if(rows, [&](const CpuCosts &costs) { return name == costs.name; });
	unsigned number = row == std::end(rows) || name.empty() ? slowGathers : row - rows;
	module.setModuleFlag(Module::Max, rowFlag, number);
	if (slowGathers)
		module.setModuleFlag(Module::Max, slowGathersFlag, 1);
}

const CpuCosts &cpuCosts(const Module &module)
{
	const auto *number = mdconst::extract_or_null<ConstantInt>(module.getModuleFlag(rowFlag));
	uint64_t row = number ? number->getZExtValue() : hasSlowGathers(module);
	return rows[row < std::size(rows) ? row : 0];
}

bool hasSlowGathers(const Module &module)
{
	return module.getModuleFlag(slowGathersFlag);
}

} // namespace weft
