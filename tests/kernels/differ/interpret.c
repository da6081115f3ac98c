/* SPDX-License-Identifier: MIT
 *
 * Statements with a barrier inside run for the whole group at once, their conditions being uniform; all
 * others run to their end for one work-item, then for the next.
 */
#include "interpret.h"

#include "collective.h"
#include "print.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	union lane *frame;
	unsigned char *arrays; /* private */
	size_t global[3];
	size_t local[3];
	int label; /* of a GOTO under way */
	bool returned;
	struct value result; /* of a function */
};

struct machine {
	const struct kernel *kernel;
	const struct geometry *geometry;
	size_t size; /* work-items of the NDRange */
	size_t group[3];
	size_t group_size[3]; /* of this group, clipped */
	size_t num_items;     /* of this group */
	struct item *items;
	unsigned char *memory[MAX_OBJECTS];
	size_t counts[MAX_OBJECTS];
};

enum signal { NEXT, BROKEN, CONTINUED, RETURNED, JUMPED };

static void mistake(const struct machine *m, const char *what, int where)
{
	fprintf(stderr, "the generator's mistake: %s (%d), seed %llu\n", what, where,
		(unsigned long long)m->kernel->seed);
	print_kernel(stderr, m->kernel, 0);
	abort();
}

static struct value eval(const struct machine *m, struct item *item, const struct expr *expr);
static enum signal run(const struct machine *m, struct item *item, const struct block *block);

static bool holds(const struct machine *m, struct item *item, const struct expr *expr)
{
	return eval(m, item, expr).lane[0].u != 0;
}

static struct value get(const struct machine *m, const struct item *item, int index)
{
	const struct variable *variable = &m->kernel->variables[index];
	struct value value = {0};

	memcpy(&value, &item->frame[variable->place], variable->type.lanes * sizeof(union lane));
	return value;
}

static void set(const struct machine *m, struct item *item, int index, const struct value *value)
{
	const struct variable *variable = &m->kernel->variables[index];

	memcpy(&item->frame[variable->place], value, variable->type.lanes * sizeof(union lane));
}

/* `elements` of an object from the place on. */
static unsigned char *address(const struct machine *m, struct item *item, int index,
			      const struct expr *place, size_t elements)
{
	const struct object *object = &m->kernel->objects[index];
	struct value at = eval(m, item, place);

	if (at.lane[0].u > m->counts[index] || m->counts[index] - at.lane[0].u < elements)
		mistake(m, "access outside of an object", index);
	unsigned char *base =
		object->kind == PRIVATE ? item->arrays + object->place : m->memory[index];
	return base + at.lane[0].u * object->stride;
}

static uint64_t linear(const size_t id[3], const size_t size[3])
{
	return id[0] + size[0] * (id[1] + size[1] * id[2]);
}

static uint64_t query(const struct machine *m, const struct item *item, const struct expr *expr)
{
	const struct geometry *geometry = m->geometry;
	size_t d = (size_t)expr->index;

	switch ((enum query)expr->op) {
	case GLOBAL_ID:
		return item->global[d] + geometry->offset[d];
	case LOCAL_ID:
		return item->local[d];
	case GROUP_ID:
		return m->group[d];
	case GLOBAL_SIZE:
		return geometry->global[d];
	case LOCAL_SIZE:
		return m->group_size[d];
	case ENQUEUED_SIZE:
		return geometry->local[d];
	case NUM_GROUPS:
		return (geometry->global[d] + geometry->local[d] - 1) / geometry->local[d];
	case GLOBAL_OFFSET:
		return geometry->offset[d];
	case LOCAL_LINEAR:
		return linear(item->local, m->group_size);
	case GLOBAL_LINEAR:
		return linear(item->global, geometry->global);
	}
	return 0;
}

static struct value argument(const struct machine *m, const struct expr *expr)
{
	struct value value = {0};

	if (expr->index >= MAX_OBJECTS)
		return m->kernel->scalar_values[expr->index - MAX_OBJECTS];
	value.lane[0].u = expr->index == ARGUMENT_N ? m->size : m->counts[expr->index];
	return value;
}

static struct value call(const struct machine *m, struct item *item, const struct expr *expr)
{
	const struct function *function = &m->kernel->functions[expr->index];
	struct value values[MAX_PARAMETERS];

