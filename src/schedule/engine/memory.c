/* SPDX-License-Identifier: MIT
 *
 * Moves contents between memories: only bytes that are not there already; directly between devices of one context, else through the host's
 * memory. Devices with the host's memory use it in place. Where their kernels do not take its addresses, mapping and unmapping tells the driver, and copies nothing.
 */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

/* ---- claims -------------------------------------------------------------------------------------- */

void weft_object_claim(struct weft_engine *engine, struct weft_object *object)
{
	weft_mutex_lock(&engine->lock);
	while (object->is_claimed)
		weft_condition_wait(&engine->changed, &engine->lock);
	object->is_claimed = true;
	weft_mutex_unlock(&engine->lock);
}

void weft_object_release(struct weft_engine *engine, struct weft_object *object)
{
	weft_mutex_lock(&engine->lock);
	object->is_claimed = false;
	weft_condition_broadcast(&engine->changed);
	weft_mutex_unlock(&engine->lock);
}

/* Lets others claim the object until no transfer to the host runs for it; the object's lists may be others then. */
static void wait_for_reader(struct weft_engine *engine, struct weft_object *object)
{
	weft_mutex_lock(&engine->lock);
	object->is_claimed = false;
	weft_condition_broadcast(&engine->changed);
	while (object->is_read || object->is_claimed)
		weft_condition_wait(&engine->changed, &engine->lock);
	object->is_claimed = true;
	weft_mutex_unlock(&engine->lock);
}

/* ---- transfers ----------------------------------------------------------------------------------- */

/* What a transfer is: from or to host memory at the same place of `host`; or from another device's memory. */
struct transfer {
	size_t device; /* which does it */
	bool to_device;
	struct weft_range range;
	unsigned char *host;
	cl_mem from; /* NULL: the host's memory */
};

/* Tells the driver of a device with the host's memory that the host reads or has written a range. */
static cl_int map(struct weft_engine *engine, const struct transfer *transfer, cl_mem memory)
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

static cl_int copy(struct weft_engine *engine, const struct transfer *transfer, cl_mem memory)
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

static cl_int transfer_bytes(struct weft_engine *engine, const struct transfer *transfer,
			     cl_mem memory)
{
	const size_t domain = engine->devices->items[transfer->device].domain;

	if (engine->devices->domains[domain].takes_pointers)
		return CL_SUCCESS;
	return engine->devices->domains[domain].is_host ? map(engine, transfer, memory)
							: copy(engine, transfer, memory);
}

static bool run_transfer(struct weft_engine *engine, const struct weft_move *move,
			 const struct transfer *transfer, struct weft_error *error)
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

/* Those that wait for a transfer do not have the object claimed. */
static void set_read(struct weft_engine *engine, struct weft_object *object, bool is_read)
{
	weft_mutex_lock(&engine->lock);
	object->is_read = is_read;
	weft_mutex_unlock(&engine->lock);
}

/* While the bytes move, others may claim the object. */
static bool run_transfer_unclaimed(struct weft_engine *engine, const struct weft_move *move,
				   const struct transfer *transfer, struct weft_error *error)
{
	weft_object_release(engine, move->object);
	const bool done = run_transfer(engine, move, transfer, error);
	weft_object_claim(engine, move->object);
	return done;
}

/* Zeros are made in a device's memory, and not moved there. False as well if the driver cannot do that: they are moved then. */
static bool fill_zeros(struct weft_engine *engine, const struct weft_move *move)
{
	static const cl_uint zero;
	const struct weft_device *device = &engine->devices->items[move->device];
	const struct weft_range range = move->range;
	const size_t size = range.end - range.begin;
	/* Wide patterns are faster; they must divide the range. */
	const size_t pattern =
		range.begin % sizeof(zero) == 0 && size % sizeof(zero) == 0 ? sizeof(zero) : 1;

	return weft_ranges_contain(&move->object->zeros, range) &&
	       engine->cl->EnqueueFillBuffer(
		       device->transfers, move->object->copies[device->domain].memory, &zero,
		       pattern, range.begin, size, 0, NULL, NULL) == CL_SUCCESS &&
	       engine->cl->Finish(device->transfers) == CL_SUCCESS;
}

static bool create_copy(struct weft_engine *engine, const struct weft_move *move,
			struct weft_error *error)
{
	const struct weft_device *device = &engine->devices->items[move->device];
	const struct weft_domain *domain = &engine->devices->domains[device->domain];
	struct weft_copy *made = &move->object->copies[device->domain];
	cl_int code = CL_SUCCESS;

	if (made->memory || domain->takes_pointers)
		return true;
	made->memory = engine->cl->CreateBuffer(
		domain->context,
		CL_MEM_READ_WRITE | (domain->is_host ? CL_MEM_USE_HOST_PTR : (cl_mem_flags)0),
		move->object->buffer->bytes, domain->is_host ? move->object->host : NULL, &code);
	if (code == CL_SUCCESS)
		return true;
	char buffer[32];
	return weft_fail(error, "%s: clCreateBuffer of %zu bytes: %s", device->name,
			 move->object->buffer->bytes, weft_opencl_error(code, buffer));
}

