/* SPDX-License-Identifier: MIT
 *
 * NDRanges of a random kernel, and how it finds out where in it it is.
 */
#include "grow.h"

struct shape {
	unsigned dims;
	size_t global[3];
	size_t local[3];
};

static const struct shape shapes[] = {
	{1, {1, 1, 1}, {1, 1, 1}},     {1, {37, 1, 1}, {1, 1, 1}},    {1, {40, 1, 1}, {3, 1, 1}},
	{1, {64, 1, 1}, {7, 1, 1}},    {1, {33, 1, 1}, {8, 1, 1}},    {1, {100, 1, 1}, {17, 1, 1}},
	{1, {96, 1, 1}, {32, 1, 1}},   {1, {128, 1, 1}, {64, 1, 1}},  {1, {150, 1, 1}, {64, 1, 1}},
	{1, {300, 1, 1}, {256, 1, 1}}, {1, {50, 1, 1}, {50, 1, 1}},   {1, {31, 1, 1}, {16, 1, 1}},
	{1, {19, 1, 1}, {64, 1, 1}},   {2, {16, 16, 1}, {8, 8, 1}},   {2, {19, 13, 1}, {8, 8, 1}},
	{2, {10, 6, 1}, {5, 3, 1}},    {2, {4, 33, 1}, {4, 2, 1}},    {2, {1, 40, 1}, {1, 16, 1}},
	{2, {3, 17, 1}, {3, 17, 1}},   {2, {16, 16, 1}, {16, 16, 1}}, {2, {34, 3, 1}, {17, 1, 1}},
	{2, {40, 4, 1}, {32, 2, 1}},   {3, {10, 6, 4}, {5, 3, 2}},    {3, {11, 7, 3}, {5, 3, 2}},
	{3, {8, 8, 2}, {8, 8, 1}},     {3, {5, 4, 7}, {2, 2, 2}},     {3, {3, 3, 8}, {1, 3, 8}},
	{2, {73, 7, 1}, {5, 2, 1}},    {2, {35, 9, 1}, {1, 1, 1}},    {3, {40, 3, 5}, {4, 1, 2}},
	{2, {32, 14, 1}, {16, 7, 1}},  {2, {20, 24, 1}, {16, 8, 1}},  {2, {24, 18, 1}, {8, 12, 1}},
	{2, {35, 9, 1}, {1, 4, 1}},
};

static const size_t offsets[] = {0, 0, 5, 64, 1000, 3};

static struct geometry random_geometry(struct grower *g, unsigned dims)
{
	const struct shape *shape;
	struct geometry geometry;

	do
		shape = &shapes[below(&g->random, (int)(sizeof(shapes) / sizeof(shapes[0])))];
	while (shape->dims > dims);
	geometry.dims = dims;
	for (size_t d = 0; d < 3; d++) {
		geometry.global[d] = shape->global[d];
		geometry.local[d] = shape->local[d];
		geometry.offset[d] = 0;
		if (!g->no_offset && d < dims)
			geometry.offset[d] = offsets[below(&g->random, 6)];
	}
	return geometry;
}

void grow_geometries(struct grower *g)
{
	struct kernel *kernel = g->kernel;
	unsigned dims = one_in(&g->random, 2) ? 1 : 2 + (unsigned)below(&g->random, 2);

	kernel->num_geometries = 1 + (unsigned)below(&g->random, MAX_GEOMETRIES);
	if (one_in(&g->random, 8)) {
		kernel->required_size = true;
		kernel->num_geometries = 1;
	}
	for (unsigned i = 0; i < kernel->num_geometries; i++) {
		struct geometry geometry = random_geometry(g, dims);
		size_t size = geometry.local[0] * geometry.local[1] * geometry.local[2];
		kernel->geometries[i] = geometry;
		if (size > kernel->most_local)
			kernel->most_local = size;
	}
}

static int declare_id(struct grower *g, struct block *block, enum scalar scalar, struct expr *value)
{
	struct statement *s = add_statement(g, block, DECLARE);

	s->index = new_variable(g, make_type(scalar, 1), false, true);
	s->value = new_convert(g, make_type(scalar, 1), value);
	s->fixed = true;
	return s->index;
}

/* The place in one dimension, from 0. */
static struct expr *coordinate(struct grower *g, int d)
{
	enum scalar s = g->index;

	if (one_in(&g->random, 5))
		return new_plain(g, ADD,
				 new_plain(g, MUL, new_query(g, GROUP_ID, d, s),
					   new_query(g, ENQUEUED_SIZE, d, s)),
				 new_query(g, LOCAL_ID, d, s));
	if (g->no_offset)
		return new_query(g, GLOBAL_ID, d, s);
	return new_plain(g, SUB, new_query(g, GLOBAL_ID, d, s), new_query(g, GLOBAL_OFFSET, d, s));
}

