/* SPDX-License-Identifier: MIT
 *
 * Loads near a work-item's own place, by an index that was kept within bounds: clamped, wrapped around, mirrored, guarded,
 * rounded, scaled, or a float or a narrow integer on its way. Most neighbours load from neighbours, but not all.
 */
#include "grow.h"

/* What an index is made of. Copies of an index are equal as long as the random numbers are. */
struct near {
	enum scalar scalar; /* of the arithmetic */
	int distance;       /* added to the place of the work-item */
	struct expr *(*count)(struct grower *g, int object, enum scalar scalar); /* of places */
	int object;
};

static struct expr *number(struct grower *g, struct type type, int64_t value)
{
	return fixed(new_constant(g, type, (uint64_t)value));
}

static struct expr *call_of(struct grower *g, enum builtin builtin, struct expr *a, struct expr *b)
{
	struct expr *expr = new_expr(g, BUILTIN, a->type);

	expr->op = (int)builtin;
	expr->num_args = 2;
	expr->args[0] = a;
	expr->args[1] = b;
	return fixed(expr);
}

static struct expr *choice_of(struct grower *g, struct expr *condition, struct expr *yes,
			      struct expr *no)
{
	struct expr *expr = new_expr(g, CHOOSE, yes->type);

	expr->num_args = 3;
	expr->args[0] = fixed(condition);
	expr->args[1] = yes;
	expr->args[2] = no;
	return fixed(expr);
}

static struct expr *converted(struct grower *g, struct type type, struct expr *a)
{
	return fixed(new_convert(g, type, a));
}

static struct expr *saturated(struct grower *g, struct type type, struct expr *a)
{
	struct expr *expr = converted(g, type, a);

	if (expr->kind == CONVERT && expr != a && !is_float(type))
		expr->kind = SATURATE;
	return expr;
}

static struct expr *sum_of(struct grower *g, enum operator op, struct expr *a, struct expr *b)
{
	return fixed(new_binary(g, op, a, b));
}

/* ---- places of the work-item ----------------------------------------------------------------- */

static struct expr *own_coordinate(struct grower *g, struct type type, bool in_group)
{
	switch (below(&g->random, 6)) {
	case 0:
		return new_query(g, GLOBAL_ID, 0, type.scalar);
	case 1:
		return new_query(g, LOCAL_ID, 0, type.scalar);
	case 2:
		return new_query(g, GLOBAL_ID, below(&g->random, 2), type.scalar);
	default:
		break;
	}
	return converted(g, type, fixed(new_variable_expr(g, in_group ? g->local_id : g->id)));
}

/* By way of a float, which holds the places of all work-items exactly. */
static struct expr *rounded(struct grower *g, struct expr *x)
{
	static const enum builtin roundings[] = {BUILTIN_FLOOR, BUILTIN_RINT, BUILTIN_TRUNC,
						 BUILTIN_CEIL};
	struct type type = make_type(one_in(&g->random, 4) ? F64 : F32, 1);
	struct expr *real = converted(g, type, x);
	struct expr *add = new_constant(g, type, 0);

	add->constant.lane[0] =
		type.scalar == F32 ? (union lane){.f = 0.5f} : (union lane){.d = 0.5};
	if (one_in(&g->random, 2))
		real = sum_of(g, ADD, real, fixed(add));
	if (one_in(&g->random, 3))
		real = sum_of(g, MUL, real, number(g, type, 1 + below(&g->random, 2)));
	if (one_in(&g->random, 2)) {
		struct expr *whole = new_expr(g, BUILTIN, type);
		whole->op = (int)roundings[below(&g->random, 4)];
		whole->num_args = 1;
		whole->args[0] = real;
		real = fixed(whole);
	}
	return saturated(g, x->type, real);
}

static struct expr *bounded_by_any(struct grower *g, struct expr *x)
{
	struct expr *bound = one_in(&g->random, 2) ? number(g, x->type, below(&g->random, 40) - 4)
						   : fixed(grow_uniform(g, x->type, 1));

	return call_of(g, one_in(&g->random, 2) ? BUILTIN_MIN : BUILTIN_MAX, x, bound);
}

/* As of a type that may not hold it. */
static struct expr *narrowed(struct grower *g, struct expr *x)
{
	struct type narrow = make_type((enum scalar)below(&g->random, I32), 1);
	struct expr *cut =
		one_in(&g->random, 2) ? saturated(g, narrow, x) : converted(g, narrow, x);

	if (one_in(&g->random, 2))
		cut = sum_of(g, one_in(&g->random, 2) ? ADD : MUL, cut,
			     fixed(new_constant(g, narrow, random_bits(&g->random))));
	if (one_in(&g->random, 2))
		cut = bounded_by_any(g, cut);
	return converted(g, x->type, cut);
}

static struct expr *stepped(struct grower *g, struct expr *x)
{
	static const enum operator ops[] = {ADD, SUB, MUL, SHL, SHR, AND, OR, XOR};
	int low = 1 << below(&g->random, 4);

