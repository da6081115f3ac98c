/* SPDX-License-Identifier: MIT */
#include "opencl/opencl.h"

#include <dlfcn.h>
#include <stdio.h>

#define LOADER "libOpenCL.so.1"

static const struct {
	const char *name;
	size_t offset;
	bool is_optional;
} functions[] = {
#define WEFT_OPENCL(name) {"cl" #name, offsetof(struct weft_opencl, name), false},
#define WEFT_OPENCL_OPTIONAL(name) {"cl" #name, offsetof(struct weft_opencl, name), true},
#include "opencl/opencl.def"
#undef WEFT_OPENCL_OPTIONAL
#undef WEFT_OPENCL
};

bool weft_opencl_open(struct weft_opencl *cl, const char *path, struct weft_error *error)
{
	cl->library = dlopen(path ? path : LOADER, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!cl->library)
		return weft_fail(error, "the OpenCL loader does not open: %s", dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void **function = (void **)(void *)((char *)cl + functions[i].offset);

		*function = dlsym(cl->library, functions[i].name);
		if (!*function && !functions[i].is_optional)
			return weft_fail(error, "the OpenCL loader has no %s", functions[i].name);
	}
	return true;
}

const char *weft_opencl_error(cl_int code, char buffer[32])
{
#define ROW(name)                                                                                  \
	{                                                                                          \
		name, #name                                                                        \
	}
	static const struct {
		cl_int code;
		const char *name;
	} rows[] = {
		ROW(CL_DEVICE_NOT_FOUND),        ROW(CL_DEVICE_NOT_AVAILABLE),
		ROW(CL_COMPILER_NOT_AVAILABLE),  ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE),
		ROW(CL_OUT_OF_RESOURCES),        ROW(CL_OUT_OF_HOST_MEMORY),
		ROW(CL_BUILD_PROGRAM_FAILURE),   ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
		ROW(CL_DEVICE_PARTITION_FAILED), ROW(CL_INVALID_VALUE),
		ROW(CL_INVALID_BUFFER_SIZE),     ROW(CL_INVALID_BUILD_OPTIONS),
		ROW(CL_INVALID_KERNEL_NAME),     ROW(CL_INVALID_ARG_INDEX),
		ROW(CL_INVALID_ARG_VALUE),       ROW(CL_INVALID_ARG_SIZE),
		ROW(CL_INVALID_KERNEL_ARGS),     ROW(CL_INVALID_WORK_DIMENSION),
		ROW(CL_INVALID_WORK_GROUP_SIZE), ROW(CL_INVALID_WORK_ITEM_SIZE),
	};
#undef ROW

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].code == code)
			return rows[i].name;
	}
	snprintf(buffer, 32, "error %d", code);
	return buffer;
}

bool weft_opencl_check(cl_int code, const char *what, const char *call, struct weft_error *error)
{
	char buffer[32];

	return code == CL_SUCCESS ||
	       weft_fail(error, "%s: cl%s: %s", what, call, weft_opencl_error(code, buffer));
}

cl_int weft_opencl_wait(const struct weft_opencl *cl, cl_command_queue queue, cl_event event)
{
	const cl_int code = cl->WaitForEvents(1, &event);

	cl->ReleaseEvent(event);
	/* The command may run still, and use memory that is soon freed. */
	if (code != CL_SUCCESS)
		cl->Finish(queue);
	return code;
}
