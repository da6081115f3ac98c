/* SPDX-License-Identifier: MIT
 *
 * The first device that the loader finds, which is what a benchmark measures.
 */
#ifndef WEFT_BENCH_FIRST_DEVICE_H
#define WEFT_BENCH_FIRST_DEVICE_H

#include <CL/cl.h>

#include <stdbool.h>

/* Opens it, a context of it alone, and a queue in order, with OpenCL 1.2. False: one of them cannot be had; those before
 * it are there. */
bool first_device_open(cl_device_id *device, cl_context *context, cl_command_queue *queue);

#endif
