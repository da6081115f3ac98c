/* SPDX-License-Identifier: MIT
 *
 * The memory of a random kernel, and places in it.
 */
#include "grow.h"

static void lay_out(struct object *object)
{
	size_t align = 1, offset = 0;

	for (unsigned f = 0; f < object->num_fields; f++) {
		size_t size = type_size(object->fields[f]);
		offset = (offset + size - 1) / size * size;
		object->offsets[f] = offset;
		offset += size;
		align = align > size ? align : size;
	}
	object->stride = (offset + align - 1) / align * align;
}

static struct object *new_object(struct grower *g, enum object_kind kind, struct type type)
{
	struct object *object = &g->kernel->objects[g->kernel->num_objects++];

	object->kind = kind;
	object->num_fields = 1;
	object->fields[0] = type;
	object->target = -1;
	object->mul = 1;
	lay_out(object);
	return object;
}

static void add_fields(struct grower *g, struct object *object)
{
	object->num_fields = 2 + (unsigned)below(&g->random, MAX_FIELDS - 1);
	for (unsigned f = 1; f < object->num_fields; f++)
		object->fields[f] = random_scalar_type(g);
	if (one_in(&g->random, 3))
		object->fields[object->num_fields - 1].lanes = 4;
	lay_out(object);
}

/* A row for each work-item, mostly of numbers that vectors of rows are made of. */
static void add_rows(struct grower *g, struct object *object)
{
	static const enum scalar scalars[] = {I32, U32, I64, U64, F32, F64};

	if (!one_in(&g->random, 4))
		object->fields[0] = make_type(scalars[below(&g->random, 6)], 1);
	object->mul = SHORTEST_ROW + below(&g->random, 50);
	lay_out(object);
}

static void add_input(struct grower *g)
{
	struct object *object = new_object(g, INPUT, random_type(g));

	switch (below(&g->random, 7)) {
	case 0: /* as many as work-items, or fewer: behind a guard */
		object->add = -below(&g->random, 9);
		object->target = -3;
		break;
	case 1:
		object->mul = 0;
		object->add = one_in(&g->random, 2) ? 16 << below(&g->random, 5)
						    : 3 + below(&g->random, 90);
		break;
	case 2:
	case 3:
		object->mul = 2 + below(&g->random, 3);
		object->add = below(&g->random, 4);
		break;
	case 4:
		add_rows(g, object);
		break;
	default:
		object->add = one_in(&g->random, 2) ? 0 : below(&g->random, 9);
		break;
	}
	if (object->fields[0].lanes == 1 && one_in(&g->random, 4))
		add_fields(g, object);
}

/* An input of elements of another input or a table. */
static void add_indices(struct grower *g, int target)
{
	static const enum scalar scalars[] = {I32, U32, U16, I64, U64, I32};
	struct object *object = new_object(g, INPUT, make_type(scalars[below(&g->random, 6)], 1));

	object->target = target;
}

static void add_own(struct grower *g)
{
	struct object *object = new_object(g, OWN, random_type(g));
	int me = (int)g->kernel->num_objects - 1;

	object->slots = 1;
	switch (below(&g->random, 8)) {
	case 0:
		object->slot = REVERSED;
		break;
	case 1:
	case 2:
		object->slot = STRIDED;
		object->slots = 2 + below(&g->random, 3);
		break;
	case 3:
		object->slot = BLOCKED;
		object->slots = 2 + below(&g->random, 2);
		break;
	case 4:
		object->slot = PERMUTED;
		object->permutation = me + 1;
		add_indices(g, -2);
		break;
	default:
		object->slot = UNIT;
		break;
	}
	object->mul = object->slots;
	if (object->fields[0].lanes == 1 && one_in(&g->random, 5))
		add_fields(g, object);
}

static void add_atomic(struct grower *g, enum object_kind kind)
{
	struct object *object =
		new_object(g, kind, make_type(one_in(&g->random, 2) ? I32 : U32, 1));

	object->mul = 0;
	object->add = 1 + below(&g->random, 40);
	object->atomic = below(&g->random, 7);
}

static void add_local(struct grower *g)
{
	struct object *object = new_object(g, LOCAL_OWN, random_type(g));
	static const enum slot_kind kinds[] = {UNIT, UNIT, REVERSED, STRIDED, BLOCKED};

	object->slot = kinds[below(&g->random, 5)];
	object->slots = object->slot >= STRIDED ? 2 + below(&g->random, 2) : 1;
	object->mul = object->slots;
	object->argument = one_in(&g->random, 2);
}

