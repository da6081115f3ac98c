/* SPDX-License-Identifier: MIT
 *
 * Exact results of the functions in functions.def, by MPFR, and errors in units in the last place.
 */
#ifndef WEFT_TESTS_BUILTINS_REFERENCES_H
#define WEFT_TESTS_BUILTINS_REFERENCES_H

#include <stddef.h>

#define ANY 1e30 /* no bound */
#define HALF_BOUND 8192

enum kind { FLOAT_KIND, DOUBLE_KIND, HALF_KIND, NUM_KINDS };
enum { WHOLE_SECOND = 4 }; /* the arguments are a floating number and an int */

struct function {
	const char *name;
	const char *exact;        /* the function that it is in the specification's table */
	const char *statement;    /* OpenCL C that sets r from x; NULL: a call of `name` */
	int arguments;            /* 1 to 3, WHOLE_SECOND */
	double bounds[NUM_KINDS]; /* units in the last place; below 0: there is none */
	double low, high;         /* of the range that matters most */
};

extern const struct function functions[];
extern const size_t num_functions;

extern const char *const kind_names[NUM_KINDS];

/* Digits of the significand, the smallest exponent and the greatest. */
struct format {
	int digits, least, greatest;
};
extern const struct format formats[NUM_KINDS];

/* The error of `got` for arguments of the kind, in units of its last place; infinite for a wrong special value, and for
 * an edge case that is not exact. */
double error_of(const struct function *function, enum kind kind, const double in[3], double got);

/* The exact result, rounded to double. */
double exact_result(const struct function *function, const double in[3]);

#endif