	for (unsigned i = 0; i < function->num_parameters; i++)
		values[i] = eval(m, item, expr->args[i]);
	for (unsigned i = 0; i < function->num_parameters; i++)
		set(m, item, function->parameters[i], &values[i]);
	if (run(m, item, &function->body) != RETURNED)
		mistake(m, "a function does not return", expr->index);
	return item->result;
}

/* Vectors: what only picks lanes. */
static struct value pick(const struct machine *m, struct item *item, const struct expr *expr)
{
	struct value value = {0}, whole;

	if (expr->kind == MAKE) {
		for (unsigned l = 0; l < expr->num_args; l++)
			value.lane[l] = eval(m, item, expr->args[l]).lane[0];
		for (unsigned l = expr->num_args; l < expr->type.lanes; l++)
			value.lane[l] = value.lane[0]; /* one for all */
		return value;
	}
	whole = eval(m, item, expr->args[0]);
	if (expr->kind == LANE) {
		value.lane[0] = whole.lane[expr->index];
	} else {
		for (unsigned l = 0; l < expr->type.lanes; l++)
			value.lane[l] = whole.lane[expr->pattern[l]];
	}
	return value;
}

static struct value operate(const struct machine *m, struct item *item, const struct expr *expr)
{
	struct value args[3];

	for (unsigned i = 0; i < expr->num_args; i++)
		args[i] = eval(m, item, expr->args[i]);
	struct type from = expr->args[0]->type;
	switch (expr->kind) {
	case UNARY:
		return value_unary(expr->op, expr->type, &args[0]);
	case BINARY:
		return value_binary(expr, &args[0], &args[1]);
	case COMPARE:
		return value_compare((enum operator)expr->op, from, &args[0], &args[1]);
	case CONVERT:
	case SATURATE:
		return value_convert(expr->type, from, &args[0], expr->kind == SATURATE);
	case AS:
		return value_as(expr->type, from, &args[0]);
	case BITS:
		return value_bits(from, &args[0]);
	default:
		return value_builtin((enum builtin)expr->op, from, args);
	}
}

static struct value logic(const struct machine *m, struct item *item, const struct expr *expr)
{
	struct value value = {0};
	bool first = holds(m, item, expr->args[0]);

	if (expr->op == AND)
		value.lane[0].u = first && holds(m, item, expr->args[1]);
	else
		value.lane[0].u = first || holds(m, item, expr->args[1]);
	return value;
}

static struct value eval(const struct machine *m, struct item *item, const struct expr *expr)
{
	struct value value = {0};

	switch (expr->kind) {
	case CONSTANT:
		return expr->constant;
	case VARIABLE:
		return get(m, item, expr->index);
	case ARGUMENT:
		return argument(m, expr);
	case QUERY:
		value.lane[0] = wrap(expr->type.scalar, query(m, item, expr));
		return value;
	case LOGIC:
		return logic(m, item, expr);
	case CHOOSE:
		return eval(m, item, expr->args[holds(m, item, expr->args[0]) ? 1 : 2]);
	case CALL:
		return call(m, item, expr);
	case SHUFFLED:
		return eval(m, item, expr->args[0]);
	case LANE:
	case MAKE:
	case SWIZZLE:
		return pick(m, item, expr);
	case LOAD:
		return value_load(address(m, item, expr->index, expr->args[0], 1) +
					  m->kernel->objects[expr->index].offsets[expr->field],
				  expr->type);
	case VLOAD:
		return value_load(address(m, item, expr->index, expr->args[0], expr->type.lanes),
				  expr->type);
	case POSTINC: {
		value = get(m, item, expr->index);
		struct value next = value;
		next.lane[0].i++;
		set(m, item, expr->index, &next);
		return value;
	}
	default:
		return operate(m, item, expr);
	}
}

static void store(const struct machine *m, struct item *item, const struct statement *s)
{
	const struct object *object = &m->kernel->objects[s->index];
	struct value value = {0};

	if (s->value)
		value = eval(m, item, s->value);
	unsigned char *at =
		address(m, item, s->index, s->place, s->kind == VSTORE ? s->value->type.lanes : 1);
	if (s->kind == UPDATE) {
		enum scalar scalar = object->fields[0].scalar;
		struct value old = value_load(at, object->fields[0]);
		value.lane[0].u = value_atomic((enum atomic)object->atomic, scalar, old.lane[0].u,
					       value.lane[0].u);
		value_store(at, object->fields[0], &value);
	} else {
		struct type type = s->value->type;
		if (s->kind == STORE && type.lanes == 3) /* with 0 behind them */
			value.lane[type.lanes++].u = 0;
		value_store(at + object->offsets[s->field], type, &value);
	}
}

