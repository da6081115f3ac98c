/* SPDX-License-Identifier: MIT
 *
 * Every entry point with handles that were released, and with addresses that no object can have: an error or NULL, nothing changed,
 * no crash.
 */
#include "every_entry.h"

/* ---- released handles ------------------------------------------------------------------------ */

/* Handles that lead to no object, one of each kind. */
struct handles {
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

static void record(struct handles *made)
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

static struct handles release_all(void)
{
	const cl_buffer_region region = {0, 128};
	const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
	struct handles r = {.device = create_sub_device()};

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

static void check_dead(const struct entry *entry, const char *kind, void *handle)
{
	if (takes_anything(entry->name))
		return;
	intptr_t with_null = call(entry, NULL);
	intptr_t result = call(entry, handle);
	cl_int expected = null_is_platform(entry->name) ? CL_INVALID_PLATFORM : (cl_int)with_null;

	if (returns_pointer(entry->name) ? result != 0 : (cl_int)result != expected)
		fail_msg("%s with no %s: %ld, not %ld", entry->name, kind, (long)result,
			 (long)with_null);
}

/* clCreateContext and its kind begin with a list of properties. */
static void check_each_dead(const char *kind, void *handle)
{
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		if (!starts_with(entries[i].name, "clCreateContext"))
			check_dead(&entries[i], kind, handle);
	}
}

static void check_all_dead(const struct handles *r)
{
	const struct {
		const char *kind;
		void *handle;
	} handles[] = {
		{"device", r->device},
		{"context", r->context},
		{"queue", r->queue},
		{"buffer", r->mem},
		{"sub-buffer", r->sub_buffer},
		{"image", r->image},
		{"sampler", r->sampler},
		{"program", r->program},
		{"kernel", r->kernel},
		{"event", r->event},
		{"user event", r->user_event},
		{"command buffer", r->buffer},
		{"mutable command", r->command},
	};

	for (size_t k = 0; k < sizeof(handles) / sizeof(handles[0]); k++)
		check_each_dead(handles[k].kind, handles[k].handle);
}

static void released_handles(void **state)
{
	const struct handles r = release_all();

	(void)state;
	check_all_dead(&r);
}

#define REFUSED(call, code) assert_int_equal(call, code)
#define REFUSED_NULL(call, code)                                                                   \
	do {                                                                                       \
		assert_null(call);                                                                 \
		assert_int_equal(err, code);                                                       \
	} while (0)

static void check_programs(const struct handles *r, cl_program program)
{
	const cl_program programs[] = {program, r->program};
	const cl_device_id devices[] = {device, r->device};
	const char *name = "a.h";
	cl_int err;

	REFUSED_NULL(weft_clCreateContext(NULL, 2, devices, NULL, NULL, &err), CL_INVALID_DEVICE);
	REFUSED_NULL(weft_clCreateCommandQueueWithProperties(context, r->device, NULL, &err),
		     CL_INVALID_DEVICE);
	REFUSED_NULL(weft_clCreateCommandQueue(context, r->device, 0, &err), CL_INVALID_DEVICE);
	REFUSED(weft_clBuildProgram(program, 2, devices, NULL, NULL, NULL), CL_INVALID_DEVICE);
	REFUSED(weft_clCompileProgram(program, 2, devices, NULL, 0, NULL, NULL, NULL, NULL),
		CL_INVALID_DEVICE);
	REFUSED(weft_clCompileProgram(program, 0, NULL, NULL, 1, &r->program, &name, NULL, NULL),
		CL_INVALID_PROGRAM);
	REFUSED_NULL(weft_clLinkProgram(context, 0, NULL, NULL, 2, programs, NULL, NULL, &err),
		     CL_INVALID_PROGRAM);
	REFUSED_NULL(weft_clLinkProgram(context, 2, devices, NULL, 1, programs, NULL, NULL, &err),
		     CL_INVALID_DEVICE);
	REFUSED(weft_clGetProgramBuildInfo(program, r->device, CL_PROGRAM_BUILD_STATUS, 0, NULL,
					   NULL),
		CL_INVALID_DEVICE);
}

static void check_events(const struct handles *r, cl_mem mem, cl_event user_event)
{
	const cl_event events[] = {user_event, r->event};
	const size_t global = 1;
	cl_int err;

	REFUSED(weft_clWaitForEvents(2, events), CL_INVALID_EVENT);
	REFUSED(weft_clEnqueueMarkerWithWaitList(queue, 2, events, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	REFUSED(weft_clEnqueueBarrierWithWaitList(queue, 2, events, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	REFUSED(weft_clEnqueueWaitForEvents(queue, 2, events), CL_INVALID_EVENT);
	REFUSED(weft_clEnqueueFillBuffer(queue, mem, "", 1, 0, 1, 2, events, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	REFUSED(weft_clEnqueueNDRangeKernel(queue, r->kernel, 1, NULL, &global, NULL, 0, NULL,
					    NULL),
		CL_INVALID_KERNEL);
	REFUSED(weft_clEnqueueTask(queue, r->kernel, 0, NULL, NULL), CL_INVALID_KERNEL);
	REFUSED_NULL(weft_clCreateCommandBufferKHR(1, &r->queue, NULL, &err),
		     CL_INVALID_COMMAND_QUEUE);
	REFUSED(weft_clEnqueueCommandBufferKHR(0, NULL, r->buffer, 0, NULL, NULL),
		CL_INVALID_COMMAND_BUFFER_KHR);
}

static void check_buffer(cl_mem gone, cl_mem mem)
{
	char bytes[256];
	cl_int err;

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
	REFUSED_NULL(weft_clEnqueueMapBuffer(queue, gone, CL_TRUE, CL_MAP_READ, 0, 1, 0, NULL, NULL,
					     &err),
		     CL_INVALID_MEM_OBJECT);
}

static void check_image(cl_mem gone, cl_mem mem)
{
	const size_t origin[3] = {0}, region[3] = {1, 1, 1};
	const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 1, .mem_object = gone};
	size_t pitch;
	char texel[16] = "";
	cl_int err;

	REFUSED_NULL(weft_clCreateImage(context, 0, &format, &desc, NULL, &err),
		     CL_INVALID_IMAGE_DESCRIPTOR);
	REFUSED(weft_clEnqueueReadImage(queue, gone, CL_TRUE, origin, region, 0, 0, texel, 0, NULL,
					NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clEnqueueWriteImage(queue, gone, CL_TRUE, origin, region, 0, 0, texel, 0, NULL,
					 NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clEnqueueFillImage(queue, gone, texel, origin, region, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clEnqueueCopyImage(queue, gone, gone, origin, origin, region, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clEnqueueCopyImageToBuffer(queue, gone, mem, origin, region, 0, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clEnqueueCopyBufferToImage(queue, mem, gone, 0, origin, region, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
	REFUSED_NULL(weft_clEnqueueMapImage(queue, gone, CL_TRUE, CL_MAP_READ, origin, region,
					    &pitch, NULL, 0, NULL, NULL, &err),
		     CL_INVALID_MEM_OBJECT);
}

/* As arguments of kernels. */
static void check_args(const struct handles *r, cl_program program)
{
	cl_kernel kernel = weft_clCreateKernel(program, "pictures", NULL);

	REFUSED(weft_clSetKernelArg(kernel, 0, sizeof(cl_mem), &r->mem), CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clSetKernelArg(kernel, 1, sizeof(cl_mem), &r->image), CL_INVALID_MEM_OBJECT);
	REFUSED(weft_clSetKernelArg(kernel, 4, sizeof(cl_sampler), &r->sampler),
		CL_INVALID_SAMPLER);
	assert_int_equal(weft_clReleaseKernel(kernel), CL_SUCCESS);
}
#undef REFUSED
#undef REFUSED_NULL

/* Where a handle is not the first parameter, or in a list. `make` runs last: the memory of what has ended is used for what is made
 * next. */
static void check_behind_others(struct handles (*make)(void))
{
	cl_mem mem = weft_clCreateBuffer(context, 0, 256, NULL, NULL);
	cl_program program = build_program();
	cl_event user_event = weft_clCreateUserEvent(context, NULL);
	const struct handles r = make();

	check_programs(&r, program);
	check_events(&r, mem, user_event);
	check_buffer(r.mem, mem);
	check_buffer(r.sub_buffer, mem);
	check_image(r.image, mem);
	check_args(&r, program);
	assert_int_equal(weft_clReleaseEvent(user_event), CL_SUCCESS);
	assert_int_equal(weft_clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(weft_clReleaseMemObject(mem), CL_SUCCESS);
}

static void released_handles_behind_others(void **state)
{
	(void)state;
	check_behind_others(release_all);
}

/* ---- addresses that no object has ------------------------------------------------------------ */

/* What stands there would be an object, but for the address. */
static void *misaligned(enum weft_object_type type)
{
	static char memory[WEFT_OBJECT_EXEC - WEFT_OBJECT_PLATFORM][512];
	const uint32_t word = (uint32_t)type;
	char *handle = memory[type - WEFT_OBJECT_PLATFORM] + 1;

	memcpy(handle + offsetof(struct weft_object, type), &word, sizeof(word));
	return handle;
}

static struct handles all_misaligned(void)
{
	return (struct handles){
		.device = misaligned(WEFT_OBJECT_DEVICE),
		.context = misaligned(WEFT_OBJECT_CONTEXT),
		.queue = misaligned(WEFT_OBJECT_QUEUE),
		.mem = misaligned(WEFT_OBJECT_MEM),
		.sub_buffer = misaligned(WEFT_OBJECT_MEM),
		.image = misaligned(WEFT_OBJECT_MEM),
		.sampler = misaligned(WEFT_OBJECT_SAMPLER),
		.program = misaligned(WEFT_OBJECT_PROGRAM),
		.kernel = misaligned(WEFT_OBJECT_KERNEL),
		.event = misaligned(WEFT_OBJECT_EVENT),
		.user_event = misaligned(WEFT_OBJECT_EVENT),
		.buffer = misaligned(WEFT_OBJECT_COMMAND_BUFFER),
		.command = misaligned(WEFT_OBJECT_MUTABLE_COMMAND),
	};
}

static void misaligned_handles(void **state)
{
	const struct handles r = all_misaligned();

	(void)state;
	check_all_dead(&r);
	check_each_dead("platform", misaligned(WEFT_OBJECT_PLATFORM));
	check_behind_others(all_misaligned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(released_handles),
		cmocka_unit_test(released_handles_behind_others),
		cmocka_unit_test(misaligned_handles),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
