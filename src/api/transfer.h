/* SPDX-License-Identifier: MIT
 *
 * What the entry points of transfers, copies and maps have in common, of buffers and of images.
 */
#ifndef WEFT_API_TRANSFER_H
#define WEFT_API_TRANSFER_H

#include "commands/mem_command.h"

struct weft_transfer_call {
	struct weft_mem_place device; /* the memory object, with its rectangle */
	struct weft_mem_place host;   /* the application's memory, with its own */
	size_t region[3];             /* bytes per row, rows, slices */
	bool reads;
	bool blocking;
};

/* What follows in the tables of 5.2.2 and 5.3.3 when the rectangles are there: the checks, and the command. */
cl_int weft_api_transfer(const struct weft_enqueue *enqueue, const struct weft_transfer_call *call,
			 cl_event *event);

/* A copy whose places are there. */
cl_int weft_api_copy(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
		     cl_event *event);

struct weft_map_call {
	struct weft_mem_map map;
	bool blocking;
	void **pointer;
};

/* A map whose region is there. */
cl_int weft_api_map(const struct weft_enqueue *enqueue, const struct weft_map_call *call,
		    cl_event *event);

#endif
