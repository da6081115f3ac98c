/* SPDX-License-Identifier: MIT
 *
 * What a kernel that enqueues kernels asks the host for (weft_work_context.enqueue), in words that are OpenCL C and C: the
 * built-in functions fill these structures in (device_enqueue.cl), the runtime reads them. A part of the ABI of kernels
 * (kernel_abi.h).
 */
#ifndef WEFT_ENQUEUE_TYPES_H
#define WEFT_ENQUEUE_TYPES_H

#ifdef __OPENCL_C_VERSION__

#define ENQUEUE_POINTER __generic void *
typedef uint uint32_t;
typedef ulong uint64_t;

#else

#include <stdint.h>

#define ENQUEUE_POINTER void *

#endif

enum weft_enqueue_operation {
	WEFT_ENQUEUE_KERNEL = 1,
	WEFT_ENQUEUE_MARKER,
	WEFT_ENQUEUE_RETAIN,
	WEFT_ENQUEUE_RELEASE,
	WEFT_ENQUEUE_CREATE_USER_EVENT, /* gives the event; 0: there is none left */
	WEFT_ENQUEUE_SET_STATUS,
	WEFT_ENQUEUE_IS_VALID,
	WEFT_ENQUEUE_CAPTURE_TIMES,
	WEFT_ENQUEUE_DEFAULT_QUEUE, /* gives the queue; 0: there is none */
	WEFT_ENQUEUE_GROUP_SIZE,
	WEFT_ENQUEUE_GROUP_MULTIPLE,
	WEFT_ENQUEUE_SUB_GROUP_COUNT,
	WEFT_ENQUEUE_SUB_GROUP_SIZE,
};

/* A bit beside the operation: errors have their own codes (-g), else they are all CLK_ENQUEUE_FAILURE. */
#define WEFT_ENQUEUE_DETAILED 0x100u

/* ndrange_t of OpenCL C. */
struct weft_enqueue_range {
	uint32_t work_dim;
	uint64_t global_offset[3];
	uint64_t global_size[3];
	uint64_t local_size[3]; /* zeros: not given */
};

/* The captured variables of a block lie behind this head. */
struct weft_block_literal {
	uint32_t size; /* bytes, with the head */
	uint32_t align;
};

/* What the operation does not need is 0. */
struct weft_enqueue_request {
	uint64_t queue; /* a handle */
	uint64_t event; /* a handle */
	/* The block's kernel: its number (weft_program_desc.num_blocks). */
	uint64_t block_kernel;
	ENQUEUE_POINTER block;  /* struct weft_block_literal */
	ENQUEUE_POINTER range;  /* struct weft_enqueue_range */
	ENQUEUE_POINTER waits;  /* handles of events */
	ENQUEUE_POINTER result; /* where the event goes, or the times */
	ENQUEUE_POINTER sizes;  /* uint64_t: bytes of each local argument */
	uint32_t flags;         /* kernel_enqueue_flags_t */
	uint32_t num_waits;
	uint32_t num_sizes;
	int status; /* of a user event */
};

#endif
