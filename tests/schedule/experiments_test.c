/* SPDX-License-Identifier: MIT
 *
 * The experiments of PySchedCL's thesis in simulated time: random sets of the kernels of examples/schedule, and of its graphs, on an accelerator
 * and the model of a CPU. Durations of kernels are cycles that the simulated accelerator has counted (kernel_costs.py); transfers take
 * what its DMA takes. Then the same with what was measured on a CPU and a GPU. `schedule_experiments_test -v` prints the tables of
 * docs/schedule.md.
 */
#include "comparison.h"
#include "report/report.h"
#include "spec/expression.h"
#include "spec/text_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_TASKS 40
#define SETS 40
#define MOST_GROUP 256
#define BOUND_STEPS 4
static const struct cost {
	const char *kernel;
	int64_t dataset;
	double other; /* seconds of the clocks below */
	double cpu;
} simulated_costs[] =
	{
#include "kernel_costs.inc"
},
  gpu_costs[] = {
#include "gpu_costs.inc"
};

#define DATASETS 3

static const struct machine {
	const char *note;
	const struct cost *costs;
	size_t num_costs;
	double other_clock; /* ticks of the costs to a second */
	double cpu_clock;
	int64_t datasets[DATASETS];
	double latency; /* of a transfer */
	double bandwidth;
	double part_seconds; /* handing a part out */
	enum weft_model model;
	size_t others;     /* devices beside the CPU */
	bool share_memory; /* these, one memory */
	struct comparison_limits limits;
	double most_without_partitions;
} /* What kernel_costs.py describes; latency and width of the accelerator's DMA. */
simulated = {.note = "",
	     .costs = simulated_costs,
	     .num_costs = sizeof(simulated_costs) / sizeof(*simulated_costs),
	     .other_clock = 600e6,
	     .cpu_clock = 3e9,
	     .datasets = {128, 256, 512},
	     .latency = 300 / 600e6,
	     .bandwidth = 8 * 600e6,
	     .part_seconds = 50e-6,
	     .model = WEFT_MODEL_SIMULATED,
	     .others = 1,
	     .limits = {.size = 1.08, .mean = 1.05, .unknown = 1.1},
	     .most_without_partitions = 1.2},
	/* As measured on an H100 beside 16 cores of a Xeon. */
	gpu = {.note = ", GPU",
	       .costs = gpu_costs,
	       .num_costs = sizeof(gpu_costs) / sizeof(*gpu_costs),
	       .other_clock = 1,
	       .cpu_clock = 1,
	       .datasets = {512, 1024, 2048},
	       .latency = 12e-6,
	       .bandwidth = 50e9,
	       .part_seconds = 30e-6,
	       .model = WEFT_MODEL_GPU,
	       .others = 1,
	       .limits = {.size = 1.13, .mean = 1.1, .unknown = 1.25},
	       .most_without_partitions = 1.3};

/* Two accelerators, on one board or on two. */
static struct machine board, boards;

static const struct machine *machine;

static const struct described {
	const char *kernel;
	int64_t dataset;
	double features[CL_KERNEL_NUM_FEATURES_WEFT];
} descriptions[] = {
#include "kernel_features.inc"
};

static const char *const files[] = {
	"2mm",        "atax",      "convolution_2d", "convolution_3d", "correlation",
	"covariance", "fdtd_step", "gemm",           "gesummv",        "matrix_vector",
	"mean",       "mvt",       "reduce",         "syrk",
};
#define FILES (sizeof(files) / sizeof(*files))

/* ---- examples ------------------------------------------------------------------------------------ */

static struct weft_spec examples[DATASETS][FILES];
static char *source; /* all examples have the same one */

