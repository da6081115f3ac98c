/* SPDX-License-Identifier: MIT
 *
 * The life of gathers.
 */
#include "graph/join_counter.h"

#include "pool.h"

#include <assert.h>

static_assert(sizeof(struct weft_gather) <= WEFT_POOL_GATHER_BYTES, "a gather fits into a block");

struct weft_gather *weft_gather_create(void)
{
	struct weft_gather *gather = weft_pool_take(WEFT_POOL_GATHERS);

	if (!gather)
		return NULL;
	atomic_init(&gather->waiters.head, NULL);
	atomic_init(&gather->unmet, 1);
	return gather;
}

void weft_gather_destroy(struct weft_gather *gather)
{
	weft_pool_give(WEFT_POOL_GATHERS, gather);
}
