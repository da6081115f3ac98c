/* SPDX-License-Identifier: MIT
 *
 * The entry points of mutable commands (specification: "Mutable Commands"): updates and queries.
 */
#include "check.h"
#include "command_buffer/command_buffer.h"
#include "entry_points.h"
#include "info/info.h"

#include <string.h>

static cl_int check_configs(cl_uint num_configs, const cl_command_buffer_update_type_khr *types,
			    const void **configs)
{
	if ((num_configs == 0) != (types == NULL) || (num_configs == 0) != (configs == NULL))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < num_configs; i++) {
		if (types[i] != WEFT_MUTABLE_DISPATCH_CONFIG || !configs[i])
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clUpdateMutableCommandsKHR(cl_command_buffer_khr buffer,
						   cl_uint num_configs,
						   const cl_command_buffer_update_type_khr *types,
						   const void **configs)
{
	cl_int err = weft_check_command_buffer(buffer);

	if (err == CL_SUCCESS && !(buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS &&
	    weft_command_buffer_state(buffer) == CL_COMMAND_BUFFER_STATE_RECORDING_KHR)
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		err = check_configs(num_configs, types, configs);
	if (err == CL_SUCCESS && num_configs)
		err = weft_command_buffer_update(
			buffer, num_configs,
			(const struct weft_mutable_dispatch_config *const *)configs);
	return err;
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Every handle is that of a kernel. */
static struct weft_geometry geometry_of(const void *object)
{
	return weft_mutable_command_geometry((cl_mutable_command_khr)(uintptr_t)object);
}

static cl_int answer_sizes(cl_uint dimensions, const size_t *sizes, struct weft_info_answer *answer)
{
	memcpy(answer->scratch.sizes, sizes, sizeof(answer->scratch.sizes));
	return weft_info_answer_data(answer, answer->scratch.sizes, dimensions * sizeof(*sizes));
}

static cl_int get_dimensions(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(answer, geometry_of(object).work_dim);
}

static cl_int get_offset(const void *object, struct weft_info_answer *answer)
{
	const struct weft_geometry geometry = geometry_of(object);

	return answer_sizes(geometry.work_dim, geometry.offset, answer);
}

static cl_int get_global(const void *object, struct weft_info_answer *answer)
{
	const struct weft_geometry geometry = geometry_of(object);

	return answer_sizes(geometry.work_dim, geometry.global, answer);
}

static cl_int get_local(const void *object, struct weft_info_answer *answer)
{
	const struct weft_geometry geometry = geometry_of(object);

	return answer_sizes(geometry.work_dim, geometry.local, answer);
}

#define FIELD(param, field) WEFT_INFO_FIELD(param, struct _cl_mutable_command_khr, field)
static const struct weft_info_row rows[] = {
	FIELD(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, queue),
	FIELD(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, buffer),
	FIELD(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, type),
	WEFT_INFO_LIST(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, struct _cl_mutable_command_khr,
		       properties, num_properties),
	FIELD(CL_MUTABLE_DISPATCH_KERNEL_KHR, launch.kernel),
	WEFT_INFO_GETTER(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, get_dimensions),
	WEFT_INFO_GETTER(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, get_offset),
	WEFT_INFO_GETTER(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, get_global),
	WEFT_INFO_GETTER(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, get_local),
};
#undef FIELD
static const struct weft_info_table table =
	WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_MUTABLE_COMMAND);

cl_int CL_API_CALL weft_clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
						   cl_mutable_command_info_khr param, size_t size,
						   void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, command, param, size, value, size_ret);
}
