/* SPDX-License-Identifier: MIT
 *
 * Random statements, and the kernel around them.
 */
#include "grow.h"

#include "value.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TRIPS 48

void *grow_node(struct kernel *kernel, size_t size)
{
	void **allocations =
		realloc(kernel->allocations, (kernel->num_allocations + 1) * sizeof(void *));
	void *node = calloc(1, size);

	if (!allocations || !node)
		abort();
	kernel->allocations = allocations;
	allocations[kernel->num_allocations++] = node;
	return node;
}

void kernel_destroy(struct kernel *kernel)
{
	for (size_t i = 0; i < kernel->num_allocations; i++)
		free(kernel->allocations[i]);
	free(kernel->allocations);
	free(kernel);
}

int new_variable(struct grower *g, struct type type, bool uniform, bool constant)
{
	struct kernel *kernel = g->kernel;

	if (kernel->num_variables == MAX_VARIABLES)
		abort();
	kernel->variables[kernel->num_variables] =
		(struct variable){type, uniform, constant, kernel->frame_lanes};
	kernel->frame_lanes += type.lanes;
	return (int)kernel->num_variables++;
}

void show_variable(struct grower *g, int variable)
{
	if (g->num_visible < MAX_VISIBLE)
		g->visible[g->num_visible++] = variable;
}

struct statement *add_statement(struct grower *g, struct block *block, enum statement_kind kind)
{
	struct statement *statement = grow_node(g->kernel, sizeof(*statement));

	statement->kind = kind;
	statement->has_barrier = kind == BARRIER || kind == COLLECTIVE;
	if (!block->last)
		block->last = &block->first;
	*block->last = statement;
	block->last = &statement->next;
	return statement;
}

/* What holds around a part of the source, put back behind it. */
struct scope {
	unsigned num_visible;
	bool divergent;
	bool grouped;
	enum leave leave;
	enum leave skip;
	int label;
	int trips;
};

static struct scope enter(struct grower *g, bool diverges)
{
	struct scope scope = {g->num_visible, g->divergent, g->grouped, g->leave,
			      g->skip,        g->label,     g->trips};

	if (diverges)
		g->divergent = true;
	if (g->divergent || !one_in(&g->random, 2)) {
		g->grouped = false;
		/* leaving a loop with barriers from inside would have to be uniform */
		if (g->leave == TOGETHER && g->divergent)
			g->leave = NOWHERE;
		if (g->skip == TOGETHER && g->divergent)
			g->skip = NOWHERE;
	}
	return scope;
}

static void leave_scope(struct grower *g, const struct scope *scope)
{
	g->num_visible = scope->num_visible;
	g->divergent = scope->divergent;
	g->grouped = scope->grouped;
	g->leave = scope->leave;
	g->skip = scope->skip;
	g->label = scope->label;
	g->trips = scope->trips;
}

static void grow_part(struct grower *g, struct statement *s, unsigned block, int most, int depth)
{
	unsigned visible = g->num_visible;

	grow_block(g, &s->blocks[block], 1 + below(&g->random, most), depth - 1);
	g->num_visible = visible;
	for (const struct statement *inner = s->blocks[block].first; inner; inner = inner->next)
		s->has_barrier |= inner->has_barrier;
}

/* ---- simple statements ----------------------------------------------------------------------- */

static int expr_depth(struct grower *g, struct type type)
{
	return type.lanes > 1 ? 1 + below(&g->random, 2) : 1 + below(&g->random, 4);
}

static void grow_declaration(struct grower *g, struct block *block)
{
	struct type type = random_type(g);
	bool uniform = one_in(&g->random, 6);
	struct statement *s = add_statement(g, block, DECLARE);

	s->value = uniform ? grow_uniform(g, type, 2) : grow_expr(g, type, expr_depth(g, type));
	s->index = new_variable(g, type, uniform, false);
	show_variable(g, s->index);
}

