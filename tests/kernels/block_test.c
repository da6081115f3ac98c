/* SPDX-License-Identifier: MIT
 *
 * Blocks of cl_intel_subgroups and its kin: of every element and every size, in global and local memory and in images, at every width.
 */
#include "guarded.h"
#include "kernel_image.h"
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 64 /* of a group; whole sub-groups at every width */
#define GROUPS 2
#define MOST 16 /* elements of a work-item */

/* The functions with a suffix, their element, and the longest vector of it. */
static const struct element {
	const char *suffix, *type;
	unsigned bytes, most;
} elements[] = {
	{"", "uint", 4, 8},       {"_ui", "uint", 4, 8},  {"_uc", "uchar", 1, 16},
	{"_us", "ushort", 2, 16}, {"_ul", "ulong", 8, 8},
};
#define NUM_ELEMENTS (sizeof(elements) / sizeof(elements[0]))
static const unsigned sizes[] = {1, 2, 4, 8, 16};
static const char *const size_names[] = {"", "2", "4", "8", "16"};
#define NUM_SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* What a work-item reads is in `seen`, too. The first address is uniform, the others are not known to be. */
static const char memory_kernel[] =
	"kernel void memory%s%s(global const T *from, global T *seen, global T *to) {\n"
	"  local T t[64 * N];\n"
	"  uint size = get_max_sub_group_size(), lane = get_sub_group_local_id();\n"
	"  size_t group = get_group_id(0) * 64 * N, first = get_local_id(0) / size * size * N;\n"
	"  V v = READ(from + group + get_sub_group_id() * size * N);\n"
	"  PUT(v, get_global_id(0), seen);\n"
	"  WRITE(t + first, v * (T)3 + (T)lane);\n"
	"  sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  WRITE(to + group + first, READ((local const T *)t + first));\n"
	"}\n";

/* Odd sizes of the table are of images that are read and written. */
static const char image_kernel[] =
	"kernel void image%s%s(QUALIFIER0 image2d_t from, QUALIFIER1 image2d_t to, int4 place, "
	"global T *seen) {\n"
	"  V v = READ(from, place.xy);\n"
	"  PUT(v, get_local_id(0), seen);\n"
	"  WRITE(to, place.zw, v + (T)get_local_id(0));\n"
	"}\n";

static void append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char **text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*text += vsprintf(*text, format, arguments);
	va_end(arguments);
}

static void print_kernels(char **text, const struct element *element, size_t size)
{
	unsigned n = sizes[size];
	const char *digits = size_names[size];

	append(text, "#define T %s\n#define N %u\n#define V %s%s\n", element->type, n,
	       element->type, digits);
	append(text, "#define READ intel_sub_group_block_read%s%s\n", element->suffix, digits);
	append(text, "#define WRITE intel_sub_group_block_write%s%s\n", element->suffix, digits);
	append(text, n > 1 ? "#define PUT vstore%u\n" : "#define PUT(v, i, p) p[i] = v\n", n);
	append(text, "#define QUALIFIER0 %s\n#define QUALIFIER1 %s\n",
	       size % 2 ? "read_write" : "read_only", size % 2 ? "read_write" : "write_only");
	append(text, memory_kernel, element->suffix, digits);
	append(text, image_kernel, element->suffix, digits);
	append(text, "#undef T\n#undef N\n#undef V\n#undef READ\n#undef WRITE\n#undef PUT\n"
		     "#undef QUALIFIER0\n#undef QUALIFIER1\n");
}

static uint64_t element_at(const void *memory, size_t place, unsigned bytes)
{
	uint64_t value = 0;

	memcpy(&value, (const unsigned char *)memory + place * bytes, bytes);
	return value;
}

static uint64_t cut(uint64_t value, unsigned bytes)
{
	return value & (~UINT64_C(0) >> (64 - 8 * bytes));
}

static void fill(unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(i * 167 >> 3 ^ i);
}

/* ---- memory ---------------------------------------------------------------------------------------- */

struct kernel_case {
	const struct runner *runner;
	const struct element *element;
	unsigned n, width;
	const char *digits;
	char name[32];
};

static void name_kernel(struct kernel_case *test, const char *prefix)
{
	snprintf(test->name, sizeof(test->name), "%s%s%s", prefix, test->element->suffix,
		 test->digits);
}

