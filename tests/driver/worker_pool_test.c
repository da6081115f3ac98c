/* SPDX-License-Identifier: MIT
 *
 * Which workers are woken, and where: not on the core of the thread that wakes them, if they can be anywhere else. The pool
 * has no threads of its own; the test sets what its workers would say.
 */
#include "worker_pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { UNITS = 3, TRIES = 100 };

static const struct unit_range all = {0, UNITS};
static struct worker_pool *pool;
static cpu_set_t allowed;
static int here; /* the core on which the test stays */

static void work(struct worker *worker)
{
	(void)worker;
}

int __real_sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *cores);
int __wrap_sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *cores);

static bool gives; /* the next change is followed by one to the cores that it has left out */

int __wrap_sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *cores)
{
	const int result = __real_sched_setaffinity(thread, size, cores);

	if (!gives)
		return result;
	cpu_set_t given;

	gives = false;
	CPU_XOR(&given, &allowed, cores);
	assert_int_equal(__real_sched_setaffinity(thread, sizeof(given), &given), 0);
	return result;
}

/* A worker that is about to sleep is woken, on its own core. */
static bool wakes_itself(struct worker_pool *of, uint32_t unit)
{
	const struct unit_range own = {unit, 1};

	if (unit_mask_count(&of->sleeping, own) > 0)
		assert_true(worker_pool_wake(of, own, 1, UNITS, NO_UNIT));
	return false;
}

static const struct worker_ops ops = {work, wakes_itself};

static int open_pool(void **state)
{
	cpu_set_t only;

	(void)state;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return -1;
	here = sched_getcpu();
	CPU_ZERO(&only);
	CPU_SET((size_t)here, &only);
	if (sched_setaffinity(0, sizeof(only), &only) != 0)
		return -1;
	return worker_pool_create(&ops, UNITS, &allowed, &pool) == WEFT_OK ? 0 : -1;
}

static int close_pool(void **state)
{
	(void)state;
	worker_pool_destroy(pool);
	return sched_setaffinity(0, sizeof(allowed), &allowed);
}

static void put(uint32_t unit, struct unit_mask *mask, int core)
{
	unit_mask_add(&pool->started, unit);
	unit_mask_add(mask, unit);
	atomic_store(&pool->workers[unit].core, core);
}

static void expect_asleep(bool first, bool second, bool third)
{
	const bool expected[UNITS] = {first, second, third};

	for (uint32_t i = 0; i < UNITS; i++)
		assert_int_equal(unit_mask_count(&pool->sleeping, (struct unit_range){i, 1}),
				 expected[i]);
}

static void workers_on_other_cores_are_woken_first(void **state)
{
	(void)state;
	put(0, &pool->sleeping, here);
	put(1, &pool->sleeping, here + 1);
	put(2, &pool->sleeping, NO_CORE);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, NO_UNIT));
	expect_asleep(true, false, true);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, NO_UNIT));
	expect_asleep(true, false, false);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, NO_UNIT));
	expect_asleep(false, false, false);
}

static void the_same_among_those_that_are_near(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < UNITS; i++)
		pool->workers[i].near = (struct unit_range){1, 2};
	put(0, &pool->sleeping, here + 1);
	put(1, &pool->sleeping, here);
	put(2, &pool->sleeping, here + 2);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, 1));
	expect_asleep(true, true, false);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, 1));
	expect_asleep(false, true, false);
}

static void one_that_spins_counts_on_another_core_only(void **state)
{
	(void)state;
	put(0, &pool->spinning, here + 1);
	put(1, &pool->sleeping, here + 2);
	put(2, &pool->sleeping, here + 3);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, NO_UNIT));
	expect_asleep(false, true, true);
	atomic_store(&pool->workers[0].core, here);
	assert_true(worker_pool_wake(pool, all, 1, UNITS, NO_UNIT));
	expect_asleep(false, false, true);
}

/* A worker that is about to wake takes a permit, though nothing shows yet that it looks for work. */
static void no_more_are_woken_than_permits_are_free(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < UNITS; i++)
		put(i, &pool->sleeping, here + 1);
	assert_true(worker_pool_wake(pool, all, 1, 1, NO_UNIT));
	expect_asleep(false, true, true);
	assert_true(worker_pool_wake(pool, all, 1, 1, NO_UNIT));
	expect_asleep(false, true, true);
	assert_true(worker_pool_wake(pool, all, UNITS, 2, NO_UNIT));
	expect_asleep(false, false, true);
}

/* The system may move the thread at any time, so one try may miss what is to be seen. */
static void a_worker_leaves_the_core_of_its_waker(void **state)
{
	bool left = false;

	(void)state;
	assert_int_equal(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
	for (int i = 0; i < TRIES && !left; i++) {
		cpu_set_t after;
		const int before = sched_getcpu();

		unit_mask_add(&pool->started, 0);
		worker_idle(&pool->workers[0]);
		left = sched_getcpu() != before;
		assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
		assert_true(CPU_EQUAL(&after, &allowed));
	}
	assert_int_equal(left, CPU_COUNT(&allowed) > 1);
}

/* Another process gives the worker a set of cores while it is away from its own. */
static void a_set_that_is_given_meanwhile_stays(void **state)
{
	cpu_set_t after;

	(void)state;
	assert_int_equal(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
	unit_mask_add(&pool->started, 0);
	for (int i = 0; i < TRIES; i++) {
		gives = true;
		worker_idle(&pool->workers[0]);
		if (!gives) /* it has left */
			break;
	}
	assert_int_equal(gives, CPU_COUNT(&allowed) == 1);
	gives = false;
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_int_equal(CPU_COUNT(&after), 1);
}

static void a_worker_stays_where_it_may_be_nowhere_else(void **state)
{
	cpu_set_t after;

	(void)state;
	unit_mask_add(&pool->started, 0);
	worker_idle(&pool->workers[0]);
	assert_int_equal(sched_getcpu(), here);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_int_equal(CPU_COUNT(&after), 1);
}

#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, open_pool, close_pool)

int main(void)
{
	const struct CMUnitTest tests[] = {
		POOL_TEST(workers_on_other_cores_are_woken_first),
		POOL_TEST(the_same_among_those_that_are_near),
		POOL_TEST(one_that_spins_counts_on_another_core_only),
		POOL_TEST(no_more_are_woken_than_permits_are_free),
		POOL_TEST(a_worker_leaves_the_core_of_its_waker),
		POOL_TEST(a_set_that_is_given_meanwhile_stays),
		POOL_TEST(a_worker_stays_where_it_may_be_nowhere_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
