/* SPDX-License-Identifier: MIT
 *
 * cl_weft_access_ranges: exact ranges where they can be, ranges of random kernels against the bytes that these touch, what work-items do,
 * and errors.
 */
#include "compiled_fixture.h"

#include "access_kernels.h"
#include "large_access_kernel.h"

#include <weft/access_ranges.h>

#include <math.h>

#define SIZE 4096 /* elements of a buffer */
#define KERNELS 12

static clGetKernelAccessRangesWEFT_fn ask;
static clGetKernelFeaturesWEFT_fn ask_features;

static int set_up(void **state)
{
	cl_platform_id platform;

	compiled_set_up(state);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	ask = (clGetKernelAccessRangesWEFT_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		platform, "clGetKernelAccessRangesWEFT");
	assert_non_null(ask);
	ask_features =
		(clGetKernelFeaturesWEFT_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
			platform, "clGetKernelFeaturesWEFT");
	assert_non_null(ask_features);
	return 0;
}

/* ---- exact ranges -------------------------------------------------------------------------------- */

#define WHOLE ((cl_ulong) - 1)

struct exact {
	const char *body; /* of kernel void k(global const int *a, global int *b, int n, uint m) */
	size_t offset[2];
	size_t global[2];
	size_t local[2];
	int n;
	cl_uint m;
	cl_ulong reads
		[2]; /* elements of `a`: the first, and the one behind the last; equal: none; WHOLE: any */
	cl_ulong writes[2]; /* of `b` */
};

struct exact_range {
	cl_ulong begin; /* bytes */
	cl_ulong end;
	bool is_any;
};

#define X "int x = get_global_id(0); "
#define XY X "int y = get_global_id(1); "

