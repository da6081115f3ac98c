/* SPDX-License-Identifier: MIT
 *
 * Kernels without barriers: ids, arguments of every kind, arithmetic that must not trap, local sizes that do
 * not divide the global size.
 */
#include "kernel_runner.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const size_t local_sizes[][3] = {{1, 1, 1},   {3, 1, 1}, {8, 1, 1}, {64, 1, 1},
					{256, 1, 1}, {1, 4, 1}, {4, 4, 1}, {16, 4, 1},
					{5, 3, 1},   {2, 3, 4}, {8, 2, 2}, {7, 5, 3}};

static void scale_every_item(void **state)
{
	static const char source[] =
		"kernel void scale(global float *out, const global float *in, float by, uint n) {\n"
		"  size_t i = get_global_id(0);\n"
		"  if (i < n) out[i] = in[i] * by;\n"
		"}\n";
	struct runner *runner = runner_build(source, NULL);
	float in[1000], out[1000];
	float by = 3.0f;
	uint32_t n = 990;

	(void)state;
	for (size_t l = 0; l < 5; l++) {
		for (size_t i = 0; i < 1000; i++) {
			in[i] = (float)i;
			out[i] = -1.0f;
		}
		const struct runner_arg args[] = {RUNNER_MEMORY(out), RUNNER_MEMORY(in),
						  RUNNER_VALUE(by), RUNNER_VALUE(n)};
		runner_run(runner, "scale", (size_t[3]){1000, 1, 1}, local_sizes[l], args, 4);
		for (size_t i = 0; i < 1000; i++) {
			const float expected = i < n ? in[i] * by : -1.0f;
			assert_float_equal(out[i], expected, 0.0f);
		}
	}
	runner_destroy(runner);
}

/* Conditions on ids cut to 32 bits, which wrap around to the least number. What only work-items inside load is not loaded where
 * there are none: the address is one that may not be read. */
static void ids_wrap_around(void **state)
{
	static const char source[] =
		"kernel void s(global uint *out, global const uint *in, int end, ulong first) {\n"
		"  size_t g = get_global_id(0); int i = (int)g;\n"
		"  if (i < end) out[g - first] = in[0] + in[1]; }\n"
		"kernel void u(global uint *out, global const uint *in, int end, ulong first) {\n"
		"  size_t g = get_global_id(0); uint i = (uint)g;\n"
		"  if (i < (uint)end) out[g - first] = in[0] + in[1]; }\n";
	static const uint64_t firsts[] = {
		0, 7, INT32_MAX - 99u, 1u + INT32_MAX, UINT32_MAX, 1ull << 32, UINT32_MAX - 150ull};
	static const int32_t ends[] = {INT32_MIN, INT32_MIN + 1,  INT32_MIN + 40, -100, 0, 1,
				       60,        INT32_MAX - 50, INT32_MAX};
	static const uint32_t in[2] = {2, 3};
	struct runner *runner = runner_build(source, NULL);
	enum { ITEMS = 200 };

	(void)state;
	for (size_t c = 0; c < 2 * 7 * 9 * 2; c++) {
		const bool is_signed = c % 2 != 0;
		const uint64_t first = firsts[c / 2 % 7];
		const int32_t end = ends[c / 14 % 9];
		const struct runner_range range = {
			{ITEMS, 1, 1}, {c < 126 ? 64 : 200, 1, 1}, {first, 0, 0}};
		uint32_t out[ITEMS] = {0}, expected[ITEMS];
		bool any = false;

		for (uint64_t i = 0; i < ITEMS; i++) {
			const uint32_t id = (uint32_t)(first + i);
			const bool inside = is_signed ? (int32_t)id < end : id < (uint32_t)end;

			expected[i] = inside ? 5 : 0;
			any |= inside;
		}
		const struct runner_arg args[] = {
			RUNNER_MEMORY(out), RUNNER_MEMORY(any ? (void *)(uintptr_t)in : (void *)64),
			RUNNER_VALUE(end), RUNNER_VALUE(first)};
		runner_launch(runner, is_signed ? "s" : "u", &range, args, 4, RUNNER_DIRECT);
		assert_memory_equal(out, expected, sizeof(out));
	}
	runner_destroy(runner);
}

enum { STRIDE_ITEMS = 2048, STRIDE_PLACES = 12000 };