static void grow_assignment(struct grower *g, struct block *block)
{
	struct type type = random_type(g);
	int variable = pick_variable(g, type, true);

	if (variable < 0) {
		grow_declaration(g, block);
		return;
	}
	struct statement *s = add_statement(g, block, ASSIGN);
	s->index = variable;
	if (type.lanes > 1 && one_in(&g->random, 3)) {
		s->kind = ASSIGN_LANE;
		s->field = below(&g->random, (int)type.lanes);
		s->value = grow_expr(g, make_type(type.scalar, 1), 2);
		return;
	}
	s->value = grow_expr(g, type, expr_depth(g, type));
	if (one_in(&g->random, 2)) { /* what accumulates */
		enum operator op = is_float(type) || one_in(&g->random, 2) ? ADD : XOR;
		s->value = new_binary(g, op, new_variable_expr(g, variable), s->value);
	}
}

static bool is_writable(const struct grower *g, int object)
{
	const struct object *o = &g->kernel->objects[object];

	return object != 0 && (o->kind == OWN || o->kind == PRIVATE ||
			       (o->kind == LOCAL_OWN && !g->readable[object]));
}

static bool is_updatable(const struct grower *g, int object)
{
	const struct object *o = &g->kernel->objects[object];

	return o->kind == ATOMIC || (o->kind == LOCAL_ATOMIC && !g->readable[object]);
}

static void grow_update(struct grower *g, struct block *block)
{
	int object = pick_object(g, is_updatable);

	if (object < 0) {
		grow_assignment(g, block);
		return;
	}
	struct statement *s = add_statement(g, block, UPDATE);
	s->index = object;
	s->place = any_place(g, object, 2);
	if (g->kernel->objects[object].atomic != ATOMIC_INC)
		s->value = grow_expr(g, g->kernel->objects[object].fields[0], 3);
}

static void grow_store(struct grower *g, struct block *block)
{
	static const unsigned lanes[] = {2, 3, 4};
	int object = pick_object(g, is_writable);

	if (object < 0) {
		grow_update(g, block);
		return;
	}
	const struct object *o = &g->kernel->objects[object];
	struct statement *s = add_statement(g, block, STORE);
	s->index = object;
	if (o->slot == STRIDED && o->kind != PRIVATE && o->num_fields == 1 &&
	    o->fields[0].lanes == 1 && one_in(&g->random, 2)) {
		unsigned count = lanes[below(&g->random, o->slots < 4 ? o->slots - 1 : 3)];
		struct type type = make_type(o->fields[0].scalar, count);
		s->kind = VSTORE;
		s->place = own_place(g, object, 0);
		/* from the first slot on */
		s->place->args[1] = new_constant(g, s->place->type, 0);
		s->place->args[1]->fixed = true;
		s->value = grow_expr(g, type, 2);
		return;
	}
	s->field = below(&g->random, (int)o->num_fields);
	s->place = o->kind == PRIVATE ? any_place(g, object, 2) : own_place(g, object, 2);
	s->value = grow_expr(g, o->fields[s->field], expr_depth(g, o->fields[s->field]));
}

/* break, continue, goto or return, in a condition. */
static void grow_exit(struct grower *g, struct block *block)
{
	enum statement_kind kinds[4];
	int count = 0;

	if (g->leave == ANYWHERE || (g->leave == TOGETHER && !g->divergent))
		kinds[count++] = BREAK;
	if (g->skip == ANYWHERE || (g->skip == TOGETHER && !g->divergent))
		kinds[count++] = CONTINUE;
	if (g->label >= 0)
		kinds[count++] = GOTO;
	if (g->may_return && (g->function >= 0 || one_in(&g->random, 3)))
		kinds[count++] = RETURN;
	if (count == 0) {
		grow_assignment(g, block);
		return;
	}
	enum statement_kind kind = kinds[below(&g->random, count)];
	bool together = (kind == BREAK && g->leave == TOGETHER) ||
			(kind == CONTINUE && g->skip == TOGETHER);
	struct statement *s = add_statement(g, block, IF);
	bool uniform = g->uniform;
	g->uniform = together;
	s->value = grow_condition(g, 2);
	g->uniform = uniform;
	s->num_blocks = 1;
	if (one_in(&g->random, 3) && !together) {
		unsigned visible = g->num_visible;
		grow_assignment(g, &s->blocks[0]);
		g->num_visible = visible;
	}
	struct statement *exit = add_statement(g, &s->blocks[0], kind);
	exit->index = g->label;
	if (kind == RETURN && g->function >= 0)
		exit->value = grow_expr(g, g->kernel->functions[g->function].type, 2);
}

