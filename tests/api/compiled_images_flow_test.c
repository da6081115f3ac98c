/* SPDX-License-Identifier: MIT
 *
 * Accesses of images in all kinds of control flow, with the real compiler: branches and loops that work-items take differently,
 * barriers, functions, sub-groups, work-items that are no whole vectors. The same as plain C gives. WEFT_VECTOR_WIDTH and
 * WEFT_DEVICES say what runs them.
 */
#include "compiled_fixture.h"

#include <stdio.h>

#define WIDTH 13
#define HEIGHT 7
#define GROUP 20
#define ITEMS 60 /* of no whole vectors */

/* All kernels have the same arguments. The image `a` has one channel of unsigned integers; `p` has a number for each item. */
static const char head[] =
	"#define ARGUMENTS read_only image2d_t a, sampler_t s, write_only image2d_t b, read_write "
	"image2d_t c,"
	" global uint *p, uint n\n"
	"constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
	"CLK_FILTER_NEAREST;\n"
	"#define ID uint i = get_global_id(0); int2 at = (int2)(i % 13, i / 13)\n";

/* What C computes of: item, and the texels of `a`, outside of which there are none (0). */
struct texels {
	uint32_t at[HEIGHT][WIDTH];
};

static uint32_t read_at(const struct texels *a, int x, int y)
{
	return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT ? a->at[y][x] : 0;
}

static uint32_t read_edge(const struct texels *a, int x, int y)
{
	x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
	y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
	return a->at[y][x];
}

/* ---- what each item stores in p --------------------------------------------------------------------- */

static uint32_t in_branches(const struct texels *a, uint32_t i)
{
	int x = (int)(i % WIDTH), y = (int)(i / WIDTH);

	return i % 3 == 0 ? 7 : i % 3 == 1 ? read_at(a, x - 1, y) : read_edge(a, x, 2 * y) * 3;
}

static uint32_t in_loops(const struct texels *a, uint32_t i)
{
	uint32_t sum = 0;

	for (uint32_t j = 0; j < i % 7; j++)
		sum = sum * 5 + read_edge(a, (int)(i * j % 17), (int)j);
	return sum;
}

static uint32_t uniform(const struct texels *a, uint32_t i)
{
	return read_at(a, 3, 2) + i * read_edge(a, 40, 5);
}

static uint32_t across_barriers(const struct texels *a, uint32_t i)
{
	uint32_t first = i / GROUP * GROUP, other = first + (i - first + 1) % GROUP;
	int x = (int)(i % WIDTH), y = (int)(i / WIDTH);

	return read_at(a, (int)(other % WIDTH), (int)(other / WIDTH)) * 9 + read_at(a, x, y + 1);
}

static uint32_t in_functions(const struct texels *a, uint32_t i)
{
	int x = (int)(i % WIDTH), y = (int)(i / WIDTH);

	return read_at(a, x, y) * 2 + read_at(a, x + 1, y) + read_edge(a, x + 2, y);
}

static uint32_t in_groups(const struct texels *a, uint32_t i)
{
	uint32_t first = i / GROUP * GROUP, sum = 0;

	for (uint32_t j = first; j < first + GROUP; j++)
		sum += read_at(a, (int)(j % WIDTH), (int)(j / WIDTH));
	return sum + read_at(a, 5, 5) + WIDTH * 100 + HEIGHT;
}

static uint32_t early(const struct texels *a, uint32_t i)
{
	return i < 31 ? read_at(a, (int)(i % WIDTH), (int)(i / WIDTH)) + 1 : i;
}

static uint32_t whole(const struct texels *a, uint32_t i)
{
	const uint32_t texel[4] = {read_at(a, (int)(i % WIDTH), (int)(i / WIDTH)), 0, 0, 1};

	return texel[i % 4] * 100 + texel[0] * 2 + texel[3];
}

struct row {
	const char *name, *source;
	uint32_t (*expected)(const struct texels *a, uint32_t i);
};

