/* SPDX-License-Identifier: MIT
 *
 * The clock, the middle of several times, and the text of kernels, for all benchmarks.
 */
#ifndef WEFT_BENCH_MEASURE_H
#define WEFT_BENCH_MEASURE_H

#include <stddef.h>

double seconds_now(void);

/* The middle one of what is not empty; sorts it, the least first. */
double median(double *numbers, size_t count);

/* The file's text, for the caller to free; NULL, and what is wrong on standard error, when it cannot be read. */
char *read_text(const char *path);

#endif
