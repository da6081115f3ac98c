/* SPDX-License-Identifier: MIT
 *
 * cl_intel_exec_by_local_thread, whose queues run commands in the thread that enqueues them, and cl_intel_device_attribute_query: on
 * the devices that have both, and on one that has neither.
 */
#include "described_context.h"

#include <CL/cl_ext.h>

#include <pthread.h>

enum { PTHREAD, BASIC, ACCEL, NUM_DEVICES };

struct devices {
	cl_context context;
	cl_device_id ids[NUM_DEVICES];
};

static int set_up(void **state)
{
	static struct devices devices;

	devices.context = described_context("pthread,basic,accel", NULL, NUM_DEVICES, devices.ids);
	*state = &devices;
	return 0;
}

static int tear_down(void **state)
{
	struct devices *devices = *state;

	assert_int_equal(clReleaseContext(devices->context), CL_SUCCESS);
	return 0;
}

/* What a native function has seen. */
struct seen {
	pthread_t thread;
	int count;
};

static void CL_CALLBACK see(void *args)
{
	struct seen *seen = *(struct seen **)args;

	seen->thread = pthread_self();
	seen->count++;
}

static cl_int enqueue(cl_command_queue queue, struct seen *seen, cl_uint num_waits,
		      const cl_event *waits, cl_event *event)
{
	return clEnqueueNativeKernel(queue, see, (void *)&seen, sizeof(seen), 0, NULL, NULL,
				     num_waits, waits, event);
}

static cl_int take_status(cl_event event)
{
	cl_int status = 7;

	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return status;
}

/* Without a flag that blocks, without clFinish. */
static void check_in_place(cl_context context, cl_command_queue queue)
{
	struct seen seen = {.count = 0};
	cl_event event = NULL;
	cl_uchar bytes[3] = {1, 2, 3};
	cl_mem mem = clCreateBuffer(context, 0, sizeof(bytes), NULL, NULL);

	assert_int_equal(enqueue(queue, &seen, 0, NULL, &event), CL_SUCCESS);
	assert_int_equal(seen.count, 1);
	assert_true(pthread_equal(seen.thread, pthread_self()));
	assert_int_equal(take_status(event), CL_COMPLETE);
	assert_int_equal(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof(bytes), bytes, 0,
					      NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(take_status(event), CL_COMPLETE);
	memset(bytes, 0, sizeof(bytes));
	assert_int_equal(
		clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof(bytes), bytes, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(bytes[2], 3);
	assert_int_equal(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event), CL_SUCCESS);
	assert_int_equal(take_status(event), CL_COMPLETE);
	assert_int_equal(clEnqueueBarrierWithWaitList(queue, 0, NULL, &event), CL_SUCCESS);
	assert_int_equal(take_status(event), CL_COMPLETE);
	assert_int_equal(clFinish(queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void *complete(void *event)
{
	assert_int_equal(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
	return NULL;
}

/* The enqueue waits, and then this thread runs the command, not the one that sets the event. */
static void check_wait_list(cl_context context, cl_command_queue queue)
{
	struct seen seen = {.count = 0};
	cl_event gate = clCreateUserEvent(context, NULL);
	cl_event event = NULL;
	pthread_t other;

	assert_int_equal(pthread_create(&other, NULL, complete, gate), 0);
	assert_int_equal(enqueue(queue, &seen, 1, &gate, &event), CL_SUCCESS);
	assert_true(seen.count == 1 && pthread_equal(seen.thread, pthread_self()));
	assert_int_equal(take_status(event), CL_COMPLETE);
	assert_int_equal(pthread_join(other, NULL), 0);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);

	gate = clCreateUserEvent(context, NULL);
	assert_int_equal(clSetUserEventStatus(gate, -5), CL_SUCCESS);
	assert_int_equal(enqueue(queue, &seen, 1, &gate, &event), CL_SUCCESS);
	assert_int_equal(seen.count, 1);
	assert_int_equal(take_status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

static void commands_run_in_the_thread_that_enqueues_them(void **state)
{
	const cl_command_queue_properties orders[] = {CL_QUEUE_PROFILING_ENABLE,
						      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	struct devices *devices = *state;

	for (int i = 0; i < 2 * 3; i++) {
		cl_command_queue queue = clCreateCommandQueue(
			devices->context, devices->ids[i / 3],
			orders[i % 3] | CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL, NULL);

		assert_non_null(queue);
		check_in_place(devices->context, queue);
		check_wait_list(devices->context, queue);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	}
}

static void queues_of_other_devices_are_refused(void **state)
{
	const cl_command_queue_properties on_device = CL_QUEUE_ON_DEVICE |
						      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
						      CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL;
	const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, on_device, 0};
	struct devices *devices = *state;
	cl_int err = CL_SUCCESS;

	assert_null(clCreateCommandQueue(devices->context, devices->ids[ACCEL],
					 CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL, &err));
	assert_int_equal(err, CL_INVALID_QUEUE_PROPERTIES);
	assert_null(clCreateCommandQueueWithProperties(devices->context, devices->ids[PTHREAD],
						       list, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
}

static cl_uint attribute(cl_device_id device, cl_device_info what)
{
	cl_uint value = 77;

	assert_int_equal(clGetDeviceInfo(device, what, sizeof(value), &value, NULL), CL_SUCCESS);
	return value;
}

static void devices_have_attributes(void **state)
{
	struct devices *devices = *state;
	const cl_device_id device = devices->ids[PTHREAD];
	cl_device_feature_capabilities_intel features = 77;

	assert_int_equal(attribute(device, CL_DEVICE_NUM_SLICES_INTEL),
			 attribute(device, CL_DEVICE_MAX_COMPUTE_UNITS));
	assert_int_equal(attribute(device, CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL), 1);
	assert_int_equal(attribute(device, CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL), 1);
	assert_int_equal(attribute(device, CL_DEVICE_NUM_THREADS_PER_EU_INTEL), 1);
	assert_int_equal(attribute(device, CL_DEVICE_IP_VERSION_INTEL),
			 attribute(devices->ids[BASIC], CL_DEVICE_IP_VERSION_INTEL));
	assert_int_not_equal(attribute(device, CL_DEVICE_ID_INTEL), 0);
	assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_FEATURE_CAPABILITIES_INTEL,
					 sizeof(features), &features, NULL),
			 CL_SUCCESS);
	assert_int_equal(features, 0);
	for (cl_device_info what = CL_DEVICE_IP_VERSION_INTEL;
	     what <= CL_DEVICE_FEATURE_CAPABILITIES_INTEL; what++)
		assert_int_equal(clGetDeviceInfo(devices->ids[ACCEL], what, 0, NULL, NULL),
				 CL_INVALID_VALUE);
}

/* What both say of the extensions. */
static void devices_list_what_they_have(void **state)
{
	const char *const names[] = {"cl_intel_exec_by_local_thread",
				     "cl_intel_device_attribute_query"};
	struct devices *devices = *state;
	char list[8192];

	for (int i = 0; i < NUM_DEVICES; i++) {
		assert_int_equal(clGetDeviceInfo(devices->ids[i], CL_DEVICE_EXTENSIONS,
						 sizeof(list), list, NULL),
				 CL_SUCCESS);
		for (int j = 0; j < 2; j++)
			assert_int_equal(strstr(list, names[j]) != NULL, i != ACCEL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_run_in_the_thread_that_enqueues_them),
		cmocka_unit_test(queues_of_other_devices_are_refused),
		cmocka_unit_test(devices_have_attributes),
		cmocka_unit_test(devices_list_what_they_have),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