/* What grid_strides expects of the kernel called `kind`. False if it takes too long. */
static bool expect_strides(char kind, uint64_t first, int64_t end, uint32_t *expected)
{
	const uint64_t mask = kind == 's' || kind == 'u' ? UINT32_MAX : UINT64_MAX;
	uint64_t left = STRIDE_ITEMS * 50;

	memset(expected, 0, STRIDE_PLACES * sizeof(*expected));
	for (uint64_t item = 0; item < STRIDE_ITEMS; item++) {
		for (uint64_t i = (first + item + 5) & mask;
		     kind == 's' ? (int32_t)i < end : i < ((uint64_t)end & mask);
		     i = (i + STRIDE_ITEMS) & mask) {
			const uint64_t at = kind == 'p' ? i : (i - first) & mask;

			if (left-- == 0 || (kind == 'p' && at >= STRIDE_PLACES))
				return false;
			if (at < STRIDE_PLACES)
				expected[at] = expected[at] * 3 + (uint32_t)i + 1;
		}
	}
	return true;
}

/* Loops that go on by the size of the range, in groups of all sizes, from numbers that may wrap around. Each index has a place of its
 * own: in `p` it is the element of that index; in the others the compiler does not know where it is. */
static void grid_strides(void **state)
{
	static const char source[] =
		"#define LOOP(name, T) \\\n"
		"kernel void name(global uint *out, ulong first, long end, uint places) { \\\n"
		"  for (T i = get_global_id(0) + 5; i < (T)end; i += get_global_size(0)) { \\\n"
		"    ulong at = (sizeof(T) == 4 ? (ulong)(uint)(i - (T)first) : i - first); \\\n"
		"    if (at < places) atomic_add(&out[at], (uint)i + 1); } }\n"
		"LOOP(s, int)\nLOOP(u, uint)\nLOOP(l, ulong)\n"
		"kernel void p(global uint *out, ulong first, long end, uint places) {\n"
		"  for (size_t i = get_global_id(0) + 5; i < end; i += get_global_size(0))\n"
		"    out[i] = out[i] * 3 + (uint)i + 1; }\n";
	static const uint64_t firsts[] = {0, 7, INT32_MAX - 1500u, UINT32_MAX - 1500u};
	static const int64_t ends[] = {0, 1, 1030, 9000, INT32_MIN + 9000ll};
	static const size_t locals[] = {8, 64, 2048};
	static const uint32_t places = STRIDE_PLACES;
	static uint32_t out[STRIDE_PLACES], expected[STRIDE_PLACES];
	struct runner *runner = runner_build(source, NULL);

	(void)state;
	for (size_t c = 0; c < 4 * 4 * 5 * 3; c++) {
		const char name[2] = {"sulp"[c % 4], 0};
		const uint64_t first = firsts[c / 4 % 4];
		const int64_t end = ends[c / 16 % 5];
		const struct runner_range range = {
			{STRIDE_ITEMS, 1, 1}, {locals[c / 80], 1, 1}, {first, 0, 0}};
		const struct runner_arg args[] = {RUNNER_BUFFER(out, sizeof(out)),
						  RUNNER_VALUE(first), RUNNER_VALUE(end),
						  RUNNER_VALUE(places)};

		if (!expect_strides(name[0], first, end, expected))
			continue;
		for (int way = RUNNER_DIRECT; way <= RUNNER_PTHREAD; way++) {
			memset(out, 0, sizeof(out));
			runner_launch(runner, name, &range, args, 4, (enum runner_way)way);
			assert_memory_equal(out, expected, sizeof(out));
		}
	}
	runner_destroy(runner);
}

enum { TILED_PLACES = 60000, TILED_HEIGHT = 700, TILED_COLUMNS = 1000 };

/* What grid_planes expects. */
static void expect_tiles(const uint32_t *in, uint64_t start, int64_t end, int64_t columns,
			 uint32_t *expected)
{
	memset(expected, 0, TILED_PLACES * sizeof(*expected));
	for (int64_t i = (int64_t)start; i < end; i++)
		expected[i] = in[i % columns * TILED_HEIGHT + i / columns] * 3 + 1;
}

/* Kernels on planes: of ids of each type, with a number of columns that is an argument, and with a constant one. */
#define EVERY_PLANE                                                                                \
	"PLANE(s, int, n)\nPLANE(u, uint, n)\nPLANE(l, ulong, n)\n"                                \
	"PLANE(sc, int, 100)\nPLANE(uc, uint, 128)\nPLANE(lc, ulong, 128)\n"
static const char *const plane_names[] = {"s", "u", "l", "sc", "uc", "lc"};

/* The item's id as a number of the kernel's type. */
static int64_t plane_id(char kind, uint64_t item)
{
	return kind == 's' ? (int32_t)item : kind == 'u' ? (int64_t)(uint32_t)item : (int64_t)item;
}

