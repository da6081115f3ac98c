/* SPDX-License-Identifier: MIT
 *
 * widen_shapes.cl at every vector width, directly and on both drivers, bit for bit what the same source gives
 * as plain C; buffers end or begin at a page that nothing may touch. And the order in which lanes print.
 * usage: kernels_widen [all | counting | spirv]
 */
#include "captured.h"
#include "guarded.h"
#include "kernel_runner.h"
#include "turns.h"
#include "widen_shapes.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct variant {
	const char *name;
	struct runner_target target;
	unsigned ways;  /* bits of enum runner_way */
	unsigned parts; /* of widen_shapes.cl: SHAPES_WANTED */
	unsigned turns; /* it runs in one of so many (turns.h) */
};

#define OPTIONS "-cl-std=CL3.0 -w"

#define HERE (1 << RUNNER_DIRECT)
#define CPUS (HERE | 1 << RUNNER_BASIC | 1 << RUNNER_PTHREAD)

#define UNOPTIMISED OPTIONS " -cl-opt-disable"

#define ALL 63 /* parts */

/* With LLVM's optimisations: every shape at the compiler's own width here, and at one or two more widths or kinds of CPU, which take
 * turns. Without, which takes a sixth of the time: every shape at every width. But for the compiler's own, a run has half of them, by
 * turns. By hand, `all`: every shape in all of them. */
static const struct variant variants[] = {
	{"the compiler's width", {OPTIONS, NULL, 0, NULL, false}, CPUS, ALL, 1},
	{"width 1", {OPTIONS, NULL, 1, NULL, false}, CPUS, 1 | 16, 2},
	{"width 4", {OPTIONS, NULL, 4, NULL, false}, CPUS, 8, 2},
	{"slow gathers, width 8", {OPTIONS, NULL, 8, NULL, true}, CPUS, 2, 2},
	{"x86-64-v3", {OPTIONS, "x86-64-v3", 0, NULL, false}, CPUS, 1, 2},
	{"x86-64-v2, width 2", {OPTIONS, "x86-64-v2", 2, NULL, false}, CPUS, 4 | 16, 2},
	{"unoptimised", {UNOPTIMISED, NULL, 0, NULL, false}, CPUS, ALL, 1},
	{"unoptimised, width 1", {UNOPTIMISED, NULL, 1, NULL, false}, HERE, ALL, 2},
	{"unoptimised, width 2", {UNOPTIMISED, NULL, 2, NULL, false}, HERE, ALL, 2},
	{"unoptimised, width 4", {UNOPTIMISED, NULL, 4, NULL, false}, HERE, ALL, 2},
	{"unoptimised, width 8", {UNOPTIMISED, NULL, 8, NULL, false}, HERE, ALL, 2},
	{"unoptimised, width 16", {UNOPTIMISED, NULL, 16, NULL, false}, HERE, ALL, 2},
	{"unoptimised, x86-64-v2, width 8",
	 {UNOPTIMISED, "x86-64-v2", 8, NULL, false},
	 HERE,
	 ALL,
	 2},
	{"unoptimised, slow gathers", {UNOPTIMISED, NULL, 0, NULL, true}, HERE, ALL, 2},
};

/* With `counting` as an argument: kernels that count cycles, on an accelerator, too. Without LLVM's optimisations at
 * several widths and for several CPUs, they must count the same. */
static const struct variant counting[] = {
	{"counting", {OPTIONS, NULL, 0, &runner_costs, false}, HERE | 1 << RUNNER_ACCEL, 1 | 8, 2},
	{"counting, unoptimised, width 1",
	 {UNOPTIMISED, NULL, 1, &runner_costs, false},
	 HERE,
	 ALL,
	 1},
	{"counting, unoptimised", {UNOPTIMISED, NULL, 0, &runner_costs, false}, HERE, ALL, 2},
	{"counting, unoptimised, x86-64-v2",
	 {UNOPTIMISED, "x86-64-v2", 0, &runner_costs, false},
	 HERE,
	 ALL,
	 2},
	{"reporting accesses",
	 {UNOPTIMISED, NULL, 0, &runner_reporting_costs, false},
	 HERE,
	 ALL,
	 2},
};