/* ---- control flow ---------------------------------------------------------------------------- */

static bool is_guardable(const struct grower *g, int object)
{
	return is_guarded(g, object) && g->guards[object] == INT32_MIN;
}

static void grow_if(struct grower *g, struct block *block, int depth)
{
	bool uniform = g->grouped ? one_in(&g->random, 2) : one_in(&g->random, 5);
	int guarded = uniform || g->function >= 0 || one_in(&g->random, 2)
			      ? -1
			      : pick_object(g, is_guardable);
	struct statement *s = add_statement(g, block, IF);
	bool before = g->uniform;

	g->uniform = uniform;
	if (guarded >= 0) {
		int distance = below(&g->random, 7) - 3;
		s->value = guard_of(g, guarded, distance);
		s->fixed = true;
		g->guards[guarded] = distance;
	} else {
		s->value = grow_condition(g, 3);
	}
	g->uniform = before;
	struct scope scope = enter(g, !uniform);
	s->num_blocks = 1;
	grow_part(g, s, 0, 3, depth);
	if (guarded >= 0)
		g->guards[guarded] = INT32_MIN;
	if (one_in(&g->random, 2)) {
		s->num_blocks = 2;
		if (one_in(&g->random, 3)) { /* else if */
			grow_if(g, &s->blocks[1], depth - 1);
			s->has_barrier |= s->blocks[1].first->has_barrier;
		} else {
			grow_part(g, s, 1, 3, depth);
		}
	}
	leave_scope(g, &scope);
}

static void grow_switch(struct grower *g, struct block *block, int depth)
{
	struct statement *s = add_statement(g, block, SWITCH);
	struct type type = make_type(one_in(&g->random, 3) ? I32 : U32, 1);
	bool uniform = one_in(&g->random, 5);
	bool before = g->uniform;

	s->num_blocks = 2 + (unsigned)below(&g->random, MAX_BLOCKS - 1);
	g->uniform = uniform;
	s->value = new_binary(g, REM, grow_expr(g, type, 3), new_constant(g, type, s->num_blocks));
	g->uniform = before;
	s->value->fixed = true;
	struct scope scope = enter(g, !uniform);
	g->divergent = true;
	g->grouped = false;
	g->leave = ANYWHERE;
	if (g->skip == TOGETHER)
		g->skip = NOWHERE;
	s->falls = (unsigned)below(&g->random, 64) & (unsigned)below(&g->random, 64) &
		   ((1u << (s->num_blocks - 1)) - 1);
	for (unsigned i = 0; i < s->num_blocks; i++)
		grow_part(g, s, i, 2, depth);
	leave_scope(g, &scope);
}

static struct expr *grow_bound(struct grower *g, struct type type, bool uniform, int most)
{
	bool before = g->uniform;
	int mask = most >= 7 ? 7 : most >= 3 ? 3 : 1;

	if (uniform && one_in(&g->random, 2))
		return new_constant(g, type, 1 + (uint64_t)below(&g->random, most));
	g->uniform = uniform;
	struct expr *bound =
		new_binary(g, AND, grow_expr(g, type, 2), new_constant(g, type, (uint64_t)mask));
	g->uniform = before;
	bound->fixed = true;
	bound->args[1]->fixed = true;
	if (one_in(&g->random, 2))
		bound = new_plain(g, ADD, bound, new_constant(g, type, 1));
	return bound;
}

