/* SPDX-License-Identifier: MIT
 *
 * The machine's OpenCL, by its loader. The loader is opened at run time: a program that lists devices or schedules nothing needs
 * none, and PyOpenCL's wheels bring one under a name of its own.
 */
#ifndef WEFT_SCHEDULE_OPENCL_H
#define WEFT_SCHEDULE_OPENCL_H

#include "spec/error.h"

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

struct weft_opencl {
	void *library; /* of dlopen */
#define WEFT_OPENCL(name) __typeof__(cl##name) *name;
#define WEFT_OPENCL_OPTIONAL WEFT_OPENCL /* NULL: the loader has none */
#include "opencl/opencl.def"
#undef WEFT_OPENCL_OPTIONAL
#undef WEFT_OPENCL
};

/* `path` is the loader's; NULL: libOpenCL.so.1, wherever the dynamic linker finds it. It stays open until the process ends:
 * drivers have threads. */
bool weft_opencl_open(struct weft_opencl *cl, const char *path, struct weft_error *error);

/* "CL_OUT_OF_RESOURCES"; of an unknown code "error -9999". */
const char *weft_opencl_error(cl_int code, char buffer[32]);

/* Whether the call succeeded; else the error says "WHAT: clCALL: CODE". */
bool weft_opencl_check(cl_int code, const char *what, const char *call, struct weft_error *error);

/* Ends when the event has, and releases it. `queue` is the event's. */
cl_int weft_opencl_wait(const struct weft_opencl *cl, cl_command_queue queue, cl_event event);

#endif