/* With `spirv`: by SPIR-V. By hand, all the others, too: WEFT_TEST_SPIRV=1 kernels_widen all. */
static const struct variant by_spirv = {
	"by SPIR-V, unoptimised", {UNOPTIMISED, NULL, 0, NULL, false}, HERE, ALL, 1};

/* n is what the kernels are told: the work-items, but for OVER. */
struct setting {
	unsigned dims;
	struct runner_range range;
	int32_t n;
};

static const struct setting settings[] = {
	{1, {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}}, 1},
	{1, {{10, 1, 1}, {1, 1, 1}, {0, 0, 0}}, 10},
	{1, {{50, 1, 1}, {3, 1, 1}, {0, 0, 0}}, 50},
	{1, {{616, 1, 1}, {8, 1, 1}, {0, 0, 0}}, 616},
	{1, {{100, 1, 1}, {17, 1, 1}, {0, 0, 0}}, 100},
	{1, {{128, 1, 1}, {64, 1, 1}, {0, 0, 0}}, 128},
	{1, {{300, 1, 1}, {256, 1, 1}, {0, 0, 0}}, 300},
	{2, {{16, 24, 1}, {8, 8, 1}, {0, 0, 0}}, 384},
	{2, {{19, 13, 1}, {8, 8, 1}, {0, 0, 0}}, 247},
	{2, {{40, 3, 1}, {20, 1, 1}, {0, 0, 0}}, 120},
	{2, {{2, 31, 1}, {1, 16, 1}, {0, 0, 0}}, 62},
	{2, {{16, 9, 1}, {8, 3, 1}, {0, 0, 0}}, 144},
	{2, {{20, 12, 1}, {4, 4, 1}, {0, 0, 0}}, 240},
	{2, {{73, 7, 1}, {5, 2, 1}, {0, 0, 0}}, 511},
	{2, {{35, 9, 1}, {1, 1, 1}, {0, 0, 0}}, 315},
	{2, {{35, 22, 1}, {16, 10, 1}, {0, 0, 0}}, 770},
	{3, {{11, 6, 4}, {5, 3, 2}, {0, 0, 0}}, 264},
	{3, {{4, 4, 8}, {2, 2, 4}, {0, 0, 0}}, 128},
	{2, {{70, 9, 1}, {32, 4, 1}, {0, 0, 0}}, 630},
	{2, {{64, 8, 1}, {32, 8, 1}, {0, 0, 0}}, 512},
	{2, {{32, 10, 1}, {16, 5, 1}, {0, 0, 0}}, 320},
	{2, {{24, 8, 1}, {8, 4, 1}, {0, 0, 0}}, 192},
	{2, {{96, 3, 1}, {48, 3, 1}, {0, 0, 0}}, 288},
	{3, {{64, 4, 4}, {32, 4, 2}, {0, 0, 0}}, 1024},
	/* Several tiles (item_tiles.h): along y, and along x where they are narrow. */
	{2, {{3, 130, 1}, {1, 2, 1}, {0, 0, 0}}, 390},
	{2, {{9, 256, 1}, {9, 16, 1}, {0, 0, 0}}, 2304},
};

#define NUM_SETTINGS (sizeof(settings) / sizeof(settings[0]))

enum buffer { A, F, BIG, IDX, BYTES, OUT, FOUT, BOUT, NUM_BUFFERS };

/* Bytes per element of n. */
static const size_t buffer_sizes[NUM_BUFFERS] = {4, 4, 16, 4, 3, 16, 4, 1};

struct memory {
	struct guarded buffers[NUM_BUFFERS];
	int32_t n;
};

