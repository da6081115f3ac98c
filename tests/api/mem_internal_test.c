/* SPDX-License-Identifier: MIT
 *
 * What an application cannot provoke from outside: allocations that fail, one after the other,
 * devices that differ in alignment, and the account of memory.
 */
#include "images.h"

#include "alloc.h"
#include "device/device.h"
#include "memory/mem.h"

#define SIZE 1000

/* Little memory is soon used up. */
static int set_up(void **state)
{
	setenv("WEFT_MAX_MEMORY", "64M", 1); /* before the library looks at its options */
	return fixture_set_up(state);
}

/* ---- allocation failure, 1..n ---------------------------------------------------------------- */

static cl_mem buffer;
static unsigned char bytes[SIZE];

static cl_int create(struct fixture *f)
{
	static const cl_mem_properties none[] = {0};
	cl_int err;
	cl_mem mem = clCreateBufferWithProperties(f->context, none, CL_MEM_COPY_HOST_PTR, SIZE,
						  bytes, &err);

	if (mem)
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(mem != NULL, err == CL_SUCCESS);
	return err;
}

static cl_int create_sub(struct fixture *f)
{
	const cl_buffer_region region = {0, SIZE};
	cl_int err;
	cl_mem mem = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);

	(void)f;
	if (mem)
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(mem != NULL, err == CL_SUCCESS);
	return err;
}

static void CL_CALLBACK on_destroy(cl_mem mem, void *user_data)
{
	(void)mem;
	++*(int *)user_data;
}

static cl_int add_destructor(struct fixture *f)
{
	int calls = 0;
	cl_mem mem = fixture_sub_buffer(buffer, 0, 0, SIZE);
	(void)f;

	cl_int err = clSetMemObjectDestructorCallback(mem, on_destroy, &calls);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(calls, err == CL_SUCCESS);
	return err;
}

/* Commands that a caller may ask for later; others would be done in place, without memory. */
static cl_event asked_for;

static cl_int release_event(cl_int err)
{
	if (asked_for)
		assert_int_equal(clReleaseEvent(asked_for), CL_SUCCESS);
	asked_for = NULL;
	return err;
}

static cl_int read_bytes(struct fixture *f)
{
	return release_event(clEnqueueReadBuffer(f->queue, buffer, CL_TRUE, 0, SIZE, bytes, 0, NULL,
						 &asked_for));
}

