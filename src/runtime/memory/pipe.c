/* SPDX-License-Identifier: MIT
 *
 * Making pipes. Invariant: the constants of a struct weft_pipe are right in its first bytes on the host, whichever memory its
 * contents are in.
 */
#include "memory/pipe.h"

#include "overflow.h"
#include "pipe_layout.h"

#include <assert.h>
#include <string.h>

static_assert(offsetof(struct weft_pipe, tail) == WEFT_PIPE_ALIGNMENT &&
		      offsetof(struct weft_pipe, head) == 2 * WEFT_PIPE_ALIGNMENT,
	      "readers and writers change different cache lines");

/* Slots are counted in 32 bits, with one number to spare. */
#define MOST_PACKETS (UINT32_C(1) << 31)

cl_int weft_pipe_check(const struct weft_pipe_desc *desc)
{
	if (desc->flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
		return CL_INVALID_VALUE;
	/* "in all OpenCL versions, properties must be NULL" */
	if (desc->properties)
		return CL_INVALID_VALUE;
	if (desc->packet_size == 0 || desc->packet_size > WEFT_PIPE_PACKET_MAX ||
	    desc->max_packets == 0)
		return CL_INVALID_PIPE_SIZE;
	return CL_SUCCESS;
}

static uint32_t slot_bits(cl_uint max_packets)
{
	return max_packets == 1 ? 0 : 32 - (uint32_t)__builtin_clz(max_packets - 1);
}

/* The constants, and the bytes of the whole pipe in *size; false when these are too many. */
static bool lay_out(const struct weft_pipe_desc *desc, struct weft_pipe *pipe, size_t *size)
{
	const uint32_t bits = slot_bits(desc->max_packets);
	const size_t slots = (size_t)1 << bits;
	size_t packets;

	pipe->packet_size = desc->packet_size;
	pipe->max_packets = desc->max_packets;
	pipe->last_slot = (uint32_t)(slots - 1);
	pipe->slot_bits = bits;
	/* both begin with lap 1 */
	pipe->tail = pipe->head = slots;
	if (desc->max_packets > MOST_PACKETS ||
	    weft_align_overflows(sizeof(*pipe) + slots * sizeof(pipe->states[0]),
				 WEFT_PIPE_ALIGNMENT, &packets))
		return false;
	pipe->packets = (uint32_t)(packets / WEFT_PIPE_ALIGNMENT);
	return !weft_mul_overflows(slots, desc->packet_size, size) &&
	       !weft_add_overflows(*size, packets, size) &&
	       *size <= weft_mem_largest(desc->context);
}

static cl_mem_flags flags_or_default(cl_mem_flags flags)
{
	return flags ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
}

cl_int weft_pipe_create(const struct weft_pipe_desc *desc, cl_mem *pipe)
{
	struct weft_pipe header = {0};
	struct weft_buffer_desc memory = {
		.context = desc->context,
		.flags = flags_or_default(desc->flags),
		.host_ptr = &header, /* the host has the contents */
	};
	cl_mem mem;

	if (!lay_out(desc, &header, &memory.size))
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	cl_int err = weft_mem_create(&memory, CL_MEM_OBJECT_PIPE, &mem);
	if (err != CL_SUCCESS)
		return err;
	memcpy(mem->address, &header, sizeof(header));
	memset(mem->address + sizeof(header), 0,
	       (size_t)header.packets * WEFT_PIPE_ALIGNMENT - sizeof(header));
	*pipe = mem;
	return CL_SUCCESS;
}

static const struct weft_pipe *contents(cl_mem pipe)
{
	return (const struct weft_pipe *)(const void *)pipe->address;
}

cl_uint weft_pipe_packet_size(cl_mem pipe)
{
	return contents(pipe)->packet_size;
}

cl_uint weft_pipe_max_packets(cl_mem pipe)
{
	return contents(pipe)->max_packets;
}
