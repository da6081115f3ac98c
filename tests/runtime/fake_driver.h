/* SPDX-License-Identifier: MIT
 *
 * A driver for tests of the graph: it runs what the test tells it to, or, with threads, whatever is
 * ready. Commands are native functions, copies and fills of one row, or nothing.
 */
#ifndef WEFT_TESTS_FAKE_DRIVER_H
#define WEFT_TESTS_FAKE_DRIVER_H

#include "device/device.h"

#include <stdbool.h>

extern const struct weft_driver fake_driver;
/* The same with memory of its own: each device it opens has another space. It is the host's, too. */
extern const struct weft_driver fake_memory_driver;
/* Whether such devices reach the memory of one another, from now on. */
void fake_set_reach(bool reach);
/* Allocations that have not been released. */
int fake_allocations(void);

/* Threads of devices opened from now on; 0: the test steps. */
void fake_set_threads(unsigned threads);

/* What has been ready for longest; NULL: nothing is. Stepped devices only. */
const struct weft_command *fake_first_ready(cl_device_id device);
/* How many commands are ready and not yet run. Stepped devices only. */
unsigned fake_num_ready(cl_device_id device);
bool fake_is_ready(cl_device_id device, cl_event event);
/* What notify said about the command's dependencies. It must be ready. */
enum weft_status fake_dependencies(cl_device_id device, cl_event event);
/* Runs a ready command and ends it with `status`, or with its dependencies' if that is not WEFT_OK.
 */
void fake_run(cl_device_id device, cl_event event, enum weft_status status);
/* Starts without ending, ends without starting: the two halves of fake_run. */
void fake_start(cl_device_id device, cl_event event);
void fake_end(cl_device_id device, cl_event event, enum weft_status status);
/* Runs what has been ready for longest and ends it with `status`; false: nothing is. */
bool fake_run_next(cl_device_id device, enum weft_status status);
/* Runs what is ready, oldest first, until nothing is. */
void fake_run_all(cl_device_id device);

/* Calls the function within the next submit: another thread's turn while a command is being enqueued. */
void fake_at_next_submit(void (*function)(void *data), void *data);

/* Calls so far, over all devices. */
unsigned fake_flushes(void);
int fake_closes(void);
/* Returns the calls so far once they are `count` or more. */
int fake_wait_for_closes(int count);

#endif
