/* SPDX-License-Identifier: MIT
 *
 * Sub-group functions of every type at every width, where all lanes are active and where some are, in groups of
 * one to three dimensions, against a reference that goes from lane to lane.
 */
#include "kernel_runner.h"
#include "subgroup_reference.h"
#include "turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OPTIMISED "-cl-std=CL3.0"
#define UNOPTIMISED OPTIMISED " -cl-opt-disable"

#define UNTOUCHED INT64_C(0x5555555555555555)

static const struct subgroup_type types[] = {
	{"char", 8, true, false},     {"uchar", 8, false, false},  {"short", 16, true, false},
	{"ushort", 16, false, false}, {"int", 32, true, false},    {"uint", 32, false, false},
	{"long", 64, true, false},    {"ulong", 64, false, false}, {"half", 16, true, true},
	{"float", 32, true, true},    {"double", 64, true, true},
};

static const struct runner_range ranges[] = {
	{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}},    {{10, 1, 1}, {5, 1, 1}, {0, 0, 0}},
	{{128, 1, 1}, {64, 1, 1}, {0, 0, 0}}, {{100, 1, 1}, {37, 1, 1}, {3, 0, 0}},
	{{16, 24, 1}, {8, 8, 1}, {0, 0, 0}},  {{32, 7, 1}, {16, 3, 1}, {0, 0, 0}},
	{{13, 9, 5}, {5, 3, 2}, {0, 1, 0}},
};
#define NUM_RANGES (sizeof(ranges) / sizeof(ranges[0]))

/* ---- the work-items of a launch ------------------------------------------------------------------- */

/* One work-group: where its items' data are, and how many there are. */
struct group {
	size_t base, items;
};

static size_t enqueued_items(const struct runner_range *range)
{
	return range->local[0] * range->local[1] * range->local[2];
}

static size_t number_of_groups(const struct runner_range *range)
{
	size_t count = 1;

	for (size_t d = 0; d < 3; d++)
		count *= (range->global[d] + range->local[d] - 1) / range->local[d];
	return count;
}

static struct group group_at(const struct runner_range *range, size_t number)
{
	struct group group = {number * enqueued_items(range), 1};

	for (size_t d = 0; d < 3; d++) {
		size_t groups = (range->global[d] + range->local[d] - 1) / range->local[d];
		size_t left = range->global[d] - number % groups * range->local[d];
		group.items *= left < range->local[d] ? left : range->local[d];
		number /= groups;
	}
	return group;
}

/* i: where a work-item's data are; l: its linear local id. */
#define PLACE                                                                                      \
	"size_t l = get_local_linear_id(), i = l + ((get_group_id(2) * get_num_groups(1) + "       \
	"get_group_id(1)) * get_num_groups(0) + get_group_id(0)) * get_enqueued_local_size(0) * "  \
	"get_enqueued_local_size(1) * get_enqueued_local_size(2);\n"

static struct runner *build_at(const char *source, const char *options, unsigned width)
{
	const struct runner_target target = {options, NULL, width, NULL, false};
	char *log;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("build failed: %s", log);
	return runner;
}

/* ---- every function of every type --------------------------------------------------------------- */

/* Which work-items are active, and how often. */
enum flow { TOGETHER, SOME, LOOP, NUM_FLOWS };

static const char *const flow_names[NUM_FLOWS] = {"together", "some", "loop"};

static unsigned rounds_of(enum flow flow, size_t l)
{
	if (flow == TOGETHER)
		return 1;
	return flow == SOME ? l % 3 != 1 : (unsigned)(l % 4);
}

static bool is_tested(const struct subgroup_row *row, const struct subgroup_type *type,
		      enum flow flow)
{
	return subgroup_has_type(row, type) && (!row->together || flow == TOGETHER);
}

static void append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char **text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*text += vsprintf(*text, format, arguments);
	va_end(arguments);
}

