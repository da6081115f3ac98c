/* SPDX-License-Identifier: MIT
 *
 * Waits for commands. A GPU's driver keeps a core busy while it waits; kernels of the CPU that share that core then stand still for
 * milliseconds. So the engine looks at the event itself, and sleeps in between. Other drivers wait themselves: a CPU's runs
 * kernels on the thread that waits.
 */
#include "engine/engine.h"

#include "clock.h"
#include "thread.h"

#include <time.h>

#define SPIN_NS                                                                                    \
	300000 /* kernels and transfers of small buffers have ended by then, and a wake-up would be late for them */
/* Of the time that the thread has waited already, and at most: it is late by half of that in the mean. */
#define SLEEP_SHARE 16
#define LONGEST_SLEEP_NS 100000

static void pause_for(uint64_t waited_ns)
{
	const uint64_t share = waited_ns / SLEEP_SHARE;
	const struct timespec rest = {
		.tv_nsec = (long)(share < LONGEST_SLEEP_NS ? share : LONGEST_SLEEP_NS)};

	if (waited_ns < SPIN_NS)
		weft_pause();
	else
		nanosleep(&rest, NULL);
}

static cl_int poll(const struct weft_opencl *cl, cl_event event)
{
	const uint64_t start = weft_clock_now();
	cl_int status = CL_QUEUED;
	cl_int code = cl->GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				       &status, NULL);

	while (code == CL_SUCCESS && status > CL_COMPLETE) {
		pause_for(weft_clock_now() - start);
		code = cl->GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL);
	}
	return code == CL_SUCCESS && status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
						: code;
}

cl_int weft_wait_for_event(struct weft_engine *engine, size_t device, cl_command_queue queue,
			   cl_event event)
{
	const struct weft_opencl *cl = engine->cl;
	const bool is_gpu = engine->devices->items[device].type & CL_DEVICE_TYPE_GPU;
	cl_int code = is_gpu ? cl->Flush(queue) : CL_SUCCESS;

	if (code == CL_SUCCESS && is_gpu)
		code = poll(cl, event);
	if (!is_gpu)
		code = cl->WaitForEvents(1, &event);
	cl->ReleaseEvent(event);
	/* The command may run still, and use memory that is soon freed. */
	if (code != CL_SUCCESS)
		cl->Finish(queue);
	return code;
}