static void check_memory(const struct kernel_case *test)
{
	static unsigned char from[GROUPS * ITEMS * MOST * 8], seen[sizeof(from)], to[sizeof(from)];
	const struct runner_arg args[] = {RUNNER_MEMORY(from), RUNNER_MEMORY(seen),
					  RUNNER_MEMORY(to)};
	const size_t global[3] = {GROUPS * ITEMS, 1, 1}, local[3] = {ITEMS, 1, 1};
	unsigned bytes = test->element->bytes, n = test->n, width = test->width;

	fill(from, sizeof(from));
	runner_run(test->runner, test->name, global, local, args, 3);
	for (size_t i = 0; i < GROUPS * ITEMS; i++) {
		size_t lane = i % width;
		for (size_t c = 0; c < n; c++) {
			size_t place = (i - lane) * n + c * width + lane;
			uint64_t read = element_at(from, place, bytes);
			uint64_t written = cut(read * 3 + lane, bytes);
			if (element_at(seen, i * n + c, bytes) != read ||
			    element_at(to, place, bytes) != written)
				fail_msg("%s at width %u: item %zu, component %zu", test->name,
					 width, i, c);
		}
	}
}

/* ---- images ---------------------------------------------------------------------------------------- */

#define IMAGES 3
#define SPARE 96 /* bytes behind each row */

static const struct shape {
	unsigned texel, width, height;
} shapes[IMAGES] = {{4, 150, 9}, {1, 301, 20}, {2, 1, 2}};

struct picture {
	struct weft_image view;
	struct guarded memory;
	size_t size, row; /* bytes, and those of a row's texels */
};

/* Its last row is at the end of the memory, or its first one at the beginning. */
static struct picture new_picture(const struct shape *shape, bool at_end)
{
	struct picture picture = {.row = (size_t)shape->texel * shape->width};
	size_t pitch = picture.row + SPARE;

	picture.size = pitch * (shape->height - 1) + picture.row;
	picture.memory = guarded_new(picture.size, at_end);
	fill(picture.memory.bytes, picture.size);
	picture.view = (struct weft_image){.data = picture.memory.bytes,
					   .format = weft_image_format(WEFT_IMAGE_ORDER_BASE,
								       WEFT_IMAGE_TYPE_BASE,
								       shape->texel, 1),
					   .width = shape->width,
					   .height = shape->height,
					   .depth = 1,
					   .layers = 1,
					   .row_pitch = pitch,
					   .slice_pitch = pitch * shape->height};
	return picture;
}

/* Bytes from x on in a row; behind its edges those of the last texel of four bytes, or of the last four bytes. */
static uint64_t read_row(const struct picture *picture, int64_t x, int64_t y, unsigned bytes)
{
	int64_t row = (int64_t)picture->row, last = (int64_t)picture->view.height - 1;
	const unsigned char *at = picture->memory.bytes;

	at += (y < 0 ? 0 : y > last ? last : y) * (int64_t)picture->view.row_pitch;
	if (x >= 0 && x + bytes <= row)
		return element_at(at + x, 0, bytes);
	if (row < bytes)
		return 0;
	int64_t within = (x & 3) / bytes * bytes;
	if (x < 0)
		return element_at(at + (within < row - bytes ? within : row - bytes), 0, bytes);
	x = (row > 4 ? row - 4 : 0) + within;
	return element_at(at + (x < row - bytes ? x : row - bytes), 0, bytes);
}

static uint64_t read_element(const struct picture *picture, int64_t x, int64_t y, unsigned bytes)
{
	if (bytes < 8 || (x >= 0 && x + 8 <= (int64_t)picture->row))
		return read_row(picture, x, y, bytes);
	return read_row(picture, x, y, 4) | read_row(picture, x + 4, y, 4) << 32;
}

/* The parts of an element that are written on their own. */
static void write_element(const struct picture *picture, unsigned char *expected, int64_t x,
			  int64_t y, uint64_t value, unsigned bytes)
{
	unsigned part = bytes < 4 ? bytes : 4;

	if (y < 0 || y >= picture->view.height)
		return;
	for (unsigned done = 0; done < bytes; done += part, x += part, value >>= 32) {
		if (x >= 0 && x + part <= (int64_t)picture->row)
			memcpy(expected + y * (int64_t)picture->view.row_pitch + x, &value, part);
	}
}