static void print_kernel(char **text, const struct subgroup_type *type, enum flow flow)
{
	append(text,
	       "kernel void %s(global const long *a, global const uint *b, global long *r, uint n) "
	       "{\n" PLACE "uint k = b[i]; T x = (T)a[i]; T m = (T)(k %% 7 == 0 ? 2 : 1);\n",
	       flow_names[flow]);
	for (size_t row = 0; row < subgroup_num_rows; row++)
		append(text, "long r%zu = 0;\n", row);
	append(text, "%s {\n",
	       flow == LOOP   ? "for (uint j = 0; j < l % 4; j++)"
	       : flow == SOME ? "if (l % 3 != 1)"
			      : "");
	for (size_t row = 0; row < subgroup_num_rows; row++) {
		if (is_tested(&subgroup_rows[row], type, flow))
			append(text, "r%zu = r%zu * 31 + convert_long_sat(%s);\n", row, row,
			       subgroup_rows[row].call);
	}
	append(text, "}\n");
	for (size_t row = 0; row < subgroup_num_rows; row++) {
		if (is_tested(&subgroup_rows[row], type, flow))
			append(text, "r[%zu * n + i] = r%zu;\n", row, row);
	}
	append(text, "}\n");
}

struct data {
	size_t size; /* work-items, those that groups lack included */
	int64_t *a, *r;
	uint32_t *b;
};

static struct data make_data(const struct runner_range *range)
{
	struct data data = {enqueued_items(range) * number_of_groups(range), NULL, NULL, NULL};

	data.a = malloc(data.size * sizeof(*data.a));
	data.b = malloc(data.size * sizeof(*data.b));
	data.r = malloc(data.size * subgroup_num_rows * sizeof(*data.r));
	assert_true(data.a && data.b && data.r);
	for (size_t i = 0; i < data.size; i++) {
		data.a[i] = (int64_t)(i * 7919 % 101);
		data.b[i] = (uint32_t)i * 2654435761u >> 27;
	}
	for (size_t i = 0; i < data.size * subgroup_num_rows; i++)
		data.r[i] = UNTOUCHED;
	return data;
}

static void free_data(struct data *data)
{
	free(data->a);
	free(data->b);
	free(data->r);
}

static void check_lane(const struct subgroup_row *row, const struct subgroup_lanes *all,
		       enum flow flow, size_t first, unsigned lane, int64_t found)
{
	struct subgroup_lanes lanes = *all;
	uint64_t expected = 0;

	for (unsigned round = 0; round < rounds_of(flow, first + lane); round++) {
		int64_t value;
		lanes.active = 0;
		for (unsigned other = 0; other < lanes.size; other++) {
			if ((all->active >> other & 1) && rounds_of(flow, first + other) > round)
				lanes.active |= UINT32_C(1) << other;
		}
		if (!subgroup_expect(row, &lanes, lane, &value))
			return;
		expected = expected * 31 + (uint64_t)value;
	}
	if (found != (int64_t)expected)
		fail_msg("%s of %s, %s: sub-group of %u from item %zu, lane %u: %lld, not %lld",
			 row->call, all->type->name, flow_names[flow], all->size, first, lane,
			 (long long)found, (long long)expected);
}

static void check_group(const struct data *data, const struct subgroup_type *type, enum flow flow,
			struct group group, unsigned size)
{
	for (size_t first = 0; first < group.items; first += size) {
		struct subgroup_lanes lanes = {.type = type, .size = size};
		for (unsigned lane = 0; lane < size && first + lane < group.items; lane++) {
			lanes.active |= UINT32_C(1) << lane;
			lanes.x[lane] = data->a[group.base + first + lane];
			lanes.k[lane] = data->b[group.base + first + lane];
		}
		for (size_t row = 0; row < subgroup_num_rows; row++) {
			const struct subgroup_row *test = &subgroup_rows[row];
			for (unsigned lane = 0; lane < size && lanes.active >> lane; lane++) {
				size_t place = row * data->size + group.base + first + lane;
				if (!is_tested(test, type, flow))
					assert_int_equal(data->r[place], UNTOUCHED);
				else
					check_lane(test, &lanes, flow, first, lane, data->r[place]);
			}
		}
	}
}

