/* SPDX-License-Identifier: MIT */
#include "comparison.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const char *const names[COMPARED] = {"fcfs",      "cpu-gpu",       "baseline",
					    "lookahead", "adaptive-bias", "contraction",
					    "heft",      "claims",        "plan"};

void comparison_add(struct comparison *comparison, const struct simulation *simulation,
		    double bound, bool knows_rates)
{
	double best = INFINITY;
	double makespan = 0;

	for (size_t i = 0; i < COMPARED; i++) {
		makespan = simulate(simulation, names[i], knows_rates);
		assert_true(makespan >= bound * (1 - 1e-9));
		comparison->logarithms[i] += log(makespan / bound);
		if (i < COMPARED_PYSCHEDCL)
			best = fmin(best, makespan);
	}
	comparison->worst = fmax(comparison->worst, makespan / best);
	comparison->sets++;
}

double comparison_mean(const struct comparison *comparison, size_t strategy)
{
	return exp(comparison->logarithms[strategy] / (double)comparison->sets);
}

void comparison_print(const struct comparison *comparison, size_t kernels, bool is_graph,
		      const char *note)
{
	printf("| %zu%s%s |", kernels, is_graph ? ", graph" : "", note);
	for (size_t i = 0; i < COMPARED; i++)
		printf(" %.2f |", comparison_mean(comparison, i));
	printf(" %.2f |\n", comparison->worst);
}

static const size_t sizes[] = {10, 20, 30};

void comparison_check_sets(compare_sets *compare, const struct comparison_limits *limits)
{
	const size_t count = sizeof(sizes) / sizeof(sizes[0]);
	double logarithms = 0;

	for (size_t i = 0; i < count; i++) {
		const struct comparison comparison = compare(sizes[i], false, true);
		const double mean = comparison_mean(&comparison, COMPARED_PRESET);

		logarithms += log(mean);
		assert_true(mean <= limits->size);
		assert_true(comparison.worst <= 1.0);
	}
	assert_true(exp(logarithms / (double)count) <= limits->mean);
	const struct comparison unknown = compare(20, false, false);
	assert_true(comparison_mean(&unknown, COMPARED_PRESET) <= limits->unknown);
}

void comparison_check_graphs(compare_sets *compare)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct comparison comparison = compare(sizes[i], true, true);

		assert_true(comparison.worst <= 1.0);
		for (size_t k = 0; k < COMPARED_PYSCHEDCL; k++)
			assert_true(comparison_mean(&comparison, COMPARED_PRESET) <=
				    comparison_mean(&comparison, k));
	}
}