static void fill(struct memory *memory)
{
	int32_t n = memory->n;
	int32_t *a = (int32_t *)(void *)memory->buffers[A].bytes;
	float *f = (float *)(void *)memory->buffers[F].bytes;
	int32_t *big = (int32_t *)(void *)memory->buffers[BIG].bytes;
	uint32_t *idx = (uint32_t *)(void *)memory->buffers[IDX].bytes;
	uint32_t state = 12345;

	for (int32_t i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		a[i] = (int32_t)(state >> 16) % 4001 - 2000;
		f[i] = (float)((int32_t)(state >> 12) % 1001 - 500) / 16.0f;
		if (state >> 28 == 3)
			f[i] = state & 1 << 20 ? NAN : INFINITY;
		uint32_t other = (state >> 8) % ((uint32_t)i + 1);
		idx[i] = idx[other];
		idx[other] = (uint32_t)i;
	}
	for (int32_t i = 0; i < 4 * n; i++) {
		state = state * 1664525 + 1013904223;
		big[i] = (int32_t)(state >> 12) % 60001 - 30000;
	}
	for (size_t b = BYTES; b < NUM_BUFFERS; b++) {
		for (size_t i = 0; i < buffer_sizes[b] * (size_t)n; i++)
			memory->buffers[b].bytes[i] = b == FOUT ? 0 : (unsigned char)(i * 37 + b);
	}
}

/* Filled anew, and until the next call for another n. */
static struct memory *memory_for(int32_t n, bool at_end)
{
	static struct memory memories[2];
	struct memory *memory = &memories[at_end];

	if (memory->n != n) {
		for (size_t b = 0; b < NUM_BUFFERS; b++) {
			if (memory->n != 0)
				guarded_free(&memory->buffers[b]);
			memory->buffers[b] = guarded_new(buffer_sizes[b] * (size_t)n, at_end);
		}
		memory->n = n;
	}
	fill(memory);
	return memory;
}

static void run_plain(const struct widen_shape *shape, const struct setting *setting,
		      struct memory *memory)
{
	unsigned char *bytes[NUM_BUFFERS];

	for (size_t b = 0; b < NUM_BUFFERS; b++)
		bytes[b] = memory->buffers[b].bytes;
	const struct shape_buffers buffers = {
		(void *)bytes[A],    (void *)bytes[F],    (void *)bytes[BIG],
		(void *)bytes[IDX],  bytes[BYTES],        (void *)bytes[OUT],
		(void *)bytes[FOUT], (void *)bytes[BOUT], memory->n,
	};
	reference_run(shape, &setting->range, &buffers);
}

static void run_weft(const struct runner *runner, const struct widen_shape *shape,
		     const struct setting *setting, struct memory *memory, enum runner_way way)
{
	const size_t *local = setting->range.local;
	struct runner_arg args[NUM_BUFFERS + 2];

	for (size_t b = 0; b < NUM_BUFFERS; b++)
		args[b] = (struct runner_arg)RUNNER_BUFFER(memory->buffers[b].bytes,
							   buffer_sizes[b] * (size_t)memory->n);
	args[NUM_BUFFERS] = (struct runner_arg)RUNNER_LOCAL(local[0] * local[1] * local[2] * 8);
	args[NUM_BUFFERS + 1] = (struct runner_arg)RUNNER_VALUE(memory->n);
	runner_launch(runner, shape->name, &setting->range, args, NUM_BUFFERS + 2, way);
}

#define MOST_SECONDS 10 /* of processor time, which no kernel here comes near */

/* What runs, should it end the process. */
static char now[256];

static void die(int signal)
{
	ssize_t ignored = write(STDERR_FILENO, now, strlen(now));

	(void)ignored;
	_exit(128 + signal);
}