/* ---- valid bytes --------------------------------------------------------------------------------- */

/* A device whose memory has the first byte of the range; SIZE_MAX: there is none. */
static size_t find_holder(const struct weft_engine *engine, const struct weft_move *move,
			  struct weft_range *range)
{
	for (size_t d = 0; d < engine->devices->count; d++) {
		const size_t domain = engine->devices->items[d].domain;
		const size_t end = weft_ranges_prefix(&move->object->copies[domain].valid, *range);

		if (end > range->begin) {
			range->end = end;
			return d;
		}
	}
	return SIZE_MAX;
}

bool weft_memory_to_host(struct weft_engine *engine, const struct weft_move *move,
			 struct weft_error *error)
{
	struct weft_object *object = move->object;
	struct weft_range missing;

	while (weft_ranges_missing(&object->in_host, move->range, &missing)) {
		struct transfer transfer = {.range = missing, .host = object->host};

		if (object->is_read) {
			wait_for_reader(engine, object);
			continue;
		}
		transfer.device = find_holder(engine, move, &transfer.range);
		if (transfer.device == SIZE_MAX)
			return weft_fail(error, "a buffer's content is in no memory");
		set_read(engine, object, true);
		const bool done = run_transfer_unclaimed(engine, move, &transfer, error);
		set_read(engine, object, false);
		if (!done)
			return false;
		if (!weft_ranges_add(&object->in_host, transfer.range))
			return weft_fail_memory(error);
	}
	return true;
}

bool weft_memory_give_back(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error)
{
	const struct transfer transfer = {
		.device = move->device, .range = move->range, .host = move->object->host};

	return run_transfer(engine, move, &transfer, error) &&
	       (weft_ranges_add(&move->object->in_host, move->range) || weft_fail_memory(error));
}

/* An io buffer begins with a copy of another object's content. */
static bool inherit(struct weft_engine *engine, const struct weft_move *move,
		    struct weft_error *error)
{
	struct weft_object *object = move->object;
	struct weft_object *source = object->source;

	if (!source)
		return true;
	const struct weft_move from = {.object = source,
				       .device = move->device,
				       .task = move->task,
				       .range = {0, object->buffer->bytes}};
	/* Objects are claimed against the direction of the graph, which has no circles. */
	weft_object_claim(engine, source);
	const bool done = weft_memory_to_host(engine, &from, error);
	if (done)
		memcpy(object->host, source->host, object->buffer->bytes);
	weft_object_release(engine, source);
	if (!done)
		return false;
	object->source = NULL;
	return weft_ranges_add(&object->in_host, from.range) || weft_fail_memory(error);
}

/* Others may write some of the range while it moves, and even have that in the host's memory again before it has. */
static bool move_to_copy(struct weft_engine *engine, const struct weft_move *part,
			 const struct transfer *transfer, struct weft_error *error)
{
	const size_t domain = engine->devices->items[part->device].domain;
	struct weft_copy *copy = &part->object->copies[domain];

	copy->filling = part->range;
	const bool done = run_transfer_unclaimed(engine, part, transfer, error);
	copy->filling = (struct weft_range){0, 0};
	return done;
}

/* Another device's memory from which the first bytes of the range come without the host: NULL: there is none. The range ends where
 * that changes. */
static cl_mem find_peer(const struct weft_engine *engine, struct weft_move *part)
{
	const size_t own = engine->devices->items[part->device].domain;
	const struct weft_domain *domains = engine->devices->domains;
	struct weft_range *range = &part->range;

	for (size_t d = 0; d < engine->devices->num_domains; d++) {
		const struct weft_copy *copy = &part->object->copies[d];
		const size_t end = weft_ranges_prefix(&copy->valid, *range);
		struct weft_range missing;

		if (d == own || domains[d].context != domains[own].context)
			continue;
		if (end > range->begin) {
			range->end = end;
			return copy->memory;
		}
		if (weft_ranges_missing(&copy->valid, *range, &missing))
			range->end = missing.end;
	}
	return NULL;
}

/* The first bytes of the range, which are not valid there. What others write while they move is moved again. */
static bool fill_range(struct weft_engine *engine, struct weft_move *part, struct weft_error *error)
{
	struct weft_object *object = part->object;
	const struct weft_device *device = &engine->devices->items[part->device];
	const struct weft_domain *domain = &engine->devices->domains[device->domain];
	struct weft_copy *copy = &object->copies[device->domain];
	const bool from_base = object->base && !domain->is_host;
	/* Mapping copies nothing. Devices of one memory would write there what others of them read. */
	const bool stays_claimed = domain->is_host || domain->num_devices > 1;
	struct transfer transfer = {.device = part->device,
				    .to_device = true,
				    .host = from_base ? object->base : object->host};

	if (!domain->is_host && fill_zeros(engine, part))
		return weft_ranges_add(&copy->valid, part->range) || weft_fail_memory(error);
	/* A base is whole. */
	if (!object->base)
		transfer.from = find_peer(engine, part);
	transfer.range = part->range;
	if (!object->base && !transfer.from && !weft_memory_to_host(engine, part, error))
		return false;
	copy->is_stale = false;
	if (!(stays_claimed ? run_transfer(engine, part, &transfer, error)
			    : move_to_copy(engine, part, &transfer, error)))
		return false;
	return copy->is_stale || weft_ranges_add(&copy->valid, part->range) ||
	       weft_fail_memory(error);
}

