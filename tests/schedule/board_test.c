/* SPDX-License-Identifier: MIT
 *
 * The board: decisions that are not possible, failures that go on to what waits, and the order of the strategies on devices whose
 * rates are given.
 */
#include "engine/board.h"
#include "strategies/strategies.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TASKS 4

/* Four kernels of 100 slabs; the last one waits for the first. A CPU, and a device that is none. */
struct fixture {
	struct weft_spec_kernel kernels[TASKS];
	struct weft_split splits[TASKS];
	struct weft_domain domains[2];
	struct weft_device items[2];
	size_t first;
	struct weft_spec spec;
	struct weft_devices devices;
	struct weft_board board;
};

static void start(struct fixture *fixture, const int64_t partitions[TASKS])
{
	static char labels[TASKS][2] = {"1", "2", "3", "4"};
	static char names[2][4] = {"cpu", "gpu"};
	struct weft_error error = {0};

	*fixture = (struct fixture){
		.domains = {{.is_host = true}, {.is_host = false}},
		.items = {{.name = names[0], .type = CL_DEVICE_TYPE_CPU, .domain = 0},
			  {.name = names[1], .type = CL_DEVICE_TYPE_GPU, .domain = 1}},
	};
	for (size_t t = 0; t < TASKS; t++) {
		fixture->kernels[t] = (struct weft_spec_kernel){.label = labels[t],
								.name = labels[t],
								.dimensions = 1,
								.global = {100, 1, 1},
								.partition = partitions[t]};
		fixture->splits[t] = (struct weft_split){.slabs = 100, .items_per_slab = 1};
	}
	fixture->kernels[3].depends = &fixture->first;
	fixture->kernels[3].num_depends = 1;
	fixture->spec = (struct weft_spec){.kernels = fixture->kernels, .count = TASKS};
	fixture->devices = (struct weft_devices){
		.items = fixture->items, .count = 2, .domains = fixture->domains, .num_domains = 2};
	assert_true(weft_board_create(&fixture->board, &fixture->spec, fixture->splits,
				      &fixture->devices, &error));
}

/* ---- decisions that are not possible ------------------------------------------------------------- */

static struct weft_schedule_decision wanted;
static bool gives;

static bool decide_wanted(const struct weft_schedule_view *view,
			  struct weft_schedule_decision *decision)
{
	(void)view;
	*decision = wanted;
	return gives;
}

static const struct weft_schedule_strategy own = {.name = "own", .decide = decide_wanted};

