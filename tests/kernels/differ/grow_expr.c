/* SPDX-License-Identifier: MIT
 *
 * Random expressions.
 */
#include "grow.h"

#include "value.h"

#include <math.h>

struct expr *new_expr(struct grower *g, enum expr_kind kind, struct type type)
{
	struct expr *expr = grow_node(g->kernel, sizeof(*expr));

	expr->kind = kind;
	expr->type = type;
	return expr;
}

struct expr *new_constant(struct grower *g, struct type type, uint64_t bits)
{
	struct expr *expr = new_expr(g, CONSTANT, type);

	for (unsigned l = 0; l < type.lanes; l++) {
		if (type.scalar == F32)
			expr->constant.lane[l].f = (float)(int64_t)bits;
		else if (type.scalar == F64)
			expr->constant.lane[l].d = (double)(int64_t)bits;
		else
			expr->constant.lane[l] = wrap(type.scalar, bits);
	}
	return expr;
}

static struct expr *random_constant(struct grower *g, struct type type)
{
	struct expr *expr = new_expr(g, CONSTANT, type);
	bool same = one_in(&g->random, 2);

	for (unsigned l = 0; l < type.lanes; l++) {
		expr->constant.lane[l] = random_lane(&g->random, type.scalar);
		if (same)
			expr->constant.lane[l] = expr->constant.lane[0];
	}
	return expr;
}

struct expr *new_variable_expr(struct grower *g, int variable)
{
	struct expr *expr = new_expr(g, VARIABLE, g->kernel->variables[variable].type);

	expr->index = variable;
	return expr;
}

static struct expr *new_two(struct grower *g, enum expr_kind kind, struct type type, struct expr *a,
			    struct expr *b)
{
	struct expr *expr = new_expr(g, kind, type);

	expr->num_args = 2;
	expr->args[0] = a;
	expr->args[1] = b;
	return expr;
}

struct expr *new_binary(struct grower *g, enum operator op, struct expr *a, struct expr *b)
{
	struct expr *expr = new_two(g, BINARY, a->type, a, b);

	expr->op = (int)op;
	return expr;
}

struct expr *new_plain(struct grower *g, enum operator op, struct expr *a, struct expr *b)
{
	struct expr *expr = new_binary(g, op, a, b);

	expr->plain = true;
	expr->fixed = true;
	return expr;
}

struct expr *new_compare(struct grower *g, enum operator op, struct expr *a, struct expr *b)
{
	struct type type = a->type.lanes == 1 ? make_type(I32, 1) : signed_of(a->type);
	struct expr *expr = new_two(g, COMPARE, type, a, b);

	expr->op = (int)op;
	return expr;
}

struct expr *new_convert(struct grower *g, struct type type, struct expr *a)
{
	bool saturate = !is_float(type) && is_float(a->type);

	if (same_type(type, a->type))
		return a;
	struct expr *expr = new_expr(g, saturate ? SATURATE : CONVERT, type);
	expr->num_args = 1;
	expr->args[0] = a;
	return expr;
}

struct expr *new_argument(struct grower *g, int index, enum scalar scalar)
{
	struct type type =
		index >= MAX_OBJECTS ? g->kernel->scalars[index - MAX_OBJECTS] : make_type(I32, 1);
	struct expr *expr = new_expr(g, ARGUMENT, type);

	expr->index = index;
	return scalar == NUM_SCALARS ? expr : new_convert(g, make_type(scalar, 1), expr);
}

struct expr *new_query(struct grower *g, enum query query, int dimension, enum scalar scalar)
{
	struct expr *expr = new_expr(g, QUERY, make_type(scalar, 1));

	expr->op = (int)query;
	expr->index = dimension;
	expr->fixed = true;
	return expr;
}

struct type random_scalar_type(struct grower *g)
{
	static const enum scalar often[] = {I32, I32, U32, U32, F32, F32, I32, U32, F32, F64};