static const struct exact exact[] = {
	/* clang-format off */
	{X "b[x] = a[x];", {32, 0}, {64, 1}, {16, 1}, 0, 0, {32, 96}, {32, 96}},
	/* Guards. */
	{X "if (x < n) b[x] = a[x];", {64, 0}, {64, 1}, {16, 1}, 100, 0, {64, 100}, {64, 100}},
	{X "if (x >= n) return; b[x] = a[x + 1];", {64, 0}, {64, 1}, {16, 1}, 60, 0, {0, 0}, {0, 0}},
	{"uint x = get_global_id(0); if (x > 0 && x < m - 1) b[x] = a[x - 1] + a[x + 1];", {0, 0}, {64, 1}, {16, 1}, 0, 50, {0, 50}, {1, 49}},
	{X "if (x == n) b[x] = a[2 * x];", {0, 0}, {64, 1}, {16, 1}, 7, 0, {14, 15}, {7, 8}},
	/* A stencil's border. */
	{XY "if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return; b[y * n + x] = a[(y - 1) * n + x] + a[(y + 1) * n + x] + a[y * n + x - 1];",
	 {0, 16}, {64, 16}, {16, 1}, 64, 0, {15 * 64 + 1, 33 * 64 - 1}, {16 * 64 + 1, 32 * 64 - 1}},
	{XY "b[y * n + x] = a[clamp(y - 1, 0, n - 1) * n + x] + a[min(y + 1, n - 1) * n + x];",
	 {0, 0}, {64, 16}, {16, 1}, 64, 0, {0, 17 * 64}, {0, 16 * 64}},
	/* Loops. */
	{X "int s = 0; for (int i = 0; i < n; i++) s += a[x * n + i]; b[x] = s;", {8, 0}, {8, 1}, {8, 1}, 32, 0, {256, 512}, {8, 16}},
	{X "int s = 0; for (int i = n - 1; i >= 0; i--) s += a[i * n + x]; b[x] = s;", {8, 0}, {8, 1}, {8, 1}, 32, 0, {8, 1008}, {8, 16}},
	{X "for (int i = x; i < n; i++) b[i] = a[i];", {8, 0}, {8, 1}, {8, 1}, 32, 0, {8, 32}, {8, 32}},
	{X "for (int i = x; i < n; i += get_global_size(0)) b[i] = a[i];", {0, 0}, {16, 1}, {8, 1}, 100, 0, {0, 100}, {0, 100}},
	/* Ids of groups and work-items. */
	{"int g = get_group_id(0), l = get_local_id(0); b[g * 16 + l] = a[(g + 1) * 16 - 1 - l];", {0, 0}, {64, 1}, {16, 1}, 0, 0, {0, 64}, {0, 64}},
	{"local int t[16]; int l = get_local_id(0); t[l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);"
	 "if (l == 0) b[get_group_id(0) + get_global_offset(0) / get_local_size(0)] = t[n];", {32, 0}, {64, 1}, {16, 1}, 3, 0, {32, 96}, {2, 6}},
	{X "b[x - get_local_id(0)] = a[x - get_local_id(0) + 15];", {32, 0}, {64, 1}, {16, 1}, 0, 0, {47, 96}, {32, 81}},
	/* Numbers that wrap. */
	{"uint x = get_global_id(0); b[x] = a[x - m];", {64, 0}, {64, 1}, {16, 1}, 0, 64, {0, 64}, {64, 128}},
	{"uchar x = get_global_id(0); b[get_global_id(0)] = a[x];", {256, 0}, {64, 1}, {16, 1}, 0, 0, {0, 64}, {256, 320}},
	{X "b[x / 2] = a[x % 16];", {64, 0}, {64, 1}, {16, 1}, 0, 0, {0, 16}, {32, 64}},
	/* Addresses that are read from memory. */
	{X "b[x] = a[a[x] & 31];", {64, 0}, {32, 1}, {16, 1}, 0, 0, {0, 96}, {64, 96}},
	{X "b[a[x]] = 1;", {64, 0}, {32, 1}, {16, 1}, 0, 0, {64, 96}, {0, (cl_ulong)1 << 31}},
	{X "int i = a[x]; if (i >= 0 && i < n) b[i] = 1;", {64, 0}, {32, 1}, {16, 1}, 100, 0, {64, 96}, {0, 100}},
	{XY "b[x] = a[((x & 1) ? x : y) + n];", {64, 8}, {32, 8}, {16, 1}, 1, 0, {9, 97}, {64, 96}},
	{X "vstore4(vload4(x, a), x, b);", {8, 0}, {8, 1}, {8, 1}, 0, 0, {32, 64}, {32, 64}},
	{X "if (n > 0) b[x] = 1; else a = b; b[x + 64] = a[x];", {0, 0}, {8, 1}, {8, 1}, 1, 0, {WHOLE, 0}, {0, 72}},
	/* An address that becomes a number. */
	{X "*(global int *)((global char *)a + ((global char *)b - (global char *)a)) = 1;", {0, 0}, {64, 1}, {16, 1}, 0, 0, {WHOLE, 0}, {WHOLE, 0}},
	/* Blocks of a sub-group have one work-item's address. */
	{"intel_sub_group_block_write((global uint *)b + n, intel_sub_group_block_read((global const uint *)(n ? b : a)));",
	 {0, 0}, {64, 1}, {16, 1}, 1, 0, {WHOLE, 0}, {WHOLE, 0}},
	/* clang-format on */
};

static bool is_expected(const struct exact *row, const char *what, const cl_ulong *expected,
			struct exact_range got)
{
	const bool is_whole = expected[0] == WHOLE;

	if (got.is_any == is_whole && (is_whole || (got.begin == expected[0] * sizeof(cl_int) &&
						    got.end == expected[1] * sizeof(cl_int))))
		return true;
	print_error("%s\n%s: bytes %llu to %llu%s, expected elements %lld to %lld\n", row->body,
		    what, (unsigned long long)got.begin, (unsigned long long)got.end,
		    got.is_any ? ", or any" : "", (long long)expected[0], (long long)expected[1]);
	return false;
}

