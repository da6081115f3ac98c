/* SPDX-License-Identifier: MIT */
#include "comparison.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const char *const names[COMPARED] = {"fcfs",          "cpu-gpu", "baseline", "lookahead",
					    "adaptive-bias", "heft",    "claims"};

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

void comparison_print(const struct comparison *comparison, const char *label)
{
	printf("| %s |", label);
	for (size_t i = 0; i < COMPARED; i++)
		printf(" %.2f |", comparison_mean(comparison, i));
	printf(" %.2f |\n", comparison->worst);
}
