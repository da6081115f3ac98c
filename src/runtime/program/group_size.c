/* SPDX-License-Identifier: MIT
 *
 * Chooses work-group sizes. What matters on a CPU, in this order: the dimension along which vectors go
 * fills them, there are enough groups to keep every core busy to the end, a group is large enough to be worth
 * starting, and it is a tile rather than a line, for neighbours along y often use the same memory.
 */
#include "program/group_size.h"

#define LEAST_LANES 16 /* those that most kernels have, on the widest CPUs */
#define LAYER_LANES 8  /* of kernels with blocks of few layers, which have as few lanes for that */
#define MOST 256       /* work-items: what lives across a barrier stays in the core's cache */
#define GROUPS_PER_CORE 8 /* to even out the end */

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The largest divisor of `size` up to `most` that is a multiple of `lanes`; else the largest of all.
 */
static uint64_t best_divisor(uint64_t size, uint64_t most, uint64_t lanes)
{
	uint64_t best = 1;

	for (uint64_t divisor = smaller(size, most); divisor > 1; divisor--) {
		if (size % divisor != 0)
			continue;
		if (divisor % lanes == 0)
			return divisor;
		if (best == 1)
			best = divisor;
	}
	return best;
}

/* How many work-items a group should have. */
static uint64_t target_size(const struct weft_group_size_request *request, uint64_t lanes)
{
	uint64_t groups =
		(uint64_t)(request->compute_units ? request->compute_units : 1) * GROUPS_PER_CORE;
	uint64_t items = 1;

	for (uint32_t i = 0; i < request->work_dim; i++) {
		if (__builtin_mul_overflow(items, request->global[i], &items))
			items = UINT64_MAX;
	}
	uint64_t target = smaller(items / groups, MOST) / lanes * lanes;
	if (target < lanes)
		target = lanes;
	return smaller(target, request->limit);
}

/* How many of the `target` work-items lie along x, where that fills vectors: one vector, unless there are too few
 * rows for the rest. */
static uint64_t target_width(const struct weft_group_size_request *request, uint64_t target,
			     uint64_t lanes)
{
	uint64_t rows = 1;

	for (uint32_t i = 1; i < request->work_dim; i++)
		rows = smaller(rows * smaller(request->global[i], MOST), MOST);
	uint64_t width = target / rows / lanes * lanes;
	return width > lanes ? width : lanes;
}

/* Whether blocks are of few layers: of work-items along the source's z. Kernels that just happen to have as few lanes may compute several
 * vectors at once. */
static bool is_of_few_layers(const struct weft_group_size_request *request)
{
	return request->few_layers && request->lanes >= LAYER_LANES && request->work_dim == 3 &&
	       (request->first_dimension == 2 || request->second_dimension == 2);
}

/* Where vectors go along x, and blocks along y. */
static void choose_along_x(const struct weft_group_size_request *request, uint64_t local[3])
{
	uint64_t least = is_of_few_layers(request) ? LAYER_LANES : LEAST_LANES;
	uint64_t lanes = request->lanes > least ? request->lanes : least;
	uint64_t left = target_size(request, lanes);
	uint64_t most = smaller(left, request->item_max[0]);
	uint64_t width = smaller(most, target_width(request, left, lanes));

	if (request->global[0] % lanes != 0)
		width = most;
	for (uint32_t i = 0; i < 3; i++)
		local[i] = 1;
	for (uint32_t i = 0; i < request->work_dim; i++) {
		local[i] = best_divisor(request->global[i], i == 0 ? width : most, lanes);
		/* An awkward size: full vectors and one smaller group beat narrow groups. */
		if (i == 0 && !request->uniform && local[0] < lanes && request->global[0] > lanes &&
		    most >= lanes)
			local[0] = target_width(request, most, lanes);
		left /= local[i];
		if (i + 1 < request->work_dim)
			most = smaller(left, request->item_max[i + 1]);
	}
}

/* The dimensions in the order in which they matter. */
static void order_dimensions(const struct weft_group_size_request *request, uint32_t order[3])
{
	uint32_t first =
		request->first_dimension < request->work_dim ? request->first_dimension : 0;
	uint32_t second =
		request->second_dimension < request->work_dim ? request->second_dimension : first;

	if (second == first)
		second = first == 0;
	order[0] = first;
	order[1] = second;
	order[2] = 3 - first - second;
}

void weft_group_size_choose(const struct weft_group_size_request *request, uint64_t local[3])
{
	struct weft_group_size_request ordered = *request;
	uint32_t order[3];
	uint64_t global[3];
	uint64_t item_max[3];
	uint64_t chosen[3];

	order_dimensions(request, order);
	for (uint32_t i = 0; i < 3; i++) {
		global[i] = request->global[order[i]];
		item_max[i] = request->item_max[order[i]];
	}
	ordered.global = global;
	ordered.item_max = item_max;
	choose_along_x(&ordered, chosen);
	for (uint32_t i = 0; i < 3; i++)
		local[order[i]] = chosen[i];
}
