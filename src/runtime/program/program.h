/* SPDX-License-Identifier: MIT
 *
 * A program: its source, module of SPIR-V or binary, and per device what building made of it. A build replaces a
 * device's whole state at its end, never in the middle. Kernels hold the program and forbid a new
 * build, so what they point to in a device's state lives as long as they.
 */
#ifndef WEFT_RUNTIME_PROGRAM_H
#define WEFT_RUNTIME_PROGRAM_H

#include "compiler.h"
#include "driver.h"
#include "fork_generation.h"
#include "mutex.h"
#include "object/object.h"
#include "object/release_callbacks.h"
#include "program/il_module.h"
#include "threads/callbacks.h"

struct weft_deferred_codegen;
struct weft_program_binary;
struct weft_specialisations;

typedef void(CL_CALLBACK *weft_program_release)(cl_program, void *);

enum weft_program_origin {
	WEFT_PROGRAM_SOURCE, /* clCreateProgramWithSource */
	WEFT_PROGRAM_IL,     /* clCreateProgramWithIL */
	WEFT_PROGRAM_BINARY, /* clCreateProgramWithBinary */
	WEFT_PROGRAM_LINKED, /* clLinkProgram */
};

/* What a build makes. */
enum weft_build_stage {
	WEFT_BUILD_EXECUTABLE, /* clBuildProgram */
	WEFT_BUILD_OBJECT,     /* clCompileProgram */
	WEFT_BUILD_LINK,       /* clLinkProgram */
};

/* What one device has of a program. All zeros is the state before anything was built. */
struct weft_program_build {
	cl_build_status status; /* CL_BUILD_NONE is -1: see weft_program_create */
	uint32_t generation;    /* of the process that builds, while that is in progress */
	char *options;          /* owned; of the last build, compile or link; NULL: "" */
	char *log;              /* owned; NULL: "" */
	struct weft_program_binary *binary; /* retained; or NULL */
	/* An executable that has been built is loaded. */
	struct weft_module *module; /* owned; or NULL */
	/* Lives with the module. What it says of a kernel is complete when weft_kernel_describe has returned. */
	const struct weft_program_desc *desc;
	bool uniform; /* its kernels' work-groups must all have the same size */
	struct weft_specialisations
		*specialisations; /* owned; of its kernels; NULL when none has any */
	struct weft_deferred_codegen
		*codegen; /* retained; NULL: its kernels came with their code */
};

struct _cl_program {
	struct weft_object base;
	cl_context context;    /* retained */
	cl_device_id *devices; /* owned array, each retained */
	cl_uint num_devices;
	enum weft_program_origin origin;
	char *source;             /* owned, zero-terminated; NULL when not made from source */
	size_t source_size;       /* bytes, without the zero */
	struct weft_il_module il; /* zeros when not made from one; values of constants: the lock */
	struct weft_mutex lock;   /* WEFT_RANK_PROGRAM */
	struct weft_program_build *builds WEFT_GUARDED_BY(&lock); /* owned, one per device */
	cl_uint num_kernels WEFT_GUARDED_BY(&lock);               /* kernel objects attached */
	/* weft_program_release */
	struct weft_release_callback *releases WEFT_GUARDED_BY(&lock);
	struct weft_callback end; /* for its destruction by the end of a command */
};

/* `devices` are devices of the context; repeated ones count once. */
cl_int weft_program_create(cl_context context, enum weft_program_origin origin, cl_uint num_devices,
			   const cl_device_id *devices, cl_program *program) WEFT_MUST_CHECK;

/* `strings` as clCreateProgramWithSource takes them, checked. */
cl_int weft_program_create_source(cl_context context, cl_uint count, const char **strings,
				  const size_t *lengths, cl_program *program) WEFT_MUST_CHECK;

/* CL_INVALID_VALUE: the bytes are no SPIR-V that can be built here. */
cl_int weft_program_create_il(cl_context context, const void *il, size_t size,
			      cl_program *program) WEFT_MUST_CHECK;

/* Of a program from IL. CL_INVALID_SPEC_ID, CL_INVALID_VALUE: no value, or the size is not the constant's. */
cl_int weft_program_set_constant(cl_program program, uint32_t id, size_t size,
				 const void *value) WEFT_MUST_CHECK;

struct weft_program_binaries {
	cl_uint num_devices;
	const cl_device_id *devices;
	const size_t *lengths; /* bytes */
	const unsigned char **binaries;
	cl_int *status; /* per device; or NULL */
};

cl_int weft_program_create_binary(cl_context context, const struct weft_program_binaries *binaries,
				  cl_program *program) WEFT_MUST_CHECK;

/* Runs after the destructors of the program's objects, in the thread that releases the program last, or in the callbacks
 * thread when that is the end of a command. CL_OUT_OF_HOST_MEMORY */
cl_int weft_program_add_release(cl_program program, weft_program_release function,
				void *user_data) WEFT_MUST_CHECK;

/* The device's place in program->devices, or num_devices. */
cl_uint weft_program_device_index(cl_program program, cl_device_id device);

/* Where a device's code is: its own place or, when nothing was built for a sub-device, that of its
 * parent (the note at the end of 5.8.9). num_devices when there is no executable. */
cl_uint weft_program_executable(cl_program program, cl_device_id device)
	WEFT_REQUIRES(&program->lock);

/* The kernel of that name in a device's code, or NULL. */
const struct weft_kernel_desc *weft_program_find_kernel(const struct weft_program_build *build,
							const char *name);

/* A device's binary as the application gets it, retained, or NULL where there is none: always the same of one build, of an executable in the
 * tier that the program was made with. May wait for code (weft_deferred_codegen_binary). */
enum weft_status
weft_program_application_binary(cl_program program, cl_uint device,
				struct weft_program_binary **binary) WEFT_MUST_CHECK;

/* Whether a job of this process has the device; what a parent process was building stays as it was. */
static inline bool weft_program_is_building(const struct weft_program_build *build)
{
	return build->status == CL_BUILD_IN_PROGRESS && build->generation == weft_fork_generation();
}

/* Frees what the state owns; `device` is what its module was loaded for. */
void weft_program_build_destroy(struct weft_program_build *build, cl_device_id device);

static inline bool weft_program_valid(cl_program program)
{
	return weft_object_is(program, WEFT_OBJECT_PROGRAM);
}

#endif