	switch (below(&g->random, 13)) {
	case 0:
		return rounded(g, x);
	case 1:
		return narrowed(g, x);
	case 2:
		return sum_of(g, ADD, x, fixed(grow_uniform(g, x->type, 1)));
	case 3:
		return sum_of(g, AND, x, number(g, x->type, -low));
	case 4:
		return sum_of(g, OR, x, number(g, x->type, low - 1));
	case 5:
		return bounded_by_any(g, x);
	case 6:
		return sum_of(g, SUB, fixed(grow_uniform(g, x->type, 1)), x);
	case 7:
		return sum_of(g, one_in(&g->random, 3) ? REM : DIV, x,
			      number(g, x->type, 16 + below(&g->random, 100)));
	default:
		break;
	}
	return sum_of(g, ops[below(&g->random, 8)], x,
		      number(g, x->type, 1 + below(&g->random, 3)));
}

/* Any number. */
static struct expr *wanted(struct grower *g, const struct near *near, bool in_group)
{
	struct type type = make_type(near->scalar, 1);
	struct expr *x = own_coordinate(g, type, in_group);

	if (near->distance != 0 && near->scalar >= I32 && is_signed(type) && one_in(&g->random, 2))
		x = offset_by(g, x, near->distance);
	else
		x = sum_of(g, ADD, x, number(g, type, near->distance));
	for (int i = below(&g->random, 5) - 2; i > 0; i--)
		x = stepped(g, x);
	return x;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The last place, or the last that the type holds. */
static struct expr *last_of(struct grower *g, const struct near *near)
{
	struct type type = make_type(near->scalar, 1);
	struct expr *last = offset_by(g, near->count(g, near->object, I32), -1);

	return saturated(g, type, last);
}

static struct expr *smaller(struct grower *g, bool by_choice, struct expr *x, struct expr *same,
			    struct expr *bound, struct expr *same_bound)
{
	return by_choice ? choice_of(g, new_compare(g, LT, x, bound), same, same_bound)
			 : call_of(g, BUILTIN_MIN, x, bound);
}

static struct expr *clamped(struct grower *g, const struct near *near, bool in_group)
{
	const bool by_choice = one_in(&g->random, 3), low_first = one_in(&g->random, 2);
	struct random before = g->random;
	struct expr *x = wanted(g, near, in_group), *same = NULL;
	struct random after = g->random;
	struct expr *zero = number(g, x->type, 0);

	if (by_choice) { /* it stands there twice */
		g->random = before;
		same = wanted(g, near, in_group);
		g->random = after;
	}
	if (!is_signed(x->type))
		return smaller(g, by_choice, x, same, last_of(g, near), last_of(g, near));
	if (!low_first) {
		x = smaller(g, by_choice, x, same, last_of(g, near), last_of(g, near));
		return call_of(g, BUILTIN_MAX, x, zero);
	}
	x = by_choice ? choice_of(g, new_compare(g, GT, x, zero), same, number(g, x->type, 0))
		      : call_of(g, BUILTIN_MAX, x, zero);
	return call_of(g, BUILTIN_MIN, x, last_of(g, near));
}

/* Within the bounds in a float. */
static struct expr *clamped_real(struct grower *g, const struct near *near, bool in_group)
{
	struct type real = make_type(one_in(&g->random, 4) ? F64 : F32, 1);
	struct expr *x = converted(g, real, wanted(g, near, in_group));

	x = call_of(g, BUILTIN_FMIN, x, converted(g, real, last_of(g, near)));
	x = call_of(g, BUILTIN_FMAX, x, number(g, real, 0));
	return converted(g, make_type(near->scalar, 1), x);
}

static struct expr *wrapped(struct grower *g, const struct near *near, bool in_group)
{
	struct type type = make_type(one_in(&g->random, 4) ? U64 : U32, 1);
	struct expr *x = converted(g, type, wanted(g, near, in_group));

	return sum_of(g, REM, x, near->count(g, near->object, type.scalar));
}

/* At both ends, once; what lies farther outside is clamped. */
static struct expr *mirrored(struct grower *g, const struct near *near, bool in_group)
{
	struct type type = make_type(I32, 1);
	struct random before = g->random;
	struct expr *x[5];

	for (int i = 0; i < 5; i++) {
		g->random = before;
		x[i] = converted(g, type, wanted(g, near, in_group));
	}
	struct expr *low = choice_of(g, new_compare(g, LT, x[0], number(g, type, 0)),
				     sum_of(g, SUB, number(g, type, -1), x[1]), x[2]);
	struct expr *end = converted(g, type, last_of(g, near));
	struct expr *beyond = sum_of(g, SUB, sum_of(g, MUL, end, number(g, type, 2)), x[3]);
	end = converted(g, type, last_of(g, near));
	struct expr *inside = choice_of(g, new_compare(g, GT, x[4], end), beyond, low);
	inside = call_of(g, BUILTIN_MAX, inside, number(g, type, 0));
	return call_of(g, BUILTIN_MIN, inside, converted(g, type, last_of(g, near)));
}

static struct expr *bounded(struct grower *g, const struct near *near, bool in_group)
{
	switch (below(&g->random, 8)) {
	case 0:
		return clamped_real(g, near, in_group);
	case 1:
		return wrapped(g, near, in_group);
	case 2:
		return mirrored(g, near, in_group);
	default:
		return clamped(g, near, in_group);
	}
}

/* ---- places in memory ------------------------------------------------------------------------ */

static struct expr *items(struct grower *g, int object, enum scalar scalar)
{
	if (is_local(&g->kernel->objects[object]))
		return converted(g, make_type(scalar, 1),
				 fixed(new_variable_expr(g, g->local_size)));
	return fixed(new_argument(g, ARGUMENT_N, scalar));
}

static struct expr *width(struct grower *g, int object, enum scalar scalar)
{
	(void)object;
	return new_query(g, GLOBAL_SIZE, 0, scalar);
}

static struct expr *power_of_two(struct grower *g, int object, enum scalar scalar)
{
	int power = 1;