/* (z * height + y) * width + x */
static struct expr *linear_of(struct grower *g, unsigned dims, enum scalar scalar, bool local)
{
	struct expr *sum = NULL;

	for (int d = (int)dims - 1; d >= 0; d--) {
		struct expr *at = local ? new_query(g, LOCAL_ID, d, scalar) : coordinate(g, d);
		struct expr *size = new_query(g, local ? LOCAL_SIZE : GLOBAL_SIZE, d, scalar);
		sum = sum ? new_plain(g, ADD, new_plain(g, MUL, sum, size), at) : at;
	}
	return sum;
}

/* Every element of an object gets a value of its own work-item. */
static void fill_own(struct grower *g, struct block *block, int object)
{
	const struct object *o = &g->kernel->objects[object];

	for (int slot = 0; slot < o->slots; slot++) {
		struct statement *s = add_statement(g, block, STORE);
		s->index = object;
		s->fixed = true;
		s->place = own_place(g, object, 0);
		if (o->slot == STRIDED)
			s->place->args[1] = new_constant(g, s->place->type, (uint64_t)slot);
		else if (o->slot == BLOCKED)
			s->place->args[0]->args[0] =
				new_constant(g, s->place->type, (uint64_t)slot);
		s->value = grow_expr(g, o->fields[0], 2);
	}
}

static void fill_loop(struct grower *g, struct block *block, int object, bool uniform)
{
	const struct object *o = &g->kernel->objects[object];
	struct statement *loop = add_statement(g, block, FOR);

	loop->index = new_variable(g, make_type(I32, 1), true, true);
	loop->step = 1;
	loop->fixed = true;
	loop->value = new_constant(g, make_type(I32, 1), (uint64_t)o->add);
	loop->num_blocks = 1;
	struct statement *s = add_statement(g, &loop->blocks[0], STORE);
	unsigned visible = g->num_visible;
	show_variable(g, loop->index);
	s->index = object;
	s->fixed = true;
	s->place = new_variable_expr(g, loop->index);
	s->place->fixed = true;
	s->value = uniform ? grow_uniform(g, o->fields[0], 2) : grow_expr(g, o->fields[0], 2);
	g->num_visible = visible;
}

/* The group's first or last work-item. */
static struct expr *one_of_group(struct grower *g)
{
	struct expr *one = new_constant(g, make_type(I32, 1), 1);

	if (one_in(&g->random, 2))
		return new_constant(g, make_type(I32, 1), 0);
	return new_plain(g, SUB, new_variable_expr(g, g->local_size), one);
}

static void fill_atomic(struct grower *g, struct block *block, int object)
{
	struct statement *s = add_statement(g, block, IF);

	s->fixed = true;
	s->num_blocks = 1;
	s->value = new_compare(g, EQ, new_variable_expr(g, g->local_id), one_of_group(g));
	s->value->fixed = true;
	fill_loop(g, &s->blocks[0], object, true);
}

static void fill_objects(struct grower *g, struct block *block)
{
	for (unsigned j = 0; j < g->kernel->num_objects; j++) {
		enum object_kind kind = g->kernel->objects[j].kind;
		if (kind == LOCAL_OWN)
			fill_own(g, block, (int)j);
		else if (kind == LOCAL_ATOMIC)
			fill_atomic(g, block, (int)j);
		else if (kind == PRIVATE)
			fill_loop(g, block, (int)j, false);
	}
	if (g->barriers)
		add_statement(g, block, BARRIER)->fixed = true;
}

void grow_prologue(struct grower *g, struct block *block)
{
	unsigned dims = g->kernel->geometries[0].dims;
	bool linear = one_in(&g->random, 6);

	g->id = declare_id(g, block, g->index,
			   linear ? new_query(g, GLOBAL_LINEAR, 0, g->index)
				  : linear_of(g, dims, g->index, false));
	show_variable(g, g->id);
	if (g->barriers) {
		struct expr *size = new_query(g, LOCAL_SIZE, 0, I32);
		for (int d = 1; d < 3; d++)
			size = new_plain(g, MUL, size, new_query(g, LOCAL_SIZE, d, I32));
		g->local_id = declare_id(g, block, I32,
					 one_in(&g->random, 2) ? new_query(g, LOCAL_LINEAR, 0, I32)
							       : linear_of(g, dims, I32, true));
		g->local_size = declare_id(g, block, I32, size);
		show_variable(g, g->local_id);
	}
	g->counter = declare_id(g, block, I32, new_constant(g, make_type(I32, 1), 0));
	for (int i = 1 + below(&g->random, 4); i >= 0; i--) {
		struct statement *s = add_statement(g, block, DECLARE);
		struct type type = g->palette[i];
		s->value = one_in(&g->random, 2) ? grow_load(g, type, 2) : NULL;
		if (!s->value)
			s->value = grow_expr(g, type, 2);
		s->index = new_variable(g, type, false, false);
		show_variable(g, s->index);
	}
	g->may_return = false;
	fill_objects(g, block);
}