static void set_counter(const struct machine *m, struct item *item, int index, uint64_t count)
{
	struct value value = {0};

	value.lane[0] = wrap(m->kernel->variables[index].type.scalar, count);
	set(m, item, index, &value);
}

/* Whether the counter is below the bound. */
static bool below_bound(const struct machine *m, struct item *item, const struct statement *s)
{
	struct value counter = get(m, item, s->index);
	struct value bound = eval(m, item, s->value);

	return value_compare(LT, m->kernel->variables[s->index].type, &counter, &bound).lane[0].u !=
	       0;
}

/* Every kind of loop: before the first turn, before each turn, after each turn. */
static void loop_start(const struct machine *m, struct item *item, const struct statement *s)
{
	if (s->kind == FOR && s->step > 0)
		set_counter(m, item, s->index, 0);
	else if (s->kind == FOR)
		set_counter(m, item, s->index, eval(m, item, s->value).lane[0].u);
	else
		set_counter(m, item, s->index, (uint64_t)s->step);
}

static bool loop_enters(const struct machine *m, struct item *item, const struct statement *s)
{
	uint64_t counter = get(m, item, s->index).lane[0].u;

	if (s->kind == DO)
		return true;
	if (s->kind == FOR && s->step > 0)
		return below_bound(m, item, s);
	set_counter(m, item, s->index, counter - 1);
	return counter > 0 && (s->kind == FOR || holds(m, item, s->value));
}

static bool loop_goes_on(const struct machine *m, struct item *item, const struct statement *s)
{
	uint64_t counter = get(m, item, s->index).lane[0].u;

	if (s->kind == DO) {
		set_counter(m, item, s->index, counter - 1);
		return counter > 1 && holds(m, item, s->value);
	}
	if (s->kind == FOR && s->step > 0)
		set_counter(m, item, s->index, counter + (uint64_t)s->step);
	return true;
}

static enum signal run_loop(const struct machine *m, struct item *item, const struct statement *s)
{
	loop_start(m, item, s);
	while (loop_enters(m, item, s)) {
		enum signal signal = run(m, item, &s->blocks[0]);
		if (signal == BROKEN)
			break;
		if (signal == RETURNED || signal == JUMPED)
			return signal;
		if (!loop_goes_on(m, item, s))
			break;
	}
	return NEXT;
}

static enum signal run_switch(const struct machine *m, struct item *item, const struct statement *s)
{
	uint64_t at = eval(m, item, s->value).lane[0].u;
	unsigned i = at < s->num_blocks - 1 ? (unsigned)at : s->num_blocks - 1;

	for (;; i++) {
		enum signal signal = run(m, item, &s->blocks[i]);
		if (signal == BROKEN)
			return NEXT;
		if (signal != NEXT || !(s->falls >> i & 1))
			return signal;
	}
}

static enum signal run_graph(const struct machine *m, struct item *item, const struct statement *s)
{
	int at = 0;

	for (int fuel = s->step; fuel > 0; fuel--) {
		set_counter(m, item, s->index, (uint64_t)fuel);
		enum signal signal = run(m, item, &s->blocks[at]);
		if (signal != NEXT)
			return signal;
		if (fuel > 1)
			at = s->targets[at][holds(m, item, s->conditions[at]) ? 0 : 1];
	}
	return NEXT;
}

static void assign(const struct machine *m, struct item *item, const struct statement *s)
{
	struct value value = eval(m, item, s->value);

	if (s->kind == ASSIGN_LANE) {
		struct value whole = get(m, item, s->index);
		whole.lane[s->field] = value.lane[0];
		value = whole;
	}
	set(m, item, s->index, &value);
}

static enum signal run_one(const struct machine *m, struct item *item, const struct statement *s)
{
	enum signal signal;

