/* SPDX-License-Identifier: MIT
 *
 * The life of join counters.
 */
#include "node/join_counter.h"

#include "block_pool.h"

#include <assert.h>

static_assert(sizeof(struct weft_join_counter) <= WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
	      "a join counter fits into a block");

struct weft_join_counter *weft_join_counter_create(void)
{
	struct weft_join_counter *counter = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);

	if (!counter)
		return NULL;
	atomic_init(&counter->waiters.head, NULL);
	atomic_init(&counter->unmet, 1);
	return counter;
}

void weft_join_counter_destroy(struct weft_join_counter *counter)
{
	weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, counter);
}
