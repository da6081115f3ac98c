/* SPDX-License-Identifier: MIT
 *
 * What one recorded command does: the driver's operation with its packed arguments, the objects that it keeps alive, and
 * what it does to memory. Constant, so that submissions in flight share it; an update of the command is another recorded
 * command.
 */
#ifndef WEFT_RUNTIME_RECORDED_COMMAND_H
#define WEFT_RUNTIME_RECORDED_COMMAND_H

#include "commands/launch.h"
#include "commands/mem_command.h"
#include "memory/access.h"

struct weft_codegen_unit;

struct weft_recorded_command {
	weft_refcount refs;
	struct weft_command command;                     /* its operation; the rest is not set */
	struct weft_specialisation_pair specialisations; /* retained; of a launch */
	bool uniform; /* of a launch: its work-groups, and those of its children, must all have the same size */
	struct weft_codegen_unit
		*unit;                 /* of a launch whose code is made after the build; or NULL */
	struct weft_accesses accesses; /* of buffers; in this block, like the objects */
	/* Of a copy or a fill in a context of several devices: what it was recorded from, in this block. Else NULL. */
	const struct weft_mem_copy *copy;
	const struct weft_mem_fill *fill;
	uint32_t num_objects;
	struct weft_object **objects; /* retained */
};

/* Does nothing: a barrier. */
cl_int weft_recorded_command_create_order(struct weft_recorded_command **recorded) WEFT_MUST_CHECK;
/* All of it has been checked. */
cl_int weft_recorded_command_create_copy(cl_command_queue queue, const struct weft_mem_copy *copy,
					 struct weft_recorded_command **recorded) WEFT_MUST_CHECK;
cl_int weft_recorded_command_create_fill(cl_command_queue queue, const struct weft_mem_fill *fill,
					 struct weft_recorded_command **recorded) WEFT_MUST_CHECK;
/* With the arguments that the kernel has now. CL_OUT_OF_RESOURCES as weft_launch_enqueue. A launch without work-items does
 * nothing, but keeps its memory objects: an update may give it work-items. */
cl_int weft_recorded_command_create_launch(cl_command_queue queue, cl_kernel kernel,
					   const struct weft_launch_plan *plan,
					   struct weft_recorded_command **recorded) WEFT_MUST_CHECK;

/* One that does the same for another queue of the context; of what is no launch. CL_MISALIGNED_SUB_BUFFER_OFFSET;
 * CL_INVALID_OPERATION, CL_INVALID_VALUE: the device does not share the memory. */
cl_int weft_recorded_command_retarget(const struct weft_recorded_command *recorded,
				      cl_command_queue queue,
				      struct weft_recorded_command **result) WEFT_MUST_CHECK;

/* Not with a lock: objects may go with the last reference. NULL is fine. */
void weft_recorded_command_put(struct weft_recorded_command *recorded);

#endif
