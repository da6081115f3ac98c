/* SPDX-License-Identifier: MIT
 *
 * What accesses of lanes cost by the step of their address, where nothing else is known yet.
 */
#ifndef WEFT_PASSES_ACCESS_STEP_H
#define WEFT_PASSES_ACCESS_STEP_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>

namespace weft
{

/* What an access of `size` bytes costs whose address grows by `step` bytes from lane to lane: 1 for neighbours. */
inline uint64_t costOfStep(std::optional<int64_t> step, uint64_t size, bool isStore)
{
	/* What an access costs whose lanes are few elements apart, and farther. */
	constexpr uint64_t fewElements = 4, fewApartCost = 3, farApartCost = 16;
	if (!step || (*step == 0 && isStore))
		return farApartCost;
	const auto distance = uint64_t(std::abs(*step));
	return distance <= size ? 1 : distance <= fewElements * size ? fewApartCost : farApartCost;
}

/* What an access costs whose address is `step` from lane to lane but for small numbers that data say. */
inline uint64_t costOfNearStep(std::optional<int64_t> step, uint64_t size)
{
	constexpr uint64_t onSomeLines = 4; /* of the cache */
	return std::max(costOfStep(step, size, false), onSomeLines);
}

/* How often an instruction is taken to run. */
inline uint64_t timesRun(const llvm::Instruction &instruction, const llvm::LoopInfo &loops)
{
	constexpr uint64_t loopWeight = 8;     /* iterations that a loop is taken to have */
	constexpr unsigned deepestWeighed = 4; /* of loops that count */
	uint64_t times = 1;
	for (unsigned depth = std::min(loops.getLoopDepth(instruction.getParent()), deepestWeighed);
	     depth > 0; depth--)
		times *= loopWeight;
	return times;
}

} // namespace weft

#endif