	if (g->taste == SMALL_INTEGERS && !one_in(&g->random, 8))
		return make_type((enum scalar)below(&g->random, I32), 1);
	if (one_in(&g->random, 3))
		return make_type((enum scalar)below(&g->random, NUM_SCALARS), 1);
	return make_type(often[below(&g->random, 10)], 1);
}

struct type random_type(struct grower *g)
{
	static const unsigned lanes[] = {2, 3, 4, 4, 8};
	struct type type = random_scalar_type(g);

	if (one_in(&g->random, 2))
		return g->palette[below(&g->random, 5)];
	if (g->taste == VECTORS ? !one_in(&g->random, 4) : one_in(&g->random, 5))
		type.lanes = lanes[below(&g->random, 5)];
	return type;
}

int pick_variable(struct grower *g, struct type type, bool assignable)
{
	int found = -1, count = 0;

	for (unsigned i = 0; i < g->num_visible; i++) {
		const struct variable *variable = &g->kernel->variables[g->visible[i]];
		if (!same_type(variable->type, type) || (g->uniform && !variable->uniform))
			continue;
		if (assignable && (variable->constant || variable->uniform))
			continue;
		if (one_in(&g->random, ++count))
			found = g->visible[i];
	}
	return found;
}

/* A variable of as many lanes, converted. */
static struct expr *converted_variable(struct grower *g, struct type type)
{
	int found = -1, count = 0;

	for (unsigned i = 0; i < g->num_visible; i++) {
		const struct variable *variable = &g->kernel->variables[g->visible[i]];
		if (variable->type.lanes == type.lanes && (!g->uniform || variable->uniform) &&
		    one_in(&g->random, ++count))
			found = g->visible[i];
	}
	if (found < 0)
		return random_constant(g, type);
	return new_convert(g, type, new_variable_expr(g, found));
}

static struct expr *random_query(struct grower *g, struct type type)
{
	static const enum query uniform[] = {GROUP_ID, GLOBAL_SIZE, LOCAL_SIZE, NUM_GROUPS};
	int dimension = below(&g->random, 3);

	if (!g->uniform && !one_in(&g->random, 4))
		return new_query(g, one_in(&g->random, 2) ? GLOBAL_ID : LOCAL_ID, dimension,
				 type.scalar);
	return new_query(g, uniform[below(&g->random, 4)], dimension, type.scalar);
}

static struct expr *random_argument(struct grower *g, struct type type)
{
	int which = below(&g->random, (int)g->kernel->num_scalars);

	return new_convert(g, type, new_argument(g, MAX_OBJECTS + which, NUM_SCALARS));
}

static struct expr *make_vector(struct grower *g, struct type type, int depth)
{
	struct type lane = make_type(type.scalar, 1);
	struct expr *expr = new_expr(g, MAKE, type);

	expr->num_args = one_in(&g->random, 3) ? 1 : type.lanes;
	for (unsigned l = 0; l < expr->num_args; l++)
		expr->args[l] = grow_expr(g, lane, depth - 1);
	return expr;
}

static struct expr *grow_leaf(struct grower *g, struct type type)
{
	int variable = one_in(&g->random, 5) ? -1 : pick_variable(g, type, false);

	if (variable >= 0)
		return new_variable_expr(g, variable);
	switch (below(&g->random, 6)) {
	case 0:
		if (type.lanes == 1 && !is_float(type) && g->function < 0)
			return random_query(g, type);
		break;
	case 1:
		if (type.lanes == 1 && g->function < 0)
			return random_argument(g, type);
		break;
	case 2:
	case 3:
		return random_constant(g, type);
	default:
		break;
	}
	return converted_variable(g, type);
}

/* Clang folds a division by a constant zero before any pass sees it. */
static bool is_foldable(const struct expr *expr)
{
	for (unsigned i = 0; i < expr->num_args; i++) {
		if (!is_foldable(expr->args[i]))
			return false;
	}
	return expr->kind == CONSTANT || expr->num_args > 0;
}

