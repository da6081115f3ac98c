/* SPDX-License-Identifier: MIT
 *
 * Strategies in simulated time, on one CPU and one GPU: random sets and graphs of kernels with random durations, and transfers that cost
 * nothing. The preset strategy must come close to what no schedule can beat, and not be behind the others.
 * `schedule_strategies_test -v` prints the table of docs/schedule.md.
 */
#include "comparison.h"
#include "report/report.h"
#include "strategies/forecast.h"

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

/* ---- comparisons --------------------------------------------------------------------------------- */

static bool is_verbose;

/* Random sets of as many kernels. */
static struct comparison compare(size_t tasks, bool is_graph, bool knows_rates)
{
	static struct machine machine;
	struct comparison comparison = {0};

	for (unsigned set = 0; set < SETS; set++) {
		make_machine(&machine, tasks, is_graph, 1000 * (unsigned)tasks + set + is_graph);
		const struct weft_record record = {.spec = &machine.spec,
						   .devices = &machine.devices,
						   .rates = machine.rates,
						   .slabs = machine.slabs};
		const struct simulation simulation = {.spec = &machine.spec,
						      .splits = machine.splits,
						      .devices = &machine.devices,
						      .rates = machine.rates,
						      .part_seconds = PART_SECONDS};
		comparison_add(&comparison, &simulation, weft_report_lower_bound(&record),
			       knows_rates);
	}
	if (is_verbose)
		comparison_print(&comparison, tasks, is_graph,
				 knows_rates ? "" : ", rates unknown");
	return comparison;
}

static void test_sets(void **state)
{
	(void)state;
	comparison_check_sets(
		compare, &(struct comparison_limits){.size = 1.05, .mean = 1.05, .unknown = 1.15});
}

static void test_graphs(void **state)
{
	(void)state;
	comparison_check_graphs(compare);
}

/* ---- forecasts that are off ---------------------------------------------------------------------- */

#define REPEATED_SETS 60
#define REPEATS 24
#define RATES_OFF 1.5

/* The makespan of `plan`, the best of PySchedCL's strategies being 1, when what is thought of rates is off, and stays so. */
static double repeat(unsigned seed, unsigned runs)
{
	static const char *const others[] = {"fcfs",      "cpu-gpu",       "baseline",
					     "lookahead", "adaptive-bias", "contraction"};
	static struct machine machine;
	double thought[MOST_TASKS * DEVICES];
	struct weft_outcomes outcomes = {0};
	double best = INFINITY;
	double makespan = 0;

	make_machine(&machine, 10, true, seed);
	for (size_t pair = 0; pair < machine.spec.count * DEVICES; pair++)
		thought[pair] = machine.rates[pair] * pow(RATES_OFF, 2 * random_real(&seed) - 1);
	struct simulation simulation = {.spec = &machine.spec,
					.splits = machine.splits,
					.devices = &machine.devices,
					.rates = machine.rates,
					.known_rates = thought,
					.part_seconds = PART_SECONDS};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		best = fmin(best, simulate(&simulation, others[i], true));
	simulation.outcomes = &outcomes;
	for (unsigned run = 0; run < runs; run++)
		makespan = simulate(&simulation, "plan", true);
	return makespan / best;
}

/* Runs show which strategy is better than the plan. One whose forecast is too far behind is not tried. */
static void test_repeated(void **state)
{
	unsigned first = 0;
	unsigned last = 0;
	double worst = 0;

	(void)state;
	for (unsigned seed = 0; seed < REPEATED_SETS; seed++) {
		const double often = repeat(seed, REPEATS);

		first += repeat(seed, 1) > 1.01;
		last += often > 1.01;
		worst = fmax(worst, often);
	}
	if (is_verbose)
		printf("behind in %u of %u graphs at first, later in %u, by %.0f %%\n", first,
		       REPEATED_SETS, last, 100 * (worst - 1));
	assert_true(first > 2 * last);
	assert_true(last <= REPEATED_SETS / 30);
	assert_true(worst < 1.1);
}

/* ---- forecasts ----------------------------------------------------------------------------------- */

/* Those that split by partitions are left out: their parts end at the same time, and which one is the first decides what comes next. */
#define FORECAST 5
static const char *const forecast_names[FORECAST] = {"fcfs", "cpu-gpu", "contraction", "heft",
						     "claims"};
static double forecasts[FORECAST];

static bool forecast_all(const struct weft_schedule_view *view,
			 struct weft_schedule_decision *decision)
{
	size_t slabs[MOST_TASKS * DEVICES];
	size_t order[MOST_TASKS];
	double ends[MOST_TASKS];
	double sent[MOST_TASKS];
	struct weft_lane lanes[DEVICES];
	struct weft_forecast forecast = {
		.view = view, .slabs = slabs, .ends = ends, .sent = sent, .lanes = lanes};

	(void)decision;
	for (size_t i = 0; i < FORECAST; i++)
		forecasts[i] = weft_forecast_strategy(
			&forecast, weft_strategy_named(forecast_names[i]), order);
	return false;
}

static const struct weft_schedule_strategy forecasting = {.name = "forecasting",
							  .decide = forecast_all};

/* What is forecast of a strategy is what it comes to. */
static void test_forecasts(void **state)
{
	static struct machine machine;

	(void)state;
	for (unsigned set = 0; set < SETS; set++) {
		make_machine(&machine, 1 + set % MOST_TASKS, set % 2, set);
		const struct simulation simulation = {.spec = &machine.spec,
						      .splits = machine.splits,
						      .devices = &machine.devices,
						      .rates = machine.rates,
						      .part_seconds = PART_SECONDS};
		struct weft_board board;
		struct weft_decided decided;
		struct weft_error error = {0};

		assert_true(weft_board_create(&board, &machine.spec, machine.splits,
					      &machine.devices, &error));
		for (size_t d = 0; d < DEVICES; d++)
			weft_board_know_launch(&board, d, 0, PART_SECONDS);
		for (size_t pair = 0; pair < machine.spec.count * DEVICES; pair++)
			weft_board_know_rate(&board, pair / DEVICES, pair % DEVICES,
					     machine.rates[pair]);
		assert_false(weft_board_decide(&board, &forecasting, 0, &decided, &error));
		weft_board_destroy(&board);
		for (size_t i = 0; i < FORECAST; i++) {
			const double makespan = simulate(&simulation, forecast_names[i], true);

			if (fabs(makespan - forecasts[i]) > 0.02 * makespan)
				fail_msg("%s, set %u: %g s, not %g", forecast_names[i], set,
					 makespan, forecasts[i]);
		}
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets), cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_repeated), cmocka_unit_test(test_forecasts)};

	is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
