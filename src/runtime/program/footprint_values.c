/* SPDX-License-Identifier: MIT
 *
 * Each node is computed once for what is assumed. A node of which nothing is known is a variable with all numbers of its width.
 */
#include "program/footprint_values.h"

#include "alloc.h"

#define MOST_DEPTH 256 /* of nodes within nodes */
/* Nodes and conditions, each times the facts that are known then: past that, which takes some ten milliseconds, nothing is known. */
#define MOST_WORK 1000000
/* Iterations of a loop of which nothing is known: more would take days. */
#define MOST_ITERATIONS ((int64_t)1 << 48)
#define WIDEST_UNKNOWN 61 /* bits of numbers of which nothing is known: sums of some fit into 64 */

/* What a form says of a node's number. */
enum reading {
	MODULO,   /* it differs by a multiple */
	UNSIGNED, /* it is the number, taken without sign */
	SIGNED,
	NUM_READINGS,
};

struct weft_footprint_cell {
	uint32_t generations[NUM_READINGS]; /* in which the form was made */
	bool are_known[NUM_READINGS];
	struct weft_form forms[NUM_READINGS];
};

static bool read_node(struct weft_footprint_values *values, uint16_t node, enum reading reading,
		      struct weft_form *form);

/* False: no work is left. */
static bool spend(struct weft_footprint_values *values)
{
	values->work += 1 + values->space.num_facts;
	return values->work <= MOST_WORK;
}

static bool unknown(struct weft_footprint_values *values, uint32_t width, struct weft_form *form)
{
	return width <= WIDEST_UNKNOWN &&
	       weft_space_add_variable(&values->space, 0, ((int64_t)1 << width) - 1, form);
}

static bool bounds(const struct weft_footprint_values *values, const struct weft_form *form,
		   int64_t *low, int64_t *high)
{
	return weft_space_lower(&values->space, form, low) &&
	       weft_space_upper(&values->space, form, high) && *low <= *high;
}

/* ---- operations ---------------------------------------------------------------------------------- */

static bool read_iteration(struct weft_footprint_values *values,
			   const struct weft_footprint_node *node, struct weft_form *form)
{
	struct weft_form last;
	int64_t most = MOST_ITERATIONS;
	const bool is_known = node->a != WEFT_FOOTPRINT_NO_NODE &&
			      read_node(values, node->a, UNSIGNED, &last) &&
			      weft_space_upper(&values->space, &last, &most);

	if (!is_known || most > MOST_ITERATIONS)
		most = MOST_ITERATIONS;
	if (!weft_space_add_variable(&values->space, 0, most, form))
		return false;
	if (is_known)
		weft_space_add_difference(&values->space, form, &last, 0);
	return true;
}

/* Of numbers that are not constant: only bounds are known. */
static bool bounded_product(struct weft_footprint_values *values, const struct weft_form *a,
			    const struct weft_form *b, struct weft_form *form)
{
	int64_t ends[2][2];
	int64_t low = INT64_MAX;
	int64_t high = INT64_MIN;

	if (!bounds(values, a, &ends[0][0], &ends[0][1]) ||
	    !bounds(values, b, &ends[1][0], &ends[1][1]))
		return false;
	for (int i = 0; i < 4; i++) {
		int64_t product;

		if (__builtin_mul_overflow(ends[0][i / 2], ends[1][i % 2], &product))
			return false;
		low = product < low ? product : low;
		high = product > high ? product : high;
	}
	return weft_space_add_variable(&values->space, low, high, form);
}

static bool multiply(struct weft_footprint_values *values, const struct weft_form *a,
		     const struct weft_form *b, struct weft_form *form)
{
	const struct weft_form zero = weft_form_constant(0);

	if (a->count == 0)
		return weft_form_add(&zero, b, a->constant, form);
	if (b->count == 0)
		return weft_form_add(&zero, a, b->constant, form);
	return bounded_product(values, a, b, form);
}

/* The form's quotient without a rest, where there is never one. */
static bool divide_exactly(const struct weft_form *form, int64_t by, struct weft_form *quotient)
{
	*quotient = *form;
	if (form->constant % by != 0)
		return false;
	quotient->constant /= by;
	for (uint32_t i = 0; i < form->count; i++) {
		if (form->terms[i].factor % by != 0)
			return false;
		quotient->terms[i].factor /= by;
	}
	return true;
}