static struct expr *grow_binary(struct grower *g, struct type type, int depth)
{
	static const enum operator integer[] = {ADD, SUB, MUL, AND, OR,  XOR,
						SHL, SHR, DIV, REM, ADD, MUL};
	enum operator op = is_float(type) ? (enum operator)below(&g->random, 4)
					  : integer[below(&g->random, 12)];
	struct expr *a = grow_expr(g, type, depth - 1);
	struct expr *b = grow_expr(g, type, depth - 1);

	if ((op == DIV || op == REM) && !is_float(type) && is_foldable(b))
		b = new_constant(g, type, 3 + (uint64_t)below(&g->random, 20));
	return new_binary(g, op, a, b);
}

static struct expr *grow_unary(struct grower *g, struct type type, int depth)
{
	struct expr *expr = new_expr(g, UNARY, type);

	expr->op = is_float(type) || one_in(&g->random, 2) ? '-' : '~';
	expr->num_args = 1;
	expr->args[0] = grow_expr(g, type, depth - 1);
	if (type.lanes == 1 && type.scalar == I32 && one_in(&g->random, 3))
		expr->op = '!';
	return expr;
}

struct expr *grow_uniform(struct grower *g, struct type type, int depth)
{
	bool before = g->uniform;

	g->uniform = true;
	struct expr *expr = grow_expr(g, type, depth);
	g->uniform = before;
	return expr;
}

static struct expr *grow_compare(struct grower *g, int depth)
{
	static const enum operator ops[] = {LT, LE, GT, GE, EQ, NE, LT, GT};
	struct type type = random_scalar_type(g);

	return new_compare(g, ops[below(&g->random, 8)], grow_expr(g, type, depth - 1),
			   grow_expr(g, type, depth - 1));
}

static struct expr *grow_logic(struct grower *g, int depth)
{
	struct expr *a = grow_condition(g, depth - 1);
	struct expr *b = grow_condition(g, depth - 1);

	/* twice in a statement would have no defined order */
	if (g->counter >= 0 && !g->counted && !g->uniform && g->function < 0 &&
	    one_in(&g->random, 4)) {
		g->counted = true;
		struct expr *post = new_expr(g, POSTINC, make_type(I32, 1));
		post->index = g->counter;
		b = new_binary(g, AND, post, new_constant(g, post->type, 3));
	}
	struct expr *expr = new_two(g, LOGIC, make_type(I32, 1), a, b);
	expr->op = one_in(&g->random, 2) ? AND : OR;
	return expr;
}

struct expr *grow_id_test(struct grower *g)
{
	static const enum scalar scalars[] = {I32, I32, U32, I64, U64};
	static const enum operator ops[] = {LT, LT, LE, GT, GE, EQ, NE};
	struct type type = make_type(scalars[below(&g->random, 5)], 1);
	struct expr *id = new_query(g, LOCAL_ID, below(&g->random, 5) / 3, type.scalar);
	struct expr *limit = new_constant(g, type, (uint64_t)below(&g->random, 70));

	if (one_in(&g->random, 2))
		limit = new_binary(g, AND, grow_uniform(g, type, 2),
				   new_constant(g, type, one_in(&g->random, 2) ? 31 : 127));
	if (one_in(&g->random, 4))
		id = new_plain(g, ADD, id, new_constant(g, type, (uint64_t)below(&g->random, 9)));
	enum operator op = ops[below(&g->random, 7)];
	return one_in(&g->random, 4) ? new_compare(g, op, limit, id)
				     : new_compare(g, op, id, limit);
}

struct expr *grow_condition(struct grower *g, int depth)
{
	if (depth > 0 && one_in(&g->random, 4))
		return grow_logic(g, depth);
	if (depth > 0 && one_in(&g->random, 10))
		return grow_expr(g, make_type(I32, 1), depth);
	/* a few bits of something: both ways are likely */
	if (one_in(&g->random, 3)) {
		struct type type = make_type(one_in(&g->random, 2) ? U32 : I32, 1);
		return new_compare(
			g, one_in(&g->random, 2) ? EQ : NE,
			new_binary(g, AND, grow_expr(g, type, depth - 1),
				   new_constant(g, type, 1 + (uint64_t)below(&g->random, 3))),
			new_constant(g, type, 0));
	}
	return grow_compare(g, depth);
}