static int64_t plane_columns(const char *name, int64_t argument)
{
	return !name[1] ? argument : name[0] == 's' ? 100 : 128;
}

/* Grid-stride loops that read a plane by columns: work-items may go through tiles of it. From indices within a row to others, for numbers of
 * columns that are constants and arguments. */
static void grid_planes(void **state)
{
	static const char source[] =
		"#define PLANE(name, T, columns) \\\n"
		"kernel void name(global uint *out, global const uint *in, long n, int height, "
		"long end) { \\\n"
		"  for (T i = get_global_id(0) + 5; i < (T)end; i += get_global_size(0)) \\\n"
		"    out[i] = in[i % (T)(columns) * height + i / (T)(columns)] * 3 + 1; "
		"}\n" EVERY_PLANE;
	static const uint64_t firsts[] = {0, 59, 123};
	static const int64_t counts[] = {90, 64, 99, 750, TILED_COLUMNS};
	static const int64_t ends[] = {0, 1000, 9000, 12801, TILED_PLACES};
	static const size_t locals[] = {64, 2048};
	static const int32_t height = TILED_HEIGHT;
	static uint32_t in[TILED_COLUMNS * TILED_HEIGHT], out[TILED_PLACES], expected[TILED_PLACES];
	struct runner *runner = runner_build(source, NULL);

	(void)state;
	for (uint32_t i = 0; i < sizeof(in) / sizeof(*in); i++)
		in[i] = i * 2654435761u;
	for (size_t c = 0; c < 6 * 3 * 5 * 5 * 2; c++) {
		const char *name = plane_names[c % 6];
		const uint64_t first = firsts[c / 6 % 3];
		const int64_t columns = plane_columns(name, counts[c / 18 % 5]);
		const int64_t end = ends[c / 90 % 5];
		const struct runner_range range = {
			{STRIDE_ITEMS, 1, 1}, {locals[c / 450], 1, 1}, {first, 0, 0}};
		const struct runner_arg args[] = {
			RUNNER_BUFFER(out, sizeof(out)), RUNNER_BUFFER(in, sizeof(in)),
			RUNNER_VALUE(columns), RUNNER_VALUE(height), RUNNER_VALUE(end)};

		expect_tiles(in, first + 5, end, columns, expected);
		for (int way = RUNNER_DIRECT; way <= RUNNER_PTHREAD; way++) {
			memset(out, 0, sizeof(out));
			runner_launch(runner, name, &range, args, 5, (enum runner_way)way);
			assert_memory_equal(out, expected, sizeof(out));
		}
	}
	runner_destroy(runner);
}

enum { PLANE_ITEMS = 3000, PLANE_PLACES = 40000, PLANE_HEIGHT = 50 };

/* What places_in_plane expects of the kernel for that type. */
static void expect_places(char kind, uint64_t first, int64_t columns, uint32_t *expected)
{
	memset(expected, 0, PLANE_PLACES * sizeof(*expected));
	for (uint64_t item = first; item < first + PLANE_ITEMS; item++) {
		const int64_t i = plane_id(kind, item);
		const int64_t at =
			i % columns * PLANE_HEIGHT + i / columns - (int64_t)first / columns;

		if (at >= 0 && at < PLANE_PLACES)
			expected[at] = expected[at] * 3 + (uint32_t)i + 1;
	}
}

/* Ids that are places in a plane, row `i / n` and column `i % n`, of which columns are contiguous: work-items may run from row to row. From
 * ids that may wrap around, for numbers of columns that are constants and arguments, in launches of parts of rows. */
