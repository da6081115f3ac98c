/* SPDX-License-Identifier: MIT
 *
 * Strategies in simulated time, on one CPU and one GPU: random sets and graphs of kernels, as in the thesis of PySchedCL. The board and the
 * strategies are the real ones; devices are a clock. The preset strategy must come close to what no schedule can beat, and not be
 * behind the others. `schedule_strategies_test -v` prints the table of docs/schedule.md.
 */
#include "engine/board.h"
#include "report/report.h"
#include "strategies/strategies.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_TASKS 30
#define DEVICES 2
#define SLABS 256
/* Seconds that handing a part out takes: measured on Weft's CPU. */
#define PART_SECONDS 50e-6
#define SETS 40

struct machine {
	struct weft_spec_kernel kernels[MOST_TASKS];
	size_t depends[MOST_TASKS][3];
	struct weft_split splits[MOST_TASKS];
	size_t slabs[MOST_TASKS];
	double rates[MOST_TASKS * DEVICES]; /* what a slab really takes */
	struct weft_domain domains[DEVICES];
	struct weft_device items[DEVICES];
	struct weft_spec spec;
	struct weft_devices devices;
};

/* ---- random sets --------------------------------------------------------------------------------- */

static double random_real(unsigned *seed)
{
	return (double)rand_r(seed) / RAND_MAX;
}

/* With a partition of p tenths, both devices end together; at 0 and at 10, one of them is 20 times as fast. */
static void make_task(struct machine *machine, size_t t, bool is_graph, unsigned *seed)
{
	static char label[] = "k";
	struct weft_spec_kernel *kernel = &machine->kernels[t];
	const int64_t partition = rand_r(seed) % 11;
	const double share = fmin(fmax((double)partition / 10, 0.05), 0.95);
	const double seconds = 0.002 * pow(50, random_real(seed));

	*kernel = (struct weft_spec_kernel){.label = label,
					    .name = label,
					    .dimensions = 1,
					    .global = {(size_t)(seconds * 1e6), 1, 1},
					    .partition = partition,
					    .depends = machine->depends[t]};
	for (size_t other = 0; is_graph && other < t && kernel->num_depends < 3; other++) {
		if (rand_r(seed) % 8 == 0)
			machine->depends[t][kernel->num_depends++] = other;
	}
	machine->splits[t] = (struct weft_split){.slabs = SLABS, .items_per_slab = 1};
	machine->slabs[t] = SLABS;
	machine->rates[t * DEVICES] = seconds / (1 - share) / SLABS;
	machine->rates[t * DEVICES + 1] = seconds / share / SLABS;
}

static void make_machine(struct machine *machine, size_t tasks, bool is_graph, unsigned seed)
{
	static char names[DEVICES][4] = {"cpu", "gpu"};

	*machine = (struct machine){
		.domains = {{.is_host = true}, {.is_host = false}},
		.items = {{.name = names[0], .type = CL_DEVICE_TYPE_CPU, .domain = 0},
			  {.name = names[1], .type = CL_DEVICE_TYPE_GPU, .domain = 1}},
	};
	machine->spec = (struct weft_spec){.kernels = machine->kernels, .count = tasks};
	machine->devices = (struct weft_devices){.items = machine->items,
						 .count = DEVICES,
						 .domains = machine->domains,
						 .num_domains = DEVICES};
	for (size_t t = 0; t < tasks; t++)
		make_task(machine, t, is_graph, &seed);
}

/* ---- simulated time ------------------------------------------------------------------------------ */

/* The parts that a device has, the running one first. */
struct queue {
	struct weft_part parts[MOST_TASKS * SLABS];
	size_t first;
	size_t count;
	double end; /* of the running part */
};

static double part_seconds(const struct machine *machine, const struct weft_part *part)
{
	return PART_SECONDS +
	       machine->rates[part->task * DEVICES + part->device] * (double)part->slabs.count;
}

static void give_out(const struct machine *machine, struct weft_board *board,
		     const struct weft_schedule_strategy *strategy, double now,
		     struct queue *queues)
{
	struct weft_error error = {0};
	struct weft_decided decided;

	do {
		if (!weft_board_decide(board, strategy, now, &decided, &error))
			fail_msg("%s", error.text);
		for (size_t i = 0; i < decided.count; i++) {
			struct queue *queue = &queues[decided.parts[i].device];

			queue->parts[queue->count++] = decided.parts[i];
			if (queue->count - queue->first == 1)
				queue->end = now + part_seconds(machine, &decided.parts[i]);
		}
	} while (decided.count > 0);
}

