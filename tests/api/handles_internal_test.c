/* SPDX-License-Identifier: MIT
 *
 * Every entry point, generated from the list, with nothing but zeros, with handles of every wrong
 * kind and with handles that were released: an error or NULL, nothing changed, no crash. Calls go past the types: all parameters are
 * integers or pointers, and every ABI that Weft runs on passes missing ones as harmlessly as zeros.
 */
#include "device/context.h"
#include "entry_points.h"
#include "graph/event.h"
#include "graph/queue.h"
#include "memory/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef intptr_t (*any_function)(const void *, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
				 intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
				 intptr_t, intptr_t);

struct entry {
	const char *name;
	any_function function;
};

static const struct entry entries[] = {
#define WEFT_ENTRY(name) {#name, (any_function)(void (*)(void))weft_##name},
#define WEFT_EXTENSION_ENTRY(name) WEFT_ENTRY(name)
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
};
#define NUM_ENTRIES (sizeof(entries) / sizeof(entries[0]))

#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
static intptr_t call(const struct entry *entry, const void *first)
{
	return entry->function(first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static bool starts_with(const char *name, const char *start)
{
	return strncmp(name, start, strlen(start)) == 0;
}

static bool returns_pointer(const char *name)
{
	static const char *const starts[] = {
		"clCreateContext",      "clCreateCommandQueue", "clCreateBuffer",
		"clCreateSubBuffer",    "clCreateImage",        "clCreateSampler",
		"clCreatePipe",         "clCreateUserEvent",    "clCreateProgram",
		"clLinkProgram",        "clCloneKernel",        "clEnqueueMap",
		"clSVMAlloc",           "clGetExtension",       "clIcdGetFunction",
		"clCreateCommandBuffer"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (starts_with(name, starts[i]))
			return true;
	}
	return strcmp(name, "clCreateKernel") == 0;
}

/* Has no handle to be wrong about, or returns nothing. */
static bool takes_anything(const char *name)
{
	return strcmp(name, "clUnloadCompiler") == 0 || strcmp(name, "clSVMFree") == 0;
}

static void nothing_but_zeros(void **state)
{
	(void)state;
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		intptr_t result = call(&entries[i], NULL);

		if (takes_anything(entries[i].name))
			continue;
		if (returns_pointer(entries[i].name) ? result != 0 : (cl_int)result >= 0)
			fail_msg("%s(0, …) returned %ld", entries[i].name, (long)result);
	}
}

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static int set_up(void **state)
{
	(void)state;
	setenv("WEFT_COMPILER", FAKE_COMPILER, 1); /* before the library looks at its options */
	setenv("WEFT_CACHE", "0", 1);
	setenv("WEFT_THREADS", "2", 1); /* for a sub-device */
	assert_int_equal(weft_clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
			 CL_SUCCESS);
	context = weft_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = weft_clCreateCommandQueueWithProperties(context, device, NULL, NULL);
	assert_non_null(queue);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(weft_clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(weft_clReleaseContext(context), CL_SUCCESS);
	return 0;
}

/* A live object, and the code for a handle that is not of its kind's. */
struct kind {
	void *handle;
	cl_int code;
};

static void check_kinds(const struct entry *entry, const struct kind *kinds, size_t num_kinds)
{
	/* The code for NULL tells which kind the function takes first, unless NULL is a platform. */
	bool null_is_platform = strcmp(entry->name, "clGetDeviceIDs") == 0 ||
				strcmp(entry->name, "clGetPlatformInfo") == 0;
	cl_int expected = null_is_platform ? CL_INVALID_PLATFORM : (cl_int)call(entry, NULL);

	for (size_t i = 0; i < num_kinds; i++) {
		if (kinds[i].code == expected || expected == CL_INVALID_VALUE)
			continue;
		cl_int result = (cl_int)call(entry, kinds[i].handle);
		if (result != expected)
			fail_msg("%s with a handle that should give %d: %d, not %d", entry->name,
				 kinds[i].code, result, expected);
	}
}

static void handles_of_the_wrong_kind(void **state)
{
	(void)state;
	cl_mem mem = weft_clCreateBuffer(context, 0, 64, NULL, NULL);
	cl_event event = weft_clCreateUserEvent(context, NULL);
	cl_command_buffer_khr buffer = weft_clCreateCommandBufferKHR(1, &queue, NULL, NULL);
	cl_sampler sampler = weft_clCreateSamplerWithProperties(context, NULL, NULL);
	const struct kind kinds[] = {
		{platform, CL_INVALID_PLATFORM}, {device, CL_INVALID_DEVICE},
		{context, CL_INVALID_CONTEXT},   {queue, CL_INVALID_COMMAND_QUEUE},
		{mem, CL_INVALID_MEM_OBJECT},    {sampler, CL_INVALID_SAMPLER},
		{event, CL_INVALID_EVENT},       {buffer, CL_INVALID_COMMAND_BUFFER_KHR},
	};

	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		if (takes_anything(entries[i].name))
			continue;
		if (!returns_pointer(entries[i].name))
			check_kinds(&entries[i], kinds, sizeof(kinds) / sizeof(kinds[0]));
		else if (call(&entries[i], event))
			fail_msg("%s took an event for something else", entries[i].name);
	}
	/* And none of them has lost a reference. */
	assert_int_equal(weft_refcount_read(&context->base.api), 1);
	assert_int_equal(weft_refcount_read(&queue->base.api), 1);
	assert_int_equal(weft_clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
	assert_int_equal(weft_clReleaseSampler(sampler), CL_SUCCESS);
	assert_int_equal(weft_clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(weft_clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- released handles ------------------------------------------------------------------------ */

/* Handles that lead to nothing any more, one of each kind. */
struct released {
	cl_device_id device; /* a sub-device */
	cl_context context;
	cl_command_queue queue;
	cl_mem mem;
	cl_mem sub_buffer;
	cl_mem image;
	cl_sampler sampler;
	cl_program program;
	cl_kernel kernel;
	cl_event event;
	cl_event user_event;
	cl_command_buffer_khr buffer;
	cl_mutable_command_khr command;
};

static cl_program build_program(void)
{
	const char *source = "x";
	cl_program program = weft_clCreateProgramWithSource(context, 1, &source, NULL, NULL);

	assert_int_equal(weft_clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	return program;
}

static cl_device_id create_sub_device(void)
{
	const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id made[2];

	assert_int_equal(weft_clCreateSubDevices(device, properties, 2, made, NULL), CL_SUCCESS);
	assert_int_equal(weft_clReleaseDevice(made[1]), CL_SUCCESS);
	return made[0];
}

static void record(struct released *made)
{
	const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
							       CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
	const size_t global = 0;

	made->buffer = weft_clCreateCommandBufferKHR(1, &queue, properties, NULL);
	assert_int_equal(weft_clCommandNDRangeKernelKHR(made->buffer, NULL, NULL, made->kernel, 1,
							NULL, &global, NULL, 0, NULL, NULL,
							&made->command),
			 CL_SUCCESS);
}

static struct released release_all(void)
{
	const cl_buffer_region region = {0, 128};
	const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
	struct released r = {.device = create_sub_device()};

	r.context = weft_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	r.queue = weft_clCreateCommandQueueWithProperties(context, device, NULL, NULL);
	r.mem = weft_clCreateBuffer(context, 0, 256, NULL, NULL);
	r.sub_buffer =
		weft_clCreateSubBuffer(r.mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
	r.image = weft_clCreateImage2D(context, 0, &format, 4, 4, 0, NULL, NULL);
	r.sampler = weft_clCreateSamplerWithProperties(context, NULL, NULL);
	r.program = build_program();
	r.kernel = weft_clCreateKernel(r.program, "nothing", NULL);
	record(&r);
	r.user_event = weft_clCreateUserEvent(context, NULL);
	assert_int_equal(weft_clEnqueueMarkerWithWaitList(r.queue, 0, NULL, &r.event), CL_SUCCESS);
	assert_int_equal(weft_clFinish(r.queue), CL_SUCCESS);
	assert_int_equal(weft_clReleaseCommandBufferKHR(r.buffer), CL_SUCCESS);
	assert_int_equal(weft_clReleaseEvent(r.event), CL_SUCCESS);
	assert_int_equal(weft_clReleaseEvent(r.user_event), CL_SUCCESS);
	assert_int_equal(weft_clReleaseKernel(r.kernel), CL_SUCCESS);
	assert_int_equal(weft_clReleaseProgram(r.program), CL_SUCCESS);
	assert_int_equal(weft_clReleaseMemObject(r.mem), CL_SUCCESS); /* its sub-buffer keeps it */
	assert_int_equal(weft_clReleaseMemObject(r.sub_buffer), CL_SUCCESS);
	assert_int_equal(weft_clReleaseMemObject(r.image), CL_SUCCESS);
	assert_int_equal(weft_clReleaseSampler(r.sampler), CL_SUCCESS);
	assert_int_equal(weft_clReleaseCommandQueue(r.queue), CL_SUCCESS);
	assert_int_equal(weft_clReleaseContext(r.context), CL_SUCCESS);
	assert_int_equal(weft_clReleaseDevice(r.device), CL_SUCCESS);
	return r;
}

static void check_released(const struct entry *entry, const char *kind, void *handle)
{
	if (takes_anything(entry->name))
		return;
	intptr_t with_null = call(entry, NULL);
	intptr_t result = call(entry, handle);
	/* a NULL platform is the only one */
	bool null_is_platform = strcmp(entry->name, "clGetDeviceIDs") == 0 ||
				strcmp(entry->name, "clGetPlatformInfo") == 0;

	if (returns_pointer(entry->name) ? result != 0
					 : (cl_int)result != (null_is_platform ? CL_INVALID_PLATFORM
									       : (cl_int)with_null))
		fail_msg("%s with a released %s: %ld, not %ld", entry->name, kind, (long)result,
			 (long)with_null);
}

static void released_handles(void **state)
{
	const struct released r = release_all();
	const struct {
		const char *kind;
		void *handle;
	} handles[] = {
		{"device", r.device},
		{"context", r.context},
		{"queue", r.queue},
		{"buffer", r.mem},
		{"sub-buffer", r.sub_buffer},
		{"image", r.image},
		{"sampler", r.sampler},
		{"program", r.program},
		{"kernel", r.kernel},
		{"event", r.event},
		{"user event", r.user_event},
		{"command buffer", r.buffer},
		{"mutable command", r.command},
	};

	(void)state;
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		for (size_t k = 0; k < sizeof(handles) / sizeof(handles[0]); k++)
			check_released(&entries[i], handles[k].kind, handles[k].handle);
	}
}

/* Where a handle is not the first parameter, or in a list. */
static void released_handles_behind_others(void **state)
{
	const size_t global = 1;
	const char *name = "a.h";
	cl_mem mem = weft_clCreateBuffer(context, 0, 256, NULL, NULL);
	cl_program program = build_program();
	cl_event user_event = weft_clCreateUserEvent(context, NULL);
	/* last, as the memory of what has ended is used for what is made next */
	const struct released r = release_all();
	const cl_event events[] = {user_event, r.event};
	const cl_program programs[] = {program, r.program};
	const cl_device_id devices[] = {device, r.device};
	char bytes[256];
	cl_int err;

	(void)state;
#define REFUSED(call, code) assert_int_equal(call, code)
#define REFUSED_NULL(call, code)                                                                   \
	do {                                                                                       \
		assert_null(call);                                                                 \
		assert_int_equal(err, code);                                                       \
	} while (0)
	REFUSED_NULL(weft_clCreateContext(NULL, 2, devices, NULL, NULL, &err), CL_INVALID_DEVICE);
	REFUSED_NULL(weft_clCreateCommandQueueWithProperties(context, r.device, NULL, &err),
		     CL_INVALID_DEVICE);
	REFUSED_NULL(weft_clCreateCommandQueue(context, r.device, 0, &err), CL_INVALID_DEVICE);
	REFUSED(weft_clBuildProgram(program, 2, devices, NULL, NULL, NULL), CL_INVALID_DEVICE);
	REFUSED(weft_clCompileProgram(program, 2, devices, NULL, 0, NULL, NULL, NULL, NULL),
		CL_INVALID_DEVICE);
	REFUSED(weft_clCompileProgram(program, 0, NULL, NULL, 1, &r.program, &name, NULL, NULL),
		CL_INVALID_PROGRAM);
	REFUSED_NULL(weft_clLinkProgram(context, 0, NULL, NULL, 2, programs, NULL, NULL, &err),
		     CL_INVALID_PROGRAM);
	REFUSED_NULL(weft_clLinkProgram(context, 2, devices, NULL, 1, programs, NULL, NULL, &err),
		     CL_INVALID_DEVICE);
	REFUSED(weft_clGetProgramBuildInfo(program, r.device, CL_PROGRAM_BUILD_STATUS, 0, NULL,
					   NULL),
		CL_INVALID_DEVICE);
	REFUSED(weft_clWaitForEvents(2, events), CL_INVALID_EVENT);
	REFUSED(weft_clEnqueueMarkerWithWaitList(queue, 2, events, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	REFUSED(weft_clEnqueueBarrierWithWaitList(queue, 2, events, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	REFUSED(weft_clEnqueueWaitForEvents(queue, 2, events), CL_INVALID_EVENT);
	REFUSED(weft_clEnqueueFillBuffer(queue, mem, "", 1, 0, 1, 2, events, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	REFUSED(weft_clEnqueueNDRangeKernel(queue, r.kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_INVALID_KERNEL);
	REFUSED(weft_clEnqueueTask(queue, r.kernel, 0, NULL, NULL), CL_INVALID_KERNEL);
	for (int i = 0; i < 2; i++) {
		cl_mem gone = i ? r.sub_buffer : r.mem;

		REFUSED(weft_clEnqueueReadBuffer(queue, gone, CL_TRUE, 0, 1, bytes, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED(weft_clEnqueueWriteBuffer(queue, gone, CL_TRUE, 0, 1, bytes, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED(weft_clEnqueueCopyBuffer(queue, gone, mem, 0, 0, 1, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED(weft_clEnqueueCopyBuffer(queue, mem, gone, 0, 0, 1, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED(weft_clEnqueueFillBuffer(queue, gone, "", 1, 0, 1, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED(weft_clEnqueueMigrateMemObjects(queue, 1, &gone, 0, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED(weft_clEnqueueUnmapMemObject(queue, gone, bytes, 0, NULL, NULL),
			CL_INVALID_MEM_OBJECT);
		REFUSED_NULL(weft_clEnqueueMapBuffer(queue, gone, CL_TRUE, CL_MAP_READ, 0, 1, 0,
						     NULL, NULL, &err),
			     CL_INVALID_MEM_OBJECT);
	}
	REFUSED_NULL(weft_clCreateCommandBufferKHR(1, &r.queue, NULL, &err),
		     CL_INVALID_COMMAND_QUEUE);
	REFUSED(weft_clEnqueueCommandBufferKHR(0, NULL, r.buffer, 0, NULL, NULL),
		CL_INVALID_COMMAND_BUFFER_KHR);
#undef REFUSED
#undef REFUSED_NULL
	assert_int_equal(weft_clReleaseEvent(user_event), CL_SUCCESS);
	assert_int_equal(weft_clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(weft_clReleaseMemObject(mem), CL_SUCCESS);
}

static void every_entry_point_is_found_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		void *found = weft_clGetExtensionFunctionAddress(entries[i].name);
		assert_ptr_equal(found, (void *)entries[i].function);
		found = weft_clIcdGetFunctionAddressForPlatformKHR(platform, entries[i].name);
		assert_ptr_equal(found, (void *)entries[i].function);
	}
	assert_null(weft_clGetExtensionFunctionAddress("clNoSuchFunction"));
	assert_null(weft_clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunction"));
	assert_null(weft_clGetExtensionFunctionAddressForPlatform(platform, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_but_zeros),
		cmocka_unit_test(handles_of_the_wrong_kind),
		cmocka_unit_test(released_handles),
		cmocka_unit_test(released_handles_behind_others),
		cmocka_unit_test(every_entry_point_is_found_by_name),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