static struct expr *grow_choose(struct grower *g, struct type type, int depth)
{
	struct expr *expr = new_expr(g, CHOOSE, type);

	expr->num_args = 3;
	expr->args[0] = grow_condition(g, depth - 1);
	expr->args[1] = grow_expr(g, type, depth - 1);
	expr->args[2] = grow_expr(g, type, depth - 1);
	return expr;
}

static struct expr *grow_convert(struct grower *g, struct type type, int depth)
{
	struct type from = make_type((enum scalar)below(&g->random, NUM_SCALARS), type.lanes);
	struct expr *inner = grow_expr(g, from, depth - 1);
	struct expr *expr = new_convert(g, type, inner);

	if (expr != inner && !is_float(type) && one_in(&g->random, 3))
		expr->kind = SATURATE;
	return expr;
}

static struct expr *grow_as(struct grower *g, struct type type, int depth)
{
	struct type from = is_signed(type) || is_float(type) ? unsigned_of(type) : signed_of(type);
	struct expr *expr = new_expr(g, AS, type);

	if (type.lanes == 1 && (type.scalar == I32 || type.scalar == I64) &&
	    one_in(&g->random, 2)) {
		expr->kind = BITS;
		from = make_type(type.scalar == I32 ? F32 : F64, 1);
	}
	expr->num_args = 1;
	expr->args[0] = grow_expr(g, from, depth - 1);
	return expr;
}

static bool builtin_fits(enum builtin builtin, struct type type)
{
	switch (builtin_infos[builtin].kind) {
	case 'i':
		return !is_float(type);
	case 'u':
		return !is_float(type) && !is_signed(type);
	case 'a':
		return type.scalar == I32 && type.lanes == 1;
	case 'f':
		return is_float(type);
	default: /* select */
		return true;
	}
}

static struct expr *grow_builtin(struct grower *g, struct type type, int depth)
{
	static const unsigned any_lanes[] = {2, 3, 4, 8};
	enum builtin builtin;
	struct type from = type;

	do
		builtin = (enum builtin)below(&g->random, NUM_BUILTINS);
	while (!builtin_fits(builtin, type));
	struct expr *expr = new_expr(g, BUILTIN, type);
	if (builtin_infos[builtin].kind == 'u' && one_in(&g->random, 2))
		from = signed_of(type);
	if (builtin_infos[builtin].kind == 'a')
		from.lanes = any_lanes[below(&g->random, 4)];
	expr->op = (int)builtin;
	expr->num_args = builtin_infos[builtin].arity;
	for (unsigned i = 0; i < expr->num_args; i++) {
		bool mask = builtin == BUILTIN_SELECT && i == 2;
		expr->args[i] = grow_expr(g, mask ? signed_of(type) : from, depth - 1);
	}
	return expr;
}

static struct expr *grow_call(struct grower *g, struct type type, int depth)
{
	unsigned end = g->function < 0 ? g->kernel->num_functions : (unsigned)g->function;

	if (end == 0)
		return NULL;
	unsigned index = (unsigned)below(&g->random, (int)end);
	const struct function *function = &g->kernel->functions[index];
	if (function->type.lanes != type.lanes)
		return NULL;
	struct expr *expr = new_expr(g, CALL, function->type);
	expr->index = (int)index;
	expr->num_args = function->num_parameters;
	for (unsigned i = 0; i < expr->num_args; i++)
		expr->args[i] =
			grow_expr(g, g->kernel->variables[function->parameters[i]].type, depth - 1);
	return new_convert(g, type, expr);
}

static struct expr *grow_lane(struct grower *g, struct type type, int depth)
{
	static const unsigned lanes[] = {2, 3, 4, 8};
	struct type from = make_type(type.scalar, lanes[below(&g->random, 4)]);
	struct expr *expr = new_expr(g, LANE, type);

	expr->index = below(&g->random, (int)from.lanes);
	expr->num_args = 1;
	expr->args[0] = grow_expr(g, from, depth - 1);
	return expr;
}

