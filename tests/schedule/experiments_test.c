/* SPDX-License-Identifier: MIT
 *
 * The experiments of PySchedCL's thesis in simulated time: random sets of the kernels of examples/schedule, and of its graphs, on an accelerator
 * and the model of a CPU. Durations of kernels are cycles that the simulated accelerator has counted (kernel_costs.py); transfers take
 * what its DMA takes. `schedule_experiments_test -v` prints the table of docs/schedule.md.
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
#define PART_SECONDS 50e-6 /* handing a part out: measured on Weft's CPU */
/* The machine that kernel_costs.py describes; latency and width of its DMA. */
#define ACCELERATOR_CLOCK 600e6
#define CPU_CLOCK 3e9
#define LATENCY (300 / ACCELERATOR_CLOCK)
#define BANDWIDTH (8 * ACCELERATOR_CLOCK)

static const struct cost {
	const char *kernel;
	int64_t dataset;
	double accelerator; /* cycles */
	double cpu;
} costs[] = {
#include "kernel_costs.inc"
};

static const struct described {
	const char *kernel;
	int64_t dataset;
	double features[CL_KERNEL_NUM_FEATURES_WEFT];
} descriptions[] = {
#include "kernel_features.inc"
};

static const int64_t datasets[] = {128, 256, 512};
#define DATASETS (sizeof(datasets) / sizeof(*datasets))
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

		assert_true(weft_variables_set(&variables, "dataset", datasets[d]));
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
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		if (costs[i].dataset == dataset && strcmp(costs[i].kernel, kernel) == 0)
			return &costs[i];
	}
	fail_msg("kernel_costs.inc has no '%s' of %lld", kernel, (long long)dataset);
	return NULL;
}

static struct weft_prediction predict(const struct weft_spec_kernel *kernel, int64_t dataset)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(*descriptions); i++) {
		const struct described *described = &descriptions[i];

		if (described->dataset == dataset && strcmp(described->kernel, kernel->name) == 0)
			return weft_predict(WEFT_MODEL_SIMULATED, described->features,
					    (double)(kernel->global[0] * kernel->global[1] *
						     kernel->global[2]));
	}
	fail_msg("kernel_features.inc has no '%s' of %lld", kernel->name, (long long)dataset);
	return (struct weft_prediction){0};
}

/* ---- sets ---------------------------------------------------------------------------------------- */

/* Tasks that share their strings and their arguments with the examples. */
struct set {
	struct weft_spec_kernel kernels[MOST_TASKS];
	struct weft_spec_buffer buffers[MOST_TASKS][8];
	size_t depends[MOST_TASKS][8];
	struct weft_split splits[MOST_TASKS];
	size_t slabs[MOST_TASKS];
	double rates[MOST_TASKS * SIMULATED_DEVICES];
	struct weft_prediction predictions[MOST_TASKS];
	double bound_rates[MOST_TASKS * SIMULATED_DEVICES]; /* with what no schedule can save */
	struct weft_spec spec;
};

static char cpu_name[] = "cpu";
static char accelerator_name[] = "accelerator";
static struct weft_domain domains[] = {{.is_host = true}, {.is_host = false}};
static struct weft_device items[] = {
	{.name = cpu_name, .type = CL_DEVICE_TYPE_CPU, .domain = 0},
	{.name = accelerator_name, .type = CL_DEVICE_TYPE_ACCELERATOR, .domain = 1}};
static const struct weft_devices devices = {.items = items,
					    .count = SIMULATED_DEVICES,
					    .domains = domains,
					    .num_domains = SIMULATED_DEVICES};

static struct simulation simulation_of(const struct set *set)
{
	return (struct simulation){.spec = &set->spec,
				   .splits = set->splits,
				   .devices = &devices,
				   .predictions = set->predictions,
				   .rates = set->rates,
				   .part_seconds = PART_SECONDS,
				   .latency = LATENCY,
				   .bandwidth = BANDWIDTH};
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
	set->rates[2 * t] = cost->cpu / CPU_CLOCK / (double)set->slabs[t];
	set->rates[2 * t + 1] = cost->accelerator / ACCELERATOR_CLOCK / (double)set->slabs[t];
}

static bool has_no_partitions; /* the files have none: they are what is preset */

/* Partitions by what each device takes alone, with all transfers. Bounds count that each task is handed out once at least, and the transfers
 * that no other task on the same device saves. */
static void finish_set(struct set *set)
{
	const struct simulation simulation = simulation_of(set);

	for (size_t t = 0; t < set->spec.count; t++) {
		const double slabs = (double)set->slabs[t];
		const double cpu = set->rates[2 * t] * slabs;
		const double accelerator = set->rates[2 * t + 1] * slabs +
					   simulated_transfers(&simulation, t, 1, false);

		set->kernels[t].partition =
			has_no_partitions ? 5 : lround(10 * cpu / (cpu + accelerator));
		set->kernels[t].has_partition = !has_no_partitions;
		set->bound_rates[2 * t] = set->rates[2 * t] + PART_SECONDS / slabs;
		set->bound_rates[2 * t + 1] =
			set->rates[2 * t + 1] +
			(PART_SECONDS + simulated_transfers(&simulation, t, 1, true)) / slabs;
	}
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
				 datasets[d], SIZE_MAX);
		for (size_t i = 0; is_graph && i < example->count; i++)
			add_task(set, &example->kernels[i], datasets[d], first);
	}
	finish_set(set);
}

/* ---- comparisons --------------------------------------------------------------------------------- */

static bool is_verbose;

static struct comparison compare(size_t kernels, bool is_graph, bool knows_rates)
{
	static struct set set;
	struct comparison comparison = {0};

	for (unsigned i = 0; i < SETS; i++) {
		make_set(&set, kernels, is_graph, 1000 * (unsigned)kernels + i + is_graph);
		const struct weft_record record = {.spec = &set.spec,
						   .devices = &devices,
						   .rates = set.bound_rates,
						   .slabs = set.slabs};
		const struct simulation simulation = simulation_of(&set);

		comparison_add(&comparison, &simulation, weft_report_lower_bound(&record),
			       knows_rates);
	}
	if (is_verbose)
		comparison_print(&comparison, kernels, is_graph,
				 knows_rates         ? ""
				 : has_no_partitions ? ", rates and partitions unknown"
						     : ", rates unknown");
	return comparison;
}

static void test_sets(void **state)
{
	(void)state;
	comparison_check_sets(compare, 1.1);
}

/* The kernels are none of those that the predictor was trained with. */
static void test_without_partitions(void **state)
{
	(void)state;
	has_no_partitions = true;
	const struct comparison comparison = compare(20, false, false);
	has_no_partitions = false;
	assert_true(comparison_mean(&comparison, COMPARED_PRESET) <= 1.2);
}

static void test_graphs(void **state)
{
	(void)state;
	comparison_check_graphs(compare);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets),
					   cmocka_unit_test(test_without_partitions),
					   cmocka_unit_test(test_graphs)};

	is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	return cmocka_run_group_tests(tests, read_examples, free_examples);
}
