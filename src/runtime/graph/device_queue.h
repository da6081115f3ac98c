/* SPDX-License-Identifier: MIT
 *
 * Queues on the device, to which kernels enqueue. Such a queue orders nothing: it bounds the memory of what is in it, and a
 * context has one of each device as its default queue.
 */
#ifndef WEFT_RUNTIME_DEVICE_QUEUE_H
#define WEFT_RUNTIME_DEVICE_QUEUE_H

#include "graph/queue.h"

/* Bytes. A launch that is enqueued takes less than a kilobyte, and what its block captures. */
#define WEFT_DEVICE_QUEUE_PREFERRED_SIZE (16u << 20)
#define WEFT_DEVICE_QUEUE_MAX_SIZE (256u << 20)

/* A new queue; or, with CL_QUEUE_ON_DEVICE_DEFAULT, a reference of the application to the default queue that there is. */
cl_int weft_device_queue_create(const struct weft_queue_desc *desc,
				cl_command_queue *queue) WEFT_MUST_CHECK;
/* It becomes the default queue of its device. */
void weft_device_queue_set_default(cl_command_queue queue);
/* Retained; NULL: there is none. */
cl_command_queue weft_device_queue_get_default(cl_context context, cl_device_id device);

/* Room for so many bytes; false: the queue is full. Any thread. */
bool weft_device_queue_take(cl_command_queue queue, uint64_t bytes) WEFT_MUST_CHECK;
void weft_device_queue_give(cl_command_queue queue, uint64_t bytes);

#endif