	switch (s->kind) {
	case DECLARE:
	case ASSIGN:
	case ASSIGN_LANE:
		assign(m, item, s);
		return NEXT;
	case STORE:
	case VSTORE:
	case UPDATE:
		store(m, item, s);
		return NEXT;
	case IF:
		if (holds(m, item, s->value))
			return run(m, item, &s->blocks[0]);
		return s->num_blocks > 1 ? run(m, item, &s->blocks[1]) : NEXT;
	case SWITCH:
		return run_switch(m, item, s);
	case FOR:
	case WHILE:
	case DO:
		return run_loop(m, item, s);
	case BREAK:
		return BROKEN;
	case CONTINUE:
		return CONTINUED;
	case RETURN:
		if (s->value)
			item->result = eval(m, item, s->value);
		return RETURNED;
	case GOTO:
		item->label = s->index;
		return JUMPED;
	case LABELLED:
		signal = run(m, item, &s->blocks[0]);
		return signal == JUMPED && item->label == s->index ? NEXT : signal;
	case GRAPH:
		return run_graph(m, item, s);
	case BLOCK:
		return run(m, item, &s->blocks[0]);
	case BARRIER:
	case COLLECTIVE:
		break;
	}
	return NEXT;
}

static enum signal run(const struct machine *m, struct item *item, const struct block *block)
{
	for (const struct statement *s = block->first; s; s = s->next) {
		enum signal signal = s->dropped ? NEXT : run_one(m, item, s);
		if (signal != NEXT)
			return signal;
	}
	return NEXT;
}

/* ---- whole groups ---------------------------------------------------------------------------- */

static enum signal run_group(const struct machine *m, const struct block *block);

static bool group_agrees(const struct machine *m, const struct statement *s,
			 bool (*test)(const struct machine *, struct item *,
				      const struct statement *))
{
	bool result = test(m, &m->items[0], s);

	for (size_t i = 1; i < m->num_items; i++) {
		if (test(m, &m->items[i], s) != result)
			mistake(m, "a condition around a barrier diverges", (int)s->kind);
	}
	return result;
}

static bool group_condition(const struct machine *m, struct item *item, const struct statement *s)
{
	return holds(m, item, s->value);
}

static enum signal group_loop(const struct machine *m, const struct statement *s)
{
	for (size_t i = 0; i < m->num_items; i++)
		loop_start(m, &m->items[i], s);
	while (group_agrees(m, s, loop_enters)) {
		enum signal signal = run_group(m, &s->blocks[0]);
		if (signal == BROKEN)
			break;
		if (!group_agrees(m, s, loop_goes_on))
			break;
	}
	return NEXT;
}

/* One statement without barriers, for every work-item that has not returned. */
static enum signal each_item(const struct machine *m, const struct statement *s)
{
	enum signal result = NEXT;
	bool first = true;

	for (size_t i = 0; i < m->num_items; i++) {
		struct item *item = &m->items[i];
		if (item->returned)
			continue;
		enum signal signal = run_one(m, item, s);
		if (signal == RETURNED) {
			item->returned = true;
			continue;
		}
		if (!first && signal != result)
			mistake(m, "a jump past a barrier diverges", (int)s->kind);
		result = signal;
		first = false;
	}
	return result;
}

/* Whose value a broadcast gives to all. */
static size_t speaker(const struct machine *m, const struct statement *s)
{
	size_t id[3];

	for (size_t d = 0; d < 3; d++)
		id[d] = eval(m, &m->items[0], s->conditions[d]).lane[0].u;
	return linear(id, m->group_size);
}

static void group_collective(const struct machine *m, const struct statement *s)
{
	struct type type = m->kernel->variables[s->index].type;
	union lane *lanes = calloc(m->num_items, sizeof(*lanes));

	for (size_t i = 0; i < m->num_items; i++)
		lanes[i] = eval(m, &m->items[i], s->value).lane[0];
	collect((enum collective)s->field, type.scalar, lanes, m->num_items,
		s->field == GROUP_BROADCAST ? speaker(m, s) : 0);
	for (size_t i = 0; i < m->num_items; i++)
		set(m, &m->items[i], s->index, &(struct value){.lane = {lanes[i]}});
	free(lanes);
}

