/* SPDX-License-Identifier: MIT
 *
 * Contexts (specification 4.4) and command queues (5.1): every error, every query, which object keeps which alive.
 */
#include "fixture.h"

static cl_platform_id platform_of(cl_device_id device)
{
	cl_platform_id platform = NULL;

	clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), (void *)&platform,
			NULL);
	return platform;
}

static void CL_CALLBACK ignore_report(const char *text, const void *data, size_t size,
				      void *user_data)
{
	(void)text;
	(void)data;
	(void)size;
	(void)user_data;
}

static cl_int create_error(const cl_context_properties *properties, cl_uint num,
			   const cl_device_id *devices, void *user_data)
{
	cl_int err = CL_SUCCESS;

	assert_null(clCreateContext(properties, num, devices, NULL, user_data, &err));
	return err;
}

static void bad_contexts(void **state)
{
	struct fixture *f = *state;
	const cl_context_properties unknown[] = {0x9999, 0, 0};
	const cl_context_properties twice[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE,
					       CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
	const cl_context_properties value[] = {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0};
	const cl_device_id with_null[] = {f->device, NULL};

	assert_int_equal(create_error(unknown, 1, &f->device, NULL), CL_INVALID_PROPERTY);
	assert_int_equal(create_error(twice, 1, &f->device, NULL), CL_INVALID_PROPERTY);
	assert_int_equal(create_error(value, 1, &f->device, NULL), CL_INVALID_PROPERTY);
	assert_int_equal(create_error(NULL, 0, &f->device, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(NULL, 1, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(create_error(NULL, 1, &f->device, f), CL_INVALID_VALUE);
	assert_int_equal(create_error(NULL, 2, with_null, NULL), CL_INVALID_DEVICE);
	/* errcode_ret may be NULL. */
	assert_null(clCreateContext(unknown, 1, &f->device, NULL, NULL, NULL));
}

static void contexts_from_type(void **state)
{
	struct fixture *f = *state;
	const cl_context_properties properties[] = {
		CL_CONTEXT_PLATFORM, (cl_context_properties)platform_of(f->device), 0};
	cl_int err = 1;
	cl_device_id device = NULL;

	cl_context context =
		clCreateContextFromType(properties, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(cl_device_id),
					  (void *)&device, NULL),
			 CL_SUCCESS);
	assert_ptr_equal(device, f->device);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_null(clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &err));
	assert_int_equal(err, CL_DEVICE_NOT_FOUND);
	assert_null(clCreateContextFromType(properties, 1 << 20, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_DEVICE_TYPE);
	assert_null(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, NULL, f, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
}

static void context_info(void **state)
{
	struct fixture *f = *state;
	const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
						    (cl_context_properties)platform_of(f->device),
						    CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, 0};
	const cl_device_id devices[] = {f->device, f->device};
	cl_context_properties read[5];
	cl_uint number = 0;
	size_t size = 1;

	cl_context context = clCreateContext(properties, 2, devices, ignore_report, f, NULL);
	assert_non_null(context);
	assert_int_equal(
		clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(number), &number, &size),
		CL_SUCCESS);
	/* One that is named twice is in it once. */
	assert_int_equal(number, 1);
	assert_int_equal(size, sizeof(number));
	assert_int_equal(
		clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof(read), read, &size),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(read, properties, sizeof(properties));
	assert_int_equal(
		clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof(read) - 1, read, NULL),
		CL_INVALID_VALUE);
	assert_int_equal(clGetContextInfo(context, 0, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetContextInfo(f->context, CL_CONTEXT_PROPERTIES, 0, NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(clRetainContext(context), CL_SUCCESS);
	assert_int_equal(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(number),
					  &number, NULL),
			 CL_SUCCESS);
	assert_int_equal(number, 2);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

static int destroyed[4];
static int num_destroyed;

static void CL_CALLBACK note_destroyed(cl_context context, void *user_data)
{
	(void)context;
	destroyed[num_destroyed++] = *(int *)user_data;
}

static void destructors_run_newest_first_and_last_of_all(void **state)
{
	struct fixture *f = *state;
	int names[] = {1, 2, 3};
	cl_context context = clCreateContext(NULL, 1, &f->device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, f->device, NULL, NULL);

	num_destroyed = 0;
	assert_int_equal(clSetContextDestructorCallback(context, NULL, NULL), CL_INVALID_VALUE);
	for (int i = 0; i < 3; i++)
		assert_int_equal(clSetContextDestructorCallback(context, note_destroyed, &names[i]),
				 CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	/* The queue still needs it. */
	assert_int_equal(num_destroyed, 0);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(num_destroyed, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(destroyed[i], 3 - i);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static cl_int queue_error(struct fixture *f, const cl_queue_properties *properties)
{
	cl_int err = CL_SUCCESS;

	assert_null(clCreateCommandQueueWithProperties(f->context, f->device, properties, &err));
	return err;
}

static void bad_queues(void **state)
{
	struct fixture *f = *state;
	const cl_command_queue_properties on_device =
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	const cl_queue_properties unknown[] = {0x9999, 0, 0};
	const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
	const cl_queue_properties twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0};
	const cl_queue_properties size[] = {CL_QUEUE_SIZE, 1024, 0};
	const cl_queue_properties empty[] = {CL_QUEUE_PROPERTIES, on_device, CL_QUEUE_SIZE, 0, 0};
	const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
	const cl_queue_properties is_default[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT,
						  0};
	cl_int err;

	assert_null(clCreateCommandQueueWithProperties(NULL, f->device, NULL, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	assert_null(clCreateCommandQueueWithProperties(f->context, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_DEVICE);
	assert_int_equal(queue_error(f, unknown), CL_INVALID_VALUE);
	assert_int_equal(queue_error(f, bits), CL_INVALID_VALUE);
	assert_int_equal(queue_error(f, twice), CL_INVALID_VALUE);
	assert_int_equal(queue_error(f, size), CL_INVALID_VALUE);
	assert_int_equal(queue_error(f, in_order), CL_INVALID_VALUE);
	assert_int_equal(queue_error(f, is_default), CL_INVALID_VALUE);
	assert_int_equal(queue_error(f, empty), CL_INVALID_VALUE);
	assert_null(clCreateCommandQueue(f->context, f->device, 1 << 20, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clCreateCommandQueue(f->context, NULL, 0, &err));
	assert_int_equal(err, CL_INVALID_DEVICE);
	assert_int_equal(
		clSetCommandQueueProperty(f->queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL),
		CL_INVALID_OPERATION);
	assert_int_equal(clFlush(NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clFinish(NULL), CL_INVALID_COMMAND_QUEUE);
}

static void queue_info(void **state)
{
	struct fixture *f = *state;
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
						  0};
	cl_queue_properties list[3];
	cl_command_queue_properties bits = 0;
	void *pointer = NULL;
	cl_uint number = 0;
	size_t size = 0;

	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->context, f->device, properties, NULL);
	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(pointer),
					       (void *)&pointer, NULL),
			 CL_SUCCESS);
	assert_ptr_equal(pointer, f->context);
	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(pointer),
					       (void *)&pointer, NULL),
			 CL_SUCCESS);
	assert_ptr_equal(pointer, f->device);
	assert_int_equal(
		clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(bits), &bits, NULL),
		CL_SUCCESS);
	assert_int_equal(bits, CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(
		clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(list), list, &size),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(list, properties, size);
	assert_int_equal(clGetCommandQueueInfo(f->queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof(pointer),
					       (void *)&pointer, NULL),
			 CL_SUCCESS);
	assert_null(pointer);
	assert_int_equal(clGetCommandQueueInfo(queue, 0, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 1, &bits, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clRetainCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(number),
					       &number, NULL),
			 CL_SUCCESS);
	assert_int_equal(number, 2);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
}

/* A query gives an object back that the application has released: it may go on with it. */
static void queue_gives_its_context_back(void **state)
{
	struct fixture *f = *state;
	cl_context context = clCreateContext(NULL, 1, &f->device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, f->device, NULL, NULL);
	cl_context again = NULL;

	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_int_equal(
		clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(again), (void *)&again, NULL),
		CL_SUCCESS);
	assert_int_equal(clRetainContext(again), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	cl_event event = clCreateUserEvent(again, NULL);
	assert_non_null(event);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseContext(again), CL_SUCCESS);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(bad_contexts),
		TEST(contexts_from_type),
		TEST(context_info),
		TEST(destructors_run_newest_first_and_last_of_all),
		TEST(bad_queues),
		TEST(queue_info),
		TEST(queue_gives_its_context_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
