/* SPDX-License-Identifier: MIT
 *
 * What each instruction shows, and the kernel's parameters.
 */
#include "kernel/shown_group.h"

#include "functions/internal_functions.h"
#include "kernel/argument_layout.h"
#include "kernel_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

/* What the instruction shows of the group; AlongX: in groups of one work-item along x it shows nothing. */
static Shown shownBy(const Instruction &instruction)
{
	std::optional<Query> query = queryOf(instruction);
	if (isBarrier(instruction) || query == Query::LocalMemory)
		return Shown::Other;
	if (query != Query::LocalId && query != Query::GroupId && query != Query::LocalSize)
		return Shown::Nothing;
	return match(instruction.getOperand(0), m_Zero()) ? Shown::AlongX : Shown::Other;
}

Shown shownTo(const Function &kernel)
{
	if ((getKernelNumber(kernel, flagsAttribute) &
	     (WEFT_KERNEL_PRINTS | WEFT_KERNEL_CALLS_HOST)) ||
	    getKernelNumber(kernel, subgroupsAttribute) > 0)
		return Shown::Other;
	for (const Argument &argument : kernel.args()) {
		const auto *pointer = dyn_cast<PointerType>(argument.getType());
		if (pointer && pointer->getAddressSpace() == LocalSpace && !argument.use_empty())
			return Shown::Other;
	}
	Shown shown = Shown::Nothing;
	for (const Instruction &instruction : instructions(kernel))
		shown = std::max(shown, shownBy(instruction));
	return shown;
}

bool seemsToCoalesce(const Function &kernel)
{
	Shown shown = shownTo(kernel);
	uint32_t required[3];
	readSizes(kernel, "reqd_work_group_size", required);
	return shown == Shown::Nothing || (shown == Shown::AlongX && required[0] == 1);
}

} // namespace weft