/* What loops have in common: which work-items may leave, what the body is. */
static void grow_body(struct grower *g, struct statement *s, bool uniform, int depth)
{
	bool wild = !uniform || one_in(&g->random, 3);
	struct scope scope = enter(g, wild);

	if (!wild && scope.grouped)
		g->grouped = one_in(&g->random, 4) ? false : scope.grouped;
	g->leave = wild ? ANYWHERE : TOGETHER;
	g->skip = g->leave;
	g->label = wild ? scope.label : -1;
	if (s->kind == FOR)
		show_variable(g, s->index);
	g->trips *= s->kind == FOR ? 4 : s->step;
	s->num_blocks = 1;
	grow_part(g, s, 0, 4, depth);
	leave_scope(g, &scope);
}

static void grow_for(struct grower *g, struct block *block, int depth)
{
	static const enum scalar scalars[] = {I32, I32, U32, U32, I64, U64, U16};
	struct type type = make_type(scalars[below(&g->random, 7)], 1);
	bool uniform = !one_in(&g->random, 3);
	struct statement *s = add_statement(g, block, FOR);

	s->value = grow_bound(g, type, uniform, MOST_TRIPS / g->trips);
	s->fixed = true;
	s->step = one_in(&g->random, 4) ? -1 : 1 + below(&g->random, 2);
	s->index = new_variable(g, type, uniform, true);
	grow_body(g, s, uniform, depth);
}

/* Each work-item along its own row, adding it up, and perhaps more. */
static void grow_walk(struct grower *g, struct block *block, int depth)
{
	int object = pick_object(g, has_rows), trips = g->trips;
	struct type index = make_type(g->index, 1), type = random_scalar_type(g);

	struct statement *sum = add_statement(g, block, DECLARE);
	sum->value = grow_expr(g, type, 2);
	sum->index = new_variable(g, type, false, false);
	show_variable(g, sum->index);
	struct statement *s = add_statement(g, block, FOR);
	int length = g->kernel->objects[object].mul;
	s->value = new_constant(g, index, 1 + (uint64_t)below(&g->random, length));
	if (one_in(&g->random, 2))
		s->value = new_binary(g, REM, grow_uniform(g, index, 2), s->value);
	s->fixed = true;
	s->step = 1;
	s->index = new_variable(g, index, true, true);
	s->num_blocks = 1;
	struct statement *add = add_statement(g, &s->blocks[0], ASSIGN);
	struct expr *element = new_convert(g, type, load_of_row(g, object, s->index));
	add->index = sum->index;
	add->value = new_binary(g, one_in(&g->random, 2) ? ADD : MUL,
				new_variable_expr(g, sum->index), element);
	if (one_in(&g->random, 2))
		return;
	g->trips *= length / 4 + 1;
	grow_body(g, s, true, depth);
	g->trips = trips;
}

static void grow_while(struct grower *g, struct block *block, int depth)
{
	struct statement *s = add_statement(g, block, one_in(&g->random, 2) ? WHILE : DO);
	bool uniform = one_in(&g->random, 4);
	bool before = g->uniform;
	int most = MOST_TRIPS / g->trips;

	s->step = 2 + below(&g->random, most < 12 ? most : 12);
	s->index = new_variable(g, make_type(I32, 1), false, true);
	g->uniform = uniform;
	s->value = grow_condition(g, 2);
	g->uniform = before;
	grow_body(g, s, uniform, depth);
}

static void grow_labelled(struct grower *g, struct block *block, int depth)
{
	struct statement *s = add_statement(g, block, LABELLED);
	struct scope scope = enter(g, true);

	g->grouped = false;
	if (g->leave == TOGETHER)
		g->leave = NOWHERE;
	if (g->skip == TOGETHER)
		g->skip = NOWHERE;
	s->index = g->labels++;
	g->label = s->index;
	s->num_blocks = 1;
	grow_part(g, s, 0, 5, depth);
	leave_scope(g, &scope);
}

