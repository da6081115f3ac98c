/* SPDX-License-Identifier: MIT
 *
 * Recording commands in a command buffer (specification: "Recording Commands to a Command-Buffer"). Each checks what
 * the enqueueing command of that name checks, with a queue of the command buffer.
 */
#include "check.h"
#include "command_buffer/command_buffer.h"
#include "commands/image_command.h"
#include "commands/svm_command.h"
#include "entry_points.h"

/* Only kernels have properties and handles. */
static cl_int check_recording(const struct weft_recording *recording)
{
	if (recording->properties && recording->properties[0])
		return CL_INVALID_VALUE;
	if (recording->handle)
		return CL_INVALID_VALUE;
	return weft_command_buffer_check_recording(recording);
}

static cl_int check_begin(struct weft_recording *recording)
{
	cl_int err = weft_check_recorded_to(recording);

	return err == CL_SUCCESS ? check_recording(recording) : err;
}

#define RECORDING(type_)                                                                           \
	{.buffer = buffer,                                                                         \
	 .queue = queue,                                                                           \
	 .type = (type_),                                                                          \
	 .properties = properties,                                                                 \
	 .num_waits = num_waits,                                                                   \
	 .waits = waits,                                                                           \
	 .sync_point = sync_point,                                                                 \
	 .handle = handle}

/* ---- order and memory ------------------------------------------------------------------------ */

cl_int CL_API_CALL weft_clCommandBarrierWithWaitListKHR(WEFT_RECORDED_TO, WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_BARRIER);
	struct weft_recorded_command *recorded;

	recording.barrier = true;
	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_recorded_command_create_order(&recorded);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_record(&recording, recorded);
	return err;
}

/* The places in it have been checked. */
static cl_int record_copy(const struct weft_recording *recording, const struct weft_mem_copy *copy)
{
	struct weft_recorded_command *recorded;

	cl_int err = weft_mem_check_copy(copy);
	if (err == CL_SUCCESS)
		err = weft_recorded_command_create_copy(recording->queue, copy, &recorded);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_record(recording, recorded);
	return err;
}

static cl_int record_fill(const struct weft_recording *recording, const struct weft_mem_fill *fill)
{
	struct weft_recorded_command *recorded;

	cl_mem mem = fill->destination.mem;

	cl_int err = mem ? weft_mem_check_mutable(mem) : CL_SUCCESS;
	if (err == CL_SUCCESS)
		err = weft_recorded_command_create_fill(recording->queue, fill, &recorded);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_record(recording, recorded);
	return err;
}

cl_int CL_API_CALL weft_clCommandCopyBufferKHR(WEFT_RECORDED_TO, cl_mem source, cl_mem destination,
					       size_t source_offset, size_t destination_offset,
					       size_t size, WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_COPY_BUFFER);
	struct weft_mem_copy copy = {.source.mem = source, .destination.mem = destination};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_mem_check_copy_use(recording.queue, source, destination);
	if (err == CL_SUCCESS)
		err = weft_mem_place_linear(source_offset, destination_offset, size, &copy);
	if (err == CL_SUCCESS)
		err = record_copy(&recording, &copy);
	return err;
}

cl_int CL_API_CALL weft_clCommandCopyBufferRectKHR(
	WEFT_RECORDED_TO, cl_mem source, cl_mem destination, const size_t *source_origin,
	const size_t *destination_origin, const size_t *region, size_t source_row_pitch,
	size_t source_slice_pitch, size_t destination_row_pitch, size_t destination_slice_pitch,
	WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_COPY_BUFFER_RECT);
	const struct weft_rect_desc from = {source_origin, source_row_pitch, source_slice_pitch};
	const struct weft_rect_desc to = {destination_origin, destination_row_pitch,
					  destination_slice_pitch};
	struct weft_mem_copy copy = {.source.mem = source, .destination.mem = destination};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_mem_check_copy_use(recording.queue, source, destination);
	if (err == CL_SUCCESS)
		err = weft_mem_place_rects(&from, &to, region, &copy);
	if (err == CL_SUCCESS)
		err = record_copy(&recording, &copy);
	return err;
}

