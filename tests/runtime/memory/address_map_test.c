/* SPDX-License-Identifier: MIT
 *
 * The map of addresses: random ranges against a list; readers beside writers; what is left when memory runs out.
 */
#include "memory/address_map.h"

#include "alloc.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <cmocka.h>

#define GRANULE ((uintptr_t)WEFT_ADDRESS_GRANULE)

/* An object is its own name. */
static char objects[512][2] __attribute__((aligned(8)));

static void a_range_has_its_granules(void **state)
{
	static struct weft_address_map map = WEFT_ADDRESS_MAP_INITIALIZER;
	const uintptr_t begin = 0x7f0000000000 - 3 * GRANULE;
	const size_t size = ((size_t)5 << 30) + 1; /* over tables of all levels */

	(void)state;
	assert_null(weft_address_map_find(&map, begin));
	assert_true(weft_address_map_add(&map, begin, size, objects[0]));
	assert_true(weft_address_map_add(&map, begin - GRANULE, 1, objects[1]));
	for (uintptr_t at = begin; at < begin + size; at += 4091 * GRANULE)
		assert_ptr_equal(weft_address_map_find(&map, at), objects[0]);
	assert_ptr_equal(weft_address_map_find(&map, begin - 1), objects[1]);
	assert_ptr_equal(weft_address_map_find(&map, begin + size + GRANULE - 2), objects[0]);
	assert_null(weft_address_map_find(&map, begin + size + GRANULE));
	assert_null(weft_address_map_find(&map, begin - 2 * GRANULE));
	assert_null(weft_address_map_find(&map, 0));
	assert_null(weft_address_map_find(&map, UINTPTR_MAX));
	assert_false(weft_address_map_remove(&map, begin, size, objects[1]));
	assert_true(weft_address_map_remove(&map, begin, size, objects[0]));
	assert_false(weft_address_map_remove(&map, begin, size, objects[0]));
	assert_null(weft_address_map_find(&map, begin));
	assert_null(weft_address_map_find(&map, begin + size - 1));
	assert_ptr_equal(weft_address_map_find(&map, begin - 1), objects[1]);
}

static void what_no_process_has_is_refused(void **state)
{
	static struct weft_address_map map = WEFT_ADDRESS_MAP_INITIALIZER;

	(void)state;
	assert_false(weft_address_map_add(&map, (uintptr_t)1 << 48, 1, objects[0]));
	assert_false(weft_address_map_add(&map, 4096, SIZE_MAX, objects[0]));
	assert_false(weft_address_map_add(&map, 4096, 0, objects[0]));
	assert_null(weft_address_map_find(&map, 4096));
	assert_null(weft_address_map_find(&map, (uintptr_t)1 << 48));
}

/* ---- at random ------------------------------------------------------------------------------- */

#define PLACES 64
#if defined(__SANITIZE_THREAD__) /* which has nothing to say of one thread, but is slow on tables */
#define STEPS 1000
#else
#define STEPS 20000
#endif

/* Place i is the range from i << 33 on, or a part of it: small ranges, pages, and some of gigabytes. */
static size_t random_size(unsigned *seed)
{
	static const size_t sizes[] = {
		1, 100, 128, 129, 4096, 1u << 20, 5u << 20, 3u << 29, ((size_t)1 << 32)};

	return sizes[(unsigned)rand_r(seed) % (sizeof(sizes) / sizeof(sizes[0]))];
}