static struct expr *grow_scalar(struct grower *g, struct type type, int depth)
{
	struct expr *expr;

	switch (below(&g->random, 20)) {
	case 0:
		return grow_choose(g, type, depth);
	case 1:
		return grow_unary(g, type, depth);
	case 2:
	case 3:
		return grow_convert(g, type, depth);
	case 4:
		return grow_as(g, type, depth);
	case 5:
	case 6:
		return grow_builtin(g, type, depth);
	case 7:
		expr = grow_call(g, type, depth);
		return expr ? expr : grow_binary(g, type, depth);
	case 8:
		return grow_lane(g, type, depth);
	case 9:
		if (type.scalar == I32)
			return grow_condition(g, depth);
		return grow_binary(g, type, depth);
	case 10:
	case 11:
	case 12:
	case 13:
		expr = grow_load(g, type, depth);
		return expr ? expr : grow_leaf(g, type);
	default:
		return grow_binary(g, type, depth);
	}
}

static struct expr *grow_swizzle(struct grower *g, struct type type, int depth)
{
	static const unsigned lanes[] = {2, 3, 4, 8};
	struct type from = make_type(type.scalar, lanes[below(&g->random, 4)]);
	struct expr *expr = new_expr(g, SWIZZLE, type);

	for (unsigned l = 0; l < type.lanes; l++)
		expr->pattern[l] = (uint8_t)below(&g->random, (int)from.lanes);
	expr->num_args = 1;
	expr->args[0] = grow_expr(g, from, depth - 1);
	return expr;
}

static struct expr *vector_compare(struct grower *g, struct type type, int depth)
{
	static const enum operator ops[] = {LT, LE, GT, GE, EQ, NE};
	struct type from = type;

	if (type.scalar == I32 && one_in(&g->random, 2))
		from.scalar = F32;
	if (type.scalar == I64 && one_in(&g->random, 2))
		from.scalar = F64;
	return new_compare(g, ops[below(&g->random, 6)], grow_expr(g, from, depth - 1),
			   grow_expr(g, from, depth - 1));
}

static struct expr *grow_vector(struct grower *g, struct type type, int depth)
{
	struct expr *expr = NULL;

	switch (below(&g->random, 14)) {
	case 0:
		return grow_choose(g, type, depth);
	case 1:
		return grow_unary(g, type, depth);
	case 2:
		return grow_convert(g, type, depth);
	case 3:
		return grow_as(g, type, depth);
	case 4:
	case 5:
		return grow_builtin(g, type, depth);
	case 6:
		return make_vector(g, type, depth);
	case 7:
		return grow_swizzle(g, type, depth);
	case 8:
		return is_signed(type) ? vector_compare(g, type, depth)
				       : grow_binary(g, type, depth);
	case 9:
	case 10:
		expr = grow_vload(g, type, depth);
		break;
	case 11:
		expr = grow_load(g, type, depth);
		break;
	default:
		return grow_binary(g, type, depth);
	}
	return expr ? expr : make_vector(g, type, depth);
}

/* The value of the argument, by way of other lanes: of kernels with sub-groups alone. */
static struct expr *grow_shuffled(struct grower *g, struct type type, int depth)
{
	struct expr *expr = new_expr(g, SHUFFLED, type);

	expr->index = g->function < 0 && one_in(&g->random, 4) ? MOST_SHUFFLED
							       : below(&g->random, MOST_SHUFFLED);
	expr->num_args = 1;
	expr->args[0] = grow_expr(g, type, depth - 1);
	return expr;
}

struct expr *grow_expr(struct grower *g, struct type type, int depth)
{
	if (depth <= 0 || one_in(&g->random, 6))
		return grow_leaf(g, type);
	if (g->kernel->has_subgroups && type.lanes == 1 && one_in(&g->random, 12))
		return grow_shuffled(g, type, depth);
	return type.lanes > 1 ? grow_vector(g, type, depth) : grow_scalar(g, type, depth);
}