static void check_type(const struct runner *runner, const struct subgroup_type *type,
		       enum flow flow, const struct runner_range *range, enum runner_way way)
{
	struct data data = make_data(range);
	const uint32_t n = (uint32_t)data.size;
	const struct runner_arg args[] = {RUNNER_MEMORY(data.a), RUNNER_MEMORY(data.b),
					  RUNNER_MEMORY(data.r), RUNNER_VALUE(n)};

	runner_launch(runner, flow_names[flow], range, args, 4, way);
	for (size_t g = 0; g < number_of_groups(range); g++)
		check_group(&data, type, flow, group_at(range, g),
			    runner_kernel(runner, flow_names[flow])->vector_width);
	free_data(&data);
}

/* Every `step`th of the types, by turns; `first` keeps widths apart. */
static void check_types(unsigned width, const char *options, size_t first, size_t step)
{
	char *source = malloc(1 << 18);

	assert_non_null(source);
	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		char *end = source;
		if (!test_has_turn(t + first, step))
			continue;
		append(&end, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef %s T;\n",
		       types[t].name);
		for (unsigned n = 2; n <= 16; n = n == 2 ? 3 : n == 3 ? 4 : 2 * n)
			append(&end, "typedef %s%u T%u;\n", types[t].name, n, n);
		for (int flow = 0; flow < NUM_FLOWS; flow++)
			print_kernel(&end, &types[t], (enum flow)flow);
		struct runner *runner = build_at(source, options, width);
		for (size_t i = 0; i < NUM_RANGES * NUM_FLOWS; i++)
			check_type(runner, &types[t], (enum flow)(i % NUM_FLOWS),
				   &ranges[i / NUM_FLOWS], (enum runner_way)(i % 3));
		if (width)
			assert_int_equal(runner_kernel(runner, flow_names[0])->vector_width, width);
		runner_close_devices();
		runner_destroy(runner);
	}
	free(source);
}

/* Half of the types; a third with LLVM's optimisations, at one width: what widens is the same without. The widest takes longest. */
static void test_width_1(void **state)
{
	(void)state;
	check_types(1, UNOPTIMISED, 0, 2);
}

static void test_width_4(void **state)
{
	(void)state;
	check_types(4, UNOPTIMISED, 1, 2);
}

static void test_width_8(void **state)
{
	(void)state;
	check_types(8, UNOPTIMISED, 0, 2);
}

static void test_width_16(void **state)
{
	(void)state;
	check_types(16, OPTIMISED, 0, 3);
	check_types(16, UNOPTIMISED, 1, 2);
}

static void test_width_32(void **state)
{
	(void)state;
	check_types(32, UNOPTIMISED, 1, 3);
}

/* ---- queries, votes and ballots ----------------------------------------------------------------- */

#define FIELDS 28

static const char query_source[] =
	"kernel void queries(global const uint *b, global uint *r) {\n" PLACE
	"  uint k = b[i]; global uint *o = r + i * 28;\n"
	"  uint4 v = sub_group_ballot(l % 3 != 1), w = (uint4)(0xa5c3966bu, ~0u, ~0u, ~0u);\n"
	"  o[0] = get_sub_group_size(); o[1] = get_max_sub_group_size();\n"
	"  o[2] = get_num_sub_groups(); o[3] = get_enqueued_num_sub_groups();\n"
	"  o[4] = get_sub_group_id(); o[5] = get_sub_group_local_id();\n"
	"  o[6] = v.x; o[7] = v.y | v.z | v.w;\n"
	"  o[8] = sub_group_inverse_ballot(w); o[9] = sub_group_ballot_bit_extract(w, k);\n"
	"  o[10] = sub_group_ballot_bit_count(w); o[11] = sub_group_ballot_inclusive_scan(w);\n"
	"  o[12] = sub_group_ballot_exclusive_scan(w); o[13] = sub_group_ballot_find_lsb(w);\n"
	"  o[14] = sub_group_ballot_find_msb(w); o[15] = get_sub_group_eq_mask().x;\n"
	"  o[16] = get_sub_group_ge_mask().x; o[17] = get_sub_group_gt_mask().x;\n"
	"  o[18] = get_sub_group_le_mask().x; o[19] = get_sub_group_lt_mask().x;\n"
	"  o[20] = sub_group_elect(); o[21] = sub_group_all(l < 10); o[22] = sub_group_any(k == "
	"3);\n"
	"  if (k & 1) {\n"
	"    o[23] = sub_group_elect(); o[24] = sub_group_ballot(l % 3 != 1).x;\n"
	"    o[25] = sub_group_non_uniform_all(k < 20);\n"
	"    o[26] = sub_group_non_uniform_any(k > 28); o[27] = get_sub_group_id();\n"
	"  }\n"
	"}\n";

