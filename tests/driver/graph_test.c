/* SPDX-License-Identifier: MIT
 *
 * Order: chains, fans, random graphs, failed dependencies, and many threads that submit at once.
 */
#include "suite.h"

#include "futex.h"
#include "options.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void free_all(struct node **nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		node_free(nodes[i]);
	free(nodes);
}

static struct node **new_nodes(size_t count)
{
	struct node **nodes = calloc(count, sizeof(struct node *));

	assert_non_null(nodes);
	return nodes;
}

/* A hundred thousand commands that all wait for a held-back first one: nothing recurses, nothing is
 * lost. */
static void long_chain(void **state)
{
#if defined(__SANITIZE_THREAD__) /* how deep the stack goes, others show */
	enum { LENGTH = 25000 };
#else
	enum { LENGTH = 100000 };
#endif
	static const enum weft_op ops[] = {WEFT_OP_NDRANGE, WEFT_OP_NDRANGE, WEFT_OP_NOTHING};
	uint64_t value = 0;
	struct add_args args = {&value, 1};
	struct node **nodes = new_nodes(LENGTH);

	(void)state;
	for (size_t i = 0; i < LENGTH; i++) {
		nodes[i] = ops[i % 3] == WEFT_OP_NDRANGE ? new_simple_launch(KERNEL_ADD, &args, 1)
							 : node_new(suite.device, WEFT_OP_NOTHING);
		if (i > 0) {
			node_depend(nodes[i], nodes[i - 1]);
			node_submit(nodes[i]);
		}
	}
	node_submit(nodes[0]);
	assert_int_equal(node_wait(nodes[LENGTH - 1]), WEFT_OK);
	assert_int_equal(value, (LENGTH + 2) / 3 + (LENGTH + 1) / 3);
	free_all(nodes, LENGTH);
}

/* A chain that the application extends while it runs. */
static void growing_chain(void **state)
{
	enum { LENGTH = 20000 };
	uint64_t value = 0;
	struct add_args args = {&value, 1};
	struct node **nodes = new_nodes(LENGTH);

	(void)state;
	for (size_t i = 0; i < LENGTH; i++) {
		nodes[i] = new_simple_launch(KERNEL_ADD, &args, 1);
		if (i > 0)
			node_depend(nodes[i], nodes[i - 1]);
		node_submit(nodes[i]);
		if (i % 1000 == 999)
			assert_int_equal(node_wait(nodes[i]), WEFT_OK);
	}
	assert_int_equal(node_wait(nodes[LENGTH - 1]), WEFT_OK);
	assert_int_equal(value, LENGTH);
	free_all(nodes, LENGTH);
}

/* One, many, one; the commands in the middle are not ordered. */
static void fan_out_and_in(void **state)
{
	enum { WIDTH = 2000, ROUNDS = 10 };
	uint64_t values[WIDTH] = {0};
	struct add_args args[WIDTH];
	uint64_t total = WIDTH + 2;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct node **nodes = new_nodes(total);
		nodes[0] = node_new(suite.device, WEFT_OP_NOTHING);
		nodes[WIDTH + 1] = node_new(suite.device, WEFT_OP_NOTHING);
		for (size_t i = 1; i <= WIDTH; i++) {
			args[i - 1] = (struct add_args){&values[i - 1], i};
			nodes[i] = new_simple_launch(KERNEL_ADD, &args[i - 1], 1);
			node_depend(nodes[i], nodes[0]);
			node_depend(nodes[WIDTH + 1], nodes[i]);
			node_submit(nodes[i]);
		}
		node_submit(nodes[WIDTH + 1]);
		node_submit(nodes[0]);
		assert_int_equal(node_wait(nodes[WIDTH + 1]), WEFT_OK);
		for (size_t i = 1; i <= WIDTH; i++) {
			assert_true(nodes[0]->order < nodes[i]->order);
			assert_true(nodes[i]->order < nodes[WIDTH + 1]->order);
		}
		free_all(nodes, total);
	}
	for (size_t i = 1; i <= WIDTH; i++)
		assert_int_equal(values[i - 1], ROUNDS * i);
}