static const struct row rows[] = {
	{"branches",
	 "kernel void k(ARGUMENTS) { ID; uint v;"
	 " if (i % 3 == 0) v = 7;"
	 " else if (i % 3 == 1) v = read_imageui(a, s, at - (int2)(1, 0)).x;"
	 " else v = read_imageui(a, edge, at * (int2)(1, 2)).x * 3;"
	 " p[i] = v; }",
	 in_branches},
	{"loops",
	 "kernel void k(ARGUMENTS) { ID; uint sum = 0;"
	 " for (uint j = 0; j < i % 7; j++) sum = sum * 5 + read_imageui(a, edge, (int2)(i * j % "
	 "17, j)).x;"
	 " p[i] = sum; }",
	 in_loops},
	{"uniform",
	 "kernel void k(ARGUMENTS) { ID;"
	 " p[i] = read_imageui(a, s, (int2)(n, 2)).x + i * read_imageui(a, edge, (int2)(40, 5)).x; "
	 "}",
	 uniform},
	{"barriers",
	 "kernel void k(ARGUMENTS) { ID; local uint t[20]; uint l = get_local_id(0);"
	 " t[l] = read_imageui(a, s, at).x; uint below = read_imageui(a, s, at + (int2)(0, 1)).x;"
	 " barrier(CLK_LOCAL_MEM_FENCE);"
	 " p[i] = t[(l + 1) % 20] * 9 + below; }",
	 across_barriers},
	{"functions",
	 "__attribute__((noinline)) uint f(read_only image2d_t a, sampler_t s, int2 at) {"
	 " return read_imageui(a, s, at).x; }\n"
	 "uint g(read_only image2d_t a, int2 at) { const sampler_t here = "
	 "CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST; return f(a, here, "
	 "at); }\n"
	 "kernel void k(ARGUMENTS) { ID;"
	 " p[i] = f(a, s, at) * 2 + f(a, s, at + (int2)(1, 0)) + g(a, at + (int2)(2, 0)); }",
	 in_functions},
	{"groups",
	 "kernel void k(ARGUMENTS) { ID;"
	 " uint sum = work_group_reduce_add(read_imageui(a, s, at).x);"
	 " p[i] = sum + sub_group_reduce_max(read_imageui(a, s, (int2)(5, 5)).x) +"
	 " get_image_width(a) * 100 + get_image_dim(c).y; }",
	 in_groups},
	{"early",
	 "kernel void k(ARGUMENTS) { ID; p[i] = i; if (i >= 31) return; p[i] = read_imageui(a, s, "
	 "at).x + 1; }",
	 early},
	{"whole texels",
	 "kernel void k(ARGUMENTS) { ID; uint4 v = read_imageui(a, s, at);"
	 " p[i] = v[i & 3] * 100 + v.xx.y * 2 + (v.wzyx * (uint4)(1)).x; }",
	 whole},
	{"read and write",
	 "kernel void k(ARGUMENTS) { ID; uint4 v = read_imageui(a, s, at - (int2)(1, 0));"
	 " if (i % 3 == 1) write_imageui(c, at, v);"
	 " atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, "
	 "memory_scope_work_item);"
	 " uint w = i % 3 == 0 ? 7 : i % 3 == 1 ? read_imageui(c, at).x : read_imageui(a, edge, at "
	 "* (int2)(1, 2)).x * 3;"
	 " p[i] = w; }",
	 in_branches},
};

/* ---- running ---------------------------------------------------------------------------------------- */

struct memory {
	struct fixture *f;
	struct texels a;
	cl_mem in, out, both, numbers;
	cl_sampler sampler;
};

static cl_mem make_image(struct fixture *f, cl_mem_flags flags, void *texels)
{
	const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
	cl_mem image = clCreateImage(f->context, flags | CL_MEM_COPY_HOST_PTR, &format, &desc,
				     texels, NULL);

	assert_non_null(image);
	return image;
}

