/* SPDX-License-Identifier: MIT
 *
 * The table of specialisations: one for each key, however many threads come with it; which one gives its place to a new key,
 * and which one its code. Times are made up.
 */
#include "program/specialisation_table.h"

#include "alloc.h"
#include "device/device.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)
#define NOW (1000 * MS)
#define KEYS WEFT_SPECIALISATION_KEYS
#define CODES WEFT_SPECIALISATION_CODES

static struct weft_specialisations *owner;
static struct weft_specialisation_table *table;

static int set_up(void **state)
{
	(void)state;
	owner = weft_zalloc(sizeof(*owner) + sizeof(owner->kernels[0]));
	table = weft_specialisation_table_create();
	assert_non_null(owner);
	assert_non_null(table);
	weft_refcount_init(&owner->refs, 1); /* the test's, so that the owner needs no device */
	owner->kernels[0].owner = owner;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	weft_specialisation_table_destroy(table);
	assert_int_equal(weft_refcount_read(&owner->refs), 1);
	weft_free(owner);
	return 0;
}

/* For a group of so many work-items. */
static struct weft_specialisation_key key_of(uint32_t number)
{
	struct weft_specialisation_key key;

	weft_specialisation_key_init(&key, number, NULL, NULL);
	return key;
}

/* Borrowed from the table. NULL: the table has none. */
static struct weft_specialisation *find(uint32_t number)
{
	const struct weft_specialisation_key key = key_of(number);
	struct weft_specialisation *found = weft_specialisation_table_find(table, &key);

	if (found)
		assert_int_equal(found->words[0], number);
	weft_specialisation_put(found);
	return found;
}

static struct weft_specialisation *get(uint32_t number, uint64_t now)
{
	const struct weft_specialisation_key key = key_of(number);
	struct weft_specialisation *found =
		weft_specialisation_table_get(table, &owner->kernels[0], &key, now);

	assert_non_null(found);
	return found;
}

/* One that a launch of so many work-items came with. Borrowed from the table. */
static struct weft_specialisation *run(uint32_t number, uint64_t items, uint64_t now)
{
	struct weft_specialisation *found = get(number, now);

	weft_specialisation_add_items(found, items);
	weft_specialisation_put(found);
	return found;
}

static bool admit(struct weft_specialisation *specialisation, bool replaces, uint64_t now)
{
	const struct weft_specialisation_request request = {
		specialisation, WEFT_SPECIALISATION_COMPILED, replaces, now};

	return weft_specialisation_table_admit(table, &request);
}

static void become(struct weft_specialisation *specialisation, enum weft_specialisation_state state)
{
	atomic_store_explicit(&specialisation->state, (uint32_t)state, memory_order_relaxed);
}

/* As many as may have code: keys from 1 on. Each has run ten times as much as the one before, up to the fourth. */
static void fill_with_code(void)
{
	for (uint32_t i = 1; i <= CODES; i++) {
		const uint64_t items = i == 1 ? 1000 : i == 2 ? 10000 : i == 3 ? 100000 : 1000000;
		struct weft_specialisation *made = run(i, items, NOW);

		assert_true(admit(made, false, NOW));
		become(made, WEFT_SPECIALISATION_MADE);
	}
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void test_one_for_each_key(void **state)
{
	struct weft_specialisation *first = run(1, 1, NOW);
	(void)state;

	assert_null(find(2));
	assert_ptr_not_equal(run(2, 1, NOW), first);
	assert_ptr_equal(run(1, 1, NOW), first);
	assert_ptr_equal(find(1), first);
}

/* A new key takes the place of the one that has run least lately, without code. */
static void test_new_keys_replace(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= KEYS; i++)
		(void)run(i, i == 7 ? 10 : i == 8 ? 1 : 1000, NOW);
	assert_true(admit(find(8), false, NOW));
	(void)run(KEYS + 1, 1000, NOW);
	assert_null(find(7));
	for (uint32_t i = 1; i <= KEYS + 1; i++) {
		if (i != 7)
			assert_non_null(find(i));
	}
}

/* Launches of the last second count: 100 times as many long ago do not. */
static void test_old_keys_go(void **state)
{
	(void)state;
	(void)run(1, 100000, NOW);
	for (uint32_t i = 2; i <= KEYS; i++)
		(void)run(i, 1000, NOW + 100000 * MS);
	(void)run(KEYS + 1, 1000, NOW + 100000 * MS);
	assert_null(find(1));
}

/* ---- code ------------------------------------------------------------------------------------ */

static void test_codes_are_bounded(void **state)
{
	(void)state;
	fill_with_code();
	struct weft_specialisation *asking = run(CODES + 1, 1500, NOW);
	assert_false(admit(asking, false, NOW));
	assert_false(admit(asking, true, NOW)); /* not twice the least */
	assert_non_null(find(1));
	assert_int_equal(weft_specialisation_state(asking), WEFT_SPECIALISATION_IDLE);
	/* What failed has no code. */
	become(find(4), WEFT_SPECIALISATION_FAILED);
	assert_true(admit(asking, false, NOW));
	assert_false(admit(asking, false, NOW)); /* no longer idle */
}

