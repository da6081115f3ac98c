/* SPDX-License-Identifier: MIT
 *
 * The vector math libraries of this machine: glibc's libmvec and SLEEF, by the names of the x86-64 vector function ABI,
 * which both have. Neither is linked; what is not installed has no functions.
 */
#ifndef WEFT_BENCH_VECTOR_LIBRARIES_H
#define WEFT_BENCH_VECTOR_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

enum library { LIBMVEC, SLEEF, SLEEF_U35, NUM_LIBRARIES };

/* One function of one library, in the widest form that this CPU can run. */
struct vector_function {
	void *address; /* NULL: there is none */
	unsigned arguments;
	bool is_double;
};

/* `name`: the C library's, without the f of float's. */
struct vector_function vector_function_find(enum library library, const char *name,
					    unsigned arguments, bool is_double);

/* out[i] = f(a[i], b[i]) for `count` elements, a multiple of 16; arrays aligned to 64 bytes. */
void vector_function_apply(const struct vector_function *function, const void *a, const void *b,
			   void *out, size_t count);

#endif
