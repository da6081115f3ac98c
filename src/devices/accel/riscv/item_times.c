/* SPDX-License-Identifier: MIT
 *
 * Work-items come in the order of their numbers, so that a mark needs no operand.
 */
#include "riscv/item_times.h"

#include "riscv/code.h"

/* Transfers replace accesses that the code still has. */
static uint64_t gain_of(const struct riscv_item_times *items, struct riscv_moment at)
{
	const uint64_t made = at.far_accesses - items->far_before;

	return (items->near < made ? items->near : made) * items->gain;
}

uint64_t riscv_item_time(const struct riscv_item_times *items, struct riscv_moment at)
{
	return items->open ? at.now - items->begin - gain_of(items, at) : 0;
}

static void begin(struct riscv_item_times *items, struct riscv_moment at, bool is_first_region)
{
	if (items->open++ > 0)
		return;
	items->begin = items->count ? items->since : at.now;
	items->near = 0;
	items->far_before = at.far_accesses;
	if (items->count > 0)
		return;
	items->prologue = at.now - items->since;
	items->group += is_first_region;
}

static void end(struct riscv_item_times *items, struct riscv_moment at)
{
	uint64_t left = 0;

	if (items->open == 0)
		return;
	if (items->lanes == 0) {
		const uint64_t time = riscv_item_time(items, at);
		items->lanes = items->open;
		items->share = time / items->lanes;
		left = time % items->lanes;
	}
	if (items->count < items->room)
		items->cycles[items->count++] = items->share + left;
	if (--items->open > 0)
		return;
	items->lanes = 0;
	items->since = at.now;
}

void riscv_mark_item(struct riscv_item_times *items, uint32_t mark, struct riscv_moment at)
{
	if (!items->cycles)
		return;
	if (mark >= RISCV_MARK_TRANSFERS) {
		if (items->transfers >> mark % RISCV_MARK_TRANSFERS & 1)
			items->near += mark / RISCV_MARK_TRANSFERS;
	} else if (mark == RISCV_MARK_END) {
		end(items, at);
	} else {
		begin(items, at, mark == RISCV_MARK_FIRST_REGION);
	}
}

bool riscv_end_region(struct riscv_item_times *items, uint64_t num_items, uint64_t now)
{
	if (num_items > items->room || (items->count && items->count != num_items))
		return false;
	items->count = 0;
	items->open = 0;
	items->lanes = 0;
	items->since = now;
	items->prologue = 0;
	return true;
}