static bool check_exact(const struct fixture *f, cl_kernel kernel, const struct exact *row)
{
	cl_kernel_access_ranges_weft rows[4];

	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(row->n), &row->n), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(row->m), &row->m), CL_SUCCESS);
	assert_int_equal(ask(kernel, f->device, 2, row->offset, row->global, row->local, 4, rows),
			 CL_SUCCESS);
	const struct exact_range reads = {rows[0].read_begin, rows[0].read_end,
					  rows[0].flags & CL_KERNEL_ACCESS_READS_ANYWHERE_WEFT};
	const struct exact_range writes = {rows[1].write_begin, rows[1].write_end,
					   rows[1].flags & CL_KERNEL_ACCESS_WRITES_ANYWHERE_WEFT};
	const bool reads_well = is_expected(row, "reads", row->reads, reads);
	const bool writes_well = is_expected(row, "writes", row->writes, writes);
	assert_int_equal(rows[2].flags | rows[3].flags, 0);
	return reads_well && writes_well;
}

#define NUM_EXACT (sizeof(exact) / sizeof(exact[0]))

static void test_exact(void **state)
{
	const struct fixture *f = *state;
	static char source[NUM_EXACT * 512];
	size_t used = 0;
	size_t failures = 0;

	for (size_t i = 0; i < NUM_EXACT; i++)
		used += (size_t)snprintf(
			source + used, sizeof(source) - used,
			"kernel void k%zu(global const int *a, global int *b, int n, uint m) "
			"{ %s }\n",
			i, exact[i].body);
	assert_true(used < sizeof(source));
	cl_program program = compiled_program(f->context, source, "-cl-access-ranges-weft");
	for (size_t i = 0; i < NUM_EXACT; i++) {
		char name[16];

		snprintf(name, sizeof(name), "k%zu", i);
		cl_kernel kernel = clCreateKernel(program, name, NULL);
		assert_non_null(kernel);
		failures += !check_exact(f, kernel, &exact[i]);
		assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	}
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(failures, 0);
}

/* ---- random kernels ------------------------------------------------------------------------------ */

static const char recording[] =
	"-D 'RECORDS=, global uchar *ra, global uchar *wb' -D 'R(i)=(ra[i] = 1, a[i])' "
	"-D 'W(i)=wb[i] = 1, b[i]' -D SIZE=4096";
static const char asking[] = "-cl-access-ranges-weft -D RECORDS= -D 'R(i)=a[i]' -D 'W(i)=b[i]' "
			     "-D SIZE=4096";

struct random_run {
	size_t offset[3];
	size_t global[3];
	size_t local[3];
	cl_uint dimensions;
	cl_int n;
	cl_uint m;
};

static struct random_run choose_run(struct access_writer *writer)
{
	struct random_run run = {.dimensions = writer->dimensions};

	for (cl_uint d = 0; d < run.dimensions; d++) {
		run.local[d] = 1 + access_random(writer, 4);
		run.global[d] = run.local[d] * (1 + access_random(writer, 4));
		run.offset[d] = run.local[d] * access_random(writer, 4);
	}
	run.n = (cl_int)access_random(writer, 40) - (access_random(writer, 8) == 0 ? 20 : 0);
	run.m = access_random(writer, 60);
	return run;
}

static void set_arguments(cl_kernel kernel, const struct random_run *run, const cl_mem *buffers)
{
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(run->n), &run->n), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(run->m), &run->m), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 4, sizeof(cl_mem), &buffers[4]), CL_SUCCESS);
}

