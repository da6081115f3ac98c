/* SPDX-License-Identifier: MIT
 *
 * What tests of the graph begin with: a device of the fake driver, a context, queues.
 */
#ifndef WEFT_TESTS_RUNTIME_GRAPH_FIXTURE_H
#define WEFT_TESTS_RUNTIME_GRAPH_FIXTURE_H

#include "device/context.h"
#include "fake_driver.h"
#include "graph/driver_host.h"
#include "graph/queue.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* `threads` of the device; 0: the test steps. */
static inline void graph_open(unsigned threads, cl_device_id *device, cl_context *context)
{
	fake_set_threads(threads);
	assert_int_equal(weft_device_create(&fake_driver, 0, weft_driver_host(), 0, device),
			 CL_SUCCESS);
	const struct weft_context_desc desc = {.devices = device, .num_devices = 1};
	assert_int_equal(weft_context_create(&desc, context), CL_SUCCESS);
}

static inline void graph_close(cl_device_id device, cl_context context)
{
	weft_object_release_api(&context->base);
	weft_object_put(&device->base);
}

static inline cl_command_queue graph_queue(cl_device_id device, cl_context context,
					   cl_command_queue_properties properties)
{
	const struct weft_queue_desc desc = {
		.context = context, .device = device, .properties = properties};
	cl_command_queue queue = NULL;

	assert_int_equal(weft_queue_create(&desc, &queue), CL_SUCCESS);
	return queue;
}

#endif
