/* SPDX-License-Identifier: MIT
 *
 * Running kernels: from an NDRange as the application gives it to a command.
 */
#ifndef WEFT_RUNTIME_LAUNCH_H
#define WEFT_RUNTIME_LAUNCH_H

#include "commands/launch_arguments.h"
#include "graph/event.h"
#include "graph/queue.h"
#include "program/kernel.h"
#include "program/specialisations.h"

/* What clEnqueueNDRangeKernel got, borrowed; queue and kernel are valid. */
struct weft_launch_request {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint work_dim;
	const size_t *offset; /* work-items; NULL: zeros */
	const size_t *global; /* work-items */
	const size_t *local;  /* work-items; NULL: chosen here */
	bool args_later;      /* arguments may yet be set */
};

struct weft_launch_plan {
	const struct weft_kernel_code *code; /* lives as long as the kernel object */
	bool empty;                          /* no work-items */
	struct weft_ndrange range;
};

/* The checks of clEnqueueNDRangeKernel (5.10) in the order of its table, from the executable to the
 * alignment of sub-buffers, and the size of the work-groups. */
cl_int weft_launch_plan(const struct weft_launch_request *request,
			struct weft_launch_plan *plan) WEFT_MUST_CHECK;

/* Submits it; the wait list has been checked. CL_OUT_OF_RESOURCES when the kernel needs more local
 * memory than the device has. *event as weft_event_submit takes it. */
cl_int weft_launch_enqueue(const struct weft_enqueue *enqueue, cl_kernel kernel,
			   const struct weft_launch_plan *plan, cl_event *event) WEFT_MUST_CHECK;

/* Describes the launch for the driver, in one walk over the arguments. CL_OUT_OF_RESOURCES as above. On an error, too,
 * `num_objects` references are the caller's. */
cl_int weft_launch_bind(const struct weft_launch_plan *plan,
			const struct weft_specialisation_code *code,
			struct weft_launch_binding *binding,
			struct weft_launch *launch) WEFT_MUST_CHECK;

/* An event is to run a launch that was recorded: its code is chosen among the specialisations, which the event keeps alive. `unit`: NULL,
 * or what has the kernel's own code, which may have yet to be made. A kernel that enqueues kernels becomes a parent. */
cl_int weft_launch_begin_recorded(cl_event event, struct weft_codegen_unit *unit,
				  const struct weft_specialisation_pair *pair,
				  bool uniform) WEFT_MUST_CHECK;

/* What clEnqueueNativeKernel got, checked. */
struct weft_native_request {
	void(CL_CALLBACK *function)(void *);
	const void *args; /* copied */
	size_t size;      /* bytes */
	cl_uint num_mems;
	const cl_mem *mems;     /* valid or NULL */
	const void **locations; /* in args: where the address of each goes */
};

cl_int weft_launch_native(const struct weft_enqueue *enqueue,
			  const struct weft_native_request *request,
			  cl_event *event) WEFT_MUST_CHECK;

#endif