/* Fills `touched` with what the kernel touches. */
static void record(const struct fixture *f, cl_kernel kernel, const struct random_run *run,
		   const cl_mem *buffers, unsigned char touched[2][SIZE])
{
	const cl_uint zero = 0;

	set_arguments(kernel, run, buffers);
	for (cl_uint i = 0; i < 2; i++) {
		assert_int_equal(clEnqueueFillBuffer(f->queue, buffers[2 + i], &zero, sizeof(zero),
						     0, SIZE, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clSetKernelArg(kernel, 5 + i, sizeof(cl_mem), &buffers[2 + i]),
				 CL_SUCCESS);
	}
	assert_int_equal(clEnqueueNDRangeKernel(f->queue, kernel, run->dimensions, run->offset,
						run->global, run->local, 0, NULL, NULL),
			 CL_SUCCESS);
	for (cl_uint i = 0; i < 2; i++)
		assert_int_equal(clEnqueueReadBuffer(f->queue, buffers[2 + i], CL_TRUE, 0, SIZE,
						     touched[i], 0, NULL, NULL),
				 CL_SUCCESS);
}

/* Whether the range has all that is touched. */
static bool contains(const unsigned char *touched, cl_ulong begin, cl_ulong end)
{
	for (cl_ulong i = 0; i < SIZE; i++) {
		if (touched[i] && (i * sizeof(cl_int) < begin || (i + 1) * sizeof(cl_int) > end))
			return false;
	}
	return true;
}

static void check_random(const struct fixture *f, const char *text, cl_kernel asked,
			 const struct random_run *run, unsigned char touched[2][SIZE])
{
	cl_kernel_access_ranges_weft rows[5];
	char name[16];

	assert_int_equal(clGetKernelInfo(asked, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL),
			 CL_SUCCESS);
	assert_int_equal(ask(asked, f->device, run->dimensions, run->offset, run->global,
			     run->local, 5, rows),
			 CL_SUCCESS);
	if ((!(rows[0].flags & CL_KERNEL_ACCESS_READS_ANYWHERE_WEFT) &&
	     !contains(touched[0], rows[0].read_begin, rows[0].read_end)) ||
	    (!(rows[1].flags & CL_KERNEL_ACCESS_WRITES_ANYWHERE_WEFT) &&
	     !contains(touched[1], rows[1].write_begin, rows[1].write_end)))
		fail_msg("kernel %s: reads %llu to %llu, writes %llu to %llu; offset %zu %zu %zu, "
			 "global %zu %zu %zu, local %zu %zu %zu, n %d, m %u, of the program\n%s",
			 name, (unsigned long long)rows[0].read_begin,
			 (unsigned long long)rows[0].read_end,
			 (unsigned long long)rows[1].write_begin,
			 (unsigned long long)rows[1].write_end, run->offset[0], run->offset[1],
			 run->offset[2], run->global[0], run->global[1], run->global[2],
			 run->local[0], run->local[1], run->local[2], run->n, run->m, text);
}

static void run_program(const struct fixture *f, struct access_writer *writer,
			const cl_mem *buffers)
{
	static unsigned char touched[2][SIZE];
	cl_program programs[2] = {compiled_program(f->context, writer->text, recording),
				  compiled_program(f->context, writer->text, asking)};

	for (unsigned i = 0; i < 4 * KERNELS; i++) {
		const struct random_run run = choose_run(writer);
		char name[16];

		snprintf(name, sizeof(name), "k%u", i / 4);
		cl_kernel kernels[2] = {clCreateKernel(programs[0], name, NULL),
					clCreateKernel(programs[1], name, NULL)};
		record(f, kernels[0], &run, buffers, touched);
		set_arguments(kernels[1], &run, buffers);
		check_random(f, writer->text, kernels[1], &run, touched);
		clReleaseKernel(kernels[0]);
		clReleaseKernel(kernels[1]);
	}
	clReleaseProgram(programs[0]);
	clReleaseProgram(programs[1]);
}

static unsigned read_number(const char *variable)
{
	const char *text = getenv(variable);

	return text ? (unsigned)strtoul(text, NULL, 10) : 1;
}

/* ACCESS_PROGRAMS: how many, and ACCESS_SEED: the first one. */
static void test_random(void **state)
{
	const struct fixture *f = *state;
	const unsigned programs = read_number("ACCESS_PROGRAMS");
	const unsigned first = read_number("ACCESS_SEED");
	static char text[ACCESS_TEXT];
	cl_mem buffers[5];
	cl_device_type type = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	if (!(type &
	      CL_DEVICE_TYPE_CPU)) /* formulas are the same, and simulated kernels take long */
		skip();
	for (int i = 0; i < 5; i++) {
		buffers[i] = clCreateBuffer(f->context, 0, SIZE * sizeof(cl_int), NULL, NULL);
		assert_non_null(buffers[i]);
	}
	for (unsigned seed = first; seed < first + programs; seed++) {
		struct access_writer writer = {.text = text, .state = seed};

		writer.dimensions = 1 + seed % 3;
		for (unsigned i = 0; i < KERNELS; i++)
			access_write_kernel(&writer, i);
		run_program(f, &writer, buffers);
	}
	for (int i = 0; i < 5; i++)
		clReleaseMemObject(buffers[i]);
}

/* ---- large kernels ------------------------------------------------------------------------------- */

static bool covers(cl_ulong begin, cl_ulong end, int element)
{
	const cl_ulong place = (cl_ulong)element * sizeof(cl_int);

	return begin <= place && place + sizeof(cl_int) <= end;
}

static void check_large(const cl_kernel_access_ranges_weft *rows)
{
	for (int x = 0; x < LARGE_ITEMS; x++) {
		int t;

		if (!large_kernel_reads(x, &t))
			continue;
		for (int i = 0; i < LARGE_ACCESSES; i++)
			assert_true((rows[0].flags & CL_KERNEL_ACCESS_READS_ANYWHERE_WEFT) ||
				    covers(rows[0].read_begin, rows[0].read_end, t + i * i));
		assert_true((rows[1].flags & CL_KERNEL_ACCESS_WRITES_ANYWHERE_WEFT) ||
			    covers(rows[1].write_begin, rows[1].write_end, x));
	}
}

/* A question whose answer would take long gets one that is less exact. */
static void test_large(void **state)
{
	const struct fixture *f = *state;
	const size_t global[] = {LARGE_ITEMS}, local[] = {16};
	const cl_int n = LARGE_ARGUMENT;
	cl_kernel_access_ranges_weft rows[4];
	double features[CL_KERNEL_NUM_FEATURES_WEFT];

	char *text = write_large_kernel();
	cl_program program = compiled_program(f->context, text, "-cl-access-ranges-weft");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(ask(kernel, f->device, 1, NULL, global, local, 4, rows), CL_SUCCESS);
	check_large(rows);
	assert_int_equal(ask_features(kernel, f->device, 1, NULL, global, local,
				      CL_KERNEL_NUM_FEATURES_WEFT, features),
			 CL_SUCCESS);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	free(text);
}

/* ---- features ------------------------------------------------------------------------------------ */

static void test_features(void **state)
{
	static const char source[] =
		"kernel void k(global const float *a, global const int *from, global float *b,"
		"              local float *l, int n)"
		"{ int x = get_global_id(0); float s = 0;"
		"  for (int i = 0; i < n; i++) s += a[i * get_global_size(0) + x] * a[i];"
		"  l[get_local_id(0)] = s; barrier(CLK_LOCAL_MEM_FENCE);"
		"  b[from[x]] = l[get_local_size(0) - 1 - get_local_id(0)] / s; }";
	const struct fixture *f = *state;
	const size_t global[] = {64}, local[] = {16};
	double small[CL_KERNEL_NUM_FEATURES_WEFT];
	double large[CL_KERNEL_NUM_FEATURES_WEFT];

	cl_program program = compiled_program(f->context, source, "-cl-access-ranges-weft");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	assert_int_equal(ask_features(kernel, f->device, 1, NULL, global, local,
				      CL_KERNEL_NUM_FEATURES_WEFT, small),
			 CL_INVALID_KERNEL_ARGS);
	for (cl_int n = 100; n <= 200; n += 100) {
		assert_int_equal(clSetKernelArg(kernel, 4, sizeof(n), &n), CL_SUCCESS);
		assert_int_equal(ask_features(kernel, f->device, 1, NULL, global, local,
					      CL_KERNEL_NUM_FEATURES_WEFT,
					      n == 100 ? small : large),
				 CL_SUCCESS);
	}
	/* A hundred iterations more read one number of their own each, and one that all read. */
	assert_true(large[CL_KERNEL_FEATURE_FLOATING_WEFT] >
		    small[CL_KERNEL_FEATURE_FLOATING_WEFT] + 99);
	assert_true(fabs(large[CL_KERNEL_FEATURE_STRIDING_BYTES_WEFT] -
			 small[CL_KERNEL_FEATURE_STRIDING_BYTES_WEFT] - 400) <= 8);
	assert_true(fabs(large[CL_KERNEL_FEATURE_SHARED_BYTES_WEFT] -
			 small[CL_KERNEL_FEATURE_SHARED_BYTES_WEFT] - 400) <= 8);
	assert_true(small[CL_KERNEL_FEATURE_NEIGHBOURING_BYTES_WEFT] == 4);
	/* What is written goes anywhere. */
	assert_true(small[CL_KERNEL_FEATURE_SCATTERED_BYTES_WEFT] == 4);
	assert_true(small[CL_KERNEL_FEATURE_BARRIERS_WEFT] == 1);
	assert_true(small[CL_KERNEL_FEATURE_SPECIAL_WEFT] >= 1);
	assert_true(small[CL_KERNEL_FEATURE_LOCAL_WEFT] == 2);
	assert_true(small[CL_KERNEL_FEATURE_ATOMICS_WEFT] == 0);
	assert_true(small[CL_KERNEL_FEATURE_DOUBLE_WEFT] == 0);
	assert_true(small[CL_KERNEL_FEATURE_UNKNOWN_WEFT] == 0);
	assert_int_equal(ask_features(kernel, f->device, 1, NULL, global, local, 3, small),
			 CL_INVALID_VALUE);
	assert_int_equal(ask_features(kernel, f->device, 1, NULL, global, local,
				      CL_KERNEL_NUM_FEATURES_WEFT, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(ask_features(NULL, f->device, 1, NULL, global, local,
				      CL_KERNEL_NUM_FEATURES_WEFT, small),
			 CL_INVALID_KERNEL);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	program = compiled_program(f->context, source, "");
	kernel = clCreateKernel(program, "k", NULL);
	assert_int_equal(ask_features(kernel, f->device, 1, NULL, global, local,
				      CL_KERNEL_NUM_FEATURES_WEFT, small),
			 CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
}

/* ---- errors -------------------------------------------------------------------------------------- */

static void test_errors(void **state)
{
	static const char source[] =
		"kernel void k(global int *a, int n, local int *l) { a[n] = l[0]; }";
	const struct fixture *f = *state;
	const size_t global[] = {64}, local[] = {16}, none[] = {0}, zero_local[] = {0};
	cl_kernel_access_ranges_weft rows[3];
	const cl_int n = 5;

	cl_program program = compiled_program(f->context, source, "-cl-access-ranges-weft");
	cl_program plain = compiled_program(f->context, source, "");
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	cl_kernel other = clCreateKernel(plain, "k", NULL);
	assert_int_equal(ask(kernel, f->device, 1, NULL, global, local, 3, rows),
			 CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(ask(kernel, f->device, 1, NULL, global, NULL, 3, rows), CL_SUCCESS);
	assert_int_equal(rows[0].write_begin, 5 * sizeof(cl_int));
	assert_int_equal(rows[0].flags, CL_KERNEL_ACCESS_WRITES_WEFT);
	assert_int_equal(ask(NULL, f->device, 1, NULL, global, local, 3, rows), CL_INVALID_KERNEL);
	assert_int_equal(ask(kernel, (cl_device_id)f->context, 1, NULL, global, local, 3, rows),
			 CL_INVALID_DEVICE);
	assert_int_equal(ask(kernel, f->device, 0, NULL, global, local, 3, rows),
			 CL_INVALID_WORK_DIMENSION);
	assert_int_equal(ask(kernel, f->device, 1, NULL, none, local, 3, rows),
			 CL_INVALID_GLOBAL_WORK_SIZE);
	assert_int_equal(ask(kernel, f->device, 1, NULL, global, zero_local, 3, rows),
			 CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(ask(kernel, f->device, 1, NULL, global, local, 2, rows), CL_INVALID_VALUE);
	assert_int_equal(ask(kernel, f->device, 1, NULL, global, local, 3, NULL), CL_INVALID_VALUE);
	assert_int_equal(ask(other, f->device, 1, NULL, global, local, 3, rows),
			 CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
	clReleaseKernel(kernel);
	clReleaseKernel(other);
	clReleaseProgram(program);
	clReleaseProgram(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_large),  cmocka_unit_test(test_features),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