static void places_in_plane(void **state)
{
	static const char source[] =
		"#define PLANE(name, T, columns) \\\n"
		"kernel void name(global uint *out, ulong first, long n, long height, ulong "
		"places) { \\\n"
		"  T i = get_global_id(0); \\\n"
		"  long at = (long)(i % (T)(columns)) * height + (long)(i / (T)(columns)) - "
		"(long)(first / n); \\\n"
		"  if ((ulong)at < places) out[at] = out[at] * 3 + (uint)i + 1; }\n" EVERY_PLANE;
	static const uint64_t firsts[] = {0, 7, 100, INT32_MAX - 1500u, UINT32_MAX - 1500u};
	static const int64_t counts[] = {1, 64, 99, 750, 3000};
	static const size_t locals[] = {8, 64, PLANE_ITEMS};
	static const int64_t height = PLANE_HEIGHT;
	static const uint64_t places = PLANE_PLACES;
	static uint32_t out[PLANE_PLACES], expected[PLANE_PLACES];
	struct runner *runner = runner_build(source, NULL);

	(void)state;
	for (size_t c = 0; c < 6 * 5 * 5 * 3; c++) {
		const char *name = plane_names[c % 6];
		const uint64_t first = firsts[c / 6 % 5];
		const int64_t columns = plane_columns(name, counts[c / 30 % 5]);
		const struct runner_range range = {
			{PLANE_ITEMS, 1, 1}, {locals[c / 150], 1, 1}, {first, 0, 0}};
		const struct runner_arg args[] = {RUNNER_BUFFER(out, sizeof(out)),
						  RUNNER_VALUE(first), RUNNER_VALUE(columns),
						  RUNNER_VALUE(height), RUNNER_VALUE(places)};

		expect_places(name[0], first, columns, expected);
		for (int way = RUNNER_DIRECT; way <= RUNNER_PTHREAD; way++) {
			memset(out, 0, sizeof(out));
			runner_launch(runner, name, &range, args, 5, (enum runner_way)way);
			assert_memory_equal(out, expected, sizeof(out));
		}
	}
	runner_destroy(runner);
}

enum { READ_ITEMS = 12000, READ_PLACES = 200000, READ_HEIGHT = 200 };

/* What planes_by_columns expects of the kernel for that type. */
static void expect_read(char kind, const uint32_t *in, uint64_t first, int64_t columns,
			uint32_t *expected)
{
	memset(expected, 0, READ_ITEMS * sizeof(*expected));
	for (uint64_t item = first; item < first + READ_ITEMS; item++) {
		const int64_t i = plane_id(kind, item);
		const int64_t at =
			i % columns * READ_HEIGHT + i / columns - (int64_t)first / columns;

		if (at >= 0 && at < READ_PLACES)
			expected[item - first] = in[at] * 3 + (uint32_t)i;
	}
}

/* Ids that are places in a plane which is read by columns: work-items may go through tiles of it. From ids that may wrap around, for numbers
 * of columns that are constants and arguments, in launches that begin and end within rows. */
static void planes_by_columns(void **state)
{
	static const char source[] =
		"#define PLANE(name, T, columns) \\\n"
		"kernel void name(global uint *out, global const uint *in, ulong first, long n, "
		"long height, ulong places) { \\\n"
		"  T i = get_global_id(0); \\\n"
		"  long at = (long)(i % (T)(columns)) * height + (long)(i / (T)(columns)) - "
		"(long)(first / n); \\\n"
		"  if ((ulong)at >= places) return; \\\n"
		"  out[get_global_id(0) - first] = in[at] * 3 + (uint)i; }\n" EVERY_PLANE;
	static const uint64_t firsts[] = {0, 7, 100, INT32_MAX - 6000u, UINT32_MAX - 6000u};
	static const int64_t counts[] = {1, 64, 99, 750, 3000};
	static const size_t locals[] = {8, 100, READ_ITEMS};
	static const int64_t height = READ_HEIGHT;
	static const uint64_t places = READ_PLACES;
	static uint32_t in[READ_PLACES], out[READ_ITEMS], expected[READ_ITEMS];
	struct runner *runner = runner_build(source, NULL);

	(void)state;
	for (uint32_t i = 0; i < READ_PLACES; i++)
		in[i] = i * 2654435761u;
	for (size_t c = 0; c < 6 * 5 * 5 * 3; c++) {
		const char *name = plane_names[c % 6];
		const uint64_t first = firsts[c / 6 % 5];
		const int64_t columns = plane_columns(name, counts[c / 30 % 5]);
		const struct runner_range range = {
			{READ_ITEMS, 1, 1}, {locals[c / 150], 1, 1}, {first, 0, 0}};
		const struct runner_arg args[] = {RUNNER_BUFFER(out, sizeof(out)),
						  RUNNER_BUFFER(in, sizeof(in)),
						  RUNNER_VALUE(first),
						  RUNNER_VALUE(columns),
						  RUNNER_VALUE(height),
						  RUNNER_VALUE(places)};

		expect_read(name[0], in, first, columns, expected);
		for (int way = RUNNER_DIRECT; way <= RUNNER_PTHREAD; way++) {
			memset(out, 0, sizeof(out));
			runner_launch(runner, name, &range, args, 6, (enum runner_way)way);
			assert_memory_equal(out, expected, sizeof(out));
		}
	}
	runner_destroy(runner);
}

