/* SPDX-License-Identifier: MIT
 *
 * Reading, writing, copying, filling and mapping images (specification 5.3.3 to 5.3.6).
 */
#include "check.h"
#include "commands/image_command.h"
#include "entry_points.h"
#include "memory/image.h"
#include "transfer.h"

/* ---- between an image and the application's memory ------------------------------------------- */

struct transfer {
	struct weft_image_region region;
	size_t row_pitch;
	size_t slice_pitch;
	void *host;
	bool blocking;
};

static cl_int enqueue_transfer(const struct weft_enqueue *enqueue, const struct transfer *transfer,
			       cl_event *event)
{
	const struct weft_image_region *region = &transfer->region;
	struct weft_transfer_call call = {
		.host.host = transfer->host,
		.reads = enqueue->type == CL_COMMAND_READ_IMAGE,
		.blocking = transfer->blocking,
	};

	cl_int err = weft_image_check_use(enqueue->queue, region->image);
	if (err == CL_SUCCESS && !transfer->host)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_image_place(region, &call.device, call.region);
	if (err == CL_SUCCESS)
		err = weft_image_place_host(region, transfer->row_pitch, transfer->slice_pitch,
					    &call.host.rect);
	if (err == CL_SUCCESS)
		err = weft_api_transfer(enqueue, &call, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
					   const size_t *origin, const size_t *region,
					   size_t row_pitch, size_t slice_pitch, void *ptr,
					   cl_uint num_waits, const cl_event *waits,
					   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_READ_IMAGE, num_waits, waits};
	const struct transfer transfer = {
		{image, origin, region}, row_pitch, slice_pitch, ptr, blocking != CL_FALSE};

	return enqueue_transfer(&enqueue, &transfer, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
					    const size_t *origin, const size_t *region,
					    size_t row_pitch, size_t slice_pitch, const void *ptr,
					    cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_WRITE_IMAGE, num_waits, waits};
	const struct transfer transfer = {
		{image, origin, region}, row_pitch, slice_pitch, (void *)ptr, blocking != CL_FALSE};

	return enqueue_transfer(&enqueue, &transfer, event);
}

/* "image_row_pitch is NULL", "image is a 1D or 2D image array object" or a 3D image "and image_slice_pitch is NULL" */
static cl_int check_map(const struct weft_image_region *region, cl_map_flags flags,
			const size_t *row_pitch, const size_t *slice_pitch)
{
	const cl_mem_object_type type = region->image->type;
	const bool has_slices = weft_image_has_layers(type) || type == CL_MEM_OBJECT_IMAGE3D;

	if (!row_pitch || (has_slices && !slice_pitch))
		return CL_INVALID_VALUE;
	return weft_mem_check_map_flags(flags);
}

void *CL_API_CALL weft_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
					 cl_map_flags flags, const size_t *origin,
					 const size_t *size, size_t *row_pitch, size_t *slice_pitch,
					 cl_uint num_waits, const cl_event *waits, cl_event *event,
					 cl_int *errcode_ret)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MAP_IMAGE, num_waits, waits};
	const struct weft_image_region region = {image, origin, size};
	void *pointer = NULL;
	struct weft_map_call call = {
		.map.flags = flags, .blocking = blocking != CL_FALSE, .pointer = &pointer};
	struct weft_mem_place place;
	size_t row, slice;

	cl_int err = weft_image_check_use(queue, image);
	/* The conformance test of it gives no pitches. */
	if (err == CL_SUCCESS && (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
		err = weft_mem_check_mutable(image);
	if (err == CL_SUCCESS)
		err = check_map(&region, flags, row_pitch, slice_pitch);
	if (err == CL_SUCCESS)
		err = weft_image_place(&region, &place, call.map.region);
	if (err == CL_SUCCESS) {
		call.map.mem = image;
		call.map.rect = place.rect;
		err = weft_api_map(&enqueue, &call, event);
	}
	if (err == CL_SUCCESS) {
		weft_image_map_pitches(&region, &row, &slice);
		*row_pitch = row;
		if (slice_pitch)
			*slice_pitch = slice;
	}
	weft_api_set_error(errcode_ret, err);
	return pointer;
}

/* ---- within and between images and buffers --------------------------------------------------- */

cl_int CL_API_CALL weft_clEnqueueCopyImage(cl_command_queue queue, cl_mem source,
					   cl_mem destination, const size_t *source_origin,
					   const size_t *destination_origin, const size_t *region,
					   cl_uint num_waits, const cl_event *waits,
					   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_COPY_IMAGE, num_waits, waits};
	const struct weft_image_region from = {source, source_origin, region};
	const struct weft_image_region to = {destination, destination_origin, region};
	struct weft_mem_copy copy = {0};

	cl_int err = weft_image_check_copy(queue, source, destination);
	if (err == CL_SUCCESS)
		err = weft_image_place_copy(&from, &to, &copy);
	if (err == CL_SUCCESS)
		err = weft_api_copy(&enqueue, &copy, event);
	return err;
}

/* The table of 5.3.5 has the wait list before the alignment. */
static cl_int enqueue_buffer_copy(const struct weft_enqueue *enqueue, cl_mem buffer,
				  const struct weft_mem_copy *copy, cl_event *event)
{
	cl_int err = weft_check_wait_list(enqueue);

	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(enqueue->queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_api_copy(enqueue, copy, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image,
						   cl_mem buffer, const size_t *origin,
						   const size_t *region, size_t offset,
						   cl_uint num_waits, const cl_event *waits,
						   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, num_waits,
					     waits};
	const struct weft_image_region from = {image, origin, region};
	struct weft_mem_copy copy = {.destination.mem = buffer};

	cl_int err = weft_image_check_buffer_copy(queue, image, buffer);
	if (err == CL_SUCCESS)
		err = weft_image_place_to_buffer(&from, offset, &copy);
	if (err == CL_SUCCESS)
		err = enqueue_buffer_copy(&enqueue, buffer, &copy, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer,
						   cl_mem image, size_t offset,
						   const size_t *origin, const size_t *region,
						   cl_uint num_waits, const cl_event *waits,
						   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, num_waits,
					     waits};
	const struct weft_image_region to = {image, origin, region};
	struct weft_mem_copy copy = {.source.mem = buffer};

	cl_int err = weft_image_check_buffer_copy(queue, image, buffer);
	if (err == CL_SUCCESS)
		err = weft_image_place_from_buffer(&to, offset, &copy);
	if (err == CL_SUCCESS)
		err = enqueue_buffer_copy(&enqueue, buffer, &copy, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
					   const size_t *origin, const size_t *size,
					   cl_uint num_waits, const cl_event *waits,
					   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_FILL_IMAGE, num_waits, waits};
	const struct weft_image_region region = {image, origin, size};
	struct weft_image_color texel;
	struct weft_mem_fill fill;

	cl_int err = weft_image_check_use(queue, image);
	if (err == CL_SUCCESS)
		err = weft_image_place_fill(&region, color, &texel, &fill);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_mutable(image);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_fill(&enqueue, &fill, event);
	return err;
}
