/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of expressions, as Python 2 does it, except that whole numbers have 64 bits.
 */
#ifndef WEFT_SCHEDULE_ARITHMETIC_H
#define WEFT_SCHEDULE_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_MOST_ARGUMENTS 4

struct weft_number {
	bool is_real;
	int64_t whole; /* if not is_real */
	double real;   /* if is_real */
};

double weft_number_real(const struct weft_number *number);

/* number = number OPERATION other; operations: + - * / %, 'f' for //, '^' for **. NULL: done; else what is wrong. */
const char *weft_number_combine(char operation, struct weft_number *number,
				const struct weft_number *other);

/* partition_round, min, max, abs, int and float. NULL: done; else what is wrong. */
const char *weft_number_call(const char *name, const struct weft_number *arguments, size_t count,
			     struct weft_number *result);

#endif