/* What a loop computes from x is the same in all rows; then each row does what is its own, by a branch, too. */
static void rows_share_loops(void **state)
{
	static const char source[] =
		"kernel void alike(global uint *out, global const uint *in, uint n) {\n"
		"  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
		"  size_t w = get_global_size(0), h = get_global_size(1);\n"
		"  uint v = in[x];\n"
		"  for (uint k = 0; k < n; k++) v = v / (k + 3) + in[x + k] / 7 + (uint)z;\n"
		"  if ((v + y) & 1) v += 3 * (uint)y; else v ^= in[y];\n"
		"  out[(z * h + y) * w + x] = v; }\n";
	static const size_t globals[][3] = {{37, 23, 2}, {64, 9, 1}, {130, 3, 2}, {3, 70, 1}};
	static uint32_t out[37 * 23 * 2], in[256];
	struct runner *runner = runner_build(source, NULL);

	(void)state;
	for (uint32_t i = 0; i < 256; i++)
		in[i] = i * 2654435761u;
	for (size_t c = 0; c < 4 * 12 * 2; c++) {
		const size_t *global = globals[c % 4];
		const uint32_t n = c / 48 ? 9 : 0;
		const struct runner_arg args[] = {RUNNER_MEMORY(out), RUNNER_MEMORY(in),
						  RUNNER_VALUE(n)};

		runner_run(runner, "alike", global, local_sizes[c / 4 % 12], args, 3);
		for (size_t i = 0; i < global[0] * global[1] * global[2]; i++) {
			const size_t x = i % global[0], y = i / global[0] % global[1];
			uint32_t v = in[x];

			for (uint32_t k = 0; k < n; k++)
				v = v / (k + 3) + in[x + k] / 7 +
				    (uint32_t)(i / global[0] / global[1]);
			v = (v + y) & 1 ? v + 3 * (uint32_t)y : v ^ in[y];
			assert_int_equal(out[i], v);
		}
	}
	runner_destroy(runner);
}

/* Every id function, from each work-item. */
static void ids_in_three_dimensions(void **state)
{
	static const char source[] =
		"kernel void ids(global ulong *out) {\n"
		"  size_t g = get_global_id(0) + get_global_size(0) *\n"
		"    (get_global_id(1) + get_global_size(1) * get_global_id(2));\n"
		"  global ulong *o = out + g * 13;\n"
		"  for (uint d = 0; d < 3; d++) {\n"
		"    o[d] = get_local_id(d); o[3 + d] = get_group_id(d); o[6 + d] = "
		"get_local_size(d);\n"
		"    o[9 + d] = get_num_groups(d);\n"
		"  }\n"
		"  o[12] = get_enqueued_local_size(0);\n"
		"}\n";
	static const size_t global[3] = {19, 11, 5};
	struct runner *runner = runner_build(source, "-cl-std=CL3.0");
	static uint64_t out[19 * 11 * 5 * 13];

	(void)state;
	for (size_t l = 0; l < sizeof(local_sizes) / sizeof(local_sizes[0]); l++) {
		const size_t *local = local_sizes[l];
		const struct runner_arg args[] = {RUNNER_MEMORY(out)};
		memset(out, 0xff, sizeof(out));
		runner_run(runner, "ids", global, local, args, 1);
		for (size_t i = 0; i < 19 * 11 * 5; i++) {
			const size_t id[3] = {i % 19, i / 19 % 11, i / 19 / 11};
			const uint64_t *o = out + i * 13;
			for (size_t d = 0; d < 3; d++) {
				size_t group = id[d] / local[d],
				       left = global[d] - group * local[d];
				assert_int_equal(o[d], id[d] % local[d]);
				assert_int_equal(o[3 + d], group);
				assert_int_equal(o[6 + d], left < local[d] ? left : local[d]);
				assert_int_equal(o[9 + d], (global[d] + local[d] - 1) / local[d]);
			}
			assert_int_equal(o[12], local[0]);
		}
	}
	runner_destroy(runner);
}

struct record {
	char tag;
	double number;
	int32_t values[5];
};