static void add_private(struct grower *g)
{
	struct object *object = new_object(g, PRIVATE, random_type(g));
	int elements =
		one_in(&g->random, 2) ? 2 << below(&g->random, 4) : 1 + below(&g->random, 12);

	object->mul = 0;
	object->add = elements;
	object->place = (int)(g->kernel->frame_bytes + 31) / 32 * 32;
	g->kernel->frame_bytes =
		(unsigned)object->place + (unsigned)elements * (unsigned)object->stride;
}

void grow_objects(struct grower *g)
{
	struct object *result = new_object(g, OWN, make_type(U64, 1));
	result->slots = 1;
	for (int i = 1 + below(&g->random, 3); i > 0; i--) {
		add_input(g);
		if (g->kernel->objects[g->kernel->num_objects - 1].target == -1 &&
		    one_in(&g->random, 3))
			add_indices(g, (int)g->kernel->num_objects - 1);
	}
	for (int i = below(&g->random, 3); i > 0; i--)
		add_own(g);
	if (one_in(&g->random, 4))
		add_atomic(g, ATOMIC);
	if (one_in(&g->random, 4)) {
		struct object *table = new_object(g, TABLE, random_type(g));
		table->mul = 0;
		table->add = 1 + below(&g->random, 20);
	}
	for (int i = below(&g->random, 5) - 2; i > 0; i--)
		add_private(g);
	if (!g->barriers)
		return;
	for (int i = 1 + below(&g->random, 2); i > 0; i--)
		add_local(g);
	if (one_in(&g->random, 3))
		add_atomic(g, LOCAL_ATOMIC);
}

static const struct object *object_at(const struct grower *g, int object)
{
	return &g->kernel->objects[object];
}

bool is_guarded(const struct grower *g, int object)
{
	return object_at(g, object)->target == -3;
}

struct expr *fixed(struct expr *expr)
{
	expr->fixed = true;
	return expr;
}

struct expr *count_of(struct grower *g, int object, enum scalar scalar)
{
	const struct object *o = object_at(g, object);

	if (is_buffer(o) && o->mul != 0)
		return fixed(new_argument(g, object, scalar));
	if (o->mul == 0)
		return fixed(new_constant(g, make_type(scalar, 1), (uint64_t)o->add));
	struct expr *size =
		new_convert(g, make_type(scalar, 1), new_variable_expr(g, g->local_size));
	return new_plain(g, MUL, fixed(size),
			 fixed(new_constant(g, make_type(scalar, 1), (uint64_t)o->mul)));
}

struct expr *any_place(struct grower *g, int object, int depth)
{
	const struct object *o = object_at(g, object);
	enum scalar scalar = one_in(&g->random, 4) ? U64 : U32;
	struct type type = make_type(scalar, 1);

	if (o->mul == 0 && one_in(&g->random, 4))
		return fixed(
			new_constant(g, make_type(I32, 1), (uint64_t)below(&g->random, o->add)));
	struct expr *x = grow_expr(g, type, depth - 1);
	if (o->mul == 0 && (o->add & (o->add - 1)) == 0 && one_in(&g->random, 2))
		return fixed(
			new_binary(g, AND, x, fixed(new_constant(g, type, (uint64_t)o->add - 1))));
	return fixed(new_binary(g, REM, x, count_of(g, object, scalar)));
}

static struct expr *id_expr(struct grower *g)
{
	return fixed(new_variable_expr(g, g->id));
}

struct expr *load_at(struct grower *g, int object, int field, struct expr *place)
{
	struct expr *expr = new_expr(g, LOAD, object_at(g, object)->fields[field]);

	expr->index = object;
	expr->field = field;
	expr->num_args = 1;
	expr->args[0] = place;
	return expr;
}

/* The input whose elements are indices of the object. */
static int indices_of(const struct grower *g, int object)
{
	for (unsigned j = 0; j < g->kernel->num_objects; j++) {
		if (g->kernel->objects[j].target == object)
			return (int)j;
	}
	return -1;
}

struct expr *scaled(struct grower *g, struct expr *x, int by)
{
	if (by == 1)
		return x;
	struct expr *factor = fixed(new_constant(g, x->type, (uint64_t)by));
	return one_in(&g->random, 2) ? new_plain(g, MUL, x, factor) : new_plain(g, MUL, factor, x);
}

struct expr *offset_by(struct grower *g, struct expr *x, int by)
{
	if (by == 0)
		return x;
	if (by < 0)
		return new_plain(g, SUB, x, fixed(new_constant(g, x->type, (uint64_t)-by)));
	return new_plain(g, ADD, x, fixed(new_constant(g, x->type, (uint64_t)by)));
}

static struct expr *input_place(struct grower *g, int object, int depth)
{
	const struct object *o = object_at(g, object);
	int indices = indices_of(g, object);