static unsigned ballot_of(const struct subgroup_lanes *lanes, size_t first, bool odd)
{
	unsigned ballot = 0;

	for (unsigned lane = 0; lane < lanes->size; lane++) {
		if ((lanes->active >> lane & 1) && (first + lane) % 3 != 1 &&
		    (!odd || (lanes->k[lane] & 1)))
			ballot |= 1u << lane;
	}
	return ballot;
}

static void expect_odd(const struct subgroup_lanes *lanes, size_t first, unsigned lane, unsigned *o)
{
	unsigned elected = 0;

	if (!(lanes->k[lane] & 1))
		return;
	while (!(lanes->k[elected] & 1))
		elected++;
	o[23] = lane == elected;
	o[24] = ballot_of(lanes, first, true);
	o[25] = 1;
	o[26] = 0;
	for (unsigned other = 0; other < lanes->size; other++) {
		if (!(lanes->active >> other & 1) || !(lanes->k[other] & 1))
			continue;
		o[25] &= lanes->k[other] < 20;
		o[26] |= lanes->k[other] > 28;
	}
	o[27] = (unsigned)(first / lanes->size);
}

static void expect_queries(const struct subgroup_lanes *lanes, size_t items, size_t enqueued,
			   size_t first, unsigned lane, unsigned *o)
{
	unsigned size = lanes->size, all = ~0u >> (32 - size), below = (1u << lane) - 1;
	unsigned w = 0xa5c3966bu & all, here = (unsigned)(items - first);

	o[0] = here < size ? here : size;
	o[1] = size;
	o[2] = (unsigned)((items + size - 1) / size);
	o[3] = (unsigned)((enqueued + size - 1) / size);
	o[4] = (unsigned)(first / size);
	o[5] = lane;
	o[6] = ballot_of(lanes, first, false);
	o[7] = 0;
	o[8] = 0xa5c3966bu >> lane & 1;
	o[9] = 0xa5c3966bu >> lanes->k[lane] & 1;
	o[10] = (unsigned)__builtin_popcount(w);
	o[11] = (unsigned)__builtin_popcount(w & (below << 1 | 1));
	o[12] = (unsigned)__builtin_popcount(w & below);
	o[13] = (unsigned)__builtin_ctz(w);
	o[14] = 31 - (unsigned)__builtin_clz(w);
	o[15] = 1u << lane;
	o[16] = all & ~below;
	o[17] = all & ~(below << 1 | 1);
	o[18] = below << 1 | 1;
	o[19] = below;
	o[20] = lane == 0;
	o[21] = first + o[0] <= 10;
	o[22] = 0;
	for (unsigned other = 0; other < size; other++)
		o[22] |= (lanes->active >> other & 1) && lanes->k[other] == 3;
	expect_odd(lanes, first, lane, o);
}

static void check_query_lane(const struct subgroup_lanes *lanes, struct group group,
			     size_t enqueued, size_t first, unsigned lane, const uint32_t *r)
{
	unsigned expected[FIELDS];

	memset(expected, 0x55, sizeof(expected));
	expect_queries(lanes, group.items, enqueued, first, lane, expected);
	for (size_t o = 0; o < FIELDS; o++) {
		if (r[o] != expected[o])
			fail_msg("query %zu: sub-group of %u from item %zu, lane %u: %#x, not %#x",
				 o, lanes->size, first, lane, r[o], expected[o]);
	}
}

