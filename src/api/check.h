/* SPDX-License-Identifier: MIT
 *
 * Checks that several entry points share. Each returns CL_SUCCESS or the specification's code.
 */
#ifndef WEFT_API_CHECK_H
#define WEFT_API_CHECK_H

#include "command_buffer/command_buffer.h"
#include "device/context.h"
#include "device/device.h"
#include "graph/event.h"
#include "graph/queue.h"
#include "memory/mem.h"
#include "platform/platform.h"
#include "program/kernel.h"
#include "program/program.h"

/* CL_INVALID_<OBJECT> */
cl_int weft_invalid_object(enum weft_object_type type);

/* CL_INVALID_<OBJECT> for NULL, for a handle of another kind and for a released object. `handle` is of any kind. */
cl_int weft_check_object(const void *handle, enum weft_object_type type);
cl_int weft_check_platform(cl_platform_id platform);
cl_int weft_check_device(cl_device_id device);
/* CL_CONTEXT_TERMINATED_KHR, too: for all that is no query and releases nothing. */
cl_int weft_check_context(cl_context context);
/* For what can be done with a context that is terminated. */
cl_int weft_check_context_handle(cl_context context);
/* CL_CONTEXT_TERMINATED_KHR or CL_SUCCESS: for what makes an object or enqueues. weft_check_wait_list calls it. */
cl_int weft_check_terminated(cl_context context);
/* A queue of the host, else CL_INVALID_COMMAND_QUEUE. */
cl_int weft_check_queue(cl_command_queue queue);
cl_int weft_check_event(cl_event event);
cl_int weft_check_mem(cl_mem mem);                              /* CL_INVALID_MEM_OBJECT */
cl_int weft_check_command_buffer(cl_command_buffer_khr buffer); /* CL_INVALID_COMMAND_BUFFER_KHR */
/* A recording's command buffer, and its queue: NULL becomes the only one. Fills in its number. As weft_check_command_buffer;
 * CL_INVALID_COMMAND_QUEUE: none of the command buffer's, or NULL and there are several. */
cl_int weft_check_recorded_to(struct weft_recording *recording);
cl_int weft_check_program(cl_program program);
cl_int weft_check_kernel(cl_kernel kernel);

/* For a query about a kernel on a device: NULL becomes the only device of the program. CL_INVALID_KERNEL;
 * CL_INVALID_DEVICE: it is no device of the program, or NULL and the program has several. */
cl_int weft_check_kernel_device(cl_kernel kernel, cl_device_id *device);

/* The wait list of a command, whose queue is valid. CL_INVALID_EVENT_WAIT_LIST: list and count do not fit together, or an
 * event is not valid; CL_INVALID_CONTEXT: an event of another context than the queue's. */
cl_int weft_check_wait_list(const struct weft_enqueue *enqueue);
/* CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: an event of the list, which has been checked, has failed. For commands that are
 * to say so when they are enqueued. */
cl_int weft_check_wait_list_status(const struct weft_enqueue *enqueue);

#endif