/* Towards zero, by a number that is at least 1. */
static bool divide(struct weft_footprint_values *values, const struct weft_footprint_node *node,
		   enum reading reading, struct weft_form *form)
{
	struct weft_form number;
	struct weft_form by;
	struct weft_form product;
	int64_t low[2];
	int64_t high[2];

	if (!read_node(values, node->a, reading, &number) ||
	    !read_node(values, node->b, reading, &by) ||
	    !bounds(values, &number, &low[0], &high[0]) ||
	    !bounds(values, &by, &low[1], &high[1]) || low[1] < 1)
		return false;
	if (by.count == 0 && divide_exactly(&number, by.constant, form))
		return true;
	if (!weft_space_add_variable(&values->space, low[0] / (low[0] < 0 ? low[1] : high[1]),
				     high[0] / (high[0] < 0 ? high[1] : low[1]), form))
		return false;
	/* 0 <= number - by * quotient < by */
	if (by.count == 0 && low[0] >= 0 && multiply(values, &by, form, &product)) {
		weft_space_add_difference(&values->space, &product, &number, 0);
		weft_space_add_difference(&values->space, &number, &product, by.constant - 1);
	}
	return true;
}

/* One of two, or a number between their bounds. `sign` is 1 for the larger one, -1 for the smaller one, 0 for any. */
static bool choose(struct weft_footprint_values *values, const struct weft_footprint_node *node,
		   enum reading reading, int sign, struct weft_form *form)
{
	struct weft_form forms[2];
	struct weft_form difference;
	int64_t low[3];
	int64_t high[3];

	if (!read_node(values, node->a, reading, &forms[0]) ||
	    !read_node(values, node->b, reading, &forms[1]) ||
	    !bounds(values, &forms[0], &low[0], &high[0]) ||
	    !bounds(values, &forms[1], &low[1], &high[1]))
		return false;
	if (weft_form_add(&forms[0], &forms[1], -1, &difference) &&
	    bounds(values, &difference, &low[2], &high[2]) &&
	    (sign != 0 ? low[2] >= 0 || high[2] <= 0 : low[2] == 0 && high[2] == 0)) {
		*form = forms[(low[2] >= 0) == (sign > 0) ? 0 : 1];
		return true;
	}
	const bool is_low = low[0] < low[1];
	const bool is_high = high[0] > high[1];
	if (!weft_space_add_variable(
		    &values->space,
		    sign > 0 ? (is_low ? low[1] : low[0]) : (is_low ? low[0] : low[1]),
		    sign < 0 ? (is_high ? high[1] : high[0]) : (is_high ? high[0] : high[1]), form))
		return false;
	for (int i = 0; sign != 0 && i < 2; i++) {
		if (sign > 0)
			weft_space_add_difference(&values->space, &forms[i], form, 0);
		else
			weft_space_add_difference(&values->space, form, &forms[i], 0);
	}
	return true;
}

static bool compute(struct weft_footprint_values *values, const struct weft_footprint_node *node,
		    struct weft_form *form)
{
	struct weft_form a;
	struct weft_form b;

