/* SPDX-License-Identifier: MIT
 *
 * Measuring fresh processes: the program runs itself again.
 */
#ifndef WEFT_BENCH_PROCESSES_H
#define WEFT_BENCH_PROCESSES_H

#include "drivers.h"

#include <stdbool.h>
#include <sys/resource.h>

/* `/proc/self/exe --measured ARGUMENT`, for one driver, which keeps its caches in the folder. */
struct measured_process {
	const struct driver *driver;
	const char *folder;
	int argument;
};

/* Runs it, and reads the numbers that it prints, one in a line: how many, at most `capacity`; 0 when it has failed. What
 * it has used goes to `usage`, unless that is NULL. */
int process_measure(const struct measured_process *process, double *values, int capacity,
		    struct rusage *usage);

/* With everything in it. False, and what is wrong on standard error: it cannot be removed. */
bool remove_folder(const char *folder);

#endif
