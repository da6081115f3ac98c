/* SPDX-License-Identifier: MIT
 *
 * What a pipe is in memory, for OpenCL C (lib/builtins) and for C (src/runtime). There are no addresses in it, so a copy in
 * another memory is the same pipe.
 *
 * Packets have positions, counted from the pipe's creation on. Writers take positions from `tail`, readers from `head`, any
 * number at once with one compare-and-exchange. Position p has the slot p mod the number of slots, a power of two; the quotient is
 * its lap. The state of a slot says what has happened to the last packet in it: 2 lap - 1, it has been written; 2 lap, it has been
 * read. So a commit of a position adds one to the state of its slot, in any order with other commits, and waits for none. Positions
 * begin with lap 1, when all states are 0.
 */
#ifndef WEFT_PIPE_LAYOUT_H
#define WEFT_PIPE_LAYOUT_H

#ifdef __OPENCL_C_VERSION__
typedef uint uint32_t;
typedef ulong uint64_t;
#else
#include <stdint.h>
#endif

/* Bytes between what writers and what readers change, and the alignment of the packets. */
#define WEFT_PIPE_ALIGNMENT 128

struct weft_pipe {
	/* These do not change. */
	uint32_t packet_size; /* bytes */
	uint32_t max_packets;
	uint32_t last_slot; /* the number of slots less one; there are at least max_packets slots */
	uint32_t slot_bits; /* log2 of the number of slots */
	uint32_t
		packets; /* from the structure's begin to the packet of slot 0, in units of WEFT_PIPE_ALIGNMENT bytes */
	char behind_constants[WEFT_PIPE_ALIGNMENT - 20];

	uint64_t tail; /* the next position for a writer; at most head + max_packets */
	char behind_tail[WEFT_PIPE_ALIGNMENT - 8];
	uint64_t head; /* the next position for a reader; at most tail */
	char behind_head[WEFT_PIPE_ALIGNMENT - 8];
	uint32_t states[]; /* one for each slot */
};

#endif
