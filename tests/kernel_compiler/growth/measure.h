/* SPDX-License-Identifier: MIT
 *
 * What one build costs, measured in its own process.
 */
#ifndef WEFT_TEST_GROWTH_MEASURE_H
#define WEFT_TEST_GROWTH_MEASURE_H

#include "shapes.h"

#include <stdbool.h>

struct growth_limits {
	double seconds;      /* of processor time, after which a build is stopped */
	const char *options; /* of clBuildProgram */
	bool quick;          /* what is measured is quick code */
};

struct growth_cost {
	bool built;
	double seconds; /* of processor time, without that of an empty kernel's build */
	double bytes; /* of resident memory at its peak, without that of an empty kernel's build */
};

struct growth_cost growth_measure(const struct growth_shape *shape, unsigned parts,
				  const struct growth_limits *limits);

#endif
