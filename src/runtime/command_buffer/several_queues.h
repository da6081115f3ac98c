/* SPDX-License-Identifier: MIT
 *
 * Submissions of command buffers of several queues (cl_khr_command_buffer_multi_device). Each recorded command becomes a command of its
 * queue, an event of its own, so whatever devices and memories the queues are for, the graph orders them and brings data where
 * it is needed. The edges of the command DAG are wait lists. A last event, which the application gets, waits for all of them.
 */
#ifndef WEFT_RUNTIME_SEVERAL_QUEUES_H
#define WEFT_RUNTIME_SEVERAL_QUEUES_H

#include "command_buffer/exec.h"
#include "graph/event.h"

/* `queues`: as many as the command buffer has, for the queue numbers of the exec, whose reference the caller has. The wait list of
 * `enqueue` has been checked. *event as weft_event_submit takes it. CL_OUT_OF_HOST_MEMORY: nothing is enqueued. */
cl_int weft_exec_enqueue_on(struct weft_exec *exec, const struct weft_enqueue *enqueue,
			    const struct weft_queue_list *queues,
			    cl_event *application_event) WEFT_MUST_CHECK;

#endif