bool weft_memory_to_device(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error)
{
	struct weft_object *object = move->object;
	const size_t domain = engine->devices->items[move->device].domain;
	struct weft_ranges *valid = &object->copies[domain].valid;
	struct weft_move part = *move;

	if (!inherit(engine, move, error) || !create_copy(engine, move, error))
		return false;
	while (weft_ranges_missing(valid, move->range, &part.range)) {
		if (!fill_range(engine, &part, error))
			return false;
	}
	return true;
}

bool weft_memory_written(struct weft_engine *engine, const struct weft_move *move,
			 struct weft_error *error)
{
	struct weft_object *object = move->object;
	const size_t domain = engine->devices->items[move->device].domain;
	bool done = weft_ranges_remove(&object->in_host, move->range) &&
		    weft_ranges_remove(&object->zeros, move->range);

	for (size_t d = 0; done && d < engine->devices->num_domains; d++) {
		struct weft_copy *copy = &object->copies[d];

		copy->is_stale |= copy->filling.begin < move->range.end &&
				  move->range.begin < copy->filling.end;
		done = d == domain ? weft_ranges_add(&copy->valid, move->range)
				   : weft_ranges_remove(&copy->valid, move->range);
	}
	return done || weft_fail_memory(error);
}

/* ---- writes to anywhere -------------------------------------------------------------------------- */

bool weft_memory_keep_base(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error)
{
	struct weft_object *object = move->object;

	if (object->base)
		return true;
	if (!inherit(engine, move, error) || !weft_memory_to_host(engine, move, error))
		return false;
	object->base = (unsigned char *)malloc(object->buffer->bytes);
	if (!object->base)
		return weft_fail_memory(error);
	memcpy(object->base, object->host, object->buffer->bytes);
	return true;
}

/* Takes what differs from the base. */
static void take_changes(const struct weft_object *object, const unsigned char *changed)
{
	for (size_t i = 0; i < object->buffer->bytes; i++) {
		if (changed[i] != object->base[i])
			object->host[i] = changed[i];
	}
}

/* The content of a device's memory, whole, in host memory of its own. */
static unsigned char *read_whole(struct weft_engine *engine, const struct weft_move *move,
				 struct weft_error *error)
{
	unsigned char *bytes = (unsigned char *)malloc(move->object->buffer->bytes);

	if (!bytes) {
		weft_fail_memory(error);
		return NULL;
	}
	const struct transfer transfer = {
		.device = move->device, .range = move->range, .host = bytes};
	if (run_transfer(engine, move, &transfer, error))
		return bytes;
	free(bytes);
	return NULL;
}

/* Of one domain: those with the host's memory have written to `host` itself. */
static bool merge_domain(struct weft_engine *engine, const struct weft_move *move,
			 struct weft_error *error)
{
	const size_t domain = engine->devices->items[move->device].domain;
	const struct transfer transfer = {
		.device = move->device, .range = move->range, .host = move->object->host};

	if (engine->devices->domains[domain].is_host)
		return run_transfer(engine, move, &transfer, error);
	unsigned char *changed = read_whole(engine, move, error);
	if (!changed)
		return false;
	struct weft_span span = {.kind = WEFT_SPAN_MERGE,
				 .device = move->device,
				 .task = move->task,
				 .bytes = move->object->buffer->bytes,
				 .start = weft_engine_now(engine)};
	take_changes(move->object, changed);
	span.end = weft_engine_now(engine);
	weft_engine_record(engine, &span);
	free(changed);
	return true;
}

bool weft_memory_merge(struct weft_engine *engine, const struct weft_move *move,
		       struct weft_error *error)
{
	struct weft_object *object = move->object;
	const size_t last = engine->devices->items[move->device].domain;
	struct weft_move from = *move;
	size_t merged = 0;

	if (!object->base)
		return true;
	for (size_t d = 0; d < engine->devices->num_domains; d++)
		merged += object->copies[d].has_written;
	if (merged > 1 && !weft_ranges_add(&object->in_host, move->range))
		return weft_fail_memory(error);
	for (size_t i = 0; merged > 1 && i < engine->devices->count; i++) {
		struct weft_copy *written = &object->copies[engine->devices->items[i].domain];

		from.device = i;
		if (written->has_written && !merge_domain(engine, &from, error))
			return false;
		written->has_written = false;
	}
	for (size_t d = 0; merged > 1 && d < engine->devices->num_domains; d++)
		weft_ranges_destroy(&object->copies[d].valid);
	object->copies[last].has_written = false;
	weft_ranges_destroy(&object->zeros);
	free(object->base);
	object->base = NULL;
	return merged > 1 || weft_memory_written(engine, move, error);
}