/* Commands of every kind; each waits for some of the twenty before it. */
static void random_graph(void **state)
{
	enum { COUNT = 5000 };
	struct node **nodes = new_nodes(COUNT);
	_Atomic uint64_t sum = 0;
	struct slow_args args = {10, &sum};
	static char source[300000];
	static char destination[COUNT % 16 + 16][300000];
	size_t launches = 0;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		size_t bytes = (size_t)rand() % (i % 50 ? 1000 : sizeof(source)) + 1;
		switch (rand() % 4) {
		case 0:
			nodes[i] = node_new(suite.device, WEFT_OP_NOTHING);
			break;
		case 1: /* the chain of the same destination keeps copies apart */
			nodes[i] = new_copy(destination[i % 16], source, bytes);
			break;
		default:
			launches += i % 9 + 1;
			nodes[i] = new_simple_launch(KERNEL_SLOW, &args, i % 9 + 1);
		}
		for (size_t back = 1; back <= 20 && back <= i; back++) {
			if (back == 16 || rand() % 4 == 0)
				node_depend(nodes[i], nodes[i - back]);
		}
		node_submit(nodes[i]);
	}
	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(node_wait(nodes[i]), WEFT_OK);
	assert_int_equal(atomic_load(&sum), launches);
	free_all(nodes, COUNT);
}

static void failure_spreads(void **state)
{
	enum { LENGTH = 50000 };
	uint64_t value = 0;
	struct add_args args = {&value, 1};
	struct node **nodes = new_nodes(LENGTH);

	(void)state;
	for (size_t i = 0; i < LENGTH; i++) {
		nodes[i] = new_simple_launch(KERNEL_ADD, &args, 1);
		if (i > 0) {
			node_depend(nodes[i], nodes[i - 1]);
			node_submit(nodes[i]);
		}
	}
	nodes[0]->command.launch.local_bytes = UINT64_MAX;
	node_submit(nodes[0]);
	assert_int_equal(node_wait(nodes[0]), WEFT_OUT_OF_RESOURCES);
	assert_int_equal(node_wait(nodes[LENGTH - 1]), WEFT_DEPENDENCY_FAILED);
	for (size_t i = 1; i < LENGTH; i++) {
		assert_int_equal(node_wait(nodes[i]), WEFT_DEPENDENCY_FAILED);
		assert_int_equal(nodes[i]->runs, 0);
	}
	assert_int_equal(value, 0);
	free_all(nodes, LENGTH);
}

/* ---- many threads ---------------------------------------------------------------------------- */

struct client {
	pthread_t thread;
	_Atomic uint64_t *shared;
	uint64_t failures;
};

static void *client_main(void *argument)
{
	struct client *client = argument;

	for (uint64_t i = 0; i < 300; i++) {
		struct slow_args slow = {i % 50, client->shared};
		uint64_t value = 7;
		struct add_args add = {&value, i};
		struct node *first = new_simple_launch(KERNEL_SLOW, &slow, i % 40 + 1);
		struct node *second = new_simple_launch(KERNEL_ADD, &add, 1);
		node_depend(second, first);
		node_submit(first);
		node_submit(second);
		if (node_wait(second) != WEFT_OK || value != 7 + i || node_wait(first) != WEFT_OK)
			client->failures++;
		node_free(first);
		node_free(second);
	}
	return NULL;
}

static void many_threads(void **state)
{
	enum { CLIENTS = 8 };
	struct client clients[CLIENTS];
	_Atomic uint64_t sum = 0;
	uint64_t expected = 0;

	(void)state;
	for (int i = 0; i < CLIENTS; i++) {
		clients[i] = (struct client){.shared = &sum};
		assert_int_equal(pthread_create(&clients[i].thread, NULL, client_main, &clients[i]),
				 0);
	}
	for (int i = 0; i < CLIENTS; i++) {
		pthread_join(clients[i].thread, NULL);
		assert_int_equal(clients[i].failures, 0);
	}
	for (uint64_t i = 0; i < 300; i++)
		expected += i % 40 + 1;
	assert_int_equal(atomic_load(&sum), CLIENTS * expected);
}

/* ---- waiting for one thing beside another ---------------------------------------------------- */

/* A thread that waits for a short command may help with a long one, and leaves it to others when its own ends. */
static void short_beside_long(void **state)
{
	enum { LONG = 5, SHORT = 200 };
	struct node *nodes[LONG];
	_Atomic uint64_t sum = 0;
	_Atomic uint64_t short_sum = 0;
	struct slow_args args = {20000, &sum};
	struct slow_args short_args = {1000, &short_sum};

	(void)state;
	for (int i = 0; i < LONG; i++) {
		nodes[i] = new_simple_launch(KERNEL_SLOW, &args, 2000);
		node_submit(nodes[i]);
	}
	for (int i = 0; i < SHORT; i++)
		assert_int_equal(node_run(new_simple_launch(KERNEL_SLOW, &short_args, 3)), WEFT_OK);
	for (int i = 0; i < LONG; i++) {
		assert_int_equal(node_wait(nodes[i]), WEFT_OK);
		node_free(nodes[i]);
	}
	assert_int_equal(atomic_load(&sum), LONG * 2000);
	assert_int_equal(atomic_load(&short_sum), SHORT * 3);
}