static enum signal group_statement(const struct machine *m, const struct statement *s)
{
	for (size_t i = 0; i < m->num_items; i++) {
		if (m->items[i].returned)
			mistake(m, "a return before a barrier", 0);
	}
	switch (s->kind) {
	case IF:
		if (group_agrees(m, s, group_condition))
			return run_group(m, &s->blocks[0]);
		return s->num_blocks > 1 ? run_group(m, &s->blocks[1]) : NEXT;
	case FOR:
	case WHILE:
	case DO:
		return group_loop(m, s);
	case BLOCK:
		return run_group(m, &s->blocks[0]);
	case BARRIER:
		return NEXT;
	case COLLECTIVE:
		group_collective(m, s);
		return NEXT;
	default:
		mistake(m, "a barrier in a statement of another kind", (int)s->kind);
		return NEXT;
	}
}

static enum signal run_group(const struct machine *m, const struct block *block)
{
	for (const struct statement *s = block->first; s; s = s->next) {
		if (s->dropped)
			continue;
		enum signal signal = s->has_barrier ? group_statement(m, s) : each_item(m, s);
		if (signal != NEXT)
			return signal;
	}
	return NEXT;
}

static void enter_group(struct machine *m)
{
	const struct geometry *geometry = m->geometry;
	size_t i = 0;

	for (size_t d = 0; d < 3; d++) {
		size_t left = geometry->global[d] - m->group[d] * geometry->local[d];
		m->group_size[d] = left < geometry->local[d] ? left : geometry->local[d];
	}
	m->num_items = m->group_size[0] * m->group_size[1] * m->group_size[2];
	for (size_t z = 0; z < m->group_size[2]; z++) {
		for (size_t y = 0; y < m->group_size[1]; y++) {
			for (size_t x = 0; x < m->group_size[0]; x++) {
				const size_t local[3] = {x, y, z};
				struct item *item = &m->items[i++];
				item->returned = false;
				memcpy(item->local, local, sizeof(local));
				for (size_t d = 0; d < 3; d++)
					item->global[d] =
						m->group[d] * geometry->local[d] + local[d];
			}
		}
	}
	for (unsigned j = 0; j < m->kernel->num_objects; j++) {
		const struct object *object = &m->kernel->objects[j];
		if (is_local(object))
			m->counts[j] = object_count(object, m->num_items);
	}
}

static void make_memory(struct machine *m, unsigned char *const buffers[MAX_OBJECTS])
{
	for (unsigned j = 0; j < m->kernel->num_objects; j++) {
		const struct object *object = &m->kernel->objects[j];
		size_t items = is_buffer(object) ? m->size : m->kernel->most_local;
		m->counts[j] = object_count(object, items);
		if (is_buffer(object))
			m->memory[j] = buffers[j];
		else if (object->kind != PRIVATE)
			m->memory[j] = calloc(m->counts[j], object->stride);
		for (size_t i = 0; object->kind == TABLE && i < m->counts[j]; i++) {
			struct value value = table_value(m->kernel, (int)j, i);
			value_store(m->memory[j] + i * object->stride, object->fields[0], &value);
		}
	}
	for (size_t i = 0; i < m->kernel->most_local; i++) {
		m->items[i].frame = calloc(m->kernel->frame_lanes + 1, sizeof(union lane));
		m->items[i].arrays = calloc(m->kernel->frame_bytes + 1, 1);
	}
}

static void free_memory(struct machine *m)
{
	for (unsigned j = 0; j < m->kernel->num_objects; j++) {
		const struct object *object = &m->kernel->objects[j];
		if (!is_buffer(object) && object->kind != PRIVATE)
			free(m->memory[j]);
	}
	for (size_t i = 0; i < m->kernel->most_local; i++) {
		free(m->items[i].frame);
		free(m->items[i].arrays);
	}
	free(m->items);
}

void interpret(const struct kernel *kernel, const struct geometry *geometry,
	       unsigned char *const buffers[MAX_OBJECTS])
{
	struct machine m = {.kernel = kernel, .geometry = geometry};
	size_t groups[3];

	m.size = geometry->global[0] * geometry->global[1] * geometry->global[2];
	m.items = calloc(kernel->most_local, sizeof(*m.items));
	make_memory(&m, buffers);
	for (size_t d = 0; d < 3; d++)
		groups[d] = (geometry->global[d] + geometry->local[d] - 1) / geometry->local[d];
	for (size_t g = 0; g < groups[0] * groups[1] * groups[2]; g++) {
		m.group[0] = g % groups[0];
		m.group[1] = g / groups[0] % groups[1];
		m.group[2] = g / groups[0] / groups[1];
		enter_group(&m);
		(void)run_group(&m, &kernel->body);
	}
	free_memory(&m);
}
