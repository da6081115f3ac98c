/* SPDX-License-Identifier: MIT */
#include "engine/transfer.h"

/* Tells the driver of a device with the host's memory that the host reads or has written a range. */
static cl_int map(struct weft_engine *engine, const struct weft_transfer *transfer, cl_mem memory)
{
	cl_command_queue queue = engine->devices->items[transfer->device].transfers;
	cl_int code = CL_SUCCESS;

	void *mapped = engine->cl->EnqueueMapBuffer(
		queue, memory, CL_TRUE, transfer->to_device ? CL_MAP_WRITE : CL_MAP_READ,
		transfer->range.begin, transfer->range.end - transfer->range.begin, 0, NULL, NULL,
		&code);
	if (code != CL_SUCCESS)
		return code;
	code = engine->cl->EnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL);
	return code == CL_SUCCESS ? engine->cl->Finish(queue) : code;
}

static cl_int copy(struct weft_engine *engine, const struct weft_transfer *transfer, cl_mem memory)
{
	const struct weft_device *device = &engine->devices->items[transfer->device];
	cl_command_queue queue = transfer->to_device ? device->transfers : device->results;
	const size_t begin = transfer->range.begin;
	const size_t size = transfer->range.end - begin;
	cl_event event = NULL;

	const cl_int code =
		transfer->from ? engine->cl->EnqueueCopyBuffer(queue, transfer->from, memory, begin,
							       begin, size, 0, NULL, &event)
		: transfer->to_device
			? engine->cl->EnqueueWriteBuffer(queue, memory, CL_FALSE, begin, size,
							 transfer->host + begin, 0, NULL, &event)
			: engine->cl->EnqueueReadBuffer(queue, memory, CL_FALSE, begin, size,
							transfer->host + begin, 0, NULL, &event);
	return code == CL_SUCCESS ? weft_opencl_wait(engine->cl, queue, event) : code;
}

static cl_int transfer_bytes(struct weft_engine *engine, const struct weft_transfer *transfer,
			     cl_mem memory)
{
	const size_t domain = engine->devices->items[transfer->device].domain;

	if (engine->devices->domains[domain].takes_pointers)
		return CL_SUCCESS;
	return engine->devices->domains[domain].is_host ? map(engine, transfer, memory)
							: copy(engine, transfer, memory);
}

bool weft_transfer_run(struct weft_engine *engine, const struct weft_move *move,
		       const struct weft_transfer *transfer, struct weft_error *error)
{
	const struct weft_device *device = &engine->devices->items[transfer->device];
	const bool in_place = engine->devices->domains[device->domain].is_host;
	cl_mem memory = move->object->copies[device->domain].memory;
	struct weft_span span = {.kind = transfer->from        ? WEFT_SPAN_BETWEEN
					 : transfer->to_device ? WEFT_SPAN_TO_DEVICE
							       : WEFT_SPAN_FROM_DEVICE,
				 .device = transfer->device,
				 .task = move->task,
				 .bytes = transfer->range.end - transfer->range.begin,
				 .start = weft_engine_now(engine)};

	const cl_int code = transfer_bytes(engine, transfer, memory);
	span.end = weft_engine_now(engine);
	if (!in_place)
		weft_engine_record(engine, &span);
	return weft_opencl_check(code, device->name,
				 in_place              ? "EnqueueMapBuffer"
				 : transfer->from      ? "EnqueueCopyBuffer"
				 : transfer->to_device ? "EnqueueWriteBuffer"
						       : "EnqueueReadBuffer",
				 error);
}
