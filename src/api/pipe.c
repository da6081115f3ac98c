/* SPDX-License-Identifier: MIT
 *
 * Pipes and their queries (specification 5.4).
 */
#include "memory/pipe.h"
#include "check.h"
#include "entry_points.h"
#include "info/info.h"

cl_mem CL_API_CALL weft_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
				     cl_uint max_packets, const cl_pipe_properties *properties,
				     cl_int *errcode_ret)
{
	const struct weft_pipe_desc desc = {context, properties, flags, packet_size, max_packets};
	cl_mem pipe = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = weft_pipe_check(&desc);
	if (err == CL_SUCCESS)
		err = weft_pipe_create(&desc, &pipe);
	weft_api_set_error(errcode_ret, err);
	return pipe;
}

static cl_int get_packet_size(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer, weft_pipe_packet_size((cl_mem)(uintptr_t)object));
}

static cl_int get_max_packets(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer, weft_pipe_max_packets((cl_mem)(uintptr_t)object));
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_PIPE_PACKET_SIZE, get_packet_size),
	WEFT_INFO_GETTER(CL_PIPE_MAX_PACKETS, get_max_packets),
	WEFT_INFO_NONE(CL_PIPE_PROPERTIES), /* they were NULL */
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

cl_int CL_API_CALL weft_clGetPipeInfo(cl_mem pipe, cl_pipe_info param, size_t size, void *value,
				      size_t *size_ret)
{
	if (!weft_mem_valid(pipe) || pipe->type != CL_MEM_OBJECT_PIPE)
		return CL_INVALID_MEM_OBJECT;
	return weft_info_query(&table, pipe, param, size, value, size_ret);
}