/* Blocks with any jumps between them, irreducible ones too. */
static void grow_graph(struct grower *g, struct block *block, int depth)
{
	struct statement *s = add_statement(g, block, GRAPH);
	struct scope scope = enter(g, true);
	int most = MOST_TRIPS / g->trips;

	g->grouped = false;
	if (g->leave == TOGETHER)
		g->leave = NOWHERE;
	if (g->skip == TOGETHER)
		g->skip = NOWHERE;
	s->index = new_variable(g, make_type(I32, 1), false, true);
	s->field = g->labels++;
	s->step = 2 + below(&g->random, most < 14 ? most : 14);
	g->trips *= s->step;
	s->num_blocks = 2 + (unsigned)below(&g->random, 4);
	for (unsigned i = 0; i < s->num_blocks; i++) {
		grow_part(g, s, i, 2, depth - 1);
		s->conditions[i] = grow_condition(g, 2);
		s->targets[i][0] = below(&g->random, (int)s->num_blocks);
		s->targets[i][1] = below(&g->random, (int)s->num_blocks);
	}
	leave_scope(g, &scope);
}

/* Something to do for work-items below or above an id, and nothing else. */
static void grow_few(struct grower *g, struct block *block)
{
	struct statement *s = add_statement(g, block, IF);
	struct scope scope = enter(g, true);

	s->value = grow_id_test(g);
	s->num_blocks = one_in(&g->random, 3) ? 2 : 1;
	for (unsigned i = 0; i < s->num_blocks; i++) {
		for (int count = 1 + below(&g->random, 2); count > 0; count--)
			grow_store(g, &s->blocks[i]);
		g->num_visible = scope.num_visible;
	}
	leave_scope(g, &scope);
}

/* The same, where all work-items choose the same. */
static void grow_few_somewhere(struct grower *g, struct block *block)
{
	if (one_in(&g->random, 2)) {
		grow_few(g, block);
		return;
	}
	struct statement *s = add_statement(g, block, IF);
	g->uniform = true;
	s->value = grow_condition(g, 2);
	g->uniform = false;
	s->num_blocks = one_in(&g->random, 2) ? 2 : 1;
	for (unsigned i = 0; i < s->num_blocks; i++)
		grow_few(g, &s->blocks[i]);
}

/* Between barriers each local object is either for all work-items to read, or split among them. */
static void grow_exchange(struct grower *g, struct block *block, int depth)
{
	int phases = 1 + below(&g->random, 2);
	struct statement *s = add_statement(g, block, BLOCK);
	bool grouped = g->grouped;
	unsigned visible = g->num_visible;
	enum leave leave = g->leave, skip = g->skip;

	s->num_blocks = 1;
	s->has_barrier = true;
	g->grouped = false;
	g->leave = NOWHERE; /* the phases would be mixed up */
	g->skip = NOWHERE;
	add_statement(g, &s->blocks[0], BARRIER)->fixed = true;
	for (int phase = 0; phase < phases; phase++) {
		for (unsigned j = 0; j < g->kernel->num_objects; j++)
			g->readable[j] = is_local(&g->kernel->objects[j]) && !one_in(&g->random, 3);
		if (one_in(&g->random, 3))
			grow_few_somewhere(g, &s->blocks[0]);
		else
			grow_block(g, &s->blocks[0], 1 + below(&g->random, 3), depth - 1);
		add_statement(g, &s->blocks[0], BARRIER)->fixed = true;
	}
	memset(g->readable, 0, sizeof(g->readable));
	g->num_visible = visible;
	g->grouped = grouped;
	g->leave = leave;
	g->skip = skip;
}

