/* SPDX-License-Identifier: MIT
 *
 * Makespans of all strategies over many sets of kernels.
 */
#ifndef WEFT_TEST_COMPARISON_H
#define WEFT_TEST_COMPARISON_H

#include "simulation.h"

/* The strategies that are compared: PySchedCL's first, then others, the preset one at the end. */
#define COMPARED 8
#define COMPARED_PYSCHEDCL 6
#define COMPARED_PRESET (COMPARED - 1)

struct comparison {
	size_t sets;
	double logarithms[COMPARED]; /* sums over all sets, of makespan / bound */
	double worst; /* of the preset strategy, the best one of PySchedCL's being 1 */
};

/* Adds a set, in simulated time. No makespan may be shorter than the bound. */
void comparison_add(struct comparison *comparison, const struct simulation *simulation,
		    double bound, bool knows_rates);
/* The geometric mean of makespan / bound. */
double comparison_mean(const struct comparison *comparison, size_t strategy);

/* Of some sets with so many kernels. */
typedef struct comparison compare_sets(size_t kernels, bool is_graph, bool knows_rates);

/* A row of the tables in docs/schedule.md. */
void comparison_print(const struct comparison *comparison, size_t kernels, bool is_graph,
		      const char *note);

/* What the preset strategy must reach. `most_unknown`: of the bound, without rates. */
void comparison_check_sets(compare_sets *compare, double most_unknown);
void comparison_check_graphs(compare_sets *compare);

#endif
