/* SPDX-License-Identifier: MIT
 *
 * A fact first narrows the variables that it has. A bound of a sum is that of its variables, or a better one of the sum less some facts,
 * which are not positive.
 */
#include "program/linear_forms.h"

#include <stddef.h>

#define MOST_ROUNDS 4

bool weft_space_add_variable(struct weft_space *space, int64_t low, int64_t high,
			     struct weft_form *form)
{
	if (space->num_variables == WEFT_SPACE_MOST_VARIABLES)
		return false;
	space->low[space->num_variables] = low;
	space->high[space->num_variables] = high;
	*form = (struct weft_form){.count = 1, .terms = {{space->num_variables++, 1}}};
	return true;
}

/* The term of a variable; a new one with factor 0. NULL: there are too many. */
static struct weft_form_term *find_term(struct weft_form *form, uint32_t variable)
{
	for (uint32_t i = 0; i < form->count; i++) {
		if (form->terms[i].variable == variable)
			return &form->terms[i];
	}
	if (form->count == WEFT_FORM_MOST_TERMS)
		return NULL;
	form->terms[form->count] = (struct weft_form_term){variable, 0};
	return &form->terms[form->count++];
}

/* *total += factor * value; false: it does not fit. */
static bool add_product(int64_t *total, int64_t factor, int64_t value)
{
	int64_t product;

	return !__builtin_mul_overflow(factor, value, &product) &&
	       !__builtin_add_overflow(*total, product, total);
}

static void remove_zeros(struct weft_form *form)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < form->count; i++) {
		if (form->terms[i].factor != 0)
			form->terms[count++] = form->terms[i];
	}
	form->count = count;
}

bool weft_form_add(const struct weft_form *a, const struct weft_form *b, int64_t factor,
		   struct weft_form *sum)
{
	struct weft_form result = *a;

	if (!add_product(&result.constant, factor, b->constant))
		return false;
	for (uint32_t i = 0; i < b->count; i++) {
		struct weft_form_term *term = find_term(&result, b->terms[i].variable);

		if (!term || !add_product(&term->factor, factor, b->terms[i].factor))
			return false;
	}
	remove_zeros(&result);
	*sum = result;
	return true;
}

/* ---- bounds -------------------------------------------------------------------------------------- */

static int64_t largest_value(const struct weft_space *space, const struct weft_form_term *term)
{
	return term->factor > 0 ? space->high[term->variable] : space->low[term->variable];
}

static int64_t smallest_value(const struct weft_space *space, const struct weft_form_term *term)
{
	return term->factor > 0 ? space->low[term->variable] : space->high[term->variable];
}

/* By the variables alone. */
static bool plain_upper(const struct weft_space *space, const struct weft_form *form,
			int64_t *upper)
{
	*upper = form->constant;
	for (uint32_t i = 0; i < form->count; i++) {
		if (!add_product(upper, form->terms[i].factor,
				 largest_value(space, &form->terms[i])))
			return false;
	}
	return true;
}

static bool plain_lower(const struct weft_space *space, const struct weft_form *form,
			int64_t *lower)
{
	*lower = form->constant;
	for (uint32_t i = 0; i < form->count; i++) {
		if (!add_product(lower, form->terms[i].factor,
				 smallest_value(space, &form->terms[i])))
			return false;
	}
	return true;
}

struct bounded {
	struct weft_form form; /* never smaller than the one that is asked for */
	bool is_known;
	int64_t upper;
};

/* Takes the fact away so often that one of its variables is gone, if the bound is better then. */
static void try_fact(const struct weft_space *space, const struct weft_form *form,
		     const struct weft_form *fact, struct bounded *best)
{
	for (uint32_t i = 0; i < form->count; i++) {
		const struct weft_form_term *term = &form->terms[i];
		struct weft_form less;
		int64_t upper;

		for (uint32_t k = 0; k < fact->count; k++) {
			const struct weft_form_term *other = &fact->terms[k];

			if (other->variable != term->variable || other->factor == INT64_MIN ||
			    term->factor == INT64_MIN || term->factor % other->factor != 0 ||
			    (term->factor > 0) != (other->factor > 0) ||
			    !weft_form_add(form, fact, -(term->factor / other->factor), &less) ||
			    !plain_upper(space, &less, &upper) ||
			    (best->is_known && upper >= best->upper))
				continue;
			*best = (struct bounded){less, true, upper};
		}
	}
}

bool weft_space_upper(const struct weft_space *space, const struct weft_form *form, int64_t *upper)
{
	struct bounded best = {.form = *form};

	best.is_known = plain_upper(space, form, &best.upper);
	for (int round = 0; round < MOST_ROUNDS && best.form.count > 0; round++) {
		struct bounded next = best;

		for (uint32_t i = 0; i < space->num_facts; i++)
			try_fact(space, &best.form, &space->facts[i], &next);
		if (next.is_known == best.is_known && next.upper == best.upper)
			break;
		best = next;
	}
	*upper = best.upper;
	return best.is_known;
}

bool weft_space_lower(const struct weft_space *space, const struct weft_form *form, int64_t *lower)
{
	const struct weft_form zero = weft_form_constant(0);
	struct weft_form negative;
	int64_t upper;

	if (!weft_form_add(&zero, form, -1, &negative) ||
	    !weft_space_upper(space, &negative, &upper) || upper == INT64_MIN)
		return false;
	*lower = -upper;
	return true;
}

/* ---- facts --------------------------------------------------------------------------------------- */

/* Narrows the variables of a fact. Whether it has changed one. */
static bool narrow(struct weft_space *space, const struct weft_form *fact)
{
	int64_t lower;
	bool changed = false;

	if (!plain_lower(space, fact, &lower))
		return false;
	if (lower > 0)
		space->is_empty = true;
	for (uint32_t i = 0; i < fact->count && !space->is_empty; i++) {
		const struct weft_form_term *term = &fact->terms[i];
		int64_t *low = &space->low[term->variable];
		int64_t *high = &space->high[term->variable];
		int64_t room = lower;

		/* What the others leave for this variable times its factor, at most. */
		if (term->factor == INT64_MIN ||
		    !add_product(&room, -term->factor, smallest_value(space, term)) ||
		    room == INT64_MIN)
			continue;
		room = -room;
		const int64_t most =
			weft_divide_down(room, term->factor > 0 ? term->factor : -term->factor);
		if (term->factor > 0 && most < *high) {
			*high = most;
			changed = true;
		} else if (term->factor < 0 && most > INT64_MIN && -most > *low) {
			*low = -most;
			changed = true;
		}
		space->is_empty = *low > *high;
	}
	return changed;
}

void weft_space_add_fact(struct weft_space *space, const struct weft_form *form)
{
	bool changed = true;

	if (space->num_facts == WEFT_SPACE_MOST_FACTS)
		return;
	space->facts[space->num_facts++] = *form;
	for (int round = 0; changed && !space->is_empty && round < MOST_ROUNDS; round++) {
		changed = false;
		for (uint32_t i = 0; i < space->num_facts; i++)
			changed = narrow(space, &space->facts[i]) || changed;
	}
}

void weft_space_add_difference(struct weft_space *space, const struct weft_form *a,
			       const struct weft_form *b, int64_t limit)
{
	const struct weft_form most = weft_form_constant(limit);
	struct weft_form fact;

	if (weft_form_add(a, b, -1, &fact) && weft_form_add(&fact, &most, -1, &fact))
		weft_space_add_fact(space, &fact);
}
