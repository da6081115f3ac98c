/* SPDX-License-Identifier: MIT
 *
 * Chooses work-group sizes. What matters on a CPU, in this order: the first dimension fills vectors
 * (a multiple of 16 lanes), there are enough groups to keep every core busy to the end, and a group
 * is large enough to be worth starting.
 */
#include "group_size.h"

#define LANES 16
#define MOST 256          /* work-items: what lives across a barrier stays in the core's cache */
#define GROUPS_PER_CORE 8 /* to even out the end */

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The largest divisor of `size` up to `most` that is a multiple of LANES; else the largest of all.
 */
static uint64_t best_divisor(uint64_t size, uint64_t most)
{
	uint64_t best = 1;

	for (uint64_t divisor = smaller(size, most); divisor > 1; divisor--) {
		if (size % divisor != 0)
			continue;
		if (divisor % LANES == 0)
			return divisor;
		if (best == 1)
			best = divisor;
	}
	return best;
}

/* How many work-items a group should have. */
static uint64_t target_size(const struct weft_group_size_request *request)
{
	uint64_t groups =
		(uint64_t)(request->compute_units ? request->compute_units : 1) * GROUPS_PER_CORE;
	uint64_t items = 1;

	for (uint32_t i = 0; i < request->work_dim; i++) {
		if (__builtin_mul_overflow(items, request->global[i], &items))
			items = UINT64_MAX;
	}
	uint64_t target = smaller(items / groups, MOST) / LANES * LANES;
	if (target < LANES)
		target = LANES;
	return smaller(target, request->limit);
}

void weft_group_size_choose(const struct weft_group_size_request *request, uint64_t local[3])
{
	uint64_t left = target_size(request);

	local[0] = local[1] = local[2] = 1;
	for (uint32_t i = 0; i < request->work_dim; i++) {
		uint64_t most = smaller(left, request->item_max[i]);

		local[i] = best_divisor(request->global[i], most);
		/* An awkward size: full vectors and one smaller group beat narrow groups. */
		if (i == 0 && !request->uniform && local[0] < LANES && request->global[0] > LANES &&
		    most >= LANES)
			local[0] = most / LANES * LANES;
		left /= local[i];
	}
}
