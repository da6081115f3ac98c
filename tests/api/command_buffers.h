/* SPDX-License-Identifier: MIT
 *
 * The functions of cl_khr_command_buffer and of the extensions on top of it, as an application finds them.
 */
#ifndef WEFT_TESTS_API_COMMAND_BUFFERS_H
#define WEFT_TESTS_API_COMMAND_BUFFERS_H

#include "object/command_buffer_khr.h"
#include "object/external_khr.h"
#include "object/host_function_weft.h"
#include "object/shared_memory_ext.h"
#include "object/unified_svm_khr.h"

#include "fixture.h"

struct command_buffers {
#define WEFT_ENTRY(name)
#define WEFT_EXTENSION_ENTRY(name)
#define WEFT_3_1_ENTRY(name)
#define WEFT_OWN_ENTRY(name)
#define WEFT_NEWER_ENTRY(name) __typeof__(weft_##name) *name;
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
};

static struct command_buffers ext;

static inline void command_buffers_find(void)
{
	cl_platform_id platform;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
#define WEFT_ENTRY(name)
#define WEFT_EXTENSION_ENTRY(name)
#define WEFT_3_1_ENTRY(name)
#define WEFT_OWN_ENTRY(name)
#define WEFT_NEWER_ENTRY(name)                                                                     \
	ext.name = (__typeof__(weft_##name) *)clGetExtensionFunctionAddressForPlatform(platform,   \
										       #name);     \
	assert_non_null(ext.name);
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
}

static inline cl_command_buffer_khr command_buffer_on(cl_uint count, const cl_command_queue *list,
						      cl_command_buffer_flags_khr flags)
{
	const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags,
							       0};
	cl_int err;
	cl_command_buffer_khr buffer =
		ext.clCreateCommandBufferKHR(count, list, flags ? properties : NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(buffer);
	return buffer;
}

static inline cl_command_buffer_khr command_buffer_for(cl_command_queue queue,
						       cl_command_buffer_flags_khr flags)
{
	return command_buffer_on(1, &queue, flags);
}

static inline cl_command_buffer_state_khr command_buffer_state(cl_command_buffer_khr buffer)
{
	cl_command_buffer_state_khr state = ~0u;

	assert_int_equal(ext.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR,
						       sizeof(state), &state, NULL),
			 CL_SUCCESS);
	return state;
}

static inline void command_buffer_finalize(cl_command_buffer_khr buffer)
{
	assert_int_equal(ext.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
}

/* Enqueues it where it was recorded, and waits. */
static inline void command_buffer_run(cl_command_buffer_khr buffer)
{
	cl_event event;

	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static inline void command_buffer_release(cl_command_buffer_khr buffer)
{
	assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
}

#endif