/* Returns the makespan. */
static double simulate(const struct machine *machine, const char *name, bool knows_rates)
{
	static struct queue queues[DEVICES];
	const struct weft_schedule_strategy *strategy = weft_strategy_named(name);
	struct weft_board board;
	struct weft_error error = {0};
	double now = 0;

	for (size_t d = 0; d < DEVICES; d++)
		queues[d].first = queues[d].count = 0;
	assert_true(weft_board_create(&board, &machine->spec, machine->splits, &machine->devices,
				      &error));
	for (size_t pair = 0; knows_rates && pair < machine->spec.count * DEVICES; pair++) {
		board.rates[pair] = machine->rates[pair];
		board.is_measured[pair] = true;
	}
	give_out(machine, &board, strategy, now, queues);
	while (board.left > 0) {
		struct queue *next = NULL;

		for (size_t d = 0; d < DEVICES; d++) {
			if (queues[d].first < queues[d].count &&
			    (!next || queues[d].end < next->end))
				next = &queues[d];
		}
		assert_non_null(next);
		const struct weft_part part = next->parts[next->first++];
		now = next->end;
		if (next->first < next->count)
			next->end = now + part_seconds(machine, &next->parts[next->first]);
		weft_board_end(&board, &part, part_seconds(machine, &part) - PART_SECONDS);
		weft_board_leave(&board, &part, now);
		if (weft_board_is_complete(&board, part.task))
			weft_board_complete(&board, part.task);
		give_out(machine, &board, strategy, now, queues);
	}
	weft_board_destroy(&board);
	return now;
}

/* ---- comparisons --------------------------------------------------------------------------------- */

static const char *const names[] = {"fcfs",          "cpu-gpu", "baseline", "lookahead",
				    "adaptive-bias", "heft",    "claims"};
#define NAMES (sizeof(names) / sizeof(*names))
#define THESIS 5 /* of the names are the thesis' */

static bool is_verbose;

/* Geometric means of makespan / bound over random sets; `worst` is that of claims / the best strategy of the thesis. */
static void compare(size_t tasks, bool is_graph, bool knows_rates, double means[NAMES],
		    double *worst)
{
	static struct machine machine;

	*worst = 0;
	memset(means, 0, NAMES * sizeof(*means));
	for (unsigned set = 0; set < SETS; set++) {
		double best = INFINITY;
		double makespan = 0;

		make_machine(&machine, tasks, is_graph, 1000 * (unsigned)tasks + set + is_graph);
		const struct weft_record record = {.spec = &machine.spec,
						   .devices = &machine.devices,
						   .rates = machine.rates,
						   .slabs = machine.slabs};
		const double bound = weft_report_lower_bound(&record);
		for (size_t i = 0; i < NAMES; i++) {
			makespan = simulate(&machine, names[i], knows_rates);
			assert_true(makespan >= bound * (1 - 1e-9));
			means[i] += log(makespan / bound) / SETS;
			if (i < THESIS)
				best = fmin(best, makespan);
		}
		*worst = fmax(*worst, makespan / best);
	}
	if (is_verbose)
		printf("| %zu%s%s |", tasks, is_graph ? ", graph" : "",
		       knows_rates ? "" : ", rates unknown");
	for (size_t i = 0; i < NAMES; i++) {
		means[i] = exp(means[i]);
		if (is_verbose)
			printf(" %.2f |", means[i]);
	}
	if (is_verbose)
		printf(" %.2f |\n", *worst);
}

static void test_sets(void **state)
{
	static const size_t sizes[] = {10, 20, 30};
	double means[NAMES];
	double worst = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		compare(sizes[i], false, true, means, &worst);
		assert_true(means[NAMES - 1] <= 1.05);
		assert_true(worst <= 1.0);
	}
	compare(20, false, false, means, &worst);
	assert_true(means[NAMES - 1] <= 1.15);
}

static void test_graphs(void **state)
{
	static const size_t sizes[] = {10, 20, 30};
	double means[NAMES];
	double worst = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		compare(sizes[i], true, true, means, &worst);
		for (size_t k = 0; k + 1 < NAMES; k++)
			assert_true(means[NAMES - 1] <= means[k]);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets),
					   cmocka_unit_test(test_graphs)};

	is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