	if (indices >= 0 && !g->uniform && one_in(&g->random, 2))
		return fixed(load_at(g, indices, 0, id_expr(g)));
	if (o->mul == 0 || g->uniform || one_in(&g->random, 5))
		return any_place(g, object, depth);
	if (one_in(&g->random, 5)) {
		struct expr *last = offset_by(g, count_of(g, object, g->index), -1);
		return new_plain(g, SUB, last, id_expr(g));
	}
	return offset_by(g, scaled(g, id_expr(g), o->mul), below(&g->random, o->mul + o->add));
}

/* Of `slots`, as an index type. */
static struct expr *slot_number(struct grower *g, int slots, struct type type, int depth)
{
	struct type u = make_type(U32, 1);

	if (depth <= 0 || one_in(&g->random, 3))
		return fixed(new_constant(g, type, (uint64_t)below(&g->random, slots)));
	struct expr *slot = fixed(new_binary(g, REM, grow_expr(g, u, depth - 1),
					     fixed(new_constant(g, u, (uint64_t)slots))));
	return fixed(new_convert(g, type, slot));
}

bool has_rows(const struct grower *g, int object)
{
	const struct object *o = object_at(g, object);

	return g->function < 0 && o->kind == INPUT && o->target == -1 && o->mul >= SHORTEST_ROW &&
	       o->fields[0].lanes == 1;
}

struct expr *load_of_row(struct grower *g, int object, int at)
{
	struct expr *start = scaled(g, id_expr(g), object_at(g, object)->mul);

	return load_at(g, object, 0, new_plain(g, ADD, start, fixed(new_variable_expr(g, at))));
}

struct expr *own_place(struct grower *g, int object, int depth)
{
	const struct object *o = object_at(g, object);
	bool in_group = is_local(o);
	struct expr *id = in_group ? fixed(new_variable_expr(g, g->local_id)) : id_expr(g);
	struct expr *size = in_group ? fixed(new_variable_expr(g, g->local_size))
				     : fixed(new_argument(g, ARGUMENT_N, g->index));

	switch (o->slot) {
	case UNIT:
		break;
	case REVERSED:
		return new_plain(g, SUB, offset_by(g, size, -1), id);
	case STRIDED:
		return new_plain(g, ADD, scaled(g, id, o->slots),
				 slot_number(g, o->slots, id->type, depth));
	case BLOCKED:
		return new_plain(g, ADD,
				 new_plain(g, MUL, slot_number(g, o->slots, id->type, depth), size),
				 id);
	case PERMUTED:
		return fixed(load_at(g, o->permutation, 0, id));
	}
	return id;
}

/* Local memory between barriers. */
static struct expr *shared_place(struct grower *g, int object, int depth)
{
	struct type type = make_type(I32, 1);
	struct expr *size = fixed(new_variable_expr(g, g->local_size));

	if (g->uniform)
		return fixed(new_constant(g, type, 0));
	struct expr *id = fixed(new_variable_expr(g, g->local_id));
	switch (below(&g->random, 5)) {
	case 0:
		return new_plain(g, SUB, offset_by(g, size, -1), id);
	case 1:
	case 2:
		return fixed(new_binary(g, REM, offset_by(g, id, 1 + below(&g->random, 9)), size));
	case 3:
		return fixed(new_constant(g, type, 0));
	default:
		return any_place(g, object, depth);
	}
}

static bool is_readable(const struct grower *g, int object)
{
	const struct object *o = object_at(g, object);

	switch (o->kind) {
	case INPUT:
		return g->function < 0 && o->target == -1;
	case TABLE:
		return true;
	case OWN:
		return g->function < 0 && !g->uniform && object != 0;
	case PRIVATE:
		return g->filled && g->function < 0 && !g->uniform;
	case LOCAL_OWN:
		return g->filled && g->function < 0 && (g->readable[object] || !g->uniform);
	case LOCAL_ATOMIC:
		return g->function < 0 && g->readable[object];
	case ATOMIC:
		break;
	}
	return false;
}

int pick_object(struct grower *g, bool (*test)(const struct grower *, int))
{
	int found = -1, count = 0;

	for (unsigned j = 0; j < g->kernel->num_objects; j++) {
		if (test(g, (int)j) && one_in(&g->random, ++count))
			found = (int)j;
	}
	return found;
}

struct expr *guard_of(struct grower *g, int object, int distance)
{
	struct expr *id = offset_by(g, id_expr(g), distance);