static cl_int fill(struct fixture *f)
{
	const cl_event event = clCreateUserEvent(f->context, NULL);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	assert_int_equal(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
	cl_int err = clEnqueueFillBuffer(f->queue, buffer, "x", 1, 0, SIZE, 1, &event, NULL);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	return err;
}

static cl_int map(struct fixture *f)
{
	cl_int err;
	void *pointer = clEnqueueMapBuffer(f->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, SIZE, 0,
					   NULL, &asked_for, &err);

	err = release_event(err);
	if (pointer) {
		weft_alloc_fail_after(-1);
		assert_int_equal(clEnqueueUnmapMemObject(f->queue, buffer, pointer, 0, NULL, NULL),
				 CL_SUCCESS);
	}
	assert_int_equal(atomic_load(&buffer->map_count), 0);
	return err;
}

/* The mapping stays while unmapping fails. */
static cl_int unmap(struct fixture *f)
{
	cl_int err;

	weft_alloc_fail_after(-1);
	void *pointer = clEnqueueMapBuffer(f->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, SIZE, 0,
					   NULL, NULL, &err);
	assert_non_null(pointer);
	weft_alloc_fail_after(0);
	err = clEnqueueUnmapMemObject(f->queue, buffer, pointer, 0, NULL, &asked_for);
	assert_int_equal(err, CL_OUT_OF_HOST_MEMORY);
	assert_int_equal(atomic_load(&buffer->map_count), 1);
	return clEnqueueUnmapMemObject(f->queue, buffer, pointer, 0, NULL, NULL);
}

static cl_int migrate(struct fixture *f)
{
	const cl_mem mems[12] = {buffer, buffer, buffer, buffer, buffer, buffer,
				 buffer, buffer, buffer, buffer, buffer, buffer};

	return clEnqueueMigrateMemObjects(f->queue, 12, mems, 0, 0, NULL, NULL);
}

/* `buffer` is an image. */
static const size_t no_origin[3];
static const size_t some_texels[3] = {4, 3, 1};

static cl_int read_image(struct fixture *f)
{
	return release_event(clEnqueueReadImage(f->queue, buffer, CL_TRUE, no_origin, some_texels,
						0, 0, bytes, 0, NULL, &asked_for));
}

static cl_int fill_image(struct fixture *f)
{
	return release_event(clEnqueueFillImage(f->queue, buffer, bytes, no_origin, some_texels, 0,
						NULL, &asked_for));
}

static cl_int copy_image(struct fixture *f)
{
	const size_t beside[3] = {4, 0, 0};

	return release_event(clEnqueueCopyImage(f->queue, buffer, buffer, no_origin, beside,
						some_texels, 0, NULL, &asked_for));
}

static cl_int map_image(struct fixture *f)
{
	size_t pitch = 0;
	cl_int err;
	void *pointer = clEnqueueMapImage(f->queue, buffer, CL_TRUE, CL_MAP_WRITE, no_origin,
					  some_texels, &pitch, NULL, 0, NULL, &asked_for, &err);

	err = release_event(err);
	assert_int_equal(pointer != NULL, pitch != 0);
	if (pointer) {
		weft_alloc_fail_after(-1);
		assert_int_equal(clEnqueueUnmapMemObject(f->queue, buffer, pointer, 0, NULL, NULL),
				 CL_SUCCESS);
	}
	assert_int_equal(atomic_load(&buffer->map_count), 0);
	return err;
}

static void replay(struct fixture *f, cl_int (*call)(struct fixture *), const char *name)
{
	for (long i = 0;; i++) {
		uint64_t before = weft_mem_allocated();
		uint32_t references = weft_refcount_read(&buffer->base.refs);
		weft_alloc_fail_after(i);
		cl_int err = call(f);
		int failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		assert_int_equal(weft_mem_allocated(), before);
		assert_int_equal(weft_refcount_read(&buffer->base.refs), references);
		if (err == CL_SUCCESS && !failed)
			return;
		if (err != CL_SUCCESS && err != CL_OUT_OF_HOST_MEMORY &&
		    err != CL_MEM_OBJECT_ALLOCATION_FAILURE)
			fail_msg("%s: error %d when allocation %ld fails", name, err, i);
		assert_true(i < 100);
	}
}

static void test_allocation_failures(void **state)
{
	struct fixture *f = *state;

	buffer = fixture_buffer(f, 0, SIZE, NULL);
	replay(f, create, "create");
	replay(f, create_sub, "create_sub");
	replay(f, read_bytes, "read");
	replay(f, fill, "fill");
	replay(f, map, "map");
	replay(f, migrate, "migrate");
	assert_int_equal(unmap(f), CL_SUCCESS);
	weft_alloc_fail_after(1); /* the sub-buffer that it makes needs one */
	assert_int_equal(add_destructor(f), CL_OUT_OF_HOST_MEMORY);
	weft_alloc_fail_after(-1);
	assert_int_equal(add_destructor(f), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

static void test_allocation_failures_of_images(void **state)
{
	struct fixture *f = *state;
	const cl_image_desc desc = IMAGE_2D(10, 5);

	buffer = make_image(f->context, 0, &r_float, &desc, NULL);
	replay(f, read_image, "read");
	replay(f, fill_image, "fill");
	replay(f, copy_image, "copy");
	replay(f, map_image, "map");
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void test_alignment_of_contents(void **state)
{
	struct fixture *f = *state;

	for (size_t size = 1; size < 5000; size = size * 3 + 1) {
		cl_mem mem = fixture_buffer(f, 0, size, NULL);
		assert_int_equal((uintptr_t)mem->address % 128, 0);
		assert_int_equal((uintptr_t)mem->address % f->alignment, 0);
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	}
}

/* No more than the device has, and all of it again once it is released. */
static void test_account(void **state)
{
	struct fixture *f = *state;
	const uint64_t before = weft_mem_allocated();
	const cl_ulong limit = f->device->global_memory, largest = f->device->max_allocation;
	cl_mem mems[64] = {NULL};
	size_t count = 0;
	cl_int err = CL_SUCCESS;

	size_t size = largest < limit / 32 ? largest : limit / 32;
	while (count < 64 && err == CL_SUCCESS) {
		mems[count] = clCreateBuffer(f->context, 0, size, NULL, &err);
		count += err == CL_SUCCESS;
		assert_true(weft_mem_allocated() <= limit);
	}
	assert_int_equal(err, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	assert_int_equal(count, (limit - before) / size);
	assert_int_equal(weft_mem_allocated(), before + count * size);
	/* Sub-buffers and the application's memory do not count. */
	cl_mem sub = fixture_sub_buffer(mems[0], 0, 0, size);
	cl_mem used = fixture_buffer(f, CL_MEM_USE_HOST_PTR, SIZE, bytes);
	assert_int_equal(weft_mem_allocated(), before + count * size);
	assert_int_equal(clReleaseMemObject(used), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
	assert_int_equal(weft_mem_allocated(), before);
}

/* ---- CL_MISALIGNED_SUB_BUFFER_OFFSET of commands --------------------------------------------- */

static void test_misaligned_commands(void **state)
{
	static const size_t zero[3] = {0, 0, 0}, region[3] = {4, 2, 1};
	struct fixture *f = *state;
	const size_t align = f->alignment;
	cl_mem parent = fixture_buffer(f, 0, 2 * align, NULL);
	cl_mem sub = fixture_sub_buffer(parent, 0, align, align);
	cl_mem plain = fixture_buffer(f, 0, align, NULL);
	cl_mem image = make_image(f->context, 0, &rgba8, &IMAGE_2D(4, 2), NULL);
	cl_event event = NULL;
	cl_int err;

	/* As if the sub-buffer had been made for another device of the context. */
	uint32_t *bits = &f->device->impl->properties.max_alignment_bits;
	const uint32_t saved = *bits;
	*bits = (uint32_t)align * 8 * 2;
	assert_int_equal(clEnqueueReadBuffer(f->queue, sub, CL_TRUE, 0, 1, bytes, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueWriteBuffer(f->queue, sub, CL_TRUE, 0, 1, bytes, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueReadBufferRect(f->queue, sub, CL_TRUE, zero, zero, region, 0, 0,
						 0, 0, bytes, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueWriteBufferRect(f->queue, sub, CL_TRUE, zero, zero, region, 0, 0,
						  0, 0, bytes, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueCopyBuffer(f->queue, sub, plain, 0, 0, 1, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueCopyBuffer(f->queue, plain, sub, 0, 0, 1, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueCopyBufferRect(f->queue, sub, plain, zero, zero, region, 0, 0, 0,
						 0, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueCopyBufferRect(f->queue, plain, sub, zero, zero, region, 0, 0, 0,
						 0, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clEnqueueFillBuffer(f->queue, sub, bytes, 1, 0, 1, 0, NULL, &event),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_null(clEnqueueMapBuffer(f->queue, sub, CL_TRUE, CL_MAP_READ, 0, 1, 0, NULL, &event,
				       &err));
	assert_int_equal(err, CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(
		clEnqueueCopyImageToBuffer(f->queue, image, sub, zero, region, 0, 0, NULL, &event),
		CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(
		clEnqueueCopyBufferToImage(f->queue, sub, image, 0, zero, region, 0, NULL, &event),
		CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_null(event);
	*bits = saved;

	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(plain), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allocation_failures),
		cmocka_unit_test(test_allocation_failures_of_images),
		cmocka_unit_test(test_alignment_of_contents),
		cmocka_unit_test(test_account),
		cmocka_unit_test(test_misaligned_commands),
	};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
