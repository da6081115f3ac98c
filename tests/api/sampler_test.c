/* SPDX-License-Identifier: MIT
 *
 * Samplers: what makes them, what the queries say, and every code of a wrong argument.
 */
#include "fixture.h"

#include <CL/cl_ext.h>
#include <float.h>

static cl_ulong bits_of(cl_float number)
{
	cl_uint bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static cl_sampler make(struct fixture *f, const cl_sampler_properties *properties)
{
	cl_int err;
	cl_sampler sampler = clCreateSamplerWithProperties(f->context, properties, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(sampler);
	return sampler;
}

static void check_uint(cl_sampler sampler, cl_sampler_info param, cl_uint expected)
{
	cl_uint value;
	size_t size;

	assert_int_equal(clGetSamplerInfo(sampler, param, sizeof(value), &value, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(value));
	assert_int_equal(value, expected);
}

static void check_float(cl_sampler sampler, cl_sampler_info param, cl_float expected)
{
	cl_float value;

	assert_int_equal(clGetSamplerInfo(sampler, param, sizeof(value), &value, NULL), CL_SUCCESS);
	assert_memory_equal(&value, &expected, sizeof(value));
}

static void test_defaults(void **state)
{
	struct fixture *f = *state;
	cl_sampler sampler = make(f, NULL);
	cl_context context;
	size_t size = 9;

	check_uint(sampler, CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE);
	check_uint(sampler, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP);
	check_uint(sampler, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST);
	check_uint(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_NEAREST);
	check_float(sampler, CL_SAMPLER_LOD_MIN_KHR, 0.0f);
	check_float(sampler, CL_SAMPLER_LOD_MAX_KHR, FLT_MAX);
	check_uint(sampler, CL_SAMPLER_REFERENCE_COUNT, 1);
	assert_int_equal(
		clGetSamplerInfo(sampler, CL_SAMPLER_CONTEXT, sizeof(context), &context, NULL),
		CL_SUCCESS);
	assert_ptr_equal(context, f->context);
	assert_int_equal(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(clRetainSampler(sampler), CL_SUCCESS);
	check_uint(sampler, CL_SAMPLER_REFERENCE_COUNT, 2);
	assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
	assert_int_equal(clReleaseSampler(sampler), CL_INVALID_SAMPLER);
}

static void test_properties(void **state)
{
	struct fixture *f = *state;
	const cl_sampler_properties properties[] = {CL_SAMPLER_LOD_MAX_KHR,
						    bits_of(7.5f),
						    CL_SAMPLER_FILTER_MODE,
						    CL_FILTER_LINEAR,
						    CL_SAMPLER_ADDRESSING_MODE,
						    CL_ADDRESS_MIRRORED_REPEAT,
						    CL_SAMPLER_MIP_FILTER_MODE_KHR,
						    CL_FILTER_LINEAR,
						    CL_SAMPLER_LOD_MIN_KHR,
						    bits_of(0.25f),
						    CL_SAMPLER_NORMALIZED_COORDS,
						    CL_TRUE,
						    0};
	cl_sampler sampler = make(f, properties);
	cl_sampler_properties returned[13];
	size_t size;

	check_uint(sampler, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT);
	check_uint(sampler, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR);
	check_uint(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR);
	check_float(sampler, CL_SAMPLER_LOD_MIN_KHR, 0.25f);
	check_float(sampler, CL_SAMPLER_LOD_MAX_KHR, 7.5f);
	assert_int_equal(
		clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof(returned), returned, &size),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(returned, properties, sizeof(properties));
	assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
}

static void check_wrong(struct fixture *f, const cl_sampler_properties *properties)
{
	cl_int err = CL_SUCCESS;

	assert_null(clCreateSamplerWithProperties(f->context, properties, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
}

static void test_wrong_properties(void **state)
{
	struct fixture *f = *state;
	static const cl_sampler_properties wrong[][5] = {
		{CL_SAMPLER_CONTEXT, 1, 0},
		{CL_SAMPLER_NORMALIZED_COORDS, 2, 0},
		{CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_NONE - 1, 0},
		{CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT + 1, 0},
		{CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0},
		{CL_SAMPLER_MIP_FILTER_MODE_KHR, 0, 0},
		{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
		 0},
		{CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE,
		 CL_ADDRESS_REPEAT, 0},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		check_wrong(f, wrong[i]);
	check_wrong(f, (const cl_sampler_properties[]){CL_SAMPLER_LOD_MIN_KHR, bits_of(2.0f),
						       CL_SAMPLER_LOD_MAX_KHR, bits_of(1.0f), 0});
	check_wrong(f, (const cl_sampler_properties[]){CL_SAMPLER_LOD_MAX_KHR, 0x7fc00000, 0});
}

static void test_older_function(void **state)
{
	struct fixture *f = *state;
	cl_int err = CL_SUCCESS;
	size_t size = 9;

	cl_sampler sampler = clCreateSampler(f->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
					     CL_FILTER_LINEAR, &err);
	assert_int_equal(err, CL_SUCCESS);
	check_uint(sampler, CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE);
	check_uint(sampler, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE);
	assert_int_equal(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
	assert_null(clCreateSampler(f->context, 2, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clCreateSampler(f->context, CL_TRUE, 0, CL_FILTER_LINEAR, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(
		clCreateSampler(f->context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clCreateSampler(f->context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR + 1,
				    NULL));
}

static void test_wrong_handles(void **state)
{
	struct fixture *f = *state;
	const cl_sampler wrong = (cl_sampler)f->queue;
	cl_sampler sampler = make(f, NULL);
	cl_uint value = 9;
	cl_int err = CL_SUCCESS;

	assert_null(clCreateSamplerWithProperties(NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	assert_null(clCreateSampler((cl_context)f->queue, CL_TRUE, CL_ADDRESS_CLAMP,
				    CL_FILTER_NEAREST, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	assert_int_equal(clRetainSampler(wrong), CL_INVALID_SAMPLER);
	assert_int_equal(clReleaseSampler(wrong), CL_INVALID_SAMPLER);
	assert_int_equal(clGetSamplerInfo(wrong, CL_SAMPLER_FILTER_MODE, 4, &value, NULL),
			 CL_INVALID_SAMPLER);
	assert_int_equal(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, 3, &value, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetSamplerInfo(sampler, CL_IMAGE_FORMAT, 4, &value, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(value, 9);
	assert_int_equal(clReleaseSampler(sampler), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),         cmocka_unit_test(test_properties),
		cmocka_unit_test(test_wrong_properties), cmocka_unit_test(test_older_function),
		cmocka_unit_test(test_wrong_handles),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