/* The one that has run least loses its code to one that has run twice as much; launches that run it have it still. */
static void test_code_is_given_up(void **state)
{
	(void)state;
	fill_with_code();
	struct weft_specialisation *running = get(1, NOW);
	struct weft_specialisation *asking = run(CODES + 1, 5000, NOW);
	assert_true(admit(asking, true, NOW));
	become(asking, WEFT_SPECIALISATION_MADE);
	assert_null(find(1));
	assert_non_null(find(2));
	assert_int_equal(weft_specialisation_state(running), WEFT_SPECIALISATION_MADE);
	assert_int_equal(weft_refcount_read(&running->base.refs), 1);
	weft_specialisation_put(running);
	/* The key comes again, and is new. */
	assert_int_equal(weft_specialisation_state(run(1, 1, NOW)), WEFT_SPECIALISATION_IDLE);
}

/* Code in the making is not given up. */
static void test_code_in_the_making_stays(void **state)
{
	(void)state;
	fill_with_code();
	become(find(1), WEFT_SPECIALISATION_COMPILED);
	assert_true(admit(run(CODES + 1, 50000, NOW), true, NOW));
	assert_non_null(find(1));
	assert_null(find(2));
}

/* What ran for an hour and no more is given up within seconds, though it ran 100 times as much in each. */
static void test_old_code_is_given_up(void **state)
{
	const uint64_t later = NOW + 3600 * 1000 * MS;
	bool admitted = false;
	uint64_t now = later;
	(void)state;

	fill_with_code();
	for (uint32_t i = 1; i <= CODES; i++)
		weft_specialisation_add_items(find(i), 3600 * UINT64_C(10000000000));
	for (; !admitted && now < later + 10000 * MS; now += 100 * MS)
		admitted = admit(run(CODES + 1, 10000000, now), true, now);
	assert_true(admitted);
	assert_true(now > later + 100 * MS);
}

/* One that the table has given up, and that a recorded command has still, comes back when it asks for code; unless another one
 * has its key by then, and code, which is its successor from then on. */
static void test_comes_back(void **state)
{
	struct weft_specialisation *given_up[] = {get(1, NOW), get(2, NOW), get(3, NOW)};
	(void)state;

	for (uint32_t i = 4; i <= KEYS + 3; i++)
		(void)run(i, 1000, NOW);
	for (uint32_t i = 1; i <= 3; i++)
		assert_null(find(i));
	(void)run(2, 2000, NOW);
	struct weft_specialisation *other = run(3, 2000, NOW);
	assert_true(admit(other, true, NOW));
	become(other, WEFT_SPECIALISATION_MADE);
	assert_true(admit(given_up[0], true, NOW));
	assert_ptr_equal(find(1), given_up[0]);
	assert_true(admit(given_up[1], true, NOW));
	assert_ptr_equal(find(2), given_up[1]);
	assert_false(admit(given_up[2], true, NOW));
	assert_ptr_equal(find(3), other);
	for (int i = 0; i < 3; i++) {
		assert_ptr_equal(weft_specialisation_current(given_up[i]),
				 i == 2 ? other : given_up[i]);
		weft_specialisation_put(given_up[i]);
	}
}

/* ---- threads --------------------------------------------------------------------------------- */

#define THREADS 4
#define ROUNDS 60

static pthread_barrier_t barrier;
static struct weft_specialisation *claimed[THREADS];

static void *claim(void *data)
{
	struct weft_specialisation **mine = data;
	bool same = true;

	for (uint32_t i = 1; i <= ROUNDS; i++) {
		const struct weft_specialisation_key key = key_of(i);

		pthread_barrier_wait(&barrier);
		*mine = weft_specialisation_table_get(table, &owner->kernels[0], &key, NOW);
		pthread_barrier_wait(&barrier);
		same = same && *mine && *mine == claimed[0];
		pthread_barrier_wait(&barrier);
		weft_specialisation_put(*mine);
	}
	return same ? data : NULL;
}

/* Keys come and go while other threads look for them and hold them. */
static void *churn(void *data)
{
	const uint32_t seed = (uint32_t)((struct weft_specialisation **)data - claimed);

	for (uint32_t i = 0; i < 2000; i++) {
		const uint32_t number = 1 + (i * 7 + seed * 31) % (2 * KEYS);
		const uint64_t now = NOW + i * MS;
		const struct weft_specialisation_key key = key_of(number);
		struct weft_specialisation *found =
			weft_specialisation_table_get(table, &owner->kernels[0], &key, now);

		if (!found || found->words[0] != number)
			return NULL;
		weft_specialisation_add_items(found, i);
		if (admit(found, true, now))
			become(found, WEFT_SPECIALISATION_MADE);
		weft_specialisation_put(found);
	}
	return data;
}

static void run_threads(void *(*body)(void *))
{
	pthread_t threads[THREADS];
	void *result;

	assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, body, &claimed[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &result), 0);
		assert_non_null(result);
	}
	assert_int_equal(pthread_barrier_destroy(&barrier), 0);
}

static void test_one_claim(void **state)
{
	(void)state;
	run_threads(claim);
}

static void test_churn(void **state)
{
	uint32_t codes = 0;
	(void)state;

	run_threads(churn);
	for (uint32_t i = 1; i <= 2 * KEYS; i++) {
		const struct weft_specialisation *found = find(i);

		codes += found && weft_specialisation_state(found) == WEFT_SPECIALISATION_MADE;
	}
	assert_int_equal(codes, CODES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_for_each_key, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_new_keys_replace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_old_keys_go, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_codes_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_code_is_given_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_code_in_the_making_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_old_code_is_given_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_comes_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_claim, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_churn, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
