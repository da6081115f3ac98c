/* SPDX-License-Identifier: MIT
 *
 * The lock-free list of edges: each edge is either taken by the closer or refused, never both,
 * never neither, and a thread that is refused sees what the closing thread wrote before.
 */
#include "node/edges.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define THREADS 4
#define EDGES 64
#define ROUNDS 2000

static void keeps_the_order_of_adding(void **state)
{
	struct weft_edges list = {NULL};
	struct weft_edge edges[3] = {0};

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(weft_edges_add(&list, &edges[i]));
	struct weft_edge *edge = weft_edges_close(&list);
	for (int i = 0; i < 3; i++, edge = edge->next)
		assert_ptr_equal(edge, &edges[i]);
	assert_null(edge);
	assert_false(weft_edges_add(&list, &edges[0]));
	assert_null(weft_edges_close(&list));
}

static void empty_list_closes(void **state)
{
	struct weft_edges list = {NULL};
	struct weft_edge edge = {0};

	(void)state;
	assert_null(weft_edges_close(&list));
	assert_false(weft_edges_add(&list, &edge));
}

/* ---- many threads ---------------------------------------------------------------------------- */

static struct weft_edges shared;
static struct weft_edge edges[THREADS][EDGES];
static bool refused[THREADS][EDGES];
static int written_before_closing;
static _Atomic int misread;
static pthread_barrier_t start;
static pthread_barrier_t end;

static void *add_edges(void *argument)
{
	size_t thread = (size_t)(uintptr_t)argument;

	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&start);
		for (int i = 0; i < EDGES; i++) {
			refused[thread][i] = !weft_edges_add(&shared, &edges[thread][i]);
			if (refused[thread][i] && written_before_closing != round)
				atomic_fetch_add(&misread, 1);
		}
		pthread_barrier_wait(&end);
	}
	return NULL;
}

/* How often the edge at (thread, index) is in the taken list or refused: once. */
static void check_round(struct weft_edge *taken)
{
	int count[THREADS][EDGES] = {{0}};

	for (; taken; taken = taken->next)
		((int *)count)[taken - &edges[0][0]]++;
	for (int thread = 0; thread < THREADS; thread++) {
		for (int i = 0; i < EDGES; i++)
			assert_int_equal(count[thread][i] + refused[thread][i], 1);
	}
}

static void every_edge_goes_one_way(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	pthread_barrier_init(&start, NULL, THREADS + 1);
	pthread_barrier_init(&end, NULL, THREADS + 1);
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, add_edges, (void *)i), 0);
	for (int round = 0; round < ROUNDS; round++) {
		atomic_store(&shared.head, NULL);
		pthread_barrier_wait(&start);
		for (volatile int spin = 0; spin < (round % 64) * 16; spin++)
			;
		written_before_closing = round;
		struct weft_edge *taken = weft_edges_close(&shared);
		pthread_barrier_wait(&end);
		check_round(taken);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&misread), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_order_of_adding),
		cmocka_unit_test(empty_list_closes),
		cmocka_unit_test(every_edge_goes_one_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