static int read_examples(void **state)
{
	(void)state;
	for (size_t d = 0; d < DATASETS; d++) {
		struct weft_variables variables = {0};
		const struct weft_spec_settings settings = {.variables = &variables};
		struct weft_error error = {0};

		assert_true(weft_variables_set(&variables, "dataset", machine->datasets[d]));
		for (size_t f = 0; f < FILES; f++) {
			char path[1024];

			snprintf(path, sizeof(path), "%s/%s.json", EXAMPLES, files[f]);
			if (!weft_spec_read(&examples[d][f], path, &settings, &error) ||
			    !weft_spec_link(&examples[d][f], &error))
				fail_msg("%s", error.text);
		}
		weft_variables_destroy(&variables);
	}
	struct weft_error error = {0};
	source = weft_text_file_read(examples[0][0].kernels[0].source, &error);
	assert_non_null(source);
	return 0;
}

static int free_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < DATASETS * FILES; i++)
		weft_spec_destroy(&examples[i / FILES][i % FILES]);
	free(source);
	return 0;
}

static const struct cost *cost_of(const char *kernel, int64_t dataset)
{
	for (size_t i = 0; i < machine->num_costs; i++) {
		if (machine->costs[i].dataset == dataset &&
		    strcmp(machine->costs[i].kernel, kernel) == 0)
			return &machine->costs[i];
	}
	fail_msg("there are no costs of '%s' of %lld", kernel, (long long)dataset);
	return NULL;
}

static struct weft_prediction predict(const struct weft_spec_kernel *kernel, int64_t dataset)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(*descriptions); i++) {
		const struct described *described = &descriptions[i];

		if (described->dataset == dataset && strcmp(described->kernel, kernel->name) == 0)
			return weft_predict(machine->model, described->features,
					    (double)(kernel->global[0] * kernel->global[1] *
						     kernel->global[2]));
	}
	return (struct weft_prediction){0};
}

/* ---- sets ---------------------------------------------------------------------------------------- */

/* What a device but the CPU does beside each other. */
enum { RESOURCE_KERNELS, RESOURCE_INPUTS, RESOURCE_RESULTS, RESOURCES };

/* Tasks that share their strings and their arguments with the examples. */
struct set {
	struct weft_spec_kernel kernels[MOST_TASKS];
	struct weft_spec_buffer buffers[MOST_TASKS][8];
	size_t depends[MOST_TASKS][8];
	struct weft_split splits[MOST_TASKS];
	size_t slabs[MOST_TASKS];
	double rates[MOST_TASKS * SIMULATED_MOST_DEVICES];
	struct weft_prediction predictions[MOST_TASKS];
	double least[MOST_TASKS]
		    [RESOURCES]; /* seconds of the whole task that no schedule can save */
	struct weft_spec spec;
};

/* Of the machine: the CPU, then the others. */
static struct weft_devices devices;

static void make_devices(void)
{
	static char names[SIMULATED_MOST_DEVICES][2] = {"0", "1", "2", "3"};
	static struct weft_domain domains[SIMULATED_MOST_DEVICES] = {{.is_host = true}};
	static struct weft_device items[SIMULATED_MOST_DEVICES];

	for (size_t d = 0; d <= machine->others; d++)
		items[d] = (struct weft_device){.name = names[d],
						.type = d == 0 ? CL_DEVICE_TYPE_CPU
							       : CL_DEVICE_TYPE_ACCELERATOR,
						.domain = d > 1 && machine->share_memory ? 1 : d,
						.kind = d > 0};
	devices = (struct weft_devices){.items = items,
					.count = machine->others + 1,
					.domains = domains,
					.num_domains =
						machine->share_memory ? 2 : machine->others + 1};
}

static struct simulation simulation_of(const struct set *set)
{
	return (struct simulation){.spec = &set->spec,
				   .splits = set->splits,
				   .devices = &devices,
				   .predictions = set->predictions,
				   .rates = set->rates,
				   .part_seconds = machine->part_seconds,
				   .latency = machine->latency,
				   .bandwidth = machine->bandwidth};
}

