/* SPDX-License-Identifier: MIT
 *
 * Which parts of a split command are unclaimed. Large commands have a segment of their parts for each core: a runner claims from the
 * segment of its core first, then from the next ones. So when a command runs again, each core gets most of the parts that
 * it had, whose memory is in its cache.
 */
#ifndef WEFT_PTHREAD_CLAIMS_H
#define WEFT_PTHREAD_CLAIMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One cache line, on which runners of other segments do not write. */
struct claims_segment {
	_Atomic uint64_t next; /* the first unclaimed part; at most `end` */
	uint64_t end;
	char padding[48];
};

struct claims {
	_Atomic uint64_t left; /* unclaimed parts, and those that are being claimed */
	uint64_t grain;        /* parts that are best claimed together */
	uint32_t num_segments;
	struct claims_segment *segments; /* borrowed, or `only` */
	struct claims_segment only;
};

/* `total` parts, all unclaimed, in at most `most` segments, which are borrowed until no runner claims any more; in one if there are few
 * parts for each, or none are given. */
void claims_init(struct claims *claims, uint64_t total, uint64_t grain,
		 struct claims_segment *segments, uint32_t most);

/* Claims `count` parts, rounded up to whole grains, or as many as are left in the first segment that has any, from the one
 * numbered `home` on, which may be any number. False when none is left. */
bool claims_take(struct claims *claims, uint32_t home, uint64_t count, uint64_t *first,
		 uint64_t *end);

/* The number of unclaimed parts, or a few more while others claim some. Once it has been 0 it stays 0. */
static inline uint64_t claims_left(const struct claims *claims)
{
	return atomic_load_explicit(&claims->left, memory_order_relaxed);
}

/* No part is unclaimed any more. */
void claims_stop(struct claims *claims);

#endif