	switch ((enum weft_footprint_operation)node->operation) {
	case WEFT_FOOTPRINT_CONSTANT:
		*form = weft_form_constant(node->value);
		return true;
	case WEFT_FOOTPRINT_ARGUMENT:
		weft_footprint_read_argument(values, node, form);
		return true;
	case WEFT_FOOTPRINT_QUERY:
		return weft_footprint_read_query(values, node, form);
	case WEFT_FOOTPRINT_ITERATION:
		return read_iteration(values, node, form);
	case WEFT_FOOTPRINT_UNKNOWN:
		return node->value > 0 &&
		       weft_space_add_variable(&values->space, 0, node->value, form);
	case WEFT_FOOTPRINT_SUM:
		return read_node(values, node->a, MODULO, &a) &&
		       read_node(values, node->b, MODULO, &b) && weft_form_add(&a, &b, 1, form);
	case WEFT_FOOTPRINT_PRODUCT:
		return read_node(values, node->a, MODULO, &a) &&
		       read_node(values, node->b, MODULO, &b) && multiply(values, &a, &b, form);
	case WEFT_FOOTPRINT_QUOTIENT:
		return divide(values, node, UNSIGNED, form);
	case WEFT_FOOTPRINT_SIGNED_QUOTIENT:
		return divide(values, node, SIGNED, form);
	case WEFT_FOOTPRINT_TRUNCATED:
		return read_node(values, node->a, MODULO, form);
	case WEFT_FOOTPRINT_ZERO_EXTENDED:
		return read_node(values, node->a, UNSIGNED, form);
	case WEFT_FOOTPRINT_SIGN_EXTENDED:
		return read_node(values, node->a, SIGNED, form);
	case WEFT_FOOTPRINT_MIN:
		return choose(values, node, UNSIGNED, -1, form);
	case WEFT_FOOTPRINT_MAX:
		return choose(values, node, UNSIGNED, 1, form);
	case WEFT_FOOTPRINT_SIGNED_MIN:
		return choose(values, node, SIGNED, -1, form);
	case WEFT_FOOTPRINT_SIGNED_MAX:
		return choose(values, node, SIGNED, 1, form);
	case WEFT_FOOTPRINT_EITHER:
		return choose(values, node, SIGNED, 0, form);
	}
	return false;
}

/* ---- readings ------------------------------------------------------------------------------------ */

static bool read_modulo(struct weft_footprint_values *values, uint16_t node, struct weft_form *form)
{
	const struct weft_footprint_node *all = weft_footprint_nodes(values->footprint);

	if (values->depth == MOST_DEPTH)
		return false;
	values->depth++;
	const bool done =
		compute(values, &all[node], form) || unknown(values, all[node].width, form);
	values->depth--;
	return done;
}

/* The form less the multiple of 2 to the width with which it is from `first` on in the type's range. */
static bool move_into(struct weft_footprint_values *values, const struct weft_form *form,
		      uint32_t width, int64_t first, struct weft_form *moved)
{
	const int64_t size = (int64_t)1 << width;
	const struct weft_form least = weft_form_constant(first);
	int64_t low;
	int64_t high;
	struct weft_form times;

	if (!bounds(values, form, &low, &high) || __builtin_sub_overflow(low, first, &low) ||
	    __builtin_sub_overflow(high, first, &high))
		return false;
	low = weft_divide_down(low, size);
	high = weft_divide_down(high, size);
	if (low == high)
		times = weft_form_constant(low);
	else if (!weft_space_add_variable(&values->space, low, high, &times))
		return false;
	if (!weft_form_add(form, &times, -size, moved))
		return false;
	if (low < high) {
		weft_space_add_difference(&values->space, &least, moved, 0);
		weft_space_add_difference(&values->space, moved, &least, size - 1);
	}
	return true;
}

static bool read_number(struct weft_footprint_values *values, uint16_t node, enum reading reading,
			struct weft_form *form)
{
	const uint32_t width = weft_footprint_nodes(values->footprint)[node].width;
	struct weft_form modulo;
	int64_t low;
	int64_t high;

	const bool is_known = read_node(values, node, MODULO, &modulo);
	if (width > WIDEST_UNKNOWN) {
		*form = modulo;
		return is_known && width == 64 && bounds(values, &modulo, &low, &high) &&
		       (reading == SIGNED || low >= 0);
	}
	const int64_t first = reading == SIGNED ? -((int64_t)1 << (width - 1)) : 0;
	return (is_known && move_into(values, &modulo, width, first, form)) ||
	       weft_space_add_variable(&values->space, first, first + ((int64_t)1 << width) - 1,
				       form);
}

static bool read_node(struct weft_footprint_values *values, uint16_t node, enum reading reading,
		      struct weft_form *form)
{
	struct weft_footprint_cell *cell = &values->cells[node];

	if (cell->generations[reading] != values->generation) {
		if (!spend(values)) {
			*form = weft_form_constant(0);
			return false;
		}
		cell->are_known[reading] =
			reading == MODULO
				? read_modulo(values, node, &cell->forms[reading])
				: read_number(values, node, reading, &cell->forms[reading]);
		cell->generations[reading] = values->generation;
	}
	*form = cell->forms[reading];
	return cell->are_known[reading];
}