static void arguments_of_every_kind(void **state)
{
	static const char source[] =
		"typedef struct { char tag; double number; int values[5]; } record;\n"
		"int change(record r, int i) { r.values[i] += 100; return r.values[i]; }\n"
		"kernel void all(char c, record r, float3 v, global int *out, constant short *k,\n"
		"                local int *l, ulong u, int4 w) {\n"
		"  size_t i = get_local_id(0);\n"
		"  r.values[i % 5] += (int)i;\n" /* each work-item's own */
		"  l[i] = c + r.values[0] + r.values[1] + r.values[2] + r.values[3] + "
		"r.values[4];\n"
		"  out[get_global_id(0)] = l[i] + (int)r.number + (int)(v.x + v.y + v.z) + k[1] + "
		"(int)u +\n"
		"    w.x + w.y + w.z + w.w + r.tag + change(r, 2) - r.values[2];\n"
		"}\n";
	struct runner *runner = runner_build(source, NULL);
	struct record record = {1, 20.0, {1, 2, 3, 4, 5}};
	char c = 7;
	float v[4] = {1.0f, 2.0f, 3.0f, 99.0f};
	int32_t out[64];
	int16_t k[2] = {0, 1000};
	uint64_t u = 10000;
	int32_t w[4] = {1, 1, 1, 1};

	(void)state;
	const struct runner_arg args[] = {
		RUNNER_VALUE(c),  RUNNER_VALUE(record), RUNNER_VALUE(v), RUNNER_MEMORY(out),
		RUNNER_MEMORY(k), RUNNER_LOCAL(64 * 4), RUNNER_VALUE(u), RUNNER_VALUE(w)};
	runner_run(runner, "all", (size_t[3]){64, 1, 1}, (size_t[3]){16, 1, 1}, args, 8);
	for (int i = 0; i < 64; i++)
		assert_int_equal(out[i], 7 + 15 + i % 16 + 20 + 6 + 1000 + 10000 + 4 + 1 + 100);
	assert_int_equal(record.values[0], 1);
	runner_destroy(runner);
}

/* Division by zero, the least integer by -1, and shifts by the width or more: values, not traps. */
static void division_and_shifts_do_not_trap(void **state)
{
	static const char source[] =
		"kernel void div(global int *a, global int *b, global int *q, global int *r,\n"
		"                global uint *uq, global int *s, global long *lq) {\n"
		"  size_t i = get_global_id(0);\n"
		"  q[i] = a[i] / b[i]; r[i] = a[i] % b[i]; uq[i] = (uint)a[i] / (uint)b[i];\n"
		"  s[i] = a[i] << b[i]; lq[i] = ((long)a[i] << 32) / (long)b[i];\n"
		"  int4 v = (int4)(a[i]) / (int4)(b[i], 0, -1, 1);\n"
		"  q[i] += v.y - v.y;\n"
		"}\n"
		"kernel void zero(global int *a) { a[0] = a[0] / 0; a[1] = a[1] % 0; a[2] = a[2] "
		"<< 33; }\n";
	struct runner *runner = runner_build(source, "-w");
	int32_t a[4] = {7, INT_MIN, INT_MIN, 1}, b[4] = {0, -1, 0, 33};
	int32_t q[4], r[4], s[4];
	uint32_t uq[4];
	int64_t lq[4];

	(void)state;
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_MEMORY(b),  RUNNER_MEMORY(q),
					  RUNNER_MEMORY(r), RUNNER_MEMORY(uq), RUNNER_MEMORY(s),
					  RUNNER_MEMORY(lq)};
	runner_run(runner, "div", (size_t[3]){4, 1, 1}, (size_t[3]){4, 1, 1}, args, 7);
	assert_int_equal(q[3], 0);
	assert_int_equal(r[3], 1);
	assert_int_equal(s[3], 2);
	int32_t z[3] = {5, 6, 7};
	const struct runner_arg zero_args[] = {RUNNER_MEMORY(z)};
	runner_run(runner, "zero", (size_t[3]){1, 1, 1}, (size_t[3]){1, 1, 1}, zero_args, 1);
	assert_int_equal(z[2], 14);
	runner_destroy(runner);
}

/* Quotients and remainders of every type by 0, 1, -1 and 3, the least value among the dividends, and floats
 * out of range made integers: no trap, and right wherever the result is defined. */
static void every_type_divides_without_a_trap(void **state)
{
	static const char *const types[] = {"char", "uchar", "short", "ushort",
					    "int",  "uint",  "long",  "ulong"};

	(void)state;
	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		char options[64];
		int32_t right[64] = {0};
		float huge = 1e30f;
		const struct runner_arg args[] = {RUNNER_MEMORY(right), RUNNER_VALUE(huge)};
		snprintf(options, sizeof(options), "-w -DT=%s", types[t]);
		struct runner *runner = runner_build(
			"kernel void k(global int *right, float huge) {\n"
			"  int g = get_global_id(0), d = g / 16;\n"
			"  T least = (T)((T)1 << (T)(sizeof(T) * 8 - 1));\n"
			"  T a = g % 16 == 0 ? least : (T)(g % 16);\n"
			"  T b = d == 0 ? (T)0 : d == 1 ? (T)1 : d == 2 ? (T)-1 : (T)3;\n"
			"  T q = a / b, r = a % b, m = a; m /= b; m %= b;\n"
			"  T cast = (T)(g & 1 ? huge : -huge) + (T)(huge - huge);\n"
			"  right[g] = d == 0 || (d == 2 && a == least) ||\n"
			"    (T)(q * b + r) == a || cast == a; }\n",
			options);
		runner_run(runner, "k", (size_t[3]){64, 1, 1}, (size_t[3]){16, 1, 1}, args, 2);
		for (int i = 0; i < 64; i++)
			assert_int_equal(right[i], 1);
		runner_destroy(runner);
	}
}

