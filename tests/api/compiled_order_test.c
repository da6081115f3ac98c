/* SPDX-License-Identifier: MIT
 *
 * One in-order queue, many commands at random: kernels (with the real compiler, so that what it says about their
 * arguments counts), transfers, maps, on buffers, sub-buffers and the application's memory. Whatever runs in parallel
 * computes what serial execution does.
 */
#include "compiled_fixture.h"

#define BUFFERS 4
#define PARTS 4
#define PART 256 /* words */
#define WORDS ((size_t)PARTS * PART)
#define COMMANDS 4000

static const char *const source =
	"global uint count;\n"
	"kernel void combine(global const uint *a, global uint *b) {\n"
	"  size_t i = get_global_id(0); b[i] = b[i] * 31 + a[i];\n"
	"}\n"
	"kernel void scale(global uint *both) {\n"
	"  size_t i = get_global_id(0); both[i] = both[i] * 5 + 1;\n"
	"}\n"
	"kernel void number(global uint *out) {\n" /* touches what no argument leads to */
	"  if (get_global_id(0) == 0) out[0] = ++count;\n"
	"}\n";

enum kernel { COMBINE, SCALE, NUMBER, KERNELS };

/* A buffer or a part of it, and what serial execution has made of it. */
struct place {
	cl_mem mem;
	cl_uint buffer;
	size_t start; /* words */
	size_t words;
	cl_uint *expected;
};

static cl_kernel kernels[KERNELS];
static struct place places[BUFFERS * (PARTS + 1)];
static cl_uint expected[BUFFERS][WORDS];
static cl_uint shared[WORDS] __attribute__((aligned(128))); /* CL_MEM_USE_HOST_PTR's */
static cl_uint host[WORDS];
static cl_uint expected_host[WORDS];
static cl_uint expected_count;

/* Kernels write to all of them, and read from all of them: the flags do not say what a kernel does. */
static const cl_mem_flags flags[BUFFERS] = {CL_MEM_USE_HOST_PTR, CL_MEM_READ_ONLY,
					    CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};

static void make_places(struct fixture *f)
{
	for (cl_uint i = 0; i < BUFFERS; i++) {
		struct place *whole = &places[i * (PARTS + 1)];

		*whole = (struct place){NULL, i, 0, WORDS, expected[i]};
		whole->mem = fixture_buffer(f, flags[i], sizeof(shared), i ? NULL : shared);
		for (size_t part = 0; part < PARTS; part++)
			whole[1 + part] = (struct place){
				fixture_sub_buffer(whole->mem, 0, part * PART * sizeof(cl_uint),
						   PART * sizeof(cl_uint)),
				i, part * PART, PART, expected[i] + part * PART};
	}
}

static void make_kernels(struct fixture *f)
{
	static const char *const names[KERNELS] = {"combine", "scale", "number"};
	cl_program program = compiled_program(f->context, source, "-cl-std=CL3.0");

	for (int i = 0; i < KERNELS; i++) {
		kernels[i] = clCreateKernel(program, names[i], NULL);
		assert_non_null(kernels[i]);
	}
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void launch(struct fixture *f, enum kernel kernel, const struct place *a,
		   const struct place *b)
{
	const size_t global = b->words;
	cl_uint arg = 0;

	if (a)
		assert_int_equal(clSetKernelArg(kernels[kernel], arg++, sizeof(cl_mem), &a->mem),
				 CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernels[kernel], arg, sizeof(cl_mem), &b->mem), CL_SUCCESS);
	assert_int_equal(clEnqueueNDRangeKernel(f->queue, kernels[kernel], 1, NULL, &global, NULL,
						0, NULL, NULL),
			 CL_SUCCESS);
}

static void combine(struct fixture *f, const struct place *a, const struct place *b)
{
	/* not two ranges of one buffer that overlap and differ */
	if (a->words < b->words || (a->buffer == b->buffer && a != b))
		a = b;
	launch(f, COMBINE, a, b);
	for (size_t i = 0; i < b->words; i++)
		b->expected[i] = b->expected[i] * 31 + a->expected[i];
}

static void scale(struct fixture *f, const struct place *b)
{
	launch(f, SCALE, NULL, b);
	for (size_t i = 0; i < b->words; i++)
		b->expected[i] = b->expected[i] * 5 + 1;
}