/* The kernel becomes the set's next task. Kernels of the same file that it waits for are those from `first` on; SIZE_MAX: it waits for
 * none. */
static void add_task(struct set *set, const struct weft_spec_kernel *example, int64_t dataset,
		     size_t first)
{
	const size_t t = set->spec.count++;
	struct weft_spec_kernel *kernel = &set->kernels[t];
	const struct cost *cost = cost_of(example->name, dataset);

	assert_true(t < MOST_TASKS && example->num_buffers <= 8 && example->num_depends <= 8);
	*kernel = *example;
	kernel->buffers = set->buffers[t];
	kernel->depends = set->depends[t];
	kernel->num_depends = first == SIZE_MAX ? 0 : example->num_depends;
	for (size_t i = 0; i < kernel->num_depends; i++)
		kernel->depends[i] = first + example->depends[i];
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		kernel->buffers[i] = example->buffers[i];
		if (first == SIZE_MAX)
			kernel->buffers[i].from_kernel = WEFT_NO_KERNEL;
		else if (kernel->buffers[i].from_kernel != WEFT_NO_KERNEL)
			kernel->buffers[i].from_kernel += first;
	}
	weft_split_kernel(kernel, source, &(struct weft_group_limits){.most = MOST_GROUP},
			  &set->splits[t]);
	set->slabs[t] = set->splits[t].slabs;
	set->predictions[t] = predict(kernel, dataset);
	for (size_t d = 0; d < devices.count; d++)
		set->rates[t * devices.count + d] = (d == 0 ? cost->cpu / machine->cpu_clock
							    : cost->other / machine->other_clock) /
						    (double)set->slabs[t];
}

static bool has_no_partitions; /* the files have none: they are what is preset */

/* Partitions by what the CPU and another device take alone, with all transfers. Bounds count that each task is handed out once at least, and the transfers
 * that no other task on the same device saves. */
static void finish_set(struct set *set)
{
	const struct simulation simulation = simulation_of(set);

	for (size_t t = 0; t < set->spec.count; t++) {
		const double slabs = (double)set->slabs[t];
		const double cpu = set->rates[t * devices.count] * slabs;
		const double kernel = set->rates[t * devices.count + 1] * slabs;
		const struct simulated_transfers moved = simulated_transfers(&simulation, t, 1);
		const double accelerator =
			kernel + moved.inputs + moved.results_of_others + moved.results;

		set->kernels[t].partition =
			has_no_partitions ? 5 : lround(10 * cpu / (cpu + accelerator));
		set->kernels[t].has_partition = !has_no_partitions;
		set->least[t][RESOURCE_KERNELS] = kernel + machine->part_seconds;
		/* One device may move what others of its memory use. */
		set->least[t][RESOURCE_INPUTS] = machine->share_memory ? 0 : moved.inputs;
		set->least[t][RESOURCE_RESULTS] = moved.results;
	}
}

/* If the time of each device but the CPU is the mean of its resources' times by these weights, which is no more than the longest of them. */
static double bound_of_weights(const struct set *set, const double weights[RESOURCES])
{
	double rates[MOST_TASKS * SIMULATED_MOST_DEVICES];
	const struct weft_record record = {.spec = &set->spec,
					   .devices = &devices,
					   .rates = rates,
					   .slabs = (size_t *)set->slabs};

	for (size_t t = 0; t < set->spec.count; t++) {
		const double slabs = (double)set->slabs[t];
		double *own = &rates[t * devices.count];
		double other = 0;

		for (size_t i = 0; i < RESOURCES; i++)
			other += weights[i] * set->least[t][i];
		own[0] = set->rates[t * devices.count] + machine->part_seconds / slabs;
		for (size_t d = 1; d < devices.count; d++)
			own[d] = fmax(other, 1e-12) / slabs;
	}
	return weft_report_lower_bound(&record);
}