static void check_query_group(const uint32_t *b, const uint32_t *r, struct group group,
			      size_t enqueued, unsigned size)
{
	for (size_t first = 0; first < group.items; first += size) {
		struct subgroup_lanes lanes = {.size = size};
		for (unsigned lane = 0; lane < size && first + lane < group.items; lane++) {
			lanes.active |= UINT32_C(1) << lane;
			lanes.k[lane] = b[group.base + first + lane];
		}
		for (unsigned lane = 0; lane < size && lanes.active >> lane; lane++)
			check_query_lane(&lanes, group, enqueued, first, lane,
					 r + (group.base + first + lane) * FIELDS);
	}
}

static void check_queries(const struct runner *runner, const struct runner_range *range,
			  enum runner_way way)
{
	struct data data = make_data(range);
	uint32_t *r = malloc(data.size * FIELDS * sizeof(*r));
	const struct runner_arg args[] = {RUNNER_MEMORY(data.b), RUNNER_MEMORY(r)};

	assert_non_null(r);
	memset(r, 0x55, data.size * FIELDS * sizeof(*r));
	runner_launch(runner, "queries", range, args, 2, way);
	for (size_t g = 0; g < number_of_groups(range); g++)
		check_query_group(data.b, r, group_at(range, g), enqueued_items(range),
				  runner_kernel(runner, "queries")->vector_width);
	free(r);
	free_data(&data);
}

static void test_queries(void **state)
{
	(void)state;
	static const unsigned widths[] = {0, 1, 2, 4, 8, 16, 32};

	for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
		struct runner *runner = build_at(query_source, OPTIMISED, widths[w]);
		for (size_t i = 0; i < NUM_RANGES; i++)
			check_queries(runner, &ranges[i], (enum runner_way)(i % 3));
		runner_close_devices();
		runner_destroy(runner);
	}
}

/* ---- barriers ------------------------------------------------------------------------------------- */

/* Lanes hand their numbers on to their neighbours through local memory, and groups turn them round. */
static const char barrier_source[] =
	"kernel void ring(global const uint *b, global uint *r, uint n) {\n"
	"  local uint t[64];\n" PLACE
	"  uint lane = get_sub_group_local_id(), first = l - lane, size = get_sub_group_size();\n"
	"  uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
	"  uint v = b[i];\n"
	"  for (uint j = 0; j < n; j++) {\n"
	"    t[l] = v; sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    v = t[first + (lane + 1) % size] + lane;\n"
	"    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);\n"
	"    if (lane == 0) t[l] = j; sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    v += t[first]; barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    t[l] = v; barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    v = t[items - 1 - l] + sub_group_broadcast(v, 0) + get_sub_group_id();\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  }\n"
	"  r[i] = v;\n"
	"}\n";

static void expect_ring(uint32_t *v, unsigned items, unsigned width, unsigned rounds)
{
	uint32_t t[64];

	for (unsigned j = 0; j < rounds; j++) {
		memcpy(t, v, items * sizeof(*v));
		for (unsigned l = 0; l < items; l++) {
			unsigned lane = l % width, first = l - lane;
			unsigned size = items - first < width ? items - first : width;
			v[l] = t[first + (lane + 1) % size] + lane + j;
		}
		memcpy(t, v, items * sizeof(*v));
		for (unsigned l = 0; l < items; l++)
			v[l] = t[items - 1 - l] + t[l - l % width] + l / width;
	}
}

static void check_ring(const struct runner *runner, const struct runner_range *range)
{
	struct data data = make_data(range);
	const uint32_t n = 3;
	uint32_t *r = calloc(data.size, sizeof(*r));
	const struct runner_arg args[] = {RUNNER_MEMORY(data.b), RUNNER_MEMORY(r), RUNNER_VALUE(n)};

	assert_non_null(r);
	runner_launch(runner, "ring", range, args, 3, RUNNER_DIRECT);
	for (size_t g = 0; g < number_of_groups(range); g++) {
		struct group group = group_at(range, g);
		expect_ring(data.b + group.base, (unsigned)group.items,
			    runner_kernel(runner, "ring")->vector_width, n);
		assert_memory_equal(data.b + group.base, r + group.base, group.items * sizeof(*r));
	}
	free(r);
	free_data(&data);
}

