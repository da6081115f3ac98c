/* SPDX-License-Identifier: MIT
 *
 * The OpenCL drivers that a benchmark compares: how the command line names one, and the environment of a process
 * that is to run on it.
 */
#ifndef WEFT_BENCH_DRIVERS_H
#define WEFT_BENCH_DRIVERS_H

#include <stdbool.h>

#define MAX_DRIVERS 12

struct driver {
	const char *name;        /* drivers "a:b" and "a:c" are modes of a: the better one counts */
	const char *vendors;     /* folder, or .icd file */
	const char *options;     /* for its compiler, "" for none */
	const char *settings[8]; /* NAME=VALUE, for its environment */
	unsigned num_settings;
};

/* NAME=VENDORS[,-OPTION][,VARIABLE=VALUE]...; `text` is cut up, and lives as long as the driver. False: it is not of
 * this form. */
bool driver_parse(char *text, struct driver *driver);

/* Makes the driver the only one that this process finds. What a driver may cache goes into the folder. */
void driver_choose(const struct driver *driver, const char *folder);

#endif
