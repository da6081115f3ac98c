/* SPDX-License-Identifier: MIT
 *
 * The clock, medians, reading kernels.
 */
#include "measure.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double first = *(const double *)a;
	double second = *(const double *)b;

	return (first > second) - (first < second);
}

double median(double *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), by_value);
	return numbers[count / 2];
}

char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	long size = -1;

	if (file && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	char *text = size < 0 ? NULL : calloc((size_t)size + 1, 1);
	if (text) {
		rewind(file);
		if (fread(text, 1, (size_t)size, file) != (size_t)size) {
			free(text);
			text = NULL;
		}
	}
	if (file)
		(void)fclose(file);
	if (!text)
		fprintf(stderr, "cannot read %s\n", path);
	return text;
}