/* ---- life ---------------------------------------------------------------------------------------- */

struct weft_footprint_values *weft_footprint_values_create(const struct weft_footprint *footprint,
							   const struct weft_ndrange *range,
							   const unsigned char *arguments)
{
	const struct weft_footprint_node *nodes = weft_footprint_nodes(footprint);
	struct weft_footprint_values *values =
		(struct weft_footprint_values *)weft_zalloc(sizeof(*values));

	if (!values)
		return NULL;
	values->footprint = footprint;
	values->range = range;
	values->arguments = arguments;
	values->cells = (struct weft_footprint_cell *)weft_calloc(footprint->num_nodes + 1,
								  sizeof(*values->cells));
	if (!values->cells) {
		weft_free(values);
		return NULL;
	}
	for (uint32_t i = 0; i < footprint->num_nodes; i++) {
		if (nodes[i].operation == WEFT_FOOTPRINT_QUERY &&
		    (nodes[i].a == WEFT_FOOTPRINT_LOCAL_ID ||
		     nodes[i].a == WEFT_FOOTPRINT_GROUP_ID))
			values->splits_id[nodes[i].b] = true;
	}
	return values;
}

void weft_footprint_values_destroy(struct weft_footprint_values *values)
{
	weft_free(values->cells);
	weft_free(values);
}

void weft_footprint_values_reset(struct weft_footprint_values *values)
{
	values->generation++;
	values->space.num_variables = 0;
	values->space.num_facts = 0;
	values->space.is_empty = false;
	for (unsigned d = 0; d < 3; d++) {
		values->global_ids[d] = UINT32_MAX;
		values->local_ids[d] = UINT32_MAX;
		values->group_ids[d] = UINT32_MAX;
	}
}

/* A difference that is not 0 is one less than 0 if 0 is its largest value. */
static void assume_not_equal(struct weft_footprint_values *values, const struct weft_form *left,
			     const struct weft_form *right)
{
	struct weft_form difference;
	int64_t low;
	int64_t high;

	if (!weft_form_add(left, right, -1, &difference) ||
	    !bounds(values, &difference, &low, &high))
		return;
	if (high == 0)
		weft_space_add_difference(&values->space, left, right, -1);
	if (low == 0)
		weft_space_add_difference(&values->space, right, left, -1);
}

void weft_footprint_values_assume(struct weft_footprint_values *values,
				  const struct weft_footprint_condition *condition)
{
	const bool is_unsigned = condition->relation == WEFT_FOOTPRINT_LESS ||
				 condition->relation == WEFT_FOOTPRINT_NOT_GREATER;
	const enum reading reading = is_unsigned ? UNSIGNED : SIGNED;
	struct weft_form left;
	struct weft_form right;

	if (!spend(values) || !read_node(values, condition->left, reading, &left) ||
	    !read_node(values, condition->right, reading, &right))
		return;
	switch ((enum weft_footprint_relation)condition->relation) {
	case WEFT_FOOTPRINT_EQUAL:
		weft_space_add_difference(&values->space, &left, &right, 0);
		weft_space_add_difference(&values->space, &right, &left, 0);
		break;
	case WEFT_FOOTPRINT_NOT_EQUAL:
		assume_not_equal(values, &left, &right);
		break;
	case WEFT_FOOTPRINT_LESS:
	case WEFT_FOOTPRINT_SIGNED_LESS:
		weft_space_add_difference(&values->space, &left, &right, -1);
		break;
	case WEFT_FOOTPRINT_NOT_GREATER:
	case WEFT_FOOTPRINT_SIGNED_NOT_GREATER:
		weft_space_add_difference(&values->space, &left, &right, 0);
		break;
	}
}

bool weft_footprint_values_bounds(struct weft_footprint_values *values, uint16_t node, int64_t *low,
				  int64_t *high)
{
	struct weft_form form;

	return read_node(values, node, SIGNED, &form) && bounds(values, &form, low, high);
}

bool weft_footprint_values_form(struct weft_footprint_values *values, uint16_t node,
				struct weft_form *form)
{
	return read_node(values, node, MODULO, form);
}