/* The expected bytes are all buffers', one after the other. */
static void compare(const unsigned char *expected, const struct memory *actual)
{
	const unsigned char *x = expected;

	for (size_t b = 0; b < NUM_BUFFERS; b++) {
		const unsigned char *y = actual->buffers[b].bytes;
		size_t size = buffer_sizes[b] * (size_t)actual->n, step = b >= BOUT ? 1 : 4;
		for (size_t i = 0; i + step <= size; i += step) {
			float p = 0, q = 0;
			if (memcmp(x + i, y + i, step) == 0)
				continue;
			if (b == FOUT) {
				memcpy(&p, x + i, 4);
				memcpy(&q, y + i, 4);
			}
			if (isnan(p) && isnan(q))
				continue;
			fail_msg("%s: buffer %zu, byte %zu: %02x %02x…, not %02x %02x…", now, b, i,
				 y[i], i + 1 < size ? y[i + 1] : 0, x[i],
				 i + 1 < size ? x[i + 1] : 0);
		}
		x += size;
	}
}

static bool fits(const struct widen_shape *shape, const struct setting *setting)
{
	switch (shape->range) {
	case WHOLE:
	case OVER:
		return setting->dims == 1;
	case PLANE:
		return setting->dims == 2;
	case ANY:
		break;
	}
	return true;
}

/* Among all shapes with all settings. */
static size_t place_of(const struct widen_shape *shape, const struct setting *setting)
{
	return (size_t)(shape - widen_shapes) * NUM_SETTINGS + (size_t)(setting - settings);
}

/* The first of the unoptimised ones says what the others must count. */
static void check_cycles(const struct variant *variant, const struct widen_shape *shape,
			 const struct setting *setting)
{
	static uint64_t expected[NUM_SHAPES * NUM_SETTINGS];
	const size_t index = place_of(shape, setting);

	if (!variant->target.costs || variant == &counting[0] ||
	    variant->target.costs->global_access == 0)
		return;
	assert_int_not_equal(runner_cycles(), 0);
	if (variant == &counting[1])
		expected[index] = runner_cycles();
	else if (runner_cycles() != expected[index])
		fail_msg("%s: other cycles", now);
}

/* What plain C leaves, for compare(). Made once, as all variants are to leave the same. */
static const unsigned char *expect(const struct widen_shape *shape, const struct setting *asked,
				   const struct setting *setting)
{
	static unsigned char *known[NUM_SHAPES * NUM_SETTINGS];
	unsigned char **expected = &known[place_of(shape, asked)];

	if (!*expected) {
		struct memory *memory = memory_for(setting->n, false);
		size_t used = 0;

		run_plain(shape, setting, memory);
		for (size_t b = 0; b < NUM_BUFFERS; b++)
			used += buffer_sizes[b] * (size_t)setting->n;
		*expected = malloc(used);
		assert_non_null(*expected);
		for (size_t b = NUM_BUFFERS; b-- > 0;) {
			const size_t size = buffer_sizes[b] * (size_t)setting->n;

			used -= size;
			memcpy(*expected + used, memory->buffers[b].bytes, size);
		}
	}
	return *expected;
}

static void check(const struct runner *runner, const struct variant *variant,
		  const struct widen_shape *shape, const struct setting *asked)
{
	struct setting setting = *asked;
	static const char *const ways[] = {"directly", "basic", "pthread", "accel"};
	const size_t *local = setting.range.local;

	if (shape->range == OVER) /* the last group is full, and one more has nothing to do */
		setting.range.global[0] =
			(setting.range.global[0] + 2 * local[0] - 1) / local[0] * local[0];
	const unsigned char *expected = expect(shape, asked, &setting);
	for (int way = RUNNER_DIRECT; way <= RUNNER_ACCEL; way++) {
		if (!(variant->ways >> way & 1))
			continue;
		struct memory *actual = memory_for(setting.n, way != RUNNER_BASIC);
		snprintf(now, sizeof(now), "%s, %s, %s, n %d, local %zu %zu %zu", shape->name,
			 variant->name, ways[way], setting.n, local[0], local[1], local[2]);
		runner_allow(MOST_SECONDS);
		run_weft(runner, shape, &setting, actual, (enum runner_way)way);
		runner_allow(0);
		compare(expected, actual);
		if (way == RUNNER_DIRECT)
			check_cycles(variant, shape, asked);
	}
}