static void random_ranges(void **state)
{
	static struct weft_address_map map = WEFT_ADDRESS_MAP_INITIALIZER;
	struct {
		uintptr_t begin;
		size_t size; /* 0: none */
	} ranges[PLACES] = {{0, 0}};
	unsigned seed = 1;

	(void)state;
	for (int step = 0; step < STEPS; step++) {
		const unsigned i = (unsigned)rand_r(&seed) % PLACES;
		const uintptr_t begin = ranges[i].begin;

		if (ranges[i].size) {
			assert_ptr_equal(weft_address_map_find(&map, begin), objects[i]);
			assert_ptr_equal(weft_address_map_find(&map, begin + ranges[i].size - 1),
					 objects[i]);
			assert_true(
				weft_address_map_remove(&map, begin, ranges[i].size, objects[i]));
			assert_null(weft_address_map_find(&map, begin + ranges[i].size / 2));
			ranges[i].size = 0;
			continue;
		}
		ranges[i].begin =
			((uintptr_t)i << 33) + ((unsigned)rand_r(&seed) % 70000) * GRANULE;
		ranges[i].size = random_size(&seed);
		assert_true(
			weft_address_map_add(&map, ranges[i].begin, ranges[i].size, objects[i]));
	}
}

/* ---- without memory -------------------------------------------------------------------------- */

static void without_memory_nothing_is_added(void **state)
{
	static struct weft_address_map map = WEFT_ADDRESS_MAP_INITIALIZER;
	bool added = false;

	(void)state;
	/* tables of earlier attempts stay: each attempt makes more */
	for (int attempt = 0; !added; attempt++) {
		const uintptr_t begin = 0x123456789000 + GRANULE;
		const size_t size = (size_t)1 << 31;

		weft_alloc_fail_after(attempt % 2);
		added = weft_address_map_add(&map, begin, size, objects[0]);
		weft_alloc_fail_after(-1);
		for (uintptr_t at = begin; at < begin + size; at += 1009 * GRANULE)
			assert_ptr_equal(weft_address_map_find(&map, at),
					 added ? objects[0] : NULL);
	}
}

/* ---- threads --------------------------------------------------------------------------------- */

#define WRITERS 2
#define ROUNDS 600

static struct weft_address_map shared = WEFT_ADDRESS_MAP_INITIALIZER;
static _Atomic int writing;
static _Atomic int failures;

/* Ranges of a writer share tables with those of the other one. */
static void *write_ranges(void *data)
{
	const unsigned writer = *(const unsigned *)data;

	for (unsigned round = 0; round < ROUNDS; round++) {
		const unsigned i = round % 16 * WRITERS + writer;
		const uintptr_t begin = ((uintptr_t)1 << 40) + i * 16 * GRANULE;

		if (!weft_address_map_add(&shared, begin, 16 * GRANULE, objects[i]) ||
		    weft_address_map_find(&shared, begin + 5) != objects[i] ||
		    !weft_address_map_remove(&shared, begin, 16 * GRANULE, objects[i]))
			atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
	}
	atomic_fetch_sub_explicit(&writing, 1, memory_order_relaxed);
	return NULL;
}

/* A range that stays is found at any time; of the others, either nothing or the right object. */
static void readers_beside_writers(void **state)
{
	const uintptr_t begin = ((uintptr_t)1 << 40) + 32 * 16 * GRANULE;
	const unsigned numbers[WRITERS] = {0, 1};
	pthread_t threads[WRITERS];

	(void)state;
	assert_true(weft_address_map_add(&shared, begin, 3 * GRANULE, objects[100]));
	atomic_init(&writing, WRITERS);
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, write_ranges,
						(void *)(uintptr_t)&numbers[i]),
				 0);
	while (atomic_load_explicit(&writing, memory_order_relaxed)) {
		assert_ptr_equal(weft_address_map_find(&shared, begin + GRANULE), objects[100]);
		for (unsigned i = 0; i < 32; i++) {
			const void *found = weft_address_map_find(
				&shared, ((uintptr_t)1 << 40) + i * 16 * GRANULE + 7);
			assert_true(!found || found == objects[i]);
		}
	}
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(atomic_load_explicit(&failures, memory_order_relaxed), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_has_its_granules),
		cmocka_unit_test(what_no_process_has_is_refused),
		cmocka_unit_test(random_ranges),
		cmocka_unit_test(without_memory_nothing_is_added),
		cmocka_unit_test(readers_beside_writers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