static void test_barriers(void **state)
{
	(void)state;
	for (unsigned width = 1; width <= 32; width *= 2) {
		struct runner *runner = build_at(barrier_source, OPTIMISED, width);
		for (size_t i = 0; i < NUM_RANGES; i++)
			check_ring(runner, &ranges[i]);
		runner_destroy(runner);
	}
}

/* ---- required sizes, and kernels that cannot have them -------------------------------------------- */

static void test_required(void **state)
{
	(void)state;
	static const unsigned sizes[] = WEFT_SUBGROUP_SIZES;
	char source[4096];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(source, sizeof(source),
			 "__attribute__((intel_reqd_sub_group_size(%u))) %s", sizes[i],
			 query_source);
		/* Whatever the environment says. */
		struct runner *runner = build_at(source, OPTIMISED, i % 2);
		const struct weft_kernel_desc *desc = runner_kernel(runner, "queries");
		assert_int_equal(desc->vector_width, sizes[i]);
		assert_int_equal(desc->reqd_subgroup_size, sizes[i]);
		assert_non_null(strstr(desc->attributes, "intel_reqd_sub_group_size("));
		for (size_t r = 0; r < NUM_RANGES; r++)
			check_queries(runner, &ranges[r], RUNNER_DIRECT);
		runner_destroy(runner);
	}
}

static const char large_source[] =
	"kernel void large(global const uint *b, global uint *r) {\n" PLACE "  uint t[12000];\n"
	"  for (uint j = 0; j < 12000; j++) t[j] = j * b[i];\n"
	"  r[i] = sub_group_reduce_add(t[b[i]]) + 1000000 * get_max_sub_group_size();\n"
	"}\n";

/* All lanes' private variables together are more than a stack: each work-item is a sub-group. */
static void test_not_widened(void **state)
{
	(void)state;
	struct runner *runner = build_at(large_source, OPTIMISED, 16);
	struct data data = make_data(&ranges[2]);
	uint32_t r[128];
	const struct runner_arg args[] = {RUNNER_MEMORY(data.b), RUNNER_MEMORY(r)};

	assert_int_equal(runner_kernel(runner, "large")->vector_width, 1);
	runner_launch(runner, "large", &ranges[2], args, 2, RUNNER_DIRECT);
	for (size_t i = 0; i < 128; i++)
		assert_int_equal(r[i], data.b[i] * data.b[i] + 1000000);
	free_data(&data);
	runner_destroy(runner);
}

static void check_error(const char *attribute, const char *kernel, const char *expected)
{
	char source[4096];
	const struct runner_target target = {OPTIMISED, NULL, 0, NULL, false};
	char *log;

	snprintf(source, sizeof(source), "__attribute__((%s)) %s", attribute, kernel);
	assert_null(runner_try_build(source, &target, &log));
	if (!strstr(log, expected))
		fail_msg("the log is: %s", log);
	free(log);
}

static void test_required_in_vain(void **state)
{
	(void)state;
	check_error(
		"intel_reqd_sub_group_size(7)", query_source,
		"kernel 'queries' requires sub-groups of 7; there are sub-groups of 4, 8, 16, 32");
	check_error("intel_reqd_sub_group_size(16)", large_source,
		    "kernel 'large' requires sub-groups of 16, but");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queries),          cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_required),         cmocka_unit_test(test_not_widened),
		cmocka_unit_test(test_required_in_vain), cmocka_unit_test(test_width_1),
		cmocka_unit_test(test_width_4),          cmocka_unit_test(test_width_8),
		cmocka_unit_test(test_width_16),         cmocka_unit_test(test_width_32),

	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
