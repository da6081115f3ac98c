/* SPDX-License-Identifier: MIT
 *
 * A kernel object: one kernel of a built program and the arguments set so far. Arguments only name memory objects,
 * as the specification asks (5.9.2): a kernel keeps none alive. Samplers it has by value. One that has ended by the time of an enqueue is
 * known by its serial number, and the argument counts as not set; an enqueue retains the others. The application
 * does not set arguments of one kernel object from two threads, or while it enqueues it (appendix A.2): there is no
 * lock.
 */
#ifndef WEFT_RUNTIME_KERNEL_H
#define WEFT_RUNTIME_KERNEL_H

#include "graph/queue.h"
#include "kernel_abi.h"
#include "memory/mem.h"
#include "object/object.h"
#include "program/exec_info.h"
#include "program/program.h"

struct weft_kernel_arg {
	bool set;
	bool by_address; /* a global or constant pointer that was set to an address, which is in the block */
	cl_mem mem; /* of an image, a global or constant pointer; perhaps ended; NULL for a NULL pointer or an address */
	cl_command_queue queue; /* of a queue; perhaps ended; or NULL */
	uint32_t serial;        /* of `mem` or `queue` */
	size_t local_size;      /* bytes, of a local pointer */
};

/* A kernel in one device's code; both live as long as the kernel object. */
struct weft_kernel_code {
	const struct weft_kernel_desc *desc; /* NULL: the device has no code */
	struct weft_module *module;
	struct weft_specialisations
		*specialisations;       /* of the code's kernels; NULL when none has any */
	struct weft_codegen_unit *unit; /* that makes its code after the build; or NULL */
	bool uniform;                   /* its work-groups must all have the same size */
	bool has_variables; /* the program has program-scope variables: pointers in memory may lead to them */
};

struct _cl_kernel {
	struct weft_object base;
	cl_program program;                  /* retained; counted in program->num_kernels */
	const struct weft_kernel_desc *desc; /* of the first device that has it */
	struct weft_kernel_code *code;       /* owned, one per device of the program */
	struct weft_kernel_arg *args;        /* owned, desc->num_args */
	uint32_t num_mems;                   /* arguments that may be memory objects, or queues */
	unsigned char *block; /* owned, desc->args_size: the packed arguments; addresses and
				 local offsets are filled in at enqueue */
	struct weft_exec_info exec_info;
};

/* CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION. */
cl_int weft_kernel_create(cl_program program, const char *name, cl_kernel *kernel) WEFT_MUST_CHECK;
/* All kernels whose definition is the same for all devices. `kernels` may be NULL; *count is how
 * many there are. All or none are made. */
cl_int weft_kernel_create_all(cl_program program, cl_uint capacity, cl_kernel *kernels,
			      cl_uint *count) WEFT_MUST_CHECK;
cl_int weft_kernel_clone(cl_kernel source, cl_kernel *kernel) WEFT_MUST_CHECK;

/* Whether clCreateKernel makes this kernel, a kernel of the program's first executable. */
bool weft_kernel_creatable(cl_program program, const struct weft_kernel_desc *desc)
	WEFT_REQUIRES(&program->lock);

/* Checks (5.9.2) and sets one argument. */
cl_int weft_kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size,
			   const void *value) WEFT_MUST_CHECK;

/* Sets a pointer to global or constant memory to any address. CL_INVALID_ARG_INDEX; CL_INVALID_ARG_VALUE: the argument is
 * no such pointer. */
cl_int weft_kernel_set_address(cl_kernel kernel, cl_uint index,
			       const void *address) WEFT_MUST_CHECK;
/* The address that the argument was set to. */
const void *weft_kernel_arg_address(cl_kernel kernel, cl_uint index);

/* Memory objects that a launch may access, and keeps alive: those of its arguments, and of the execution information. */
static inline size_t weft_kernel_most_mems(cl_kernel kernel)
{
	return kernel->num_mems + weft_exec_info_count(&kernel->exec_info);
}

/* Whether the argument is a pointer to global or constant memory. */
static inline bool weft_arg_is_memory_pointer(const struct weft_arg_desc *arg)
{
	return arg->kind == WEFT_ARG_GLOBAL || arg->kind == WEFT_ARG_CONSTANT;
}

/* Whether the argument is set, to nothing that has ended since. */
static inline bool weft_kernel_arg_valid(const struct weft_kernel_arg *arg)
{
	return arg->set && (!arg->mem || weft_mem_is_same(arg->mem, arg->serial)) &&
	       (!arg->queue || weft_queue_is_same(arg->queue, arg->serial));
}

/* Whether each argument is. */
bool weft_kernel_has_all_args(cl_kernel kernel);

/* The code for a device, perhaps its parent's; NULL when there is none. */
const struct weft_kernel_code *weft_kernel_code(cl_kernel kernel, cl_device_id device);

/* Returns when the compiler has found all there is to know of the kernel: before, only its name, attributes and arguments are known, but not
 * what it does with these. `code` is the kernel's; NULL: of the first device that has some. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. */
cl_int weft_kernel_describe(cl_kernel kernel, const struct weft_kernel_code *code) WEFT_MUST_CHECK;

/* Work-items that one group of it can have on the device (CL_KERNEL_WORK_GROUP_SIZE). */
size_t weft_kernel_group_limit(const struct weft_kernel_desc *desc, cl_device_id device);

/* CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: full vectors, those that the code was widened to, else those of floats that the
 * device has. */
size_t weft_kernel_group_multiple(const struct weft_kernel_desc *desc, cl_device_id device);

/* Work-items of a full sub-group. */
static inline size_t weft_kernel_lanes(const struct weft_kernel_desc *desc)
{
	return desc->vector_width > 1 ? desc->vector_width : 1;
}

/* Sub-groups of a work-group of so many work-items. */
static inline size_t weft_kernel_sub_groups(const struct weft_kernel_desc *desc, size_t items)
{
	size_t lanes = weft_kernel_lanes(desc);

	return items / lanes + (items % lanes != 0);
}

/* Bytes of local memory of one group, with the arguments set so far. SIZE_MAX when that is more
 * than a size_t holds. */
size_t weft_kernel_local_bytes(cl_kernel kernel, const struct weft_kernel_desc *desc);

#endif