/* A native function on a worker may take its time: a thread that waits for something else does not run it. */
static void wait_for_flag(void *args)
{
	_Atomic int32_t *flag = *(_Atomic int32_t **)args;

	wait_for_word(flag, 1);
}

static void native_beside_others(void **state)
{
	_Atomic int32_t flag = 0;
	_Atomic int32_t *pointer = &flag;
	_Atomic uint64_t sum = 0;
	struct slow_args args = {100, &sum};

	(void)state;
	if (!runs_native() || suite.device->properties.compute_units < 2)
		return; /* one after the other, then */
	struct node *native = new_native(wait_for_flag, &pointer);
	node_submit(native);
	for (int i = 0; i < 100; i++)
		assert_int_equal(node_run(new_simple_launch(KERNEL_SLOW, &args, 5)), WEFT_OK);
	assert_false(atomic_load(&native->ended));
	atomic_store(&flag, 1);
	weft_futex_wake_all(&flag);
	assert_int_equal(node_wait(native), WEFT_OK);
	node_free(native);
	assert_int_equal(atomic_load(&sum), 500);
}

struct meeting {
	_Atomic int32_t *arrived;
	int32_t expected;
};

static void meet(void *args)
{
	const struct meeting *meeting = args;

	if (atomic_fetch_add(meeting->arrived, 1) + 1 == meeting->expected)
		weft_futex_wake_all(meeting->arrived);
	wait_for_word(meeting->arrived, meeting->expected);
}

/* One native function for each compute unit, and none ends before all have begun: each finds a worker, also
 * when some workers are about to sleep. */
static void natives_meet(void **state)
{
	enum { ROUNDS = 500, MOST = 16 };
	uint32_t units = suite.device->properties.compute_units;
	int count = units < MOST ? (int)units : MOST;

	(void)state;
	for (int i = 0; i < ROUNDS && runs_native(); i++) {
		_Atomic int32_t arrived = 0;
		struct meeting meeting = {&arrived, count};
		struct node *nodes[MOST];

		for (int k = 0; k < count; k++)
			nodes[k] = new_native(meet, &meeting);
		for (int k = 0; k < count; k++)
			node_submit(nodes[k]);
		wait_for_word(&arrived, count); /* without helping */
		for (int k = 0; k < count; k++) {
			assert_int_equal(node_wait(nodes[k]), WEFT_OK);
			node_free(nodes[k]);
		}
	}
}

/* ---- commands that make commands ------------------------------------------------------------- */

static void submit_user(struct node *node)
{
	if (node->user)
		node_submit(node->user);
}

/* A command that ends submits the next: what a host's callback may do. */
static void submitted_at_the_end(void **state)
{
	enum { LENGTH = 20000 };
	uint64_t value = 0;
	struct add_args args = {&value, 1};
	struct node **nodes = new_nodes(LENGTH);

	(void)state;
	for (size_t i = 0; i < LENGTH; i++) {
		nodes[i] = new_simple_launch(KERNEL_ADD, &args, 1);
		nodes[i]->on_end = submit_user;
		if (i > 0)
			nodes[i - 1]->user = nodes[i];
	}
	node_submit(nodes[0]);
	for (size_t i = 0; i < LENGTH; i++)
		assert_int_equal(node_wait(nodes[i]), WEFT_OK);
	assert_int_equal(value, LENGTH);
	free_all(nodes, LENGTH);
}

static void submit_argument(void *args)
{
	node_submit(*(struct node **)args);
}

/* A native function submits a command, which must not wait for it. */
static void submitted_by_a_native(void **state)
{
	uint64_t value = 0;
	struct add_args args = {&value, 3};

	(void)state;
	if (!runs_native())
		return;
	struct node *inner = new_simple_launch(KERNEL_ADD, &args, 1);
	struct node *outer = new_native(submit_argument, &inner);
	assert_int_equal(node_run(outer), WEFT_OK);
	assert_int_equal(node_wait(inner), WEFT_OK);
	assert_int_equal(value, 3);
	node_free(inner);
}

/* ---- commands that wait for commands --------------------------------------------------------- */

struct wait_args {
	struct node *node;
	bool submitted; /* by another thread */
};

