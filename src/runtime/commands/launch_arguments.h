/* SPDX-License-Identifier: MIT
 *
 * The arguments of a launch: what the kernel gets, what it keeps alive, and what it does to memory.
 */
#ifndef WEFT_RUNTIME_LAUNCH_ARGUMENTS_H
#define WEFT_RUNTIME_LAUNCH_ARGUMENTS_H

#include "graph/queue.h"
#include "memory/access.h"
#include "program/kernel.h"

/* What a launch makes of a kernel's arguments. The caller has the memory, which lives as long as the launch. */
struct weft_launch_binding {
	cl_kernel kernel;
	cl_command_queue queue;
	unsigned char *
		args; /* packed, desc->args_size bytes: addresses and local offsets as the kernel sees them */
	struct weft_object **
		objects; /* the kernel and its memory objects; retained; room for weft_kernel_most_mems + 1 */
	uint32_t num_objects;
	struct weft_access_builder *accesses; /* gets those of the launch */
};

/* In one walk over the arguments. *local_bytes: of the kernel's own at first, of all at the end. CL_INVALID_KERNEL_ARGS: a
 * memory object has ended; CL_OUT_OF_RESOURCES: there is no such number of bytes; CL_MEM_OBJECT_ALLOCATION_FAILURE;
 * CL_INVALID_OPERATION: a pointer leads to memory that the device does not have. On an
 * error, too, `num_objects` references are the caller's. */
cl_int weft_launch_bind_arguments(const struct weft_kernel_code *code,
				  struct weft_launch_binding *binding,
				  size_t *local_bytes) WEFT_MUST_CHECK;

#endif
