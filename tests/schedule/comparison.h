/* SPDX-License-Identifier: MIT
 *
 * Makespans of all strategies over many sets of kernels.
 */
#ifndef WEFT_TEST_COMPARISON_H
#define WEFT_TEST_COMPARISON_H

#include "simulation.h"

/* The strategies that are compared: PySchedCL's first, then others, the preset one at the end. */
#define COMPARED 9
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

/* Of the bound, at most: sets of any size, in geometric mean; those of all sizes; those whose rates are not known. */
struct comparison_limits {
	double size;
	double mean;
	double unknown;
};

/* What the preset strategy must reach. It may be behind the best of PySchedCL's strategies for no set and no graph. */
void comparison_check_sets(compare_sets *compare, const struct comparison_limits *limits);
void comparison_check_graphs(compare_sets *compare);

#endif
