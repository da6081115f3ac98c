/* SPDX-License-Identifier: MIT
 *
 * Submissions of command buffers whose commands become events of their own: those of several queues
 * (cl_khr_command_buffer_multi_device), and those with kernels that enqueue kernels. So whatever devices and memories the queues are
 * for, the graph orders the commands and brings data where it is needed; and a kernel has the event that it needs to be a parent. The
 * edges of the command DAG are wait lists. A last event, which the application gets, waits for all of them.
 */
#ifndef WEFT_RUNTIME_EVENT_REPLAY_H
#define WEFT_RUNTIME_EVENT_REPLAY_H

#include "command_buffer/exec.h"
#include "graph/event.h"

/* `queues`: as many as the command buffer has, for the queue numbers of the exec, whose reference the caller has. The wait list of
 * `enqueue` has been checked. *event as weft_event_submit takes it. CL_OUT_OF_HOST_MEMORY: nothing is enqueued. */
cl_int weft_exec_enqueue_events(struct weft_exec *exec, const struct weft_enqueue *enqueue,
				const struct weft_queue_list *queues,
				cl_event *application_event) WEFT_MUST_CHECK;

#endif
