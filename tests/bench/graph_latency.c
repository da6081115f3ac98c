/* SPDX-License-Identifier: MIT
 *
 * What the task graph costs: nanoseconds per edge of the lock-free list, and per command from enqueue to
 * end in an in-order queue, in an out-of-order queue, along a chain of wait lists and behind a fan. Commands do
 * nothing, so that all of it is cost. Prints one line per figure; asserts nothing.
 */
#include "clock.h"
#include "device/context.h"
#include "device/device.h"
#include "graph/event.h"
#include "graph/queue.h"
#include "node/edges.h"
#include "platform/platform.h"

#include <stdio.h>

#define COMMANDS 100000
#define EDGES 1000

static cl_command_queue queue;

static void print(const char *what, uint64_t start, unsigned count)
{
	printf("%-48s %8.1f ns\n", what, (double)(weft_clock_now() - start) / count);
}

static void edges(void)
{
	static struct weft_edge all[EDGES];
	uint64_t start = weft_clock_now();

	for (int round = 0; round < COMMANDS / EDGES; round++) {
		struct weft_edges list = {NULL};

		for (int i = 0; i < EDGES; i++) {
			if (!weft_edges_add(&list, &all[i]))
				return;
		}
		weft_edges_close(&list);
	}
	print("an edge, added and taken", start, COMMANDS);
}

/* A command behind `wait`, whose reference goes over to the caller. */
static cl_event enqueue(cl_event wait)
{
	const struct weft_enqueue desc = {queue, CL_COMMAND_NATIVE_KERNEL, wait ? 1 : 0, &wait};
	cl_event event = NULL;

	if (weft_event_create(&desc, &event) != CL_SUCCESS ||
	    weft_event_submit(event, NULL, false, &event) != CL_SUCCESS)
		return NULL;
	return event;
}

static void plain(const char *what)
{
	uint64_t start = weft_clock_now();

	for (int i = 0; i < COMMANDS; i++)
		weft_object_release_api(&enqueue(NULL)->base);
	(void)!weft_queue_finish(queue);
	print(what, start, COMMANDS);
}

/* All commands are there before the first may run: what remains is from ready to done. */
static void behind_a_gate(cl_context context, bool chain)
{
	cl_event gate = NULL;

	if (weft_event_create_user(context, &gate) != CL_SUCCESS)
		return;
	if (!weft_object_retain_api(&gate->base))
		return;
	cl_event last = gate;
	for (int i = 0; i < COMMANDS; i++) {
		cl_event next = enqueue(chain ? last : gate);

		weft_object_release_api(&(chain ? last : next)->base);
		last = chain ? next : last;
	}
	uint64_t start = weft_clock_now();
	if (weft_event_set_user_status(gate, CL_COMPLETE) != CL_SUCCESS)
		return;
	(void)!weft_queue_finish(queue);
	print(chain ? "out of order: one of a chain, ready to done"
		    : "out of order: one of a fan, ready to done",
	      start, COMMANDS);
	weft_object_release_api(&gate->base);
	weft_object_release_api(&last->base);
}

static void on_device(cl_device_id device)
{
	const struct weft_context_desc context_desc = {.devices = &device, .num_devices = 1};
	struct weft_queue_desc queue_desc = {.device = device};

	printf("%s\n", device->impl->driver->name);
	if (weft_context_create(&context_desc, &queue_desc.context) != CL_SUCCESS)
		return;
	if (weft_queue_create(&queue_desc, &queue) != CL_SUCCESS)
		return;
	plain("in order: a command, enqueue to end");
	weft_object_release_api(&queue->base);
	queue_desc.properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	if (weft_queue_create(&queue_desc, &queue) != CL_SUCCESS)
		return;
	plain("out of order: a command, enqueue to end");
	behind_a_gate(queue_desc.context, true);
	behind_a_gate(queue_desc.context, false);
	weft_object_release_api(&queue->base);
	weft_object_release_api(&queue_desc.context->base);
}

int main(void)
{
	cl_uint count;
	const cl_device_id *devices = weft_platform_devices(&count);

	edges();
	for (cl_uint i = 0; i < count; i++)
		on_device(devices[i]);
	return 0;
}