/* What the group computes together, in a new variable: uniform, unless it is a scan. */
static void grow_collective(struct grower *g, struct block *block)
{
	static const enum scalar scalars[] = {I32, I32, U32, I64, U64, F32, F32, F64};
	struct statement *s = add_statement(g, block, COLLECTIVE);
	struct type type = make_type(scalars[below(&g->random, 8)], 1), id = make_type(U64, 1);

	s->field = below(&g->random, NUM_COLLECTIVES);
	s->fixed = true;
	if (s->field >= GROUP_ANY)
		type = make_type(I32, 1);
	s->value = s->field >= GROUP_ANY ? grow_condition(g, 2) : grow_expr(g, type, 3);
	for (int d = 0; s->field == GROUP_BROADCAST && d < 3; d++)
		s->conditions[d] = new_binary(g, REM, grow_uniform(g, id, 2),
					      new_query(g, LOCAL_SIZE, d, U64));
	s->index = new_variable(g, type, s->field < GROUP_INCLUSIVE || s->field >= GROUP_BROADCAST,
				false);
	show_variable(g, s->index);
}

static void grow_nested(struct grower *g, struct block *block, int depth)
{
	bool room = g->trips * 4 <= MOST_TRIPS;

	if (g->grouped && g->barriers && one_in(&g->random, 3)) {
		one_in(&g->random, 3) ? grow_collective(g, block) : grow_exchange(g, block, depth);
		return;
	}
	if (room && one_in(&g->random, 4) && pick_object(g, has_rows) >= 0) {
		grow_walk(g, block, depth);
		return;
	}
	switch (below(&g->random, 14)) {
	case 0:
	case 1:
	case 2:
		if (room)
			grow_for(g, block, depth);
		else
			grow_if(g, block, depth);
		break;
	case 3:
	case 4:
		if (room)
			grow_while(g, block, depth);
		else
			grow_if(g, block, depth);
		break;
	case 5:
	case 6:
		grow_switch(g, block, depth);
		break;
	case 7:
		grow_labelled(g, block, depth);
		break;
	case 8:
		if (room)
			grow_graph(g, block, depth);
		else
			grow_switch(g, block, depth);
		break;
	default:
		grow_if(g, block, depth);
		break;
	}
}

void grow_block(struct grower *g, struct block *block, int statements, int depth)
{
	for (int i = 0; i < statements; i++) {
		if (g->budget-- <= 0 && block->first)
			return;
		g->counted = false;
		int kind = below(&g->random, 12);
		if (kind < 4 && depth > 0 && g->budget > 0)
			grow_nested(g, block, depth);
		else if (kind < 6)
			grow_exit(g, block);
		else if (kind < 7)
			grow_declaration(g, block);
		else if (kind < 9 && g->function < 0)
			grow_store(g, block);
		else if (kind < 10 && g->function < 0)
			grow_update(g, block);
		else
			grow_assignment(g, block);
	}
}

void grow_functions(struct grower *g)
{
	struct kernel *kernel = g->kernel;
	int count = below(&g->random, 4) - 1;

	for (int i = 0; i < count; i++) {
		struct function *function = &kernel->functions[i];
		function->type = random_type(g);
		function->noinline = one_in(&g->random, 3);
		function->num_parameters = 1 + (unsigned)below(&g->random, MAX_PARAMETERS);
		g->function = i;
		g->num_visible = 0;
		g->divergent = true;
		g->may_return = true;
		g->budget = one_in(&g->random, 5) ? 12 : 1 + below(&g->random, 4);
		for (unsigned j = 0; j < function->num_parameters; j++) {
			function->parameters[j] = new_variable(g, random_type(g), false, false);
			show_variable(g, function->parameters[j]);
		}
		grow_block(g, &function->body, 1 + below(&g->random, 3), 2);
		struct statement *s = add_statement(g, &function->body, RETURN);
		s->value = grow_expr(g, function->type, 2);
		s->fixed = true;
		kernel->num_functions++;
	}
	g->function = -1;
	g->num_visible = 0;
	g->divergent = false;
	g->may_return = false;
}

