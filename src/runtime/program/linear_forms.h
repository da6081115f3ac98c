/* SPDX-License-Identifier: MIT
 *
 * Bounds of sums of variables: each variable is a whole number between two others, and facts say of some sums that they are not
 * positive. Sums that do not fit into 64 bits are not known.
 */
#ifndef WEFT_RUNTIME_LINEAR_FORMS_H
#define WEFT_RUNTIME_LINEAR_FORMS_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT_FORM_MOST_TERMS 8
#define WEFT_SPACE_MOST_VARIABLES 96
#define WEFT_SPACE_MOST_FACTS 64

struct weft_form_term {
	uint32_t variable;
	int64_t factor; /* not 0 */
};

/* A constant, and variables times factors. */
struct weft_form {
	int64_t constant;
	uint32_t count; /* of terms; their variables differ */
	struct weft_form_term terms[WEFT_FORM_MOST_TERMS];
};

struct weft_space {
	uint32_t num_variables;
	uint32_t num_facts;
	bool is_empty; /* no values of the variables agree with all facts */
	int64_t low[WEFT_SPACE_MOST_VARIABLES];
	int64_t high[WEFT_SPACE_MOST_VARIABLES];
	struct weft_form facts[WEFT_SPACE_MOST_FACTS]; /* each is at most 0 */
};

/* The quotient, rounded down; `by` is positive. */
static inline int64_t weft_divide_down(int64_t number, int64_t by)
{
	return number / by - (number % by < 0);
}

static inline struct weft_form weft_form_constant(int64_t value)
{
	return (struct weft_form){.constant = value};
}

/* A new variable from `low` to `high`. False: there are too many. */
bool weft_space_add_variable(struct weft_space *space, int64_t low, int64_t high,
			     struct weft_form *form);
/* a + factor * b; false: it is not known. `sum` may be `a` or `b`. */
bool weft_form_add(const struct weft_form *a, const struct weft_form *b, int64_t factor,
		   struct weft_form *sum);
/* The form is at most 0. Facts that there is no room for are forgotten: bounds are right without them. */
void weft_space_add_fact(struct weft_space *space, const struct weft_form *form);
/* a - b is at most `limit`. */
void weft_space_add_difference(struct weft_space *space, const struct weft_form *a,
			       const struct weft_form *b, int64_t limit);
/* A number that the form is never above; never below. False: none is known. */
bool weft_space_upper(const struct weft_space *space, const struct weft_form *form, int64_t *upper);
bool weft_space_lower(const struct weft_space *space, const struct weft_form *form, int64_t *lower);

#endif