static double bound_of(const struct set *set)
{
	double best = 0;

	for (int inputs = 0; inputs <= BOUND_STEPS; inputs++) {
		for (int results = 0; inputs + results <= BOUND_STEPS; results++)
			best = fmax(best,
				    bound_of_weights(
					    set, (const double[RESOURCES]){
							 [RESOURCE_KERNELS] =
								 1 - (double)(inputs + results) /
									     BOUND_STEPS,
							 [RESOURCE_INPUTS] =
								 (double)inputs / BOUND_STEPS,
							 [RESOURCE_RESULTS] =
								 (double)results / BOUND_STEPS}));
	}
	return best;
}

/* `kernels` kernels, or graphs of as many kernels together, or some more. */
static void make_set(struct set *set, size_t kernels, bool is_graph, unsigned seed)
{
	*set = (struct set){.spec = {.kernels = set->kernels}};
	while (set->spec.count < kernels) {
		const size_t d = (size_t)rand_r(&seed) % DATASETS;
		const struct weft_spec *example = &examples[d][(size_t)rand_r(&seed) % FILES];
		const size_t first = set->spec.count;

		if (!is_graph)
			add_task(set, &example->kernels[(size_t)rand_r(&seed) % example->count],
				 machine->datasets[d], SIZE_MAX);
		for (size_t i = 0; is_graph && i < example->count; i++)
			add_task(set, &example->kernels[i], machine->datasets[d], first);
	}
	finish_set(set);
}

/* ---- comparisons --------------------------------------------------------------------------------- */

static bool is_verbose;

static const char *note_of(bool knows_rates)
{
	static char note[64];

	snprintf(note, sizeof(note), "%s%s", machine->note,
		 knows_rates         ? ""
		 : has_no_partitions ? ", rates and partitions unknown"
				     : ", rates unknown");
	return note;
}

static struct comparison compare(size_t kernels, bool is_graph, bool knows_rates)
{
	static struct set set;
	struct comparison comparison = {0};

	for (unsigned i = 0; i < SETS; i++) {
		make_set(&set, kernels, is_graph, 1000 * (unsigned)kernels + i + is_graph);
		const struct simulation simulation = simulation_of(&set);

		comparison_add(&comparison, &simulation, bound_of(&set), knows_rates);
	}
	if (is_verbose)
		comparison_print(&comparison, kernels, is_graph, note_of(knows_rates));
	return comparison;
}

static void test_sets(void **state)
{
	(void)state;
	comparison_check_sets(compare, &machine->limits);
}

/* The kernels are none of those that the predictor was trained with. */
static void test_without_partitions(void **state)
{
	(void)state;
	has_no_partitions = true;
	const struct comparison comparison = compare(20, false, false);
	has_no_partitions = false;
	assert_true(comparison_mean(&comparison, COMPARED_PRESET) <=
		    machine->most_without_partitions);
}

static void test_graphs(void **state)
{
	(void)state;
	comparison_check_graphs(compare);
}

static void describe_boards(void)
{
	board = simulated;
	board.note = ", one board";
	board.others = 2;
	board.share_memory = true;
	board.limits = (struct comparison_limits){.size = 1.15, .mean = 1.12, .unknown = 1.2};
	board.most_without_partitions = 1.25;
	boards = board;
	boards.note = ", two boards";
	boards.share_memory = false;
}

int main(int argc, char **argv)
{
	static const struct machine *const machines[] = {&simulated, &board, &boards, &gpu};
	const size_t count = ONE_MACHINE ? 1 : sizeof(machines) / sizeof(machines[0]);
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets),
					   cmocka_unit_test(test_without_partitions),
					   cmocka_unit_test(test_graphs)};
	int failed = 0;

	is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	describe_boards();
	for (size_t i = 0; i < count; i++) {
		machine = machines[i];
		make_devices();
		failed += cmocka_run_group_tests(tests, read_examples, free_examples);
	}
	return failed;
}