cl_int CL_API_CALL weft_clCommandFillBufferKHR(WEFT_RECORDED_TO, cl_mem mem, const void *pattern,
					       size_t pattern_size, size_t offset, size_t size,
					       WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_FILL_BUFFER);
	struct weft_mem_fill fill = {
		.destination.mem = mem, .pattern = pattern, .pattern_size = pattern_size};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_mem_check_buffer(recording.queue, mem);
	if (err == CL_SUCCESS)
		err = weft_mem_place_fill(offset, size, &fill);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(recording.queue, mem);
	if (err == CL_SUCCESS)
		err = record_fill(&recording, &fill);
	return err;
}

/* ---- shared memory --------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clCommandSVMMemcpyKHR(WEFT_RECORDED_TO, void *destination,
					      const void *source, size_t size,
					      WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_SVM_MEMCPY);
	struct weft_recorded_command *recorded;
	struct weft_mem_copy copy;

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_svm_check_queue(recording.queue);
	if (err == CL_SUCCESS)
		err = weft_svm_place_copy(destination, source, size, &copy);
	if (err == CL_SUCCESS)
		err = weft_svm_check_overlap(&copy);
	if (err == CL_SUCCESS)
		err = weft_recorded_command_create_copy(recording.queue, &copy, &recorded);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_record(&recording, recorded);
	return err;
}

cl_int CL_API_CALL weft_clCommandSVMMemFillKHR(WEFT_RECORDED_TO, void *pointer, const void *pattern,
					       size_t pattern_size, size_t size,
					       WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_SVM_MEMFILL);
	struct weft_mem_fill fill = {.pattern = pattern, .pattern_size = pattern_size};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_svm_check_queue(recording.queue);
	if (err == CL_SUCCESS)
		err = weft_svm_place_fill(pointer, size, &fill);
	if (err == CL_SUCCESS)
		err = weft_svm_check_range(recording.queue, pointer, size);
	if (err == CL_SUCCESS)
		err = record_fill(&recording, &fill);
	return err;
}

/* ---- images ---------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clCommandCopyImageKHR(WEFT_RECORDED_TO, cl_mem source, cl_mem destination,
					      const size_t *source_origin,
					      const size_t *destination_origin,
					      const size_t *region, WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_COPY_IMAGE);
	const struct weft_image_region from = {source, source_origin, region};
	const struct weft_image_region to = {destination, destination_origin, region};
	struct weft_mem_copy copy = {0};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_image_check_copy(recording.queue, source, destination);
	if (err == CL_SUCCESS)
		err = weft_image_place_copy(&from, &to, &copy);
	if (err == CL_SUCCESS)
		err = record_copy(&recording, &copy);
	return err;
}

cl_int CL_API_CALL weft_clCommandCopyImageToBufferKHR(WEFT_RECORDED_TO, cl_mem image,
						      cl_mem destination, const size_t *origin,
						      const size_t *region, size_t offset,
						      WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_COPY_IMAGE_TO_BUFFER);
	const struct weft_image_region from = {image, origin, region};
	struct weft_mem_copy copy = {.destination.mem = destination};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_image_check_buffer_copy(recording.queue, image, destination);
	if (err == CL_SUCCESS)
		err = weft_image_place_to_buffer(&from, offset, &copy);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(recording.queue, destination);
	if (err == CL_SUCCESS)
		err = record_copy(&recording, &copy);
	return err;
}

cl_int CL_API_CALL weft_clCommandCopyBufferToImageKHR(WEFT_RECORDED_TO, cl_mem source, cl_mem image,
						      size_t offset, const size_t *origin,
						      const size_t *region,
						      WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_COPY_BUFFER_TO_IMAGE);
	const struct weft_image_region to = {image, origin, region};
	struct weft_mem_copy copy = {.source.mem = source};

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_image_check_buffer_copy(recording.queue, image, source);
	if (err == CL_SUCCESS)
		err = weft_image_place_from_buffer(&to, offset, &copy);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(recording.queue, source);
	if (err == CL_SUCCESS)
		err = record_copy(&recording, &copy);
	return err;
}

cl_int CL_API_CALL weft_clCommandFillImageKHR(WEFT_RECORDED_TO, cl_mem image, const void *color,
					      const size_t *origin, const size_t *size,
					      WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_FILL_IMAGE);
	const struct weft_image_region region = {image, origin, size};
	struct weft_image_color texel;
	struct weft_mem_fill fill;

	cl_int err = check_begin(&recording);
	if (err == CL_SUCCESS)
		err = weft_image_check_use(recording.queue, image);
	if (err == CL_SUCCESS)
		err = weft_image_place_fill(&region, color, &texel, &fill);
	if (err == CL_SUCCESS)
		err = record_fill(&recording, &fill);
	return err;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* What updates can change of a kernel. */
