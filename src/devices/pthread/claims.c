/* SPDX-License-Identifier: MIT
 *
 * Claiming parts of a split command. A segment's next part only grows, which needs no order beside other memory.
 */
#include "claims.h"

/* Grains of a segment, at least. */
#define LEAST_GRAINS 2

void claims_init(struct claims *claims, uint64_t total, uint64_t grain,
		 struct claims_segment *segments, uint32_t most)
{
	const uint64_t grains = total / grain + (total % grain != 0);
	const uint64_t fair = grains / LEAST_GRAINS;
	const uint64_t count = fair < most ? fair : most;
	uint64_t next = 0;

	atomic_store_explicit(&claims->left, total, memory_order_relaxed);
	claims->grain = grain;
	claims->num_segments = count > 1 ? (uint32_t)count : 1;
	claims->segments = count > 1 ? segments : &claims->only;
	for (uint64_t i = 0; i < claims->num_segments; i++) {
		struct claims_segment *segment = &claims->segments[i];
		/* those that are one grain longer come first */
		const uint64_t size =
			(grains / claims->num_segments + (i < grains % claims->num_segments)) *
			grain;

		atomic_store_explicit(&segment->next, next, memory_order_relaxed);
		next = size < total - next ? next + size : total;
		segment->end = next;
	}
}

static bool take(struct claims_segment *segment, uint64_t count, uint64_t *first, uint64_t *end)
{
	uint64_t next = atomic_load_explicit(&segment->next, memory_order_relaxed);

	do {
		if (next >= segment->end)
			return false;
		*first = next;
		*end = count < segment->end - next ? next + count : segment->end;
	} while (!atomic_compare_exchange_weak_explicit(
		&segment->next, &next, *end, memory_order_relaxed, memory_order_relaxed));
	return true;
}

bool claims_take(struct claims *claims, uint32_t home, uint64_t count, uint64_t *first,
		 uint64_t *end)
{
	const uint64_t over = count % claims->grain;

	count += over ? claims->grain - over : 0;
	for (uint32_t i = 0; i < claims->num_segments; i++) {
		const uint32_t place = (home % claims->num_segments + i) % claims->num_segments;

		if (take(&claims->segments[place], count, first, end)) {
			atomic_fetch_sub_explicit(&claims->left, *end - *first,
						  memory_order_relaxed);
			return true;
		}
	}
	return false;
}

void claims_stop(struct claims *claims)
{
	for (uint32_t i = 0; i < claims->num_segments; i++) {
		struct claims_segment *segment = &claims->segments[i];
		const uint64_t next = atomic_exchange_explicit(&segment->next, segment->end,
							       memory_order_relaxed);

		atomic_fetch_sub_explicit(&claims->left, segment->end - next, memory_order_relaxed);
	}
}