static void check_image(const struct kernel_case *test, const struct shape *shape,
			const int32_t place[4], bool at_end)
{
	struct picture from = new_picture(shape, at_end), to = new_picture(shape, !at_end);
	unsigned char seen[32 * MOST * 8], *expected = malloc(to.size);
	unsigned bytes = test->element->bytes, n = test->n, width = test->width;
	const size_t items[3] = {width, 1, 1};
	const struct runner_arg args[] = {RUNNER_VALUE(from.view),
					  RUNNER_VALUE(to.view),
					  {place, 4 * sizeof(*place)},
					  RUNNER_MEMORY(seen)};

	assert_non_null(expected);
	memcpy(expected, to.memory.bytes, to.size);
	runner_run(test->runner, test->name, items, items, args, 4);
	for (unsigned lane = 0; lane < width; lane++) {
		for (unsigned c = 0; c < n; c++) {
			int64_t step = (int64_t)lane * bytes;
			uint64_t read =
				read_element(&from, place[0] + step, (int64_t)place[1] + c, bytes);
			if (element_at(seen, lane * n + c, bytes) != read)
				fail_msg("%s at width %u, at (%d, %d): lane %u, component %u",
					 test->name, width, place[0], place[1], lane, c);
			write_element(&to, expected, place[2] + step, (int64_t)place[3] + c,
				      cut(read + lane, bytes), bytes);
		}
	}
	if (memcmp(expected, to.memory.bytes, to.size) != 0)
		fail_msg("%s at width %u writes otherwise at (%d, %d)", test->name, width, place[2],
			 place[3]);
	free(expected);
	guarded_free(&from.memory);
	guarded_free(&to.memory);
}

/* In the middle, across each edge, and far outside. */
static void check_images(const struct kernel_case *test)
{
	for (size_t i = 0; i < IMAGES; i++) {
		const int32_t w = (int32_t)(shapes[i].texel * shapes[i].width);
		const int32_t h = (int32_t)shapes[i].height;
		const int32_t places[][4] = {
			{0, 0, 4, 1},
			{13, 1, 0, h - 2},
			{-8, -1, -12, -2},
			{(w & ~3) - 8, h - 3, (w & ~3) - 12, h - 1},
			{INT32_MIN, INT32_MAX, INT32_MAX & ~3, INT32_MIN},
		};
		for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
			check_image(test, &shapes[i], places[p], p % 2);
	}
}

/* ---- all --------------------------------------------------------------------------------------------- */

/* At width 16 all sizes, at others an element's shortest and longest. */
static bool is_tested(const struct element *element, size_t size, unsigned width)
{
	return sizes[size] == 1 || sizes[size] == element->most ||
	       (width == 16 && sizes[size] < element->most);
}

static struct runner *build(unsigned width)
{
	const struct runner_target target = {"-cl-std=CL3.0 -cl-opt-disable", NULL, width, NULL,
					     false};
	char *source = malloc(1 << 17), *end = source, *log;

	assert_non_null(source);
	for (size_t e = 0; e < NUM_ELEMENTS; e++) {
		for (size_t s = 0; s < NUM_SIZES; s++) {
			if (is_tested(&elements[e], s, width))
				print_kernels(&end, &elements[e], s);
		}
	}
	struct runner *runner = runner_try_build(source, &target, &log);
	if (!runner)
		fail_msg("build failed: %s", log);
	free(source);
	return runner;
}

static void check_size(const struct runner *runner, const struct element *element, size_t size,
		       unsigned width)
{
	struct kernel_case test = {runner, element, sizes[size], width, size_names[size], ""};

	name_kernel(&test, "memory");
	assert_int_equal(runner_kernel(runner, test.name)->vector_width, width);
	check_memory(&test);
	name_kernel(&test, "image");
	check_images(&test);
}

static void check_width(unsigned width)
{
	struct runner *runner = build(width);

	for (size_t e = 0; e < NUM_ELEMENTS; e++) {
		for (size_t s = 0; s < NUM_SIZES; s++) {
			if (is_tested(&elements[e], s, width))
				check_size(runner, &elements[e], s, width);
		}
	}
	runner_destroy(runner);
}

static void test_width_1(void **state)
{
	(void)state;
	check_width(1);
}

static void test_width_4(void **state)
{
	(void)state;
	check_width(4);
}

static void test_width_8(void **state)
{
	(void)state;
	check_width(8);
}

static void test_width_16(void **state)
{
	(void)state;
	check_width(16);
}

static void test_width_32(void **state)
{
	(void)state;
	check_width(32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_width_1),  cmocka_unit_test(test_width_4),
		cmocka_unit_test(test_width_8),  cmocka_unit_test(test_width_16),
		cmocka_unit_test(test_width_32),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