static void make_memory(struct memory *m, struct fixture *f)
{
	uint32_t zeros[HEIGHT][WIDTH] = {{0}};

	m->f = f;
	for (uint32_t y = 0; y < HEIGHT; y++)
		for (uint32_t x = 0; x < WIDTH; x++)
			m->a.at[y][x] = y * 1000 + x * 7 + 1;
	m->in = make_image(f, CL_MEM_READ_ONLY, m->a.at);
	m->out = make_image(f, CL_MEM_WRITE_ONLY, zeros);
	m->both = make_image(f, CL_MEM_READ_WRITE, zeros);
	m->numbers = clCreateBuffer(f->context, 0, ITEMS * sizeof(uint32_t), NULL, NULL);
	m->sampler =
		clCreateSampler(f->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);
	assert_non_null(m->numbers);
	assert_non_null(m->sampler);
}

static void release_memory(struct memory *m)
{
	assert_int_equal(clReleaseMemObject(m->in), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(m->out), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(m->both), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(m->numbers), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(m->sampler), CL_SUCCESS);
}

static void run_kernel(const struct memory *m, const char *source)
{
	const size_t items = ITEMS, group = GROUP;
	const cl_uint n = 3;
	char text[4096];

	snprintf(text, sizeof(text), "%s%s", head, source);
	cl_program program = compiled_program(m->f->context, text, "-cl-std=CL3.0");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(m->in), &m->in), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(m->sampler), &m->sampler), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(m->out), &m->out), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(m->both), &m->both), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 4, sizeof(m->numbers), &m->numbers), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 5, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(m->f->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(m->f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_reads(void **state)
{
	struct memory m;
	uint32_t numbers[ITEMS];

	make_memory(&m, *state);
	for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
		run_kernel(&m, rows[row].source);
		assert_int_equal(clEnqueueReadBuffer(m.f->queue, m.numbers, CL_TRUE, 0,
						     sizeof(numbers), numbers, 0, NULL, NULL),
				 CL_SUCCESS);
		for (uint32_t i = 0; i < ITEMS; i++) {
			if (numbers[i] != rows[row].expected(&m.a, i))
				fail_msg("%s, item %u: %u, not %u", rows[row].name, i, numbers[i],
					 rows[row].expected(&m.a, i));
		}
	}
	release_memory(&m);
}

/* Only items that come to the write, write: under masks, in a loop, one for all, and outside of the image. */
static void test_writes(void **state)
{
	static const char source[] =
		"kernel void k(ARGUMENTS) { ID;"
		" if (i % 5 == 2) write_imageui(b, at, (uint4)(i + 1, 9, 9, 9));"
		" for (uint j = 0; j < i % 4; j++) if (i % 5 == 3) write_imageui(b, at, "
		"(uint4)(100 * i + j));"
		" if (i % 5 == 4) write_imageui(b, at - (int2)(20, 0), (uint4)(5));"
		" if (i == 59) write_imageui(b, (int2)(n, 6), read_imageui(a, s, (int2)(n, 6)));"
		" write_imageui(b, (int2)(12, 6), (uint4)(n)); }";
	const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
	struct texels out;
	struct memory m;

	make_memory(&m, *state);
	run_kernel(&m, source);
	assert_int_equal(clEnqueueReadImage(m.f->queue, m.out, CL_TRUE, origin, region, 0, 0,
					    out.at, 0, NULL, NULL),
			 CL_SUCCESS);
	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
		uint32_t x = i % WIDTH, y = i / WIDTH, expected = 0;

		if (i < ITEMS && i % 5 == 2)
			expected = i + 1;
		else if (i < ITEMS && i % 5 == 3 && i % 4 > 0)
			expected = 100 * i + i % 4 - 1;
		else if (x == 3 && y == 6)
			expected = m.a.at[6][3];
		else if (x == 12 && y == 6)
			expected = 3;
		if (out.at[y][x] != expected)
			fail_msg("%u, %u: %u, not %u", x, y, out.at[y][x], expected);
	}
	release_memory(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_writes),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