static void descriptor_tells_the_signature(void **state)
{
	static const char source[] =
		"__attribute__((reqd_work_group_size(4, 2, 1))) "
		"__attribute__((vec_type_hint(uint4)))\n"
		"kernel void k(global const volatile int *restrict in, global float4 *out,\n"
		"              constant char *c, local double *l, uchar3 v) {\n"
		"  local int own[10]; own[get_local_id(0)] = in[0];\n"
		"  out[0] = (float4)(c[0] + v.x + own[0]) + (float4)(float)l[0];\n"
		"}\n";
	struct runner *runner = runner_build(source, "-cl-kernel-arg-info");
	const struct weft_kernel_desc *kernel = runner_kernel(runner, "k");

	(void)state;
	assert_string_equal(kernel->attributes, "reqd_work_group_size(4,2,1) vec_type_hint(uint4)");
	assert_int_equal(kernel->num_args, 5);
	assert_string_equal(kernel->args[0].name, "in");
	assert_string_equal(kernel->args[0].type_name, "int*");
	assert_int_equal(kernel->args[0].qualifiers,
			 WEFT_QUALIFIER_CONST | WEFT_QUALIFIER_VOLATILE | WEFT_QUALIFIER_RESTRICT);
	assert_int_equal(kernel->args[0].kind, WEFT_ARG_GLOBAL);
	assert_int_equal(kernel->args[0].access, WEFT_POINTER_READ);
	assert_string_equal(kernel->args[1].type_name, "float4*");
	assert_int_equal(kernel->args[1].access, WEFT_POINTER_WRITTEN);
	assert_int_equal(kernel->args[2].kind, WEFT_ARG_CONSTANT);
	assert_int_equal(kernel->args[3].kind, WEFT_ARG_LOCAL);
	assert_int_equal(kernel->args[4].kind, WEFT_ARG_VALUE);
	assert_int_equal(kernel->args[4].size, 4);
	assert_int_equal(kernel->reqd_local_size[1], 2);
	assert_int_equal(kernel->local_size, 40);
	assert_int_equal(kernel->flags & WEFT_KERNEL_TOUCHES_OTHER_MEMORY, 0);
	assert_true(kernel->flags & WEFT_KERNEL_FIXED_SIZE);
	if (!getenv("WEFT_VECTOR_WIDTH"))
		assert_int_equal(kernel->vector_width, 4); /* as wide as its groups */
	runner_destroy(runner);
}

static void recursion_is_an_error(void **state)
{
	char *log = runner_build_error("int even(int n);\n"
				       "int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
				       "int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
				       "kernel void k(global int *a) { a[0] = even(a[0]); }\n",
				       NULL);

	(void)state;
	assert_non_null(log);
	assert_non_null(strstr(log, "recursion"));
	assert_non_null(strstr(log, "even"));
	free(log);
}

static void other_memory_is_told(void **state)
{
	static const char source[] =
		"global int counter;\n"
		"kernel void count(global int *a) { counter += a[0]; a[1] = counter; }\n"
		"kernel void list(global ulong *a) { *(global int *)a[0] = 1; }\n";
	struct runner *runner = runner_build(source, "-cl-std=CL3.0");
	int32_t a[2] = {3, 0};
	const struct runner_arg args[] = {RUNNER_MEMORY(a)};

	(void)state;
	assert_true(runner_kernel(runner, "count")->flags & WEFT_KERNEL_TOUCHES_OTHER_MEMORY);
	assert_true(runner_kernel(runner, "list")->flags & WEFT_KERNEL_TOUCHES_OTHER_MEMORY);
	assert_int_equal(runner_program(runner)->global_variable_size, 4);
	for (int i = 1; i < 4; i++) {
		runner_run(runner, "count", (size_t[3]){1, 1, 1}, (size_t[3]){1, 1, 1}, args, 1);
		assert_int_equal(a[1], 3 * i);
	}
	runner_destroy(runner);
}