	/* below an unsigned 0 is no element either */
	struct expr *guard = new_compare(g, LT, id, count_of(g, object, g->index));
	if (distance < 0 && (is_signed(id->type) || one_in(&g->random, 2))) {
		struct expr *first = new_expr(g, LOGIC, make_type(I32, 1));
		first->op = AND;
		first->num_args = 2;
		first->args[0] = fixed(new_compare(
			g, GE, id_expr(g), fixed(new_constant(g, id->type, (uint64_t)-distance))));
		first->args[1] = fixed(guard);
		guard = first;
	}
	return fixed(guard);
}

static bool is_any_guarded(const struct grower *g, int object)
{
	return g->function < 0 && is_guarded(g, object);
}

static bool is_known(const struct grower *g, int object)
{
	return g->guards[object] != INT32_MIN;
}

/* Of an input that may have fewer elements than there are work-items. */
static struct expr *guarded_load(struct grower *g, struct type type, int depth)
{
	int object = g->uniform || g->function >= 0 ? -1 : pick_object(g, is_known);

	if (object >= 0) {
		const struct object *o = object_at(g, object);
		struct expr *place = offset_by(g, id_expr(g), g->guards[object]);
		struct expr *value =
			load_at(g, object, below(&g->random, (int)o->num_fields), place);
		return value->type.lanes == type.lanes ? new_convert(g, type, value) : NULL;
	}
	object = g->uniform ? -1 : pick_object(g, is_any_guarded);
	if (object < 0)
		return NULL;
	const struct object *o = object_at(g, object);
	int distance = one_in(&g->random, 2) ? 0 : below(&g->random, 7) - 3;
	struct expr *place = offset_by(g, id_expr(g), distance);
	struct expr *value = load_at(g, object, below(&g->random, (int)o->num_fields), place);
	if (value->type.lanes != type.lanes)
		return NULL;
	struct expr *choose = new_expr(g, CHOOSE, type);
	choose->num_args = 3;
	choose->args[0] = guard_of(g, object, distance);
	choose->args[1] = new_convert(g, type, value);
	choose->args[2] = grow_expr(g, type, depth - 1);
	return choose;
}

struct expr *grow_load(struct grower *g, struct type type, int depth)
{
	struct expr *guarded = one_in(&g->random, 3) ? guarded_load(g, type, depth) : NULL;
	int object = guarded ? -1 : pick_object(g, is_readable);

	if (object < 0)
		return guarded;
	const struct object *o = object_at(g, object);
	int field = below(&g->random, (int)o->num_fields);
	struct expr *place;
	if (o->fields[field].lanes != type.lanes)
		return NULL;
	if (o->kind == INPUT && !g->uniform && one_in(&g->random, 3))
		return new_convert(g, type, near_load(g, object, field, depth));
	if (o->kind == LOCAL_OWN && g->readable[object] && !g->uniform && one_in(&g->random, 5))
		return new_convert(g, type, near_load(g, object, field, depth));
	if (o->kind == INPUT)
		place = input_place(g, object, depth);
	else if (is_local(o) && g->readable[object])
		place = o->kind == LOCAL_OWN ? shared_place(g, object, depth)
					     : any_place(g, object, depth);
	else if (o->kind == OWN || o->kind == LOCAL_OWN)
		place = own_place(g, object, depth);
	else
		place = any_place(g, object, depth);
	return new_convert(g, type, load_at(g, object, field, place));
}

static bool is_loadable(const struct grower *g, int object)
{
	const struct object *o = object_at(g, object);

	return (o->kind == INPUT || o->kind == TABLE) && is_readable(g, object) &&
	       o->num_fields == 1 && o->fields[0].lanes == 1;
}

struct expr *grow_vload(struct grower *g, struct type type, int depth)
{
	int object = pick_object(g, is_loadable);

	if (object < 0)
		return NULL;
	const struct object *o = object_at(g, object);
	struct type loaded = make_type(o->fields[0].scalar, type.lanes);
	struct expr *expr = new_expr(g, VLOAD, loaded);
	int room = o->mul + o->add - (int)type.lanes; /* for places id * mul + 0 … room */
	expr->index = object;
	expr->num_args = 1;
	if (o->mul == 0) {
		struct type u = make_type(U32, 1);
		if (o->add < (int)type.lanes)
			return NULL;
		expr->args[0] = fixed(
			new_binary(g, REM, grow_expr(g, u, depth - 1),
				   fixed(new_constant(g, u, (uint64_t)o->add - type.lanes + 1))));
	} else if (room < 0 || g->uniform) {
		return NULL;
	} else {
		expr->args[0] =
			offset_by(g, scaled(g, id_expr(g), o->mul), below(&g->random, room + 1));
	}
	return new_convert(g, type, expr);
}
