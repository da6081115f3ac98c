/* SPDX-License-Identifier: MIT
 *
 * Buffers and images of imported memory (cl_khr_external_memory): what processes write in turns, and every code of a wrong
 * argument. A memfd stands for a dma_buf.
 */
#include "semaphores.h"

#include "child.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

#define BYTES ((size_t)64 * 1024)
#define INTS (BYTES / sizeof(cl_int))

/* Newer than Debian's headers. */
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

static clEnqueueAcquireExternalMemObjectsKHR_fn acquire;
static clEnqueueReleaseExternalMemObjectsKHR_fn release;

static int set_up(void **state)
{
	acquire = (clEnqueueAcquireExternalMemObjectsKHR_fn)extension_function(
		"clEnqueueAcquireExternalMemObjectsKHR");
	release = (clEnqueueReleaseExternalMemObjectsKHR_fn)extension_function(
		"clEnqueueReleaseExternalMemObjectsKHR");
	return semaphores_set_up(state);
}

static int memory_new(void)
{
	int fd = memfd_create("weft-test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)BYTES), 0);
	return fd;
}

static cl_int *map(int fd)
{
	cl_int *ints = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	assert_ptr_not_equal(ints, MAP_FAILED);
	return ints;
}

static cl_mem import_as(cl_context context, cl_mem_properties type, int fd)
{
	const cl_mem_properties properties[] = {type, (cl_mem_properties)fd, 0};
	cl_int err;
	cl_mem mem = clCreateBufferWithProperties(context, properties, 0, BYTES, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(mem);
	return mem;
}

static void fill(cl_command_queue queue, cl_mem mem, cl_int number)
{
	assert_int_equal(acquire(queue, 1, &mem, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(
		clEnqueueFillBuffer(queue, mem, &number, sizeof(number), 0, BYTES, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(release(queue, 1, &mem, 0, NULL, NULL), CL_SUCCESS);
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Either side sees what the other one has written before it handed the memory over. */
static void both_sides_see_the_same_bytes(void **state)
{
	static const cl_mem_properties types[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
						  CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};
	struct fixture *f = *state;

	for (int i = 0; i < 2; i++) {
		int fd = memory_new();
		cl_int *ints = map(fd);
		cl_mem mem = import_as(f->context, types[i], fd);
		cl_int number = 0;

		for (cl_int round = 1; round < 4; round++) {
			ints[INTS - 1] = 100 + round;
			assert_int_equal(acquire(f->queue, 1, &mem, 0, NULL, NULL), CL_SUCCESS);
			assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_TRUE,
							     BYTES - sizeof(number), sizeof(number),
							     &number, 0, NULL, NULL),
					 CL_SUCCESS);
			assert_int_equal(number, 100 + round);
			fill(f->queue, mem, round);
			assert_int_equal(clFinish(f->queue), CL_SUCCESS);
			for (size_t k = 0; k < INTS; k++)
				assert_int_equal(ints[k], round);
		}
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
		assert_int_equal(ints[0], 3);
		munmap(ints, BYTES);
	}
}

/* Rows lie at the pitch that the application names. */
static void images_lie_in_imported_memory(void **state)
{
	enum { WIDTH = 20, HEIGHT = 10, PITCH = 128 };
	struct fixture *f = *state;
	const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
	const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
				    .image_width = WIDTH,
				    .image_height = HEIGHT,
				    .image_row_pitch = PITCH};
	const size_t origin[3] = {1, 2, 0};
	const size_t region[3] = {2, 1, 1};
	int fd = memory_new();
	const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
						(cl_mem_properties)fd,
						CL_MEM_DEVICE_HANDLE_LIST_KHR,
						(cl_mem_properties)(uintptr_t)f->device,
						0,
						0};
	cl_int *ints = map(fd);
	cl_mem_properties got[8];
	cl_uint texels[2] = {0};
	size_t size;
	cl_int err;
	cl_mem image = clCreateImageWithProperties(f->context, properties, CL_MEM_READ_ONLY,
						   &format, &desc, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	ints[2 * PITCH / 4 + 1] = 77;
	ints[2 * PITCH / 4 + 2] = 78;
	assert_int_equal(acquire(f->queue, 1, &image, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clEnqueueReadImage(f->queue, image, CL_TRUE, origin, region, 0, 0, texels,
					    0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(texels[0], 77);
	assert_int_equal(texels[1], 78);
	assert_int_equal(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, sizeof(got), got, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(got, properties, size);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	munmap(ints, BYTES);
}

/* ---- two processes --------------------------------------------------------------------------- */

#define ROUNDS 20

/* What two processes share. */
struct shared {
	int memory;
	int semaphores[2];
};

static cl_semaphore_khr side(struct fixture *f, const struct shared *shared, int which)
{
	return semaphore_with(f->context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
			      PROPERTY(shared->semaphores[which]));
}

/* Adds one to every number, when it is its turn. */
static int add_in_turns(struct fixture *f, const struct shared *shared)
{
	cl_command_queue queue = fixture_queue(f->context, f->device, 0);
	cl_mem mem = import_as(f->context, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, shared->memory);
	cl_semaphore_khr taken = side(f, shared, 0);
	cl_semaphore_khr given = side(f, shared, 1);
	static cl_int ints[INTS];
	cl_int err = CL_SUCCESS;

	for (int i = 0; i < ROUNDS && err == CL_SUCCESS; i++) {
		err = semaphores.wait(queue, 1, &taken, NULL, 0, NULL, NULL);
		if (err == CL_SUCCESS)
			err = acquire(queue, 1, &mem, 0, NULL, NULL);
		if (err == CL_SUCCESS)
			err = clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, ints, 0, NULL,
						  NULL);
		for (size_t k = 0; k < INTS; k++)
			ints[k]++;
		if (err == CL_SUCCESS)
			err = clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, BYTES, ints, 0, NULL,
						   NULL);
		if (err == CL_SUCCESS)
			err = release(queue, 1, &mem, 0, NULL, NULL);
		if (err == CL_SUCCESS)
			err = semaphores.signal(queue, 1, &given, NULL, 0, NULL, NULL);
		if (err == CL_SUCCESS)
			err = clFinish(queue);
	}
	return err == CL_SUCCESS ? 7 : 8;
}

static void processes_share_memory(void **state)
{
	struct fixture *f = *state;
	struct shared shared = {.memory = memory_new()};
	cl_int *ints = map(shared.memory);
	cl_semaphore_khr pair[2];
	int status = -1;

	if (!CAN_FORK)
		skip();
	for (int i = 0; i < 2; i++) {
		pair[i] = semaphore_with(f->context, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
					 CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
		assert_int_equal(semaphores.handle(pair[i], f->device,
						   CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof(int),
						   &shared.semaphores[i], NULL),
				 CL_SUCCESS);
	}
	pid_t child = fork_limited();
	if (child == 0)
		_exit(add_in_turns(f, &shared));
	cl_mem mem = import_as(f->context, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, shared.memory);
	for (cl_int i = 0; i < ROUNDS; i++) {
		fill(f->queue, mem, 10 * i);
		assert_int_equal(semaphores.signal(f->queue, 1, &pair[0], NULL, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(semaphores.wait(f->queue, 1, &pair[1], NULL, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		for (size_t k = 0; k < INTS; k++)
			assert_int_equal(ints[k], 10 * i + 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	for (int i = 0; i < 2; i++) {
		semaphore_release(pair[i]);
		close(shared.semaphores[i]);
	}
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	munmap(ints, BYTES);
}

/* ---- queries, wrong arguments ---------------------------------------------------------------- */

static void devices_and_platform_say_what_there_is(void **state)
{
	struct fixture *f = *state;
	static const cl_uint all[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
				      CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};
	static const cl_device_info params[] = {
		CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
		CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR};
	cl_platform_id platform;
	cl_uint list[4];
	size_t size;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(clGetDeviceInfo(f->device, params[i], sizeof(list), list, &size),
				 CL_SUCCESS);
		assert_int_equal(size, sizeof(all));
		assert_memory_equal(list, all, size);
	}
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetPlatformInfo(platform,
					   CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
					   sizeof(list), list, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(all));
	assert_memory_equal(list, all, size);
}

struct wrong {
	cl_int code;
	cl_mem_flags flags;
	size_t size;
	cl_mem_properties properties[8];
};

static void creation_checks_its_arguments(void **state)
{
	struct fixture *f = *state;
	const int fd = memory_new();
	const cl_mem_properties opaque = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
	const cl_mem_properties dma_buf = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;
	const cl_mem_properties list = CL_MEM_DEVICE_HANDLE_LIST_KHR;
	const cl_mem_properties handle = (cl_mem_properties)fd;
	const cl_mem_properties device = (cl_mem_properties)(uintptr_t)f->device;
	const cl_mem_properties no_device = (cl_mem_properties)(uintptr_t)f->context;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const struct wrong wrongs[] = {
		{CL_INVALID_PROPERTY, 0, BYTES, {77, 1, 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {opaque, 1 << 20, 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {opaque, (cl_mem_properties)-1, 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {opaque, (cl_mem_properties)ends[0], 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {opaque, handle, opaque, handle, 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {opaque, handle, dma_buf, handle, 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {list, device, 0, 0}},
		{CL_INVALID_PROPERTY, 0, BYTES, {opaque, handle, list, 0, 0}},
		{CL_INVALID_DEVICE, 0, BYTES, {opaque, handle, list, no_device, 0, 0}},
		{CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, BYTES, {opaque, handle, 0}},
		{CL_INVALID_VALUE, CL_MEM_COPY_HOST_PTR, BYTES, {opaque, handle, 0}},
		{CL_INVALID_BUFFER_SIZE, 0, BYTES + 1, {opaque, handle, 0}},
		{CL_INVALID_BUFFER_SIZE, 0, 0, {opaque, handle, 0}},
	};
	const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = BYTES / 4, .image_height = 5};
	const cl_mem_properties good[] = {dma_buf, handle, 0};
	char byte;
	cl_int err = 1;

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		assert_null(clCreateBufferWithProperties(f->context, wrongs[i].properties,
							 wrongs[i].flags, wrongs[i].size, NULL,
							 &err));
		if (err != wrongs[i].code)
			fail_msg("case %zu: %d, not %d", i, err, wrongs[i].code);
		if (wrongs[i].code == CL_INVALID_BUFFER_SIZE)
			continue;
		desc.image_height = 4;
		assert_null(clCreateImageWithProperties(f->context, wrongs[i].properties,
							wrongs[i].flags, &format, &desc, NULL,
							&err));
		if (err != wrongs[i].code)
			fail_msg("image, case %zu: %d, not %d", i, err, wrongs[i].code);
	}
	assert_null(clCreateBufferWithProperties(f->context, good, 0, BYTES, &byte, &err));
	assert_int_equal(err, CL_INVALID_HOST_PTR);
	desc.image_height = 5;
	assert_null(clCreateImageWithProperties(f->context, good, 0, &format, &desc, NULL, &err));
	assert_int_equal(err, CL_INVALID_IMAGE_SIZE);
	/* the handle is the application's still */
	assert_int_equal(close(fd), 0);
	close(ends[0]);
	close(ends[1]);
}

static void enqueues_check_their_arguments(void **state)
{
	struct fixture *f = *state;
	cl_mem mem = import_as(f->context, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, memory_new());
	cl_mem other =
		import_as(f->other_context, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, memory_new());
	cl_mem plain = fixture_buffer(f, 0, 64, NULL);
	cl_mem none = NULL;
	cl_event failed = fixture_failed_event(f);
	cl_event event;
	const clEnqueueAcquireExternalMemObjectsKHR_fn calls[] = {acquire, release};
	static const cl_command_type types[] = {CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
						CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR};

	for (int i = 0; i < 2; i++) {
		cl_command_type type;
#define CALL(queue, count, list, num_waits, waits)                                                 \
	calls[i](queue, count, list, num_waits, waits, NULL)
		EXPECT_LIST_ERRORS(CALL, &mem);
		assert_int_equal(CALL(f->queue, 1, &none, 0, NULL), CL_INVALID_MEM_OBJECT);
		assert_int_equal(CALL(f->queue, 1, &plain, 0, NULL), CL_INVALID_MEM_OBJECT);
		assert_int_equal(CALL(f->queue, 1, &other, 0, NULL), CL_INVALID_CONTEXT);
#undef CALL
		assert_int_equal(calls[i](f->queue, 0, NULL, 0, NULL, &event), CL_SUCCESS);
		assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
		assert_int_equal(
			clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
			CL_SUCCESS);
		assert_int_equal(type, types[i]);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	}
	assert_int_equal(clReleaseEvent(failed), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(other), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(plain), CL_SUCCESS);
}

/* Whether the process has a mapping of the file, by its name. */
static bool is_mapped(const char *name)
{
	char line[512];
	bool found = false;
	FILE *maps = fopen("/proc/self/maps", "r");

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		found = found || strstr(line, name);
	assert_int_equal(fclose(maps), 0);
	return found;
}

/* A mapping of such pages can be ended as a whole only. Most systems have none, and say so. */
static void huge_pages_are_unmapped(void **state)
{
	struct fixture *f = *state;
	const int fd = memfd_create("weft-huge", MFD_CLOEXEC | MFD_HUGETLB);
	cl_int err;

	if (fd < 0 || ftruncate(fd, (off_t)4 << 20) != 0)
		skip();
	const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
						(cl_mem_properties)fd, 0};
	cl_mem mem = clCreateBufferWithProperties(f->context, properties, 0, 64, NULL, &err);
	if (err == CL_SUCCESS) {
		assert_true(is_mapped("weft-huge"));
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	} else {
		assert_int_equal(err, CL_MEM_OBJECT_ALLOCATION_FAILURE);
		assert_int_equal(close(fd), 0);
	}
	assert_false(is_mapped("weft-huge"));
}

/* Memory that is for one sub-device of two. */
static void only_its_devices_take_it_over(void **state)
{
	struct fixture *f = *state;
	cl_device_id parts[2];
	cl_context context = NULL;
	cl_int err;

	if (!two_parts(f, parts, &context))
		skip();
	const cl_mem_properties properties[] = {
		CL_MEM_DEVICE_HANDLE_LIST_KHR,           (cl_mem_properties)(uintptr_t)parts[0], 0,
		CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, (cl_mem_properties)memory_new(),        0};
	cl_mem mem = clCreateBufferWithProperties(context, properties, 0, BYTES, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		cl_command_queue queue = fixture_queue(context, parts[i], 0);

		assert_int_equal(acquire(queue, 1, &mem, 0, NULL, NULL),
				 i == 0 ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE);
		assert_int_equal(clFinish(queue), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	release_parts(parts, context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_sides_see_the_same_bytes),
		cmocka_unit_test(images_lie_in_imported_memory),
		cmocka_unit_test(processes_share_memory),
		cmocka_unit_test(devices_and_platform_say_what_there_is),
		cmocka_unit_test(creation_checks_its_arguments),
		cmocka_unit_test(enqueues_check_their_arguments),
		cmocka_unit_test(huge_pages_are_unmapped),
		cmocka_unit_test(only_its_devices_take_it_over),
	};
	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
