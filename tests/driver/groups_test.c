/* SPDX-License-Identifier: MIT
 *
 * Groups of cores that share a cache: what a thread of the application hands over is for those near to it first. Two of
 * this machine's cores are made up to have a third-level cache each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "latch.h"
#include "machine/topology.h"
#include "made_up_root.h"
#include "runner.h"
#include "scheduler.h"

#include <sched.h>

static cpu_set_t usable; /* what the test began with */
static size_t cores[2];
static struct worker_pool *pool;
static struct scheduler *scheduler;

static bool find_cores(cpu_set_t *set)
{
	int found = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(usable), &usable), 0);
	CPU_ZERO(set);
	for (size_t core = 0; core < CPU_SETSIZE && found < 2; core++) {
		if (!CPU_ISSET(core, &usable))
			continue;
		CPU_SET(core, set);
		cores[found++] = core;
	}
	return found == 2;
}

static int set_up(void **state)
{
	cpu_set_t set;

	if (make_root(state) != 0)
		return -1;
	if (!find_cores(&set))
		return 0;
	for (int i = 0; i < 2; i++) {
		char shared[16];

		snprintf(shared, sizeof(shared), "%zu\n", cores[i]);
		put_cache((int)cores[i], 0, 3, "Unified\n", shared);
	}
	assert_int_equal(scheduler_open_workers(2, &set, &pool), WEFT_OK);
	pool->topology = weft_topology_read(root, &set);
	assert_non_null(pool->topology);
	assert_int_equal(worker_pool_bind(pool, false), WEFT_OK);
	assert_int_equal(scheduler_open(pool, (struct unit_range){0, 2}, NULL, &scheduler),
			 WEFT_OK);
	return 0;
}

static int tear_down(void **state)
{
	if (scheduler) {
		assert_int_equal(sched_setaffinity(0, sizeof(usable), &usable), 0);
		scheduler_close(scheduler);
		scheduler_close_workers(pool);
	}
	return remove_root(state);
}

static void go_to(size_t core)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(core, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

static struct weft_command *take(uint32_t group)
{
	struct weft_list taken;

	weft_list_init(&taken);
	if (scheduler_take(scheduler, group, 1, &taken) == 0)
		return NULL;
	return WEFT_CONTAINER_OF(weft_list_pop(&taken), struct weft_command, link);
}

static void work_is_for_those_near_first(void **state)
{
	static struct weft_command commands[4];

	(void)state;
	if (!scheduler)
		skip();
	assert_int_equal(pool->num_cache_groups, 2);
	for (uint32_t i = 0; i < 4; i++) {
		go_to(cores[i % 2]);
		uint32_t unit = worker_pool_unit_here(pool);
		assert_int_equal(pool->workers[unit].near.first, unit);
		assert_int_equal(pool->workers[unit].near.count, 1);
		assert_int_equal(pool->workers[unit].cache_group, i % 2);
		scheduler_push(scheduler, &commands[i]);
	}
	assert_ptr_equal(take(1), &commands[1]);
	assert_ptr_equal(take(0), &commands[0]);
	assert_ptr_equal(take(1), &commands[3]);
	assert_false(scheduler_queues_are_empty(scheduler));
	assert_true(scheduler_has_work(scheduler));
	assert_ptr_equal(take(1), &commands[2]); /* it has none of its own */
	assert_true(scheduler_queues_are_empty(scheduler));
	assert_null(take(0));
}

static void deferred_commands_go_to_the_publishing_thread(void **state)
{
	static struct weft_command command;

	(void)state;
	if (!scheduler)
		skip();
	go_to(cores[0]);
	assert_true(scheduler_push_deferred(scheduler, &command));
	assert_false(scheduler_has_work(scheduler));
	assert_true(scheduler_has_helper_work(scheduler));
	go_to(cores[1]);
	assert_int_equal(scheduler_publish_deferred(scheduler), 1);
	assert_int_equal(scheduler_publish_deferred(scheduler), 0);
	assert_true(weft_mpsc_queue_is_empty(&scheduler->queues[0]));
	assert_ptr_equal(take(1), &command);
}

/* ---- workers --------------------------------------------------------------------------------- */

#define COMMANDS 5000 /* of each thread */

static struct latch ended = LATCH_INITIALIZER;

static void note_running(struct weft_command *command)
{
	(void)command;
}

static void note_end(struct weft_command *command, enum weft_status status)
{
	(void)command;
	assert_int_equal(status, WEFT_OK);
	latch_raise(&ended);
}

static void *offer_some(void *core)
{
	static const struct weft_host host = {.running = note_running, .complete = note_end};
	static struct weft_device device = {.host = &host};
	struct weft_command *commands = calloc(COMMANDS, sizeof(*commands));

	assert_non_null(commands);
	go_to(*(size_t *)core);
	for (int i = 0; i < COMMANDS; i++) {
		commands[i].device = &device;
		runner_push_shared(scheduler, &commands[i]);
		if (i % 100 == 0) /* so that workers sleep now and then */
			(void)latch_wait(&ended, i);
	}
	(void)latch_wait(&ended, 2 * COMMANDS);
	free(commands);
	return NULL;
}

static void all_is_done_wherever_it_comes_from(void **state)
{
	pthread_t threads[2];

	(void)state;
	if (!scheduler)
		skip();
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, offer_some, &cores[i]), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_false(scheduler_has_work(scheduler));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_for_those_near_first),
		cmocka_unit_test(deferred_commands_go_to_the_publishing_thread),
		cmocka_unit_test(all_is_done_wherever_it_comes_from),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