	while (power * 2 <= g->kernel->objects[object].add)
		power *= 2;
	return number(g, make_type(scalar, 1), power);
}

static struct type place_type(struct grower *g)
{
	static const enum scalar scalars[] = {I32, I64, I64, U32, U64};

	return make_type(scalars[below(&g->random, 5)], 1);
}

/* In the row of the work-item, which lies where its place less its coordinate says. */
static struct expr *place_in_row(struct grower *g, struct near *near)
{
	struct type type = make_type(g->index, 1);
	struct expr *offset = new_query(g, GLOBAL_OFFSET, 0, g->index);
	struct expr *x = new_plain(g, SUB, new_query(g, GLOBAL_ID, 0, g->index), offset);
	struct expr *row = new_plain(g, SUB, fixed(new_variable_expr(g, g->id)), x);

	near->count = width;
	return new_plain(g, ADD, row, converted(g, type, bounded(g, near, false)));
}

/* One of so many elements that some bits of the index can be anything. */
static struct expr *place_with_bits(struct grower *g, struct near *near, bool in_group)
{
	static const enum operator ops[] = {OR, OR, XOR, AND};
	struct type type = place_type(g);

	near->count = power_of_two;
	struct expr *x = converted(g, type, bounded(g, near, in_group));
	struct expr *last = offset_by(g, power_of_two(g, near->object, type.scalar), -1);
	struct expr *bits = sum_of(g, AND, fixed(grow_uniform(g, type, 1)), last);
	return sum_of(g, ops[below(&g->random, 4)], x, bits);
}

/* The bounds say which work-item's elements they are: of each the same. */
static struct expr *place_of_item(struct grower *g, struct near *near, bool in_group)
{
	const struct object *o = &g->kernel->objects[near->object];
	const int extra = o->add > 0 ? o->add : 0;

	near->count = items;
	struct expr *x = converted(g, place_type(g), bounded(g, near, in_group));
	return offset_by(g, scaled(g, x, o->mul), below(&g->random, o->mul + extra));
}

static struct expr *near_place(struct grower *g, struct near *near)
{
	const struct object *o = &g->kernel->objects[near->object];
	const bool in_group = is_local(o);

	if (o->mul == 0 && one_in(&g->random, 2))
		return place_with_bits(g, near, in_group);
	if (o->mul > 0 && !in_group && one_in(&g->random, 3))
		return place_in_row(g, near);
	if (o->mul > 0 && one_in(&g->random, 2))
		return place_of_item(g, near, in_group);
	return converted(g, place_type(g), bounded(g, near, in_group));
}

/* Where the index itself is in bounds; else something else. */
static struct expr *guarded_near(struct grower *g, struct near *near, int field, int depth)
{
	const bool in_group = is_local(&g->kernel->objects[near->object]);
	struct type type = make_type(U32, 1);
	struct random before = g->random;
	struct expr *x = converted(g, type, wanted(g, near, in_group));

	g->random = before;
	struct expr *same = converted(g, type, wanted(g, near, in_group));
	struct expr *guard =
		fixed(new_compare(g, LT, x, near->count(g, near->object, type.scalar)));
	struct expr *value = load_at(g, near->object, field, same);
	return choice_of(g, guard, value, grow_expr(g, value->type, depth - 1));
}

struct expr *near_load(struct grower *g, int object, int field, int depth)
{
	static const enum scalar scalars[] = {I32, I32, I32, I32, U32, I64, U64, I16, U16, I8, U8};
	struct near near = {scalars[below(&g->random, 11)], 0, count_of, object};

	if (one_in(&g->random, 6)) {
		near.distance = below(&g->random, 5) - 2;
		return guarded_near(g, &near, field, depth);
	}
	struct random before = g->random;
	struct expr *sum = NULL;
	/* up to three neighbours, or what is clamped alike elsewhere */
	for (int i = 1 + below(&before, 3), first = below(&before, 5) - 3; i > 0; i--) {
		if (!one_in(&before, 3))
			g->random = before;
		near.distance = first + i;
		near.count = count_of;
		struct expr *value = load_at(g, object, field, near_place(g, &near));
		sum = sum ? new_binary(g, ADD, sum, value) : value;
	}
	return sum;
}
