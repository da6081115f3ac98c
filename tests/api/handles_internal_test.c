/* SPDX-License-Identifier: MIT
 *
 * Every entry point with nothing but zeros and with handles of every wrong kind: an error or NULL, nothing changed, no crash.
 */
#include "every_entry.h"

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

/* A live object, and the code for a handle that is not of its kind's. */
struct kind {
	void *handle;
	cl_int code;
};

static void check_kinds(const struct entry *entry, const struct kind *kinds, size_t num_kinds)
{
	/* The code for NULL tells which kind the function takes first, unless NULL is a platform. */
	cl_int expected =
		null_is_platform(entry->name) ? CL_INVALID_PLATFORM : (cl_int)call(entry, NULL);

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
	const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
						      CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
	cl_semaphore_khr semaphore = weft_clCreateSemaphoreWithPropertiesKHR(context, binary, NULL);
	const struct kind kinds[] = {
		{platform, CL_INVALID_PLATFORM},
		{device, CL_INVALID_DEVICE},
		{context, CL_INVALID_CONTEXT},
		{queue, CL_INVALID_COMMAND_QUEUE},
		{mem, CL_INVALID_MEM_OBJECT},
		{sampler, CL_INVALID_SAMPLER},
		{event, CL_INVALID_EVENT},
		{buffer, CL_INVALID_COMMAND_BUFFER_KHR},
		{semaphore, CL_INVALID_SEMAPHORE_KHR},
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
	assert_int_equal(weft_clReleaseSemaphoreKHR(semaphore), CL_SUCCESS);
	assert_int_equal(weft_clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
	assert_int_equal(weft_clReleaseSampler(sampler), CL_SUCCESS);
	assert_int_equal(weft_clReleaseEvent(event), CL_SUCCESS);
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
		cmocka_unit_test(every_entry_point_is_found_by_name),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
