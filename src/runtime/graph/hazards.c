/* SPDX-License-Identifier: MIT
 *
 * The table of hazards. Invariant: the last command that wrote a byte, and all that read it since, are in hazards whose
 * regions have the byte. Regions may overlap: an older hazard that a newer one hides only adds edges that hold anyway.
 */
#include "graph/hazards.h"

#include "alloc.h"
#include "block_pool.h"

#define FIRST_BUCKETS 64

/* Without memory, buckets only get fuller. */
bool weft_hazards_grow(struct weft_hazards *hazards)
{
	size_t more = hazards->num_buckets ? 2 * hazards->num_buckets : FIRST_BUCKETS;
	struct weft_hazard **buckets = weft_calloc(more, sizeof(struct weft_hazard *));

	if (!buckets)
		return hazards->num_buckets > 0;
	weft_free(hazards->buckets);
	hazards->buckets = buckets;
	hazards->num_buckets = more;
	for (struct weft_hazard *hazard = hazards->newest; hazard; hazard = hazard->older) {
		struct weft_hazard **bucket = weft_hazards_bucket(hazards, hazard->buffer);

		hazard->next = *bucket;
		*bucket = hazard;
	}
	return true;
}

void weft_hazards_clear(struct weft_hazards *hazards, void (*release)(struct weft_hazard *hazard))
{
	while (hazards->newest) { /* mostly few, in many buckets */
		struct weft_hazard *hazard = hazards->newest;

		hazards->newest = hazard->older;
		*weft_hazards_bucket(hazards, hazard->buffer) = NULL;
		release(hazard);
		weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, hazard);
	}
	hazards->count = 0;
}

void weft_hazards_destroy(struct weft_hazards *hazards, void (*release)(struct weft_hazard *hazard))
{
	weft_hazards_clear(hazards, release);
	weft_free(hazards->buckets);
	*hazards = (struct weft_hazards){0};
}