/* `parts`: a literal. */
#define SHAPES(parts)                                                                              \
	"#define SHAPES_WANTED " parts "\n"                                                        \
	"#pragma OPENCL FP_CONTRACT OFF\n"                                                         \
	"#define LOCAL_ARRAY(type, name, size) local type name[size]\n"                            \
	"#define LOCAL_VARIABLE(type, name) local type name\n"                                     \
	"#include \"" WEFT_TEST_SHAPES "\"\n"

static struct runner *build(const char *source, const struct runner_target *target)
{
	char *log;
	struct runner *runner = runner_try_build(source, target, &log);

	if (!runner)
		fail_msg("build failed: %s", log);
	return runner;
}

static void every_shape(void **state)
{
	const struct variant *variant = *state;
	char source[1024];

	snprintf(source, sizeof(source), SHAPES("%u"), variant->parts);
	struct runner *runner = build(source, &variant->target);
	signal(SIGSEGV, die);
	signal(SIGILL, die);
	signal(SIGFPE, die);
	signal(SIGPROF, die);
	for (size_t s = 0; s < NUM_SETTINGS; s++) {
		for (size_t i = 0; i < NUM_SHAPES; i++) {
			if (fits(&widen_shapes[i], &settings[s]) &&
			    runner_has(runner, widen_shapes[i].name))
				check(runner, variant, &widen_shapes[i], &settings[s]);
		}
	}
	runner_close_devices();
	runner_destroy(runner);
}

/* Of the sizes that a shape is compiled for, each shape has every ninth, another ninth than the next shape. By hand, `all`. */
static size_t version_step = 9;

/* Runs each shape of a source that gains by its local size as it is compiled for that; how many ran. */
static unsigned check_versions(const char *source)
{
	static const struct variant variant = {
		"a version for its size", {OPTIONS, NULL, 0, NULL, false}, CPUS, ALL, 1};
	/* Settings whose groups are all whole. */
	static const size_t sizes[] = {3, 5, 7, 12, 17, 19, 20, 21, 22, 23};
	enum { NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };
	struct runner *runner = build(source, &variant.target);
	unsigned count = 0;

	for (size_t i = 0; i < NUM_SHAPES * NUM_SIZES; i++) {
		const size_t number = i / NUM_SIZES;
		const struct widen_shape *shape = &widen_shapes[number];
		const struct setting *setting = &settings[sizes[i % NUM_SIZES]];
		if ((number + i % NUM_SIZES) % version_step != 0)
			continue;
		struct runner *version = fits(shape, setting) ? runner_version(runner, shape->name,
									       setting->range.local)
							      : NULL;

		if (!version)
			continue;
		check(version, &variant, shape, setting);
		runner_destroy(version);
		count++;
	}
	runner_close_devices();
	runner_destroy(runner);
	return count;
}

/* In three sources, as a large one has no versions. */
static void every_version(void **state)
{
	(void)state;
	assert_true(check_versions(SHAPES("8")) > 0);
	assert_true(check_versions(SHAPES("16")) > 0);
	assert_true(check_versions(SHAPES("32")) > 0);
}

/* ---- printf ---------------------------------------------------------------------------------- */

static const char printing[] =
	"kernel void sparse(global const int *a) {\n"
	"  int i = get_global_id(0);\n"
	"  if (a[i] % 3 == 1) printf(\"%d %d %5.2f %s\\n\", i, a[i], (float)a[i] / 4, \"text\");\n"
	"}\n"
	"kernel void often(global const int *a) {\n"
	"  int i = get_global_id(0);\n"
	"  for (int k = 0; k < (a[i] & 3); k++) printf(\"%d.%d\\n\", i, k);\n"
	"  if (a[i] & 4) printf(\"%d.9\\n\", i);\n"
	"}\n";

/* What the kernel prints. The text is there until the next call. */
static const char *printed_by(const struct runner *runner, const char *name, const int32_t *a,
			      size_t items)
{
	static char *text;
	const struct runner_range range = {{items, 1, 1}, {items, 1, 1}, {0, 0, 0}};
	const struct runner_arg args[] = {RUNNER_MEMORY(a)};
	const struct capture output = capture_begin(STDOUT_FILENO);

	runner_launch(runner, name, &range, args, 1, RUNNER_DIRECT);
	fflush(stdout);
	free(text);
	text = capture_end(&output);
	return text;
}