static void copy(struct fixture *f, const struct place *a, const struct place *b)
{
	size_t words = a->words < b->words ? a->words : b->words;

	if (a->buffer == b->buffer)
		return;
	assert_int_equal(clEnqueueCopyBuffer(f->queue, a->mem, b->mem, 0, 0,
					     words * sizeof(cl_uint), 0, NULL, NULL),
			 CL_SUCCESS);
	memcpy(b->expected, a->expected, words * sizeof(cl_uint));
}

static void transfer(struct fixture *f, const struct place *b, bool write)
{
	size_t at = fixture_random() % (WORDS - PART);
	size_t words = 1 + fixture_random() % PART;
	size_t size = words * sizeof(cl_uint);
	const cl_bool blocking = fixture_random() % 8 == 0;

	if (write) {
		assert_int_equal(clEnqueueWriteBuffer(f->queue, b->mem, blocking, 0, size,
						      host + at, 0, NULL, NULL),
				 CL_SUCCESS);
		memcpy(b->expected, expected_host + at, size);
	} else {
		assert_int_equal(clEnqueueReadBuffer(f->queue, b->mem, blocking, 0, size, host + at,
						     0, NULL, NULL),
				 CL_SUCCESS);
		memcpy(expected_host + at, b->expected, size);
		if (blocking)
			assert_memory_equal(host + at, expected_host + at, size);
	}
}

/* Also writes from the mapped memory to another buffer, by its address. */
static void map(struct fixture *f, const struct place *a, const struct place *b)
{
	size_t size = PART * sizeof(cl_uint);
	cl_int err;
	cl_uint *words = clEnqueueMapBuffer(f->queue, a->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
					    0, size, 0, NULL, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_memory_equal(words, a->expected, size);
	for (size_t i = 0; i < PART; i++)
		words[i] = a->expected[i] += 7;
	if (a->buffer != b->buffer) {
		for (int i = 0; i < 4; i++)
			scale(f, b); /* which the write waits for, and the unmap for the write */
		assert_int_equal(clEnqueueWriteBuffer(f->queue, b->mem, CL_FALSE, 0, size, words, 0,
						      NULL, NULL),
				 CL_SUCCESS);
		memcpy(b->expected, a->expected, size);
	}
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, a->mem, words, 0, NULL, NULL),
			 CL_SUCCESS);
	scale(f, a);
}

static void enqueue_any(struct fixture *f)
{
	const struct place *a = &places[fixture_random() % (BUFFERS * (PARTS + 1))];
	const struct place *b = &places[fixture_random() % (BUFFERS * (PARTS + 1))];
	cl_uint pattern = fixture_random();

	switch (fixture_random() % 16) {
	case 0:
		launch(f, NUMBER, NULL, b);
		b->expected[0] = ++expected_count;
		break;
	case 1:
		assert_int_equal(clEnqueueFillBuffer(f->queue, b->mem, &pattern, sizeof(pattern), 0,
						     PART * sizeof(cl_uint), 0, NULL, NULL),
				 CL_SUCCESS);
		for (size_t i = 0; i < PART; i++)
			b->expected[i] = pattern;
		break;
	case 2:
		map(f, a, b);
		break;
	case 3:
	case 4:
		copy(f, a, b);
		break;
	case 5:
	case 6:
		transfer(f, b, true);
		break;
	case 7:
	case 8:
		transfer(f, b, false);
		break;
	case 9:
	case 10:
		scale(f, b);
		break;
	default:
		combine(f, a, b);
	}
}

static void random_commands_keep_their_order(void **state)
{
	struct fixture *f = *state;
	const cl_uint zero = 0;

	make_kernels(f);
	make_places(f);
	for (int i = 0; i < BUFFERS; i++)
		assert_int_equal(clEnqueueFillBuffer(f->queue, places[i * (PARTS + 1)].mem, &zero,
						     sizeof(zero), 0, sizeof(shared), 0, NULL,
						     NULL),
				 CL_SUCCESS);
	for (int i = 0; i < COMMANDS; i++)
		enqueue_any(f);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_memory_equal(host, expected_host, sizeof(host));
	for (int i = 0; i < BUFFERS; i++) {
		static cl_uint words[WORDS];

		fixture_read(f, places[i * (PARTS + 1)].mem, words, sizeof(words));
		assert_memory_equal(words, expected[i], sizeof(words));
	}
	for (int i = 0; i < BUFFERS * (PARTS + 1); i++)
		assert_int_equal(clReleaseMemObject(places[i].mem), CL_SUCCESS);
	for (int i = 0; i < KERNELS; i++)
		assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
}

static int set_up(void **state)
{
	setenv("WEFT_THREADS", "4", 1);
	return compiled_set_up(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_commands_keep_their_order)};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
