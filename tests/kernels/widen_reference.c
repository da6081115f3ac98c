/* SPDX-License-Identifier: MIT
 *
 * widen_shapes.cl compiled as plain C, and the work-items that run it: one context each, one at a time.
 */
#include "collective_reference.h"
#include "widen_shapes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
#include <ucontext.h>

#define STACK ((size_t)64 * 1024)

struct item {
	ucontext_t context;
	size_t local[3];
	bool ended;
};

/* The group that runs. */
static struct {
	const struct runner_range *range;
	const struct widen_shape *shape;
	const struct shape_buffers *buffers;
	size_t group[3];
	size_t size[3]; /* clipped */
	struct item items[MOST_ITEMS];
	struct item *current;
	ucontext_t scheduler;
	int32_t local_memory[2 * MOST_ITEMS];
} state;

/* ---- OpenCL C -------------------------------------------------------------------------------- */

#define LOCAL_ARRAY(type, name, size) static type name[size]
#define LOCAL_VARIABLE(type, name) static type name
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
typedef unsigned char uchar;
typedef int int2 __attribute__((vector_size(8)));
typedef int int4 __attribute__((vector_size(16)));
typedef long long2 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef uchar uchar4 __attribute__((vector_size(4)));

/* A NaN becomes 0. */
static uint convert_uint_sat(double x)
{
	return x >= UINT_MAX ? UINT_MAX : x > 0 ? (uint)x : 0;
}

static void barrier(int fence)
{
	(void)fence;
	swapcontext(&state.current->context, &state.scheduler);
}

static size_t get_local_id(int d)
{
	return state.current->local[d];
}

static size_t get_group_id(int d)
{
	return state.group[d];
}

static size_t get_global_id(int d)
{
	return state.group[d] * state.range->local[d] + state.current->local[d];
}

static size_t get_global_size(int d)
{
	return state.range->global[d];
}

static size_t get_local_size(int d)
{
	return state.size[d];
}

static size_t get_enqueued_local_size(int d)
{
	return state.range->local[d];
}

static size_t get_num_groups(int d)
{
	return (state.range->global[d] + state.range->local[d] - 1) / state.range->local[d];
}

static size_t get_local_linear_id(void)
{
	const size_t *id = state.current->local;

	return id[0] + state.size[0] * (id[1] + state.size[1] * id[2]);
}

static size_t group_items(void)
{
	return state.size[0] * state.size[1] * state.size[2];
}

static size_t get_global_linear_id(void)
{
	const size_t *size = state.range->global;

	return get_global_id(0) + size[0] * (get_global_id(1) + size[1] * get_global_id(2));
}

#define ATOMIC(name, expression)                                                                   \
	static int atomic_##name(int *at, int x)                                                   \
	{                                                                                          \
		int old = *at;                                                                     \
		*at = (expression);                                                                \
		return old;                                                                        \
	}
ATOMIC(add, (int)((unsigned)old + (unsigned)x))
ATOMIC(max, old > x ? old : x)
ATOMIC(xor, old ^ x)
ATOMIC(and, old &x)
#define atomic_inc(at) atomic_add(at, 1)
#define atomic_dec(at) atomic_add(at, -1)

static int atomic_cmpxchg(int *at, int expected, int wanted)
{
	int old = *at;

	if (old == expected)
		*at = wanted;
	return old;
}

/* ---- collectives ----------------------------------------------------------------------------- */

COLLECTIVE_REFERENCE(int, WRAPPED_SUM, INT_MIN, INT_MAX)
COLLECTIVE_REFERENCE(long, WRAPPED_SUM, LONG_MIN, LONG_MAX)
COLLECTIVE_REFERENCE(float, FLOAT_SUM, -INFINITY, INFINITY)

/* All work-items give their values before any looks, and all have looked before any gives another. */
#define GROUP_FUNCTIONS(type)                                                                      \
	static type group_reduce_##type(enum collective_operation operation, type x)               \
	{                                                                                          \
		static type values[MOST_ITEMS];                                                    \
		values[get_local_linear_id()] = x;                                                 \
		barrier(0);                                                                        \
		x = reduce_##type(operation, values, group_items());                               \
		barrier(0);                                                                        \
		return x;                                                                          \
	}                                                                                          \
	static type group_scan_##type(enum collective_operation operation, bool exclusive, type x) \
	{                                                                                          \
		static type values[MOST_ITEMS];                                                    \
		type all[MOST_ITEMS];                                                              \
		values[get_local_linear_id()] = x;                                                 \
		barrier(0);                                                                        \
		memcpy(all, values, sizeof(all));                                                  \
		scan_##type(operation, exclusive, all, group_items());                             \
		barrier(0);                                                                        \
		return all[get_local_linear_id()];                                                 \
	}
