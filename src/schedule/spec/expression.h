/* SPDX-License-Identifier: MIT
 *
 * The expressions of specifications: Python's operators + - * / // % **, numbers, names, and the functions that PySchedCL's
 * specifications call. As in Python 2, the quotient of two whole numbers is rounded down.
 */
#ifndef WEFT_SCHEDULE_EXPRESSION_H
#define WEFT_SCHEDULE_EXPRESSION_H

#include "spec/arithmetic.h"

struct weft_variable {
	char *name; /* owned */
	int64_t value;
};

struct weft_variables {
	struct weft_variable *items; /* owned */
	size_t count;
	const struct weft_variables
		*outer; /* borrowed: what is not found here is looked for there */
};

/* Letters, digits and underscores; no digit comes first. */
bool weft_is_name(const char *text);
/* Adds a name, or gives it another value. False: out of memory. */
bool weft_variables_set(struct weft_variables *variables, const char *name, int64_t value);
/* NULL: there is none of that name. */
const int64_t *weft_variables_get(const struct weft_variables *variables, const char *name);
void weft_variables_destroy(struct weft_variables *variables);

#define WEFT_EXPRESSION_PROBLEM 128
/* The most elements of a list: as many as a vector has. */
#define WEFT_EXPRESSION_LIST 16

struct weft_expression {
	const char *text;                       /* borrowed */
	const struct weft_variables *variables; /* borrowed */
	char problem
		[WEFT_EXPRESSION_PROBLEM]; /* what is wrong with the text, once an evaluation failed */
};

bool weft_expression_number(struct weft_expression *expression, struct weft_number *number);
/* A list such as "[m, n / 2]", or one expression, which is a list of one. */
bool weft_expression_list(struct weft_expression *expression,
			  struct weft_number numbers[WEFT_EXPRESSION_LIST], size_t *count);

#endif
