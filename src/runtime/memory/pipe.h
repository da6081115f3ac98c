/* SPDX-License-Identifier: MIT
 *
 * Pipes: memory objects of the type CL_MEM_OBJECT_PIPE. Their contents are a struct weft_pipe (pipe_layout.h), which kernels alone
 * change. Like those of a buffer they are copied between memories of devices as a whole.
 */
#ifndef WEFT_RUNTIME_PIPE_H
#define WEFT_RUNTIME_PIPE_H

#include "memory/mem.h"

/* What devices offer. No pipe has other limits than its memory; these are what programs are told. */
#define WEFT_PIPE_ARGS_MAX 16
#define WEFT_PIPE_RESERVATIONS_MAX 65536
#define WEFT_PIPE_PACKET_MAX 65536 /* bytes */

struct weft_pipe_desc {
	cl_context context;
	const cl_pipe_properties *properties; /* or NULL */
	cl_mem_flags flags;
	cl_uint packet_size; /* bytes */
	cl_uint max_packets;
};

/* The specification's checks of clCreatePipe (5.4.1), in its order, but for the context itself. */
cl_int weft_pipe_check(const struct weft_pipe_desc *desc) WEFT_MUST_CHECK;
/* An empty pipe; `desc` has been checked. CL_MEM_OBJECT_ALLOCATION_FAILURE */
cl_int weft_pipe_create(const struct weft_pipe_desc *desc, cl_mem *pipe) WEFT_MUST_CHECK;

/* What a pipe was made with. */
cl_uint weft_pipe_packet_size(cl_mem pipe);
cl_uint weft_pipe_max_packets(cl_mem pipe);

#endif
