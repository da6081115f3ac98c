/* SPDX-License-Identifier: MIT
 *
 * The extensions of the built-in functions, with the real compiler: their macros, what the device says of them, and
 * their functions beside references in C.
 */
#include "compiled_fixture.h"

#include <CL/cl_ext.h>
#include <stdio.h>

#define GROUP 37
#define GROUPS 3
#define ITEMS (GROUP * GROUPS)

static cl_kernel kernel_from(struct fixture *f, const char *source)
{
	cl_program program = clCreateProgramWithSource(f->context, 1, &source, NULL, NULL);
	cl_int err = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);

	if (err != CL_SUCCESS) {
		char log[4096] = "";
		clGetProgramBuildInfo(program, f->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
				      NULL);
		fail_msg("%s", log);
	}
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	assert_non_null(kernel);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return kernel;
}

/* Runs "k" of the source on ITEMS work-items, with one buffer as its argument. */
static void run(struct fixture *f, const char *source, void *data, size_t size)
{
	const size_t global = ITEMS, local = GROUP;
	cl_kernel kernel = kernel_from(f, source);
	cl_mem memory = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, size, data, NULL);

	assert_non_null(memory);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &memory), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(f->queue, memory, CL_TRUE, 0, size, data, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(memory), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_bitfield bits_of(struct fixture *f, cl_device_info param)
{
	cl_bitfield bits = 0;

	assert_int_equal(clGetDeviceInfo(f->device, param, sizeof(bits), &bits, NULL), CL_SUCCESS);
	return bits;
}

static void test_queries(void **state)
{
	cl_device_integer_dot_product_acceleration_properties_khr accelerated;
	struct fixture *f = *state;

	assert_int_equal(bits_of(f, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR), 3);
	assert_int_equal(bits_of(f, 0x1076 /* CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR */), 7);
	for (cl_device_info param = 0x4231; param <= 0x4233; param++)
		assert_int_equal(bits_of(f, param /* CL_DEVICE_…_FP_ATOMIC_CAPABILITIES_EXT */),
				 0x70007);
	for (cl_device_info i = 0; i < 2; i++)
		assert_int_equal(
			clGetDeviceInfo(
				f->device,
				CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR + i,
				sizeof(accelerated), &accelerated, NULL),
			CL_SUCCESS);
}

/* Each macro stands for its functions, so a source without them must compile as well. */
static void test_macros(void **state)
{
	static const char source[] =
		"#if !cl_khr_work_group_uniform_arithmetic || !cl_khr_extended_async_copies\n"
		"#error collectives, copies\n"
		"#endif\n"
		"#if !cl_khr_extended_bit_ops || !cl_khr_integer_dot_product || "
		"!__opencl_c_integer_dot_product_input_4x8bit || "
		"!__opencl_c_integer_dot_product_input_4x8bit_packed\n"
		"#error integers\n"
		"#endif\n"
		"#if !cl_khr_kernel_clock || !__opencl_c_kernel_clock_scope_device || "
		"!__opencl_c_kernel_clock_scope_work_group || "
		"!__opencl_c_kernel_clock_scope_sub_group\n"
		"#error clock\n"
		"#endif\n"
		"#if !cl_khr_expect_assume || !__has_builtin(__builtin_expect) || "
		"!__has_builtin(__builtin_assume)\n"
		"#error expect, assume\n"
		"#endif\n"
		"#if !cl_ext_float_atomics || !__opencl_c_ext_fp16_global_atomic_load_store || "
		"!__opencl_c_ext_fp16_local_atomic_add || !__opencl_c_ext_fp32_global_atomic_add "
		"|| !__opencl_c_ext_fp64_local_atomic_min_max\n"
		"#error atomics\n"
		"#endif\n"
		"kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n";
	cl_int data[ITEMS] = {0};

	run(*state, source, data, sizeof(data));
	assert_int_equal(data[ITEMS - 1], 1);
}

static void test_bits(void **state)
{
	static const char source[] =
		"kernel void k(global ulong4 *p) {\n"
		"  uint i = get_global_id(0), offset = i % 60, count = i % 5;\n"
		"  ulong base = i * 0x9e3779b97f4a7c15ul, insert = base ^ (base >> 31);\n"
		"  p[i] = (ulong4)(bitfield_insert(base, insert, offset, count),\n"
		"    bitfield_extract_signed(base, offset, count),\n"
		"    bitfield_extract_unsigned(base, offset, count), bit_reverse(base));\n"
		"}\n";
	static cl_ulong data[ITEMS][4];

	run(*state, source, data, sizeof(data));
	for (cl_ulong i = 0; i < ITEMS; i++) {
		cl_ulong offset = i % 60, count = i % 5;
		cl_ulong base = i * 0x9e3779b97f4a7c15u, insert = base ^ (base >> 31);
		cl_ulong mask = (((cl_ulong)1 << count) - 1) << offset, reversed = 0;
		cl_ulong field = (base & mask) >> offset;
		cl_ulong sign = count ? field >> (count - 1) : 0;

		for (int bit = 0; bit < 64; bit++)
			reversed |= (base >> bit & 1) << (63 - bit);
		assert_int_equal(data[i][0], (base & ~mask) | (insert << offset & mask));
		assert_int_equal(data[i][1], sign ? field | ~(mask >> offset) : field);
		assert_int_equal(data[i][2], field);
		assert_int_equal(data[i][3], reversed);
	}
}

static cl_long dot(cl_uint a, cl_uint b, bool a_signed, bool b_signed)
{
	cl_long sum = 0;

	for (int i = 0; i < 4; i++) {
		cl_long x = a >> (8 * i) & 255, y = b >> (8 * i) & 255;
		sum += (a_signed && x > 127 ? x - 256 : x) * (b_signed && y > 127 ? y - 256 : y);
	}
	return sum;
}

static void test_dot_products(void **state)
{
	static const char source[] =
		"kernel void k(global uint8 *p) {\n"
		"  uint i = get_global_id(0), a = i * 0x9e3779b9u, b = i * 0x85ebca6bu;\n"
		"  p[i] = (uint8)(dot(as_uchar4(a), as_uchar4(b)), dot(as_char4(a), as_char4(b)),\n"
		"    dot_4x8packed_us_int(a, b), dot_4x8packed_su_int(a, b),\n"
		"    dot_acc_sat(as_uchar4(a), as_uchar4(b), 0xffff0000u),\n"
		"    dot_acc_sat_4x8packed_ss_int(a, b, 0x7ffff000),\n"
		"    dot_acc_sat(as_uchar4(a), as_char4(b), INT_MIN + 5), a);\n"
		"}\n";
	static cl_uint data[ITEMS][8];

	run(*state, source, data, sizeof(data));
	for (cl_uint i = 0; i < ITEMS; i++) {
		cl_uint a = i * 0x9e3779b9u, b = i * 0x85ebca6bu;
		cl_long high = dot(a, b, false, false) + 0xffff0000u;
		cl_long middle = dot(a, b, true, true) + 0x7ffff000;
		cl_long low = dot(a, b, false, true) + INT32_MIN + 5;

		assert_int_equal(data[i][0], (cl_uint)dot(a, b, false, false));
		assert_int_equal(data[i][1], (cl_uint)dot(a, b, true, true));
		assert_int_equal(data[i][2], (cl_uint)dot(a, b, false, true));
		assert_int_equal(data[i][3], (cl_uint)dot(a, b, true, false));
		assert_int_equal(data[i][4], high > UINT32_MAX ? UINT32_MAX : (cl_uint)high);
		assert_int_equal(data[i][5], (cl_uint)(middle > INT32_MAX ? INT32_MAX : middle));
		assert_int_equal(data[i][6], (cl_uint)(low < INT32_MIN ? INT32_MIN : low));
	}
}

/* A box of 3 planes of 4 lines of 5 elements of 3 bytes, from within 5 of 6 of 7 to within 4 of 5 of 6, in two steps. */
static void test_copies(void **state)
{
	static const char source[] =
		"kernel void k(global char *p) {\n"
		"  local char box[3 * 4 * 5 * 3];\n"
		"  global char *to = p + 5 * 6 * 7 * 3;\n"
		"  event_t e = 0;\n"
		"  if (get_group_id(0) == 0) {\n"
		"    for (int i = 0; i < 3; i++)\n"
		"      e = async_work_group_copy_2D2D(box, i * 20, p, 9 + i * 42, 3, 5, 4, 7, 5, "
		"e);\n"
		"    wait_group_events(1, &e);\n"
		"    e = async_work_group_copy_3D3D(to, 8, box, 0, 3, 5, 4, 3, 5, 20, 6, 30, 0);\n"
		"    wait_group_events(1, &e);\n"
		"    to += 4 * 5 * 6 * 3;\n"
		"    e = async_work_group_copy_3D3D(box, 0, p, 9, 3, 5, 4, 3, 7, 42, 5, 20, 0);\n"
		"    wait_group_events(1, &e);\n"
		"    for (int i = 0; i < 3; i++)\n"
		"      e = async_work_group_copy_2D2D(to, 8 + i * 30, box, i * 20, 3, 5, 4, 5, 6, "
		"e);\n"
		"    wait_group_events(1, &e);\n"
		"  }\n"
		"}\n";
	enum { FROM = 5 * 6 * 7 * 3, TO = 4 * 5 * 6 * 3 };
	static cl_char data[FROM + 2 * TO], expected[TO];

	for (int i = 0; i < FROM; i++)
		data[i] = (cl_char)(i * 37 % 251);
	for (int i = 0; i < 3 * 4 * 5 * 3; i++) {
		int plane = i / 60, line = i / 15 % 4, byte = i % 15;
		expected[(8 + plane * 30 + line * 6) * 3 + byte] =
			data[(9 + plane * 42 + line * 7) * 3 + byte];
	}
	run(*state, source, data, sizeof(data));
	assert_memory_equal(data + FROM, expected, TO);
	assert_memory_equal(data + FROM + TO, expected, TO);
}

/* What an operation makes of the work-items before, and of all. */
static void test_collectives(void **state)
{
	static const char source[] =
		"kernel void k(global ulong16 *p) {\n"
		"  uint i = get_global_id(0);\n"
		"  ulong a = i * 0x9e3779b97f4a7c15ul | 1;\n"
		"  int even = i % 37 % 8 != 3;\n"
		"  p[i] = (ulong16)(work_group_reduce_mul(a), work_group_scan_exclusive_mul(a),\n"
		"    work_group_scan_inclusive_mul(a), work_group_reduce_and(a | 0xff),\n"
		"    work_group_scan_exclusive_and(a), work_group_scan_inclusive_or(a),\n"
		"    work_group_reduce_xor(a), work_group_scan_exclusive_xor(a),\n"
		"    as_ulong(work_group_reduce_mul(i % 3 == 1 ? 2.0 : 1.0)),\n"
		"    (ulong)work_group_reduce_mul(i % 3 == 1 ? 2.0f : 1.0f),\n"
		"    work_group_reduce_logical_and(7 * even) != 0,\n"
		"    work_group_scan_exclusive_logical_and(7 * even) != 0,\n"
		"    work_group_reduce_logical_or(7 * !even) != 0,\n"
		"    work_group_scan_exclusive_logical_or(7 * !even) != 0,\n"
		"    work_group_reduce_logical_xor(7 * even) != 0,\n"
		"    work_group_scan_inclusive_logical_xor(7 * even) != 0);\n"
		"}\n";
	static cl_ulong data[ITEMS][16];

	run(*state, source, data, sizeof(data));
	for (cl_ulong g = 0; g < GROUPS; g++) {
		cl_ulong product = 1, all = ~(cl_ulong)0, masked = all, any = 0, odd = 0;
		cl_ulong evens = 0, truth = 1, twos = 0;
		const cl_ulong(*row)[16] = (const cl_ulong(*)[16])data[g * GROUP];

		for (cl_ulong k = 0; k < GROUP; k++) {
			cl_ulong i = g * GROUP + k, a = i * 0x9e3779b97f4a7c15u | 1;
			cl_ulong even = k % 8 != 3;

			assert_int_equal(row[k][1], product);
			assert_int_equal(row[k][2], product *= a);
			assert_int_equal(row[k][4], all);
			assert_int_equal(row[k][5], any |= a);
			assert_int_equal(row[k][7], odd);
			assert_int_equal(row[k][11], truth);
			assert_int_equal(row[k][13], !truth);
			assert_int_equal(row[k][15], (evens += even) % 2);
			all &= a;
			masked &= a | 0xff;
			odd ^= a;
			truth &= even;
			twos += i % 3 == 1;
		}
		for (cl_ulong k = 0; k < GROUP; k++) {
			double power;
			memcpy(&power, &row[k][8], sizeof(power));
			assert_true(power == (double)((cl_ulong)1 << twos));
			assert_int_equal(row[k][0], product);
			assert_int_equal(row[k][3], masked);
			assert_int_equal(row[k][6], odd);
			assert_int_equal(row[k][9], (cl_ulong)1 << twos);
			assert_int_equal(row[k][10], truth);
			assert_int_equal(row[k][12], !truth);
			assert_int_equal(row[k][14], evens % 2);
		}
	}
}

static void test_clock(void **state)
{
	static const char source[] =
		"kernel void k(global ulong4 *p) {\n"
		"  ulong a = clock_read_device();\n"
		"  uint2 b = clock_read_hilo_device();\n"
		"  ulong c = clock_read_work_group(), d = clock_read_sub_group();\n"
		"  uint2 e = clock_read_hilo_work_group(), f = clock_read_hilo_sub_group();\n"
		"  p[get_global_id(0)] = (ulong4)(a, as_ulong(b), c <= d, as_ulong(e) <= "
		"as_ulong(f));\n"
		"}\n";
	static cl_ulong data[ITEMS][4];

	run(*state, source, data, sizeof(data));
	for (int i = 0; i < ITEMS; i++) {
		assert_true(data[i][0] != 0 && data[i][0] <= data[i][1]);
		assert_true(data[i][2] && data[i][3]);
	}
}

static void test_expect_assume(void **state)
{
	static const char source[] =
		"kernel void k(global int *p) {\n"
		"  int i = get_global_id(0), r = 7;\n"
		"  __builtin_assume(i >= 0);\n"
		"  if (__builtin_expect(i % 16 == 5, 0)) r = i / 4;\n"
		"  if (__builtin_expect_with_probability(i % 16 == 6, 0, 0.9)) r = i / 8;\n"
		"  p[i] = r;\n"
		"}\n";
	static cl_int data[ITEMS];

	run(*state, source, data, sizeof(data));
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(data[i], i % 16 == 5 ? i / 4 : i % 16 == 6 ? i / 8 : 7);
}

/* Whole numbers, whose sums are exact in any order. What comes back is a value from on the way. */
#define ATOMICS(type)                                                                              \
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"                                          \
	"kernel void k(global " type " *p) {\n"                                                    \
	"  local atomic_" type " sum;\n"                                                           \
	"  volatile global atomic_" type " *g = (volatile global atomic_" type " *)p;\n"           \
	"  uint i = get_global_id(0), l = get_local_id(0);\n"                                      \
	"  if (l == 0) atomic_store(&sum, (" type ")1);\n"                                         \
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"  atomic_fetch_add(&sum, (" type ")2);\n"                                                 \
	"  atomic_fetch_sub_explicit(g, (" type ")1, memory_order_relaxed);\n"                     \
	"  atomic_fetch_max_explicit(g + 1, (" type ")(i % 50), memory_order_relaxed,\n"           \
	"    memory_scope_device);\n"                                                              \
	"  " type " seen = atomic_fetch_min(g + 2, -(" type ")(i % 50));\n"                        \
	"  if (seen > 0 || seen < -49) p[4] = 1;\n"                                                \
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"  if (i == 0) p[3] = atomic_load_explicit(&sum, memory_order_relaxed);\n"                 \
	"  if (i == 0) atomic_exchange(g + 5, (" type ")9);\n"                                     \
	"}\n"

static void test_float_atomics(void **state)
{
	static const float expected[6] = {-ITEMS, 49, -49, 1 + 2 * GROUP, 0, 9};
	/* Half's bits. */
	static const cl_half halves[6] = {0xd6f0, 0x5220, 0xd220, 0x54b0, 0, 0x4880};
	cl_float floats[6] = {0};
	cl_double doubles[6] = {0};
	cl_half small[6] = {0};

	run(*state, ATOMICS("float"), floats, sizeof(floats));
	assert_memory_equal(floats, expected, sizeof(expected));
	run(*state, ATOMICS("double"), doubles, sizeof(doubles));
	for (int i = 0; i < 6; i++)
		assert_true(doubles[i] == (double)expected[i]);
	run(*state, ATOMICS("half"), small, sizeof(small));
	assert_memory_equal(small, halves, sizeof(halves));
}

/* Each work-item takes what its neighbour has left before it arrived. */
static void test_split_barriers(void **state)
{
	static const char source[] =
		"#if !cl_intel_split_work_group_barrier\n#error barriers\n#endif\n"
		"kernel void k(global int *p) {\n"
		"  local int left[64]; uint l = get_local_id(0), n = get_local_size(0); int sum = "
		"0;\n"
		"  for (int round = 0; round < 3; round++) {\n"
		"    left[l] = (int)get_global_id(0) + round;\n"
		"    if (round & 1) intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);\n"
		"    else intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE, "
		"memory_scope_device);\n"
		"    sum += round;\n"
		"    if (round & 1) intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);\n"
		"    else intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE, "
		"memory_scope_device);\n"
		"    sum += left[(l + 1) % n];\n"
		"    barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  }\n"
		"  p[get_global_id(0)] = sum;\n"
		"}\n";
	cl_int data[ITEMS] = {0};

	run(*state, source, data, sizeof(data));
	for (cl_int i = 0; i < ITEMS; i++) {
		const cl_int next = i / GROUP * GROUP + (i + 1) % GROUP;

		assert_int_equal(data[i], 3 * next + 6);
	}
}

static cl_ushort nearest_bfloat16(cl_uint bits)
{
	const cl_uint lower = bits & 0xffff, upper = bits >> 16;

	if ((bits & 0x7fffffff) > 0x7f800000) /* NaN */
		return (cl_ushort)(upper | 0x40);
	return (cl_ushort)(upper + (lower > 0x8000 || (lower == 0x8000 && (upper & 1))));
}

/* Work-items have numbers of all kinds; each element of a vector is converted as the number alone. */
static void test_bfloat16(void **state)
{
	static const char source[] =
		"#if !cl_intel_bfloat16_conversions\n#error bfloat16\n#endif\n"
		"#define F(n) {\\\n"
		"  uint##n x = number; ushort##n y = "
		"intel_convert_bfloat16##n##_as_ushort##n(as_float##n(x));\\\n"
		"  float##n z = intel_convert_as_bfloat16##n##_float##n(y);\\\n"
		"  const ushort *a = (const ushort *)&y; const uint *b = (const uint *)&z;\\\n"
		"  for (int k = 0; k < n; k++) if (a[k] != result.x || b[k] != result.y) result = "
		"7; }\n"
		"kernel void k(global uint2 *p) {\n"
		"  uint i = get_global_id(0), number = p[i].x;\n"
		"  ushort one = intel_convert_bfloat16_as_ushort(as_float(number));\n"
		"  uint2 result = (uint2)(one, as_uint(intel_convert_as_bfloat16_float(one)));\n"
		"  F(2) F(3) F(4) F(8) F(16)\n"
		"  p[i] = result; }\n";
	static const cl_uint special[] = {0,          0x80000000, 0x3f800000, 0x3f808000,
					  0x3f818000, 0x3f808001, 0x3f807fff, 0x7f7fffff,
					  0x7f800000, 0xff800000, 0x7f800001, 0xffffffff,
					  0x00000001, 0x00008000, 0x00018000};
	const size_t num_special = sizeof(special) / sizeof(special[0]);
	static cl_uint data[ITEMS][2];
	cl_uint numbers[ITEMS];

	for (cl_uint i = 0; i < ITEMS; i++) {
		numbers[i] = i < num_special ? special[i] : i * 0x9e3779b9u;
		data[i][0] = numbers[i];
	}
	run(*state, source, data, sizeof(data));
	for (cl_uint i = 0; i < ITEMS; i++) {
		const cl_uint expected = nearest_bfloat16(numbers[i]);

		assert_int_equal(data[i][0], expected);
		assert_int_equal(data[i][1], expected << 16);
	}
}

static void test_buffers_with_properties(void **state)
{
	const cl_mem_properties_intel none[] = {0}, unknown[] = {CL_MEM_FLAGS, 0, 0};
	struct fixture *f = *state;
	cl_platform_id platform;
	cl_int err = CL_INVALID_VALUE;

	assert_int_equal(
		clGetDeviceInfo(f->device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL),
		CL_SUCCESS);
	clCreateBufferWithPropertiesINTEL_fn create =
		(clCreateBufferWithPropertiesINTEL_fn)clGetExtensionFunctionAddressForPlatform(
			platform, "clCreateBufferWithPropertiesINTEL");
	assert_non_null(create);
	cl_mem buffer = create(f->context, none, 0, 64, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	buffer = create(f->context, NULL, 0, 64, NULL, NULL);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_null(create(NULL, NULL, 0, 64, NULL, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	assert_null(create(f->context, unknown, 0, 64, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(create(f->context, NULL, 0, 0, NULL, &err));
	assert_int_equal(err, CL_INVALID_BUFFER_SIZE);
	assert_null(create(f->context, NULL, CL_MEM_USE_HOST_PTR, 64, NULL, &err));
	assert_int_equal(err, CL_INVALID_HOST_PTR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_dot_products),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_expect_assume),
		cmocka_unit_test(test_float_atomics),
		cmocka_unit_test(test_split_barriers),
		cmocka_unit_test(test_bfloat16),
		cmocka_unit_test(test_buffers_with_properties),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
