/* SPDX-License-Identifier: MIT
 *
 * Every entry point, generated from the list, called with anything for a handle. Calls go past the types: all parameters are
 * integers or pointers, and every ABI that Weft runs on passes missing ones as harmlessly as zeros.
 */
#ifndef WEFT_TESTS_API_EVERY_ENTRY_H
#define WEFT_TESTS_API_EVERY_ENTRY_H

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
static inline intptr_t call(const struct entry *entry, const void *first)
{
	return entry->function(first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static inline bool starts_with(const char *name, const char *start)
{
	return strncmp(name, start, strlen(start)) == 0;
}

static inline bool returns_pointer(const char *name)
{
	static const char *const starts[] = {"clCreateContext",     "clCreateCommandQueue",
					     "clCreateBuffer",      "clCreateSubBuffer",
					     "clCreateImage",       "clCreateSampler",
					     "clCreatePipe",        "clCreateUserEvent",
					     "clCreateProgram",     "clLinkProgram",
					     "clCloneKernel",       "clEnqueueMap",
					     "clSVMAlloc",          "clGetExtension",
					     "clIcdGetFunction",    "clCreateCommandBuffer",
					     "clCreateSemaphore",   "clHostMemAlloc",
					     "clDeviceMemAlloc",    "clSharedMemAlloc",
					     "clRemapCommandBuffer"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (starts_with(name, starts[i]))
			return true;
	}
	return strcmp(name, "clCreateKernel") == 0;
}

/* Has no handle to be wrong about, or returns nothing. */
static inline bool takes_anything(const char *name)
{
	return strcmp(name, "clUnloadCompiler") == 0 || strcmp(name, "clSVMFree") == 0;
}

/* A NULL platform is the only one. */
static inline bool null_is_platform(const char *name)
{
	return strcmp(name, "clGetDeviceIDs") == 0 || strcmp(name, "clGetPlatformInfo") == 0;
}

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
	(void)state;
	assert_int_equal(weft_clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(weft_clReleaseContext(context), CL_SUCCESS);
	return 0;
}

#endif