static void test_wrong_decisions(void **state)
{
	static const struct {
		struct weft_schedule_decision decision;
		const char *problem;
	} rows[] = {
		{{.num_parts = 0}, "0 parts"},
		{{.num_parts = WEFT_SCHEDULE_MOST_PARTS + 1}, "17 parts"},
		{{.num_parts = 1, .parts = {{TASKS, 0, 1}}}, "no task 4"},
		{{.num_parts = 1, .parts = {{0, 2, 1}}}, "no device 2"},
		{{.num_parts = 1, .parts = {{3, 0, 1}}}, "'4' is not ready"},
		{{.num_parts = 1, .parts = {{0, 0, 0}}}, "has 100 slabs left, not 0"},
		{{.num_parts = 2, .parts = {{0, 0, 60}, {0, 1, 41}}}, "has 40 slabs left, not 41"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct fixture fixture;
		struct weft_decided decided;
		struct weft_error error = {0};

		start(&fixture, (const int64_t[]){5, 5, 5, 5});
		wanted = rows[i].decision;
		gives = true;
		assert_false(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
		assert_non_null(strstr(error.text, rows[i].problem));
		weft_board_destroy(&fixture.board);
	}
	struct fixture fixture;
	struct weft_decided decided;
	struct weft_error error = {0};
	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	gives = false;
	assert_false(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
	assert_non_null(strstr(error.text, "leaves kernels undone"));
	weft_board_destroy(&fixture.board);
}

static void test_failure_goes_on(void **state)
{
	struct fixture fixture;

	(void)state;
	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	weft_board_fail(&fixture.board, 0);
	assert_int_equal(fixture.board.left, 2);
	assert_false(fixture.board.tasks[0].is_ready);
	assert_true(fixture.board.progress[3].has_failed);
	assert_true(fixture.board.tasks[1].is_ready);
	weft_board_destroy(&fixture.board);
}

/* ---- what parts show ----------------------------------------------------------------------------- */

/* Slabs of the first task run on the device, for so long; the device is free of them `later`. */
static void run_part(struct fixture *fixture, size_t device, double seconds, double later)
{
	struct weft_decided decided;
	struct weft_error error = {0};
	static double now;

	gives = true;
	wanted = (struct weft_schedule_decision){.num_parts = 1, .parts = {{0, device, 10}}};
	assert_true(weft_board_decide(&fixture->board, &own, now, &decided, &error));
	now += seconds + later;
	weft_board_end(&fixture->board, &decided.parts[0], seconds);
	weft_board_leave(&fixture->board, &decided.parts[0], now);
}

/* A device has the rate of one of its kind until it has its own. */
static void test_kinds(void **state)
{
	struct fixture fixture;

	(void)state;
	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	run_part(&fixture, 0, 1, 0);
	assert_false(fixture.board.is_measured[1]);
	weft_board_destroy(&fixture.board);

	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	fixture.items[0].kind = fixture.items[1].kind = 3;
	run_part(&fixture, 0, 1, 0);
	assert_true(fixture.board.is_measured[1]);
	assert_true(fixture.board.rates[1] == fixture.board.rates[0]);
	run_part(&fixture, 1, 2, 0);
	assert_true(fixture.board.rates[1] > 1.5 * fixture.board.rates[0]);
	const double own_rate = fixture.board.rates[1];
	run_part(&fixture, 0, 4, 0);
	assert_true(fixture.board.rates[1] == own_rate);
	weft_board_destroy(&fixture.board);
}

/* What passes beside the kernels counts, but not much more of it than is usual. */
static void test_handing(void **state)
{
	struct fixture fixture;
	const double *handing;

	(void)state;
	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	handing = &fixture.board.handings[0];
	weft_board_know_launch(&fixture.board, 0, 0, 2e-5);
	assert_true(*handing == 2e-5 && fixture.board.devices[0].handing == 2e-5);
	for (int i = 0; i < 4; i++)
		run_part(&fixture, 0, 1e-3, 3e-5);
	assert_true(*handing > 2.5e-5 && *handing < 3e-5);
	run_part(&fixture, 0, 1e-3, 1e-2);
	assert_true(*handing < 4e-5);
	for (int i = 0; i < 5; i++)
		run_part(&fixture, 0, 1e-3, 0);
	assert_true(*handing < 1e-5);
	/* a run has one measure */
	assert_true(fixture.board.devices[0].handing == 2e-5);
	weft_board_destroy(&fixture.board);
}

/* ---- splitting ----------------------------------------------------------------------------------- */

/* The size of a group that is chosen, and the slabs. */
static void check_split(size_t global, size_t most_group, size_t local, size_t slabs)
{
	const struct weft_spec_kernel kernel = {.dimensions = 1, .global = {global, 1, 1}};
	const struct weft_group_limits limits = {.most = most_group};
	struct weft_split split;

	weft_split_kernel(&kernel, "", &limits, &split);
	assert_int_equal(split.local[0], local);
	assert_int_equal(split.slabs, slabs);
}

static void test_splits(void **state)
{
	(void)state;
	check_split(65536, 1024, 256, 256);
	check_split(1024, 1024, 32, 32);
	check_split(64, 1024, 16, 4);
	check_split(65536, 8, 8, 8192);
	check_split(1009, 1024, 1, 1009);
	check_split(7, 1024, 7, 1);
	struct weft_split split;
	const struct weft_group_limits limits = {.most = 1024};
	const struct weft_spec_kernel kernel = {.dimensions = 2, .global = {512, 64, 1}};
	static const char *const shared[] = {
		"kernel void k() { atomic_inc(x); }",
		"kernel void k() { __opencl_atomic_fetch_add(x, 1, 0, 1); }",
		"kernel void k() { __sync_fetch_and_add(x, 1); }",
		" # pragma once\n#\tinclude \"x.h\"\n",
	};
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
		weft_split_kernel(&kernel, shared[i], &limits, &split);
		assert_int_equal(split.local[0], 256);
		assert_int_equal(split.slabs, 1);
	}
	weft_split_kernel(&kernel, "kernel void k() { batomic(x); }", &limits, &split);
	assert_int_equal(split.slabs, 64);
	const struct weft_group_limits required = {.most = 128, .required = {32, 4, 1}};
	weft_split_kernel(&kernel, "", &required, &split);
	assert_int_equal(split.local[0], 32);
	assert_int_equal(split.local[1], 4);
	assert_int_equal(split.slabs, 16);
}

/* ---- strategies ---------------------------------------------------------------------------------- */

/* The first decision, as text: "TASK:DEVICE:SLABS" of each part. */
static void check_first(const char *strategy, const int64_t partitions[TASKS], const char *expected)
{
	struct fixture fixture;
	struct weft_decided decided;
	struct weft_error error = {0};
	char text[128] = "";

	start(&fixture, partitions);
	assert_true(weft_board_decide(&fixture.board, weft_strategy_named(strategy), 0, &decided,
				      &error));
	for (size_t i = 0; i < decided.count; i++) {
		char part[64];

		snprintf(part, sizeof(part), "%s%s:%s:%zu", i ? " " : "",
			 fixture.board.tasks[decided.parts[i].task].label,
			 fixture.board.devices[decided.parts[i].device].name,
			 decided.parts[i].slabs.count);
		strncat(text, part, sizeof(text) - strlen(text) - 1);
	}
	weft_board_destroy(&fixture.board);
	if (strcmp(text, expected) != 0)
		fail_msg("%s decides %s, not %s", strategy, text, expected);
}

static void test_first_decisions(void **state)
{
	(void)state;
	check_first("fcfs", (const int64_t[]){5, 5, 5, 5}, "1:cpu:100");
	check_first("serial", (const int64_t[]){5, 5, 5, 5}, "1:cpu:100");
	check_first("cpu-gpu", (const int64_t[]){8, 3, 5, 5}, "2:cpu:100");
	check_first("baseline", (const int64_t[]){8, 4, 3, 5}, "2:gpu:40 2:cpu:60");
	check_first("baseline", (const int64_t[]){0, 10, 10, 5}, "1:cpu:100");
	check_first("lookahead", (const int64_t[]){9, 1, 0, 5}, "1:gpu:100 2:cpu:100");
	check_first("lookahead", (const int64_t[]){7, 0, 0, 5}, "1:gpu:70 1:cpu:30");
	check_first("adaptive-bias", (const int64_t[]){8, 2, 0, 5}, "2:cpu:100 1:gpu:100");
	check_first("adaptive-bias", (const int64_t[]){7, 3, 0, 5}, "1:gpu:70 1:cpu:30");
	check_first("contraction", (const int64_t[]){8, 3, 5, 8}, "2:cpu:100");
	check_first("contraction", (const int64_t[]){8, 8, 8, 8}, "1:gpu:100");
	/* The first kernel has another one behind it. */
	check_first("heft", (const int64_t[]){5, 5, 5, 5}, "1:cpu:100");
	/* A rate that is not known yet is tried out. */
	check_first("claims", (const int64_t[]){5, 5, 5, 5}, "1:cpu:1");
	check_first("plan", (const int64_t[]){5, 5, 5, 5}, "1:cpu:1");
}

/* All kernels are for the GPU, and it has run the first one, which the last one waits for. */
static void check_after_first(const char *strategy, size_t expected)
{
	struct fixture fixture;
	struct weft_decided decided;
	struct weft_error error = {0};

	start(&fixture, (const int64_t[]){8, 8, 8, 8});
	wanted = (struct weft_schedule_decision){.num_parts = 1, .parts = {{0, 1, 100}}};
	gives = true;
	assert_true(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
	weft_board_end(&fixture.board, &decided.parts[0], 1e-3);
	weft_board_leave(&fixture.board, &decided.parts[0], 1e-3);
	weft_board_complete(&fixture.board, 0);
	assert_true(weft_board_decide(&fixture.board, weft_strategy_named(strategy), 1e-3, &decided,
				      &error));
	assert_int_equal(decided.parts[0].task, expected);
	assert_int_equal(decided.parts[0].device, 1);
	weft_board_destroy(&fixture.board);
}

static void test_components(void **state)
{
	struct fixture fixture;
	struct weft_decided decided;
	struct weft_error error = {0};
	size_t both[] = {0, 1};

	(void)state;
	check_after_first("cpu-gpu", 1);
	check_after_first("contraction", 3);
	/* What waits for the CPU's kernel, too, is no part of the component of the GPU's one, which would wait with it. */
	start(&fixture, (const int64_t[]){8, 1, 1, 8});
	weft_board_destroy(&fixture.board);
	fixture.kernels[3].depends = both;
	fixture.kernels[3].num_depends = 2;
	assert_true(weft_board_create(&fixture.board, &fixture.spec, fixture.splits,
				      &fixture.devices, &error));
	bool runs[TASKS] = {false};
	while (weft_board_decide(&fixture.board, weft_strategy_named("contraction"), 0, &decided,
				 &error) &&
	       decided.count > 0)
		runs[decided.parts[0].task] = true;
	assert_true(runs[0] && runs[1] && !runs[2] && !runs[3]);
	weft_board_destroy(&fixture.board);
}

/* ---- rates and transfers ------------------------------------------------------------------------- */

#define LATENCY 1e-5
#define BANDWIDTH 1e9

static void assert_near(double got, double right)
{
	if (fabs(got - right) > 1e-9 * fabs(right))
		fail_msg("it is %.12g, not %.12g", got, right);
}

/* Kernel 1 reads a large buffer that is not sliced, and one that is; it writes a third one. The first one takes the GPU a second. */
static void start_with_buffers(struct fixture *fixture, struct weft_spec_buffer buffers[3])
{
	static const size_t sizes[3] = {1000000000, 1000, 2000};

	for (size_t i = 0; i < 3; i++)
		buffers[i] =
			(struct weft_spec_buffer){.direction = i < 2 ? WEFT_INPUT : WEFT_OUTPUT,
						  .count = sizes[i],
						  .bytes = sizes[i],
						  .is_broken = i > 0,
						  .from_kernel = WEFT_NO_KERNEL};
	start(fixture, (const int64_t[]){5, 5, 5, 5});
	fixture->kernels[0].buffers = buffers;
	fixture->kernels[0].num_buffers = 3;
	weft_board_moved(&fixture->board, 1, 0, LATENCY);
	weft_board_moved(&fixture->board, 1, BANDWIDTH, 1 + LATENCY);
	for (size_t t = 0; t < TASKS; t++) {
		weft_board_know_rate(&fixture->board, t, 0, 1e-3);
		weft_board_know_rate(&fixture->board, t, 1, t == 0 ? 1e-4 : 1e-3);
	}
}

static void test_transfers(void **state)
{
	struct weft_spec_buffer buffers[3];
	struct fixture fixture;
	struct weft_decided decided;
	struct weft_error error = {0};

	(void)state;
	start_with_buffers(&fixture, buffers);
	const struct weft_board *board = &fixture.board;
	/* The GPU would run kernel 1 in a tenth of the CPU's time, but would wait for its input until the CPU has run all kernels. */
	wanted = (struct weft_schedule_decision){.num_parts = 1, .parts = {{0, 0, 50}}};
	gives = true;
	assert_true(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
	assert_true(weft_board_decide(&fixture.board, &weft_strategy_claims, 0, &decided, &error));
	assert_int_equal(decided.parts[0].device, 1);
	assert_int_not_equal(decided.parts[0].task, 0);
	assert_near(board->costs[0].inputs, 0);
	assert_near(board->costs[1].inputs, 1 + 2 * LATENCY);
	assert_near(board->costs[1].results, LATENCY);
	assert_near(board->costs[1].slab_inputs, 10 / BANDWIDTH);
	assert_near(board->costs[1].slab_results, 20 / BANDWIDTH);
	/* Once a part runs there, the large input is there, too. */
	wanted = (struct weft_schedule_decision){.num_parts = 1, .parts = {{0, 1, 1}}};
	assert_true(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
	assert_true(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
	assert_near(board->costs[1].inputs, LATENCY);
	/* A known rate counts as much as 25 slabs. */
	weft_board_end(&fixture.board, &decided.parts[0], 27e-4);
	assert_near(board->rates[1], (25e-4 + 27e-4 - 5e-5) / 26);
	/* A launch is thought to take 50 us until a shorter part has run. */
	assert_near(board->launches[1], 5e-5);
	weft_board_end(&fixture.board, &decided.parts[0], 1e-5);
	assert_near(board->launches[1], 8e-6);
	assert_near(board->rates[1], (25e-4 + 27e-4 + 1e-5 - 16e-6) / 27);
	weft_board_know_launch(&fixture.board, 0, 1e-5, 0);
	weft_board_end(&fixture.board, &(struct weft_part){.slabs = {0, 1}}, 1e-3);
	assert_near(board->launches[0], 1e-5);
	weft_board_destroy(&fixture.board);
}

/* Each of the 100 slabs reads 901 bytes of 1000: a part moves 900 of them whatever its size, and one for each slab. */
static void test_common_bytes(void **state)
{
	struct weft_range reads[100];
	struct weft_known_slices known = {.reads = reads};
	struct weft_spec_buffer buffer = {
		.count = 1000, .bytes = 1000, .from_kernel = WEFT_NO_KERNEL};
	struct fixture fixture;
	struct weft_decided decided;
	struct weft_error error = {0};

	(void)state;
	for (size_t i = 0; i < 100; i++)
		reads[i] = (struct weft_range){i, 901 + i};
	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	fixture.kernels[0].buffers = &buffer;
	fixture.kernels[0].num_buffers = 1;
	fixture.splits[0].known = &known;
	weft_board_moved(&fixture.board, 1, 0, LATENCY);
	weft_board_moved(&fixture.board, 1, BANDWIDTH, 1 + LATENCY);
	wanted = (struct weft_schedule_decision){.num_parts = 1, .parts = {{1, 0, 1}}};
	gives = true;
	assert_true(weft_board_decide(&fixture.board, &own, 0, &decided, &error));
	assert_near(fixture.board.costs[1].inputs, LATENCY + 900 / BANDWIDTH);
	assert_near(fixture.board.costs[1].slab_inputs, 1 / BANDWIDTH);
	weft_board_destroy(&fixture.board);
}

/* The first kernel's file has no partition; the second one's has. Of the third nothing is predicted, of the fourth one a partition. */
static void test_predictions(void **state)
{
	static const struct weft_prediction predictions[TASKS] = {
		{0.09, 0.01, false}, {0.04, 0.01, true}, {0, 0, true}, {0.03, 0.01, true}};
	struct fixture fixture;

	(void)state;
	start(&fixture, (const int64_t[]){5, 5, 5, 5});
	fixture.kernels[1].has_partition = true;
	const struct weft_board *board = &fixture.board;
	const double guessed = board->rates[4];
	weft_board_predict(&fixture.board, predictions);
	assert_near(board->tasks[0].partition, 0.5);
	assert_near(board->rates[0], 0.0009);
	assert_near(board->rates[1], 0.0001);
	assert_near(board->rates[2], 0.0002);
	assert_near(board->rates[3], 0.0002);
	assert_near(board->rates[4], guessed);
	assert_near(board->tasks[1].partition, 0.5);
	assert_near(board->tasks[2].partition, 0.5);
	assert_near(board->tasks[3].partition, 0.8);
	/* What is measured is no prediction any more. */
	weft_board_know_rate(&fixture.board, 0, 0, 0.5);
	assert_near(board->rates[0], 0.5);
	weft_board_destroy(&fixture.board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_decisions), cmocka_unit_test(test_failure_goes_on),
		cmocka_unit_test(test_splits),          cmocka_unit_test(test_first_decisions),
		cmocka_unit_test(test_components),      cmocka_unit_test(test_transfers),
		cmocka_unit_test(test_predictions),     cmocka_unit_test(test_common_bytes),
		cmocka_unit_test(test_kinds),           cmocka_unit_test(test_handing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