GROUP_FUNCTIONS(int)
GROUP_FUNCTIONS(long)
GROUP_FUNCTIONS(float)

#define OF_TYPE(kind, x) _Generic((x), float: kind##_float, long: kind##_long, default: kind##_int)
#define work_group_reduce_add(x) OF_TYPE(group_reduce, x)(COLLECTIVE_ADD, x)
#define work_group_reduce_min(x) OF_TYPE(group_reduce, x)(COLLECTIVE_MIN, x)
#define work_group_reduce_max(x) OF_TYPE(group_reduce, x)(COLLECTIVE_MAX, x)
#define work_group_scan_inclusive_add(x) OF_TYPE(group_scan, x)(COLLECTIVE_ADD, false, x)
#define work_group_scan_inclusive_max(x) OF_TYPE(group_scan, x)(COLLECTIVE_MAX, false, x)
#define work_group_scan_exclusive_add(x) OF_TYPE(group_scan, x)(COLLECTIVE_ADD, true, x)
#define work_group_scan_exclusive_min(x) OF_TYPE(group_scan, x)(COLLECTIVE_MIN, true, x)
#define work_group_any(x) group_reduce_int(COLLECTIVE_MAX, (x) != 0)
#define work_group_all(x) group_reduce_int(COLLECTIVE_MIN, (x) != 0)

static int work_group_broadcast(int x, size_t from_x, size_t from_y, size_t from_z)
{
	const size_t *id = state.current->local;
	static int value;

	if (id[0] == from_x && id[1] == from_y && id[2] == from_z)
		value = x;
	barrier(0);
	x = value;
	barrier(0);
	return x;
}

#define kernel
#define global
#define constant static
#define local
#define private
#define generic
#include "widen_shapes.cl"

#undef kernel
#undef global
#undef constant
#undef local
#undef private
#undef generic

/* ---- running --------------------------------------------------------------------------------- */

#define SHAPE(name, range) {#name, range, name},
const struct widen_shape widen_shapes[NUM_SHAPES] = {
#include "widen_shapes.def"
};

static void run_item(void)
{
	const struct shape_buffers *b = state.buffers;

	state.shape->plain(b->a, b->f, b->big, b->idx, b->bytes, b->out, b->fout, b->bout,
			   state.local_memory, b->n);
	state.current->ended = true;
}

static void start_item(size_t number, unsigned char *stack)
{
	struct item *item = &state.items[number];

	item->local[0] = number % state.size[0];
	item->local[1] = number / state.size[0] % state.size[1];
	item->local[2] = number / state.size[0] / state.size[1];
	item->ended = false;
	getcontext(&item->context);
	item->context.uc_stack.ss_sp = stack + number * STACK;
	item->context.uc_stack.ss_size = STACK;
	item->context.uc_link = &state.scheduler;
	makecontext(&item->context, run_item, 0);
}

static void run_group(unsigned char *stack)
{
	size_t count = state.size[0] * state.size[1] * state.size[2], running = count;

	for (size_t i = 0; i < count; i++)
		start_item(i, stack);
	while (running > 0) {
		running = 0;
		for (size_t i = 0; i < count; i++) {
			if (state.items[i].ended)
				continue;
			state.current = &state.items[i];
			swapcontext(&state.scheduler, &state.items[i].context);
			running += !state.items[i].ended;
		}
	}
}

void reference_run(const struct widen_shape *shape, const struct runner_range *range,
		   const struct shape_buffers *buffers)
{
	size_t groups[3];
	unsigned char *stack = malloc(MOST_ITEMS * STACK);

	if (!stack)
		abort();
	state.shape = shape;
	state.range = range;
	state.buffers = buffers;
	for (size_t d = 0; d < 3; d++)
		groups[d] = (range->global[d] + range->local[d] - 1) / range->local[d];
	for (size_t g = 0; g < groups[0] * groups[1] * groups[2]; g++) {
		state.group[0] = g % groups[0];
		state.group[1] = g / groups[0] % groups[1];
		state.group[2] = g / groups[0] / groups[1];
		for (size_t d = 0; d < 3; d++) {
			size_t left = range->global[d] - state.group[d] * range->local[d];
			state.size[d] = left < range->local[d] ? left : range->local[d];
		}
		run_group(stack);
	}
	free(stack);
}