/* Everything in the variables, into one number for each work-item. */
static void grow_result(struct grower *g, struct block *block)
{
	struct type type = make_type(U64, 1);
	struct expr *sum = new_constant(g, type, 1);

	for (unsigned i = 0; i < g->num_visible; i++) {
		struct type from = g->kernel->variables[g->visible[i]].type;
		for (unsigned l = 0; l < from.lanes; l++) {
			struct expr *x = new_variable_expr(g, g->visible[i]);
			if (from.lanes > 1) {
				struct expr *lane = new_expr(g, LANE, make_type(from.scalar, 1));
				lane->index = (int)l;
				lane->num_args = 1;
				lane->args[0] = x;
				x = lane;
			}
			if (is_float(from)) {
				struct expr *bits = new_expr(
					g, BITS, make_type(from.scalar == F32 ? I32 : I64, 1));
				bits->num_args = 1;
				bits->args[0] = x;
				x = bits;
			}
			sum = new_binary(g, ADD, new_binary(g, MUL, sum, new_constant(g, type, 31)),
					 new_convert(g, type, x));
		}
	}
	struct statement *s = add_statement(g, block, STORE);
	s->place = own_place(g, 0, 0);
	s->value = sum;
}

struct kernel *grow_kernel(uint64_t seed)
{
	static const enum scalar indices[] = {I32, I32, I32, U32, U64, I64};
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	struct grower g = {
		.random = {seed * 0x2545f4914f6cdd1du + 0x1234567},
		.kernel = kernel,
		.function = -1,
		.local_id = -1,
		.local_size = -1,
		.counter = -1,
		.label = -1,
		.trips = 1,
	};

	if (!kernel)
		abort();
	kernel->seed = seed;
	kernel->has_subgroups = seed % 4 == 3;
	g.taste = seed % 8 == 1 ? SMALL_INTEGERS : seed % 8 == 5 ? VECTORS : ALL_TYPES;
	for (size_t i = 0; i < 5; i++) {
		g.palette[i] = random_scalar_type(&g);
		if (g.taste == VECTORS)
			g.palette[i].lanes = 2u << below(&g.random, 3);
		else if (i == 0 && one_in(&g.random, 2))
			g.palette[i].lanes = 4;
	}
	g.index = indices[below(&g.random, 6)];
	g.barriers = one_in(&g.random, 3);
	g.no_offset = one_in(&g.random, 2);
	for (size_t j = 0; j < MAX_OBJECTS; j++)
		g.guards[j] = INT32_MIN;
	kernel->num_scalars = 1 + (unsigned)below(&g.random, MAX_SCALARS);
	for (unsigned j = 0; j < kernel->num_scalars; j++) {
		kernel->scalars[j] = random_scalar_type(&g);
		kernel->scalar_values[j].lane[0] =
			random_lane(&g.random, kernel->scalars[j].scalar);
	}
	grow_objects(&g);
	grow_geometries(&g);
	grow_functions(&g);
	grow_prologue(&g, &kernel->body);
	g.filled = true;
	/* most are small: thousands of them in the time that hundreds of large ones take */
	bool large = one_in(&g.random, 8);
	g.budget = large ? 24 : 2 + below(&g.random, 8);
	g.grouped = g.barriers;
	if (one_in(&g.random, 2) && pick_object(&g, has_rows) >= 0)
		grow_walk(&g, &kernel->body, 2);
	grow_block(&g, &kernel->body, large ? 8 : 1 + below(&g.random, 4), 3);
	/* a work-item may end early where no barrier follows */
	g.grouped = false;
	g.may_return = true;
	g.budget = 1 + below(&g.random, 5);
	grow_block(&g, &kernel->body, 1 + below(&g.random, 2), 2);
	show_variable(&g, g.counter);
	grow_result(&g, &kernel->body);
	return kernel;
}
