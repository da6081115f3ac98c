/* SPDX-License-Identifier: MIT
 *
 * Deques and queues: order, fullness, and that under every mix of threads each item comes out once, with what was
 * written to it before it went in.
 */
#include "common.h"

#include "deque.h"
#include "mpsc_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- one thread ------------------------------------------------------------------------------ */

static void newest_or_oldest_first(void **state)
{
	static struct weft_deque deque;
	int items[4];

	(void)state;
	assert_true(weft_deque_is_empty(&deque));
	assert_null(weft_deque_take(&deque));
	assert_null(weft_deque_peek(&deque));
	assert_null(weft_deque_steal(&deque));
	for (int i = 0; i < 4; i++)
		assert_true(weft_deque_push(&deque, &items[i]));
	assert_false(weft_deque_is_empty(&deque));
	assert_ptr_equal(weft_deque_take(&deque), &items[3]);
	assert_ptr_equal(weft_deque_steal(&deque), &items[0]);
	assert_ptr_equal(weft_deque_steal(&deque), &items[1]);
	assert_ptr_equal(weft_deque_peek(&deque), &items[2]);
	assert_ptr_equal(weft_deque_take(&deque), &items[2]);
	assert_null(weft_deque_take(&deque));
	assert_null(weft_deque_steal(&deque));
	assert_true(weft_deque_is_empty(&deque));
}

/* Many times round, from full to empty. */
static void full_ones_say_so(void **state)
{
	static struct weft_deque deque;
	static char items[WEFT_DEQUE_CAPACITY];

	(void)state;
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < WEFT_DEQUE_CAPACITY; i++)
			assert_true(weft_deque_push(&deque, &items[i]));
		assert_false(weft_deque_push(&deque, &items[0]));
		for (int i = 0; i < round; i++)
			assert_ptr_equal(weft_deque_steal(&deque), &items[i]);
		for (int i = WEFT_DEQUE_CAPACITY; i-- > round;)
			assert_ptr_equal(weft_deque_take(&deque), &items[i]);
		assert_null(weft_deque_take(&deque));
	}
}

struct item {
	struct weft_list link;
	uint64_t number;
	_Atomic uint32_t seen;
};

static uint64_t pop_number(struct weft_list *list)
{
	return WEFT_CONTAINER_OF(weft_list_pop(list), struct item, link)->number;
}

static void queues_keep_the_order(void **state)
{
	struct item items[10];
	struct weft_mpsc_queue queue;
	struct weft_list taken;

	(void)state;
	weft_mpsc_queue_init(&queue);
	weft_list_init(&taken);
	assert_int_equal(weft_mpsc_queue_take(&queue, 1, 1, &taken), 0);
	for (uint64_t i = 0; i < 10; i++) {
		items[i].number = i;
		weft_mpsc_queue_push(&queue, &items[i].link);
		if (i == 5) {
			assert_int_equal(weft_mpsc_queue_take(&queue, 3, 100, &taken), 2);
			assert_int_equal(pop_number(&taken), 0);
			assert_int_equal(pop_number(&taken), 1);
		}
	}
	for (uint64_t i = 2; i < 8; i++) {
		assert_false(weft_mpsc_queue_is_empty(&queue));
		assert_int_equal(weft_mpsc_queue_take(&queue, 1, 1, &taken), 1);
		assert_int_equal(pop_number(&taken), i);
	}
	assert_int_equal(weft_mpsc_queue_take(&queue, 8, 100, &taken), 1); /* at least one */
	assert_int_equal(weft_mpsc_queue_take(&queue, 1, 100, &taken), 1);
	assert_true(weft_mpsc_queue_is_empty(&queue));
	assert_int_equal(pop_number(&taken), 8);
	assert_int_equal(pop_number(&taken), 9);
	weft_mpsc_queue_destroy(&queue);
}

/* ---- many threads ---------------------------------------------------------------------------- */

#define ITEMS 100000
#define THIEVES 3

static struct item *items;
static _Atomic uint64_t got;   /* items that came out */
static _Atomic uint64_t wrong; /* items that came out without what was written to them */

static struct item *fresh_items(void)
{
	free(items);
	items = calloc(ITEMS, sizeof(*items));
	assert_non_null(items);
	atomic_store(&got, 0);
	return items;
}

static void account(struct item *item)
{
	if (!item)
		return;
	if (item->number != (uint64_t)(item - items) + 1)
		atomic_fetch_add(&wrong, 1);
	atomic_fetch_add_explicit(&item->seen, 1, memory_order_relaxed);
	atomic_fetch_add(&got, 1);
}

static void expect_each_once(void)
{
	assert_int_equal(atomic_load(&wrong), 0);
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(atomic_load(&items[i].seen), 1);
}

static struct weft_deque shared;

static void *steal_all(void *unused)
{
	while (atomic_load(&got) < ITEMS)
		account(weft_deque_steal(&shared));
	return unused;
}

/* Pushes in bursts, and takes some of them back, at times down to the last. */
static void own(unsigned seed)
{
	for (size_t next = 0; next < ITEMS;) {
		seed = seed * 1664525 + 1013904223;
		for (unsigned burst = seed >> 28; burst > 0 && next < ITEMS; burst--) {
			items[next].number = next + 1;
			if (!weft_deque_push(&shared, &items[next]))
				break;
			next++;
		}
		for (unsigned burst = seed >> 24 & 15; burst > 0; burst--)
			account(weft_deque_take(&shared));
	}
	while (atomic_load(&got) < ITEMS)
		account(weft_deque_take(&shared));
}

static void thieves_and_owner_share(void **state)
{
	pthread_t thieves[THIEVES];

	(void)state;
	for (unsigned round = 0; round < 5; round++) {
		fresh_items();
		for (int i = 0; i < THIEVES; i++)
			assert_int_equal(pthread_create(&thieves[i], NULL, steal_all, NULL), 0);
		own(round);
		for (int i = 0; i < THIEVES; i++)
			pthread_join(thieves[i], NULL);
		expect_each_once();
	}
}

static struct weft_mpsc_queue box;

static void *put_a_share(void *argument)
{
	for (size_t i = (uintptr_t)argument; i < ITEMS; i += THIEVES) {
		items[i].number = i + 1;
		weft_mpsc_queue_push(&box, &items[i].link);
	}
	return NULL;
}

static void *take_all(void *unused)
{
	struct weft_list taken;
	struct weft_list *link;

	weft_list_init(&taken);
	while (atomic_load(&got) < ITEMS) {
		weft_mpsc_queue_take(&box, 4, 16, &taken);
		while ((link = weft_list_pop(&taken)))
			account(WEFT_CONTAINER_OF(link, struct item, link));
	}
	return unused;
}

static void many_put_and_take(void **state)
{
	pthread_t threads[2 * THIEVES];

	(void)state;
	weft_mpsc_queue_init(&box);
	for (unsigned round = 0; round < 5; round++) {
		fresh_items();
		for (uintptr_t i = 0; i < 2 * THIEVES; i++)
			assert_int_equal(pthread_create(&threads[i], NULL,
							i < THIEVES ? put_a_share : take_all,
							(void *)i),
					 0);
		for (int i = 0; i < 2 * THIEVES; i++)
			pthread_join(threads[i], NULL);
		expect_each_once();
		assert_true(weft_mpsc_queue_is_empty(&box));
	}
	weft_mpsc_queue_destroy(&box);
	free(items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newest_or_oldest_first), cmocka_unit_test(full_ones_say_so),
		cmocka_unit_test(queues_keep_the_order),  cmocka_unit_test(thieves_and_owner_share),
		cmocka_unit_test(many_put_and_take),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
