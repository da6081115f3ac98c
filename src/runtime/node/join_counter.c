/* SPDX-License-Identifier: MIT
 *
 * The life of join counters.
 */
#include "node/join_counter.h"

#include "block_pool.h"
#include "node/completion.h"

#include <assert.h>

static_assert(sizeof(struct weft_join_counter) <= WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
	      "a join counter fits into a block");

/* Join counters follow one another no deeper than threads wait for one queue at once. */
static void ready(struct weft_node *node)
{
	weft_node_tell_waiters(node, false);
	weft_join_counter_destroy(WEFT_CONTAINER_OF(node, struct weft_join_counter, node));
}

static const struct weft_node_ops ops = {.ready = ready};

struct weft_join_counter *weft_join_counter_create(void)
{
	struct weft_join_counter *counter = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);

	if (counter)
		weft_node_init(&counter->node, &ops, 1);
	return counter;
}

void weft_join_counter_close(struct weft_join_counter *counter)
{
	bool first = weft_completion_begin(NULL);

	weft_node_count_down(&counter->node);
	weft_completion_end(first);
}

void weft_join_counter_destroy(struct weft_join_counter *counter)
{
	weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, counter);
}