static void wait_for_node(void *args)
{
	const struct wait_args *wait = args;

	if (!wait->submitted)
		node_submit(wait->node);
	(void)node_wait(wait->node);
}

/* On a device with a single worker, natives wait for one another, the last one for a kernel: some thread runs them. */
static void natives_wait_for_natives(void **state)
{
	enum { DEPTH = 5, ROUNDS = 20 };
	uint64_t value = 0;
	struct add_args add = {&value, 1};
	struct weft_device *device;

	(void)state;
	if (!runs_native() || strcmp(suite.driver->name, "basic") == 0)
		return; /* has no other thread */
	setenv("WEFT_THREADS", "1", 1);
	weft_options_reset();
	assert_int_equal(suite.driver->device->open(0, &test_host, &device), WEFT_OK);
	unsetenv("WEFT_THREADS");
	weft_options_reset();
	for (int round = 0; round < ROUNDS; round++) {
		struct wait_args args[DEPTH];
		struct node *nodes[DEPTH + 1];

		nodes[0] = new_simple_launch(KERNEL_ADD, &add, 1);
		nodes[0]->command.device = device;
		for (int i = 0; i < DEPTH; i++) {
			args[i] = (struct wait_args){nodes[i], round % 2 && i == 0};
			nodes[i + 1] = new_native(wait_for_node, &args[i]);
			nodes[i + 1]->command.device = device;
		}
		node_submit(nodes[DEPTH]);
		if (args[0].submitted) { /* while the natives wait, perhaps */
			sched_yield();
			node_submit(nodes[0]);
		}
		assert_int_equal(node_sleep(nodes[DEPTH]), WEFT_OK); /* without helping */
		for (int i = 0; i <= DEPTH; i++)
			node_free(nodes[i]);
	}
	assert_int_equal(value, ROUNDS);
	suite.driver->device->close(device);
}

/* A deferrable command runs after a flush, and before one that is not deferrable: no thread joins here. */
static void patient_commands_are_not_forgotten(void **state)
{
	enum { ROUNDS = 300, MOST = 7 };
	uint64_t value = 0;
	struct add_args args = {&value, 1};
	uint64_t expected = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct node *nodes[MOST];
		int count = 1 + round % MOST;
		struct node *last;

		for (int i = 0; i < count; i++) {
			nodes[i] = new_simple_launch(KERNEL_ADD, &args, 1);
			nodes[i]->command.deferrable = true;
			if (i > 0)
				node_depend(nodes[i], nodes[i - 1]);
			node_submit(nodes[i]);
		}
		last = node_new(suite.device, WEFT_OP_NOTHING);
		last->command.deferrable = round % 2;
		node_depend(last, nodes[count - 1]);
		node_submit(last);
		if (last->command.deferrable)
			suite.driver->queue->flush(suite.device);
		assert_int_equal(node_sleep(last), WEFT_OK);
		expected += (uint64_t)count;
		assert_int_equal(value, expected);
		for (int i = 0; i < count; i++)
			node_free(nodes[i]);
		node_free(last);
	}
}

/* The thread that enqueues it joins: with or without others that want its help. */
static void awaited_commands_run(void **state)
{
	uint64_t value = 0;
	struct add_args args = {&value, 1};

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct node *beside = new_simple_launch(KERNEL_ADD, &args, 1);
		struct node *node = new_simple_launch(KERNEL_ADD, &args, 1);

		node->command.caller_waits = true;
		node_depend(node, beside);
		node_submit(beside);
		node_submit(node);
		if (suite.driver->queue->join)
			suite.driver->queue->join(suite.device, &node->wait);
		assert_int_equal(node_sleep(node), WEFT_OK);
		node_free(node);
		node_free(beside);
	}
	assert_int_equal(value, 600);
}

int run_graph_tests(void)
{
	const struct CMUnitTest tests[] = {
		SUITE_TEST(long_chain),
		SUITE_TEST(growing_chain),
		SUITE_TEST(fan_out_and_in),
		SUITE_TEST(random_graph),
		SUITE_TEST(failure_spreads),
		SUITE_TEST(many_threads),
		SUITE_TEST(short_beside_long),
		SUITE_TEST(native_beside_others),
		SUITE_TEST(natives_meet),
		SUITE_TEST(submitted_at_the_end),
		SUITE_TEST(submitted_by_a_native),
		SUITE_TEST(natives_wait_for_natives),
		SUITE_TEST(patient_commands_are_not_forgotten),
		SUITE_TEST(awaited_commands_run),
	};

	return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