/* to_local, to_global and to_private may answer with a pointer or with none, so the kernel has a way for both. */
static void generic_pointers_lead_where_they_do(void **state)
{
	static const char source[] =
		"kernel void convert(global int *out, global const int *in) {\n"
		"  size_t i = get_global_id(0);\n"
		"  local int shared[64];\n"
		"  local int *mine = shared + get_local_id(0);\n"
		"  int own = in[i];\n"
		"  out[i] = 1;\n"
		"  *mine = 7;\n"
		"  generic int *p = in[i] % 3 == 0 ? (generic int *)&own\n"
		"    : in[i] % 3 == 1 ? (generic int *)mine : (generic int *)(out + i);\n"
		"  local int *l = to_local(p);\n"
		"  if (l) *l += 10; else *p += 10;\n"
		"  private int *q = to_private(p);\n"
		"  if (q) *q += 20; else *p += 20;\n"
		"  global int *g = to_global(p);\n"
		"  if (g) *g += 30; else *p += 30;\n"
		"  out[i] += 100 * own + 10000 * *mine;\n"
		"}\n";
	struct runner *runner = runner_build(source, "-cl-std=CL3.0");
	int32_t in[96], out[96];
	const struct runner_arg args[] = {RUNNER_MEMORY(out), RUNNER_MEMORY(in)};

	(void)state;
	for (int32_t i = 0; i < 96; i++)
		in[i] = i * i % 50;
	runner_run(runner, "convert", (size_t[3]){96, 1, 1}, (size_t[3]){48, 1, 1}, args, 2);
	for (int32_t i = 0; i < 96; i++) {
		const int32_t which = in[i] % 3;
		const int32_t own = in[i] + (which == 0 ? 60 : 0);
		const int32_t shared = 7 + (which == 1 ? 60 : 0);
		const int32_t first = 1 + (which == 2 ? 60 : 0);
		assert_int_equal(out[i], first + 100 * own + 10000 * shared);
	}
	runner_destroy(runner);
}

/* Atomic operations on generic pointers, whatever they lead to; and two arguments that are parts of one buffer. */
static void atomics_and_arguments_meet(void **state)
{
	static const char source[] =
		"kernel void meet(global int *out, global int *same, global const int *in) {\n"
		"  size_t i = get_global_id(0), l = get_local_id(0);\n"
		"  local atomic_int shared[64];\n"
		"  atomic_init(shared + l, 1);\n"
		"  out[i] = in[i];\n"
		"  for (int k = 0; k < 5; k++) {\n"
		"    generic atomic_int *p = (in[i] + k) & 1 ? (generic atomic_int *)(shared + l)\n"
		"                                            : (generic atomic_int *)(out + i);\n"
		"    atomic_fetch_add_explicit(p, same[i] + k, memory_order_relaxed,\n"
		"                              memory_scope_work_group);\n"
		"    same[i] += atomic_load_explicit(shared + l, memory_order_relaxed,\n"
		"                                    memory_scope_work_group);\n"
		"  }\n"
		"}\n";
	struct runner *runner = runner_build(source, "-cl-std=CL3.0");
	int32_t in[96], out[96];
	const struct runner_arg args[] = {RUNNER_MEMORY(out), RUNNER_MEMORY(out),
					  RUNNER_MEMORY(in)};

	(void)state;
	for (int32_t i = 0; i < 96; i++)
		in[i] = i;
	runner_run(runner, "meet", (size_t[3]){96, 1, 1}, (size_t[3]){48, 1, 1}, args, 3);
	for (int32_t i = 0; i < 96; i++) {
		int32_t shared = 1, value = i;
		for (int32_t k = 0; k < 5; k++) {
			int32_t *p = (i + k) & 1 ? &shared : &value;
			*p += value + k;
			value += shared;
		}
		assert_int_equal(out[i], value);
	}
	runner_destroy(runner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scale_every_item),
		cmocka_unit_test(ids_wrap_around),
		cmocka_unit_test(grid_strides),
		cmocka_unit_test(grid_planes),
		cmocka_unit_test(places_in_plane),
		cmocka_unit_test(planes_by_columns),
		cmocka_unit_test(rows_share_loops),
		cmocka_unit_test(ids_in_three_dimensions),
		cmocka_unit_test(arguments_of_every_kind),
		cmocka_unit_test(division_and_shifts_do_not_trap),
		cmocka_unit_test(every_type_divides_without_a_trap),
		cmocka_unit_test(descriptor_tells_the_signature),
		cmocka_unit_test(recursion_is_an_error),
		cmocka_unit_test(other_memory_is_told),
		cmocka_unit_test(generic_pointers_lead_where_they_do),
		cmocka_unit_test(atomics_and_arguments_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