struct kernel_properties {
	cl_mutable_dispatch_fields_khr fields;
	cl_mutable_dispatch_asserts_khr asserts;
	bool has_fields;
	bool has_asserts;
};

/* Reads the list into `found` and recording->num_properties. */
static cl_int read_properties(struct weft_recording *recording, struct kernel_properties *found)
{
	const cl_command_properties_khr *property = recording->properties;

	for (; property && property[0]; property += 2) {
		bool is_fields = property[0] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR;
		bool *seen = is_fields ? &found->has_fields : &found->has_asserts;

		if (*seen || (!is_fields && property[0] != CL_MUTABLE_DISPATCH_ASSERTS_KHR))
			return CL_INVALID_VALUE;
		*seen = true;
		if (is_fields)
			found->fields = property[1];
		else
			found->asserts = property[1];
	}
	if (property)
		recording->num_properties = (cl_uint)(property - recording->properties) + 1;
	if (found->asserts & ~(cl_mutable_dispatch_asserts_khr)
				     CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR ||
	    found->fields & ~(cl_mutable_dispatch_fields_khr)WEFT_MUTABLE_DISPATCH_CAPABILITIES)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

/* Copies the sizes; weft_geometry_plan finds more than three dimensions. */
static struct weft_geometry geometry_of(const struct weft_launch_request *request)
{
	struct weft_geometry geometry = {.work_dim = request->work_dim,
					 .has_global = request->global != NULL,
					 .has_local = request->local != NULL};

	for (cl_uint i = 0; i < 3 && i < request->work_dim; i++) {
		geometry.offset[i] = request->offset ? request->offset[i] : 0;
		geometry.global[i] = request->global ? request->global[i] : 0;
		geometry.local[i] = request->local ? request->local[i] : 0;
	}
	return geometry;
}

/* The kernel is valid. With arguments that are not set, there is no recorded command. */
static cl_int record_kernel(const struct weft_recording *recording,
			    const struct weft_launch_request *request,
			    const struct kernel_properties *properties)
{
	cl_command_buffer_khr buffer = recording->buffer;
	struct weft_recorded_kernel launch = {.kernel = request->kernel,
					      .geometry = geometry_of(request)};
	struct weft_recorded_command *recorded = NULL;
	struct weft_launch_plan plan;
	bool args_later = buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR &&
			  properties->fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;

	cl_int err = weft_geometry_plan(recording->queue, request->kernel, &launch.geometry,
					args_later, &plan);
	if (err == CL_SUCCESS && !request->local &&
	    ((properties->asserts | buffer->asserts) &
	     CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && weft_kernel_has_all_args(request->kernel))
		err = weft_recorded_command_create_launch(recording->queue, request->kernel, &plan,
							  &recorded);
	if (err != CL_SUCCESS)
		return err;
	launch.uniform = weft_launch_is_uniform(&plan);
	launch.fields =
		properties->has_fields ? properties->fields : WEFT_MUTABLE_DISPATCH_CAPABILITIES;
	return weft_command_buffer_record_kernel(recording, &launch, recorded);
}

cl_int CL_API_CALL weft_clCommandNDRangeKernelKHR(WEFT_RECORDED_TO, cl_kernel kernel,
						  cl_uint work_dim, const size_t *offset,
						  const size_t *global, const size_t *local,
						  WEFT_RECORDING_PARAMETERS)
{
	struct weft_recording recording = RECORDING(CL_COMMAND_NDRANGE_KERNEL);
	const struct weft_launch_request request = {.kernel = kernel,
						    .work_dim = work_dim,
						    .offset = offset,
						    .global = global,
						    .local = local};
	struct kernel_properties found = {0};

	cl_int err = weft_check_recorded_to(&recording);
	if (err == CL_SUCCESS)
		err = weft_check_kernel(kernel);
	if (err == CL_SUCCESS)
		err = read_properties(&recording, &found);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_check_recording(&recording);
	if (err == CL_SUCCESS)
		err = record_kernel(&recording, &request, &found);
	return err;
}
