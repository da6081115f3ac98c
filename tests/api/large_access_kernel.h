/* SPDX-License-Identifier: MIT
 *
 * A kernel for which the bounds of its accesses take long: kernel void k(global const int *a, global int *b, int n, uint m), with n 5.
 */
#ifndef WEFT_TESTS_API_LARGE_ACCESS_KERNEL_H
#define WEFT_TESTS_API_LARGE_ACCESS_KERNEL_H

#include "fixture.h"

#include <stdio.h>

enum { LARGE_ACCESSES = 200, LARGE_DEPTH = 30, LARGE_ITEMS = 64, LARGE_ARGUMENT = 5 };

/* Each access has the same LARGE_DEPTH conditions, and a sum of quotients for its place. */
static inline char *write_large_kernel(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputs("kernel void k(global const int *a, global int *b, int n, uint m) { "
	      "int x = get_global_id(0), t = x;\n",
	      out);
	for (int d = 0; d < LARGE_DEPTH; d++)
		fprintf(out, "t = t / %d * %d + n; if (t + %d * x < 600) {\n", 3 + d % 7, 2 + d % 2,
			d);
	for (int i = 0; i < LARGE_ACCESSES; i++)
		fprintf(out, "b[x] += a[t + %d];\n", i * i);
	for (int d = 0; d < LARGE_DEPTH + 1; d++)
		fputs("}", out);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* Whether the work-item reads the elements from t on, squares apart. */
static inline bool large_kernel_reads(int x, int *t)
{
	*t = x;
	for (int d = 0; d < LARGE_DEPTH; d++) {
		*t = *t / (3 + d % 7) * (2 + d % 2) + LARGE_ARGUMENT;
		if (*t + d * x >= 600)
			return false;
	}
	return true;
}

#endif