enum { PRINTING = 40 };

/* One call: in the order of the work-items, for those that are active. */
static void check_sparse(const struct runner *runner, const int32_t *a)
{
	char expected[4096];
	size_t used = 0;

	for (int i = 0; i < PRINTING; i++) {
		if (a[i] % 3 == 1)
			used += (size_t)snprintf(expected + used, sizeof(expected) - used,
						 "%d %d %5.2f text\n", i, a[i], a[i] / 4.0);
	}
	assert_string_equal(printed_by(runner, "sparse", a, PRINTING), expected);
}

/* Several: each work-item's own lines are in order, and none is missing. */
static void check_often(const struct runner *runner, const int32_t *a)
{
	const char *text = printed_by(runner, "often", a, PRINTING);
	long next[PRINTING] = {0}, ended[PRINTING] = {0};

	while (*text) {
		char *end;
		long i = strtol(text, &end, 10);
		assert_true(*end == '.' && i >= 0 && i < PRINTING && !ended[i]);
		long k = strtol(end + 1, &end, 10);
		assert_int_equal(*end, '\n');
		text = end + 1;
		if (k == 9)
			ended[i] = 1;
		else
			assert_int_equal(k, next[i]++);
	}
	for (int i = 0; i < PRINTING; i++) {
		assert_int_equal(next[i], a[i] & 3);
		assert_int_equal(ended[i], a[i] >> 2 & 1);
	}
}

static void lanes_print_in_order(void **state)
{
	int32_t a[PRINTING];

	(void)state;
	for (int i = 0; i < PRINTING; i++)
		a[i] = i * 7919 % 101;
	for (size_t v = 0; v < sizeof(variants) / sizeof(variants[0]); v++) {
		struct runner *runner = build(printing, &variants[v].target);
		check_sparse(runner, a);
		check_often(runner, a);
		runner_destroy(runner);
	}
}

/* Adds tests of those that have their turn; returns how many there are then. */
static size_t add_tests(const struct variant *rows, size_t num_rows, struct CMUnitTest *tests)
{
	size_t count = 0;

	for (size_t i = 0; i < num_rows; i++)
		if (test_has_turn(i, rows[i].turns))
			tests[count++] = (struct CMUnitTest){rows[i].name, every_shape, NULL, NULL,
							     (void *)(uintptr_t)&rows[i]};
	return count;
}

enum {
	NUM_VARIANTS = sizeof(variants) / sizeof(variants[0]),
	NUM_COUNTING = sizeof(counting) / sizeof(counting[0])
};

int main(int argc, char **argv)
{
	static struct variant chosen[NUM_VARIANTS];
	struct CMUnitTest tests[NUM_VARIANTS + NUM_COUNTING + 2];
	size_t count = 0;

	if (argc > 1 && strcmp(argv[1], "counting") == 0) {
		count = add_tests(counting, NUM_COUNTING, tests);
		return _cmocka_run_group_tests("counting", tests, count, NULL, NULL);
	}
	if (argc > 1 && strcmp(argv[1], "spirv") == 0) {
		setenv("WEFT_TEST_SPIRV", "1", 1);
		count = add_tests(&by_spirv, 1, tests);
		return _cmocka_run_group_tests("by SPIR-V", tests, count, NULL, NULL);
	}
	memcpy(chosen, variants, sizeof(chosen));
	const bool all = argc > 1 && strcmp(argv[1], "all") == 0;
	if (all)
		version_step = 1;
	for (size_t i = 0; i < NUM_VARIANTS && all; i++) {
		chosen[i].parts = ALL;
		chosen[i].turns = 1;
	}
	count = add_tests(chosen, NUM_VARIANTS, tests);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(every_version);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(lanes_print_in_order);
	return _cmocka_run_group_tests("widen", tests, count, NULL, NULL);
}
