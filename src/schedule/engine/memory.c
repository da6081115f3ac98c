/* SPDX-License-Identifier: MIT
 *
 * Moves contents between memories: only bytes that are not there already; directly between devices of one context, else through the host's
 * memory. Devices with the host's memory use it in place. Where their kernels do not take its addresses, mapping and unmapping tells the driver, and copies nothing.
 */
#include "engine/engine.h"
#include "engine/transfer.h"

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

/* Whether another device of the same memory moves some of the range there. */
static bool is_incoming(const struct weft_engine *engine, const struct weft_move *move)
{
	const struct weft_device *items = engine->devices->items;

	for (size_t d = 0; d < engine->devices->count; d++) {
		const struct weft_range *range = &move->object->incoming[d].range;

		if (d != move->device && items[d].domain == items[move->device].domain &&
		    range->begin < move->range.end && move->range.begin < range->end)
			return true;
	}
	return false;
}

/* Lets others claim the object until no transfer runs for it to the host, or to the range; the object's lists may be others then. */
static void wait_for_transfer(struct weft_engine *engine, const struct weft_move *move,
			      bool to_host)
{
	struct weft_object *object = move->object;

	weft_mutex_lock(&engine->lock);
	object->is_claimed = false;
	weft_condition_broadcast(&engine->changed);
	while (object->is_claimed || (to_host ? object->is_read : is_incoming(engine, move)))
		weft_condition_wait(&engine->changed, &engine->lock);
	object->is_claimed = true;
	weft_mutex_unlock(&engine->lock);
}

/* ---- transfers ----------------------------------------------------------------------------------- */

/* Those that wait for a transfer do not have the object claimed. */
static void set_read(struct weft_engine *engine, struct weft_object *object, bool is_read)
{
	weft_mutex_lock(&engine->lock);
	object->is_read = is_read;
	weft_mutex_unlock(&engine->lock);
}

/* While the bytes move, others may claim the object. */
static bool run_transfer_unclaimed(struct weft_engine *engine, const struct weft_move *move,
				   const struct weft_transfer *transfer, struct weft_error *error)
{
	weft_object_release(engine, move->object);
	const bool done = weft_transfer_run(engine, move, transfer, error);
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

/* Whether the first bytes of the range are still those of the object's source. The range ends where that changes. */
static bool is_inherited(const struct weft_object *object, struct weft_range *range)
{
	struct weft_range missing;

	if (!object->source || !weft_ranges_missing(&object->own, *range, &missing))
		return false;
	const bool inherited = missing.begin == range->begin;
	range->end = inherited ? missing.end : missing.begin;
	return inherited;
}

static bool note_own(struct weft_object *object, struct weft_range range)
{
	return !object->source || weft_ranges_add(&object->own, range);
}

/* The same bytes of the source, for that device. Objects are claimed against the direction of the graph, which has no circles. */
static struct weft_move claim_source(struct weft_engine *engine, const struct weft_move *move,
				     struct weft_range range)
{
	struct weft_move from = *move;

	from.object = move->object->source;
	from.range = range;
	weft_object_claim(engine, from.object);
	return from;
}

static bool inherit_to_host(struct weft_engine *engine, const struct weft_move *move,
			    struct weft_range range, struct weft_error *error)
{
	struct weft_object *object = move->object;
	const struct weft_move from = claim_source(engine, move, range);

	const bool done = weft_memory_to_host(engine, &from, error);
	if (done)
		memcpy(object->host + range.begin, from.object->host + range.begin,
		       range.end - range.begin);
	weft_object_release(engine, from.object);
	return done && ((weft_ranges_add(&object->own, range) &&
			 weft_ranges_add(&object->in_host, range)) ||
			weft_fail_memory(error));
}

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
		struct weft_transfer transfer = {.range = missing, .host = object->host};

		if (object->is_read) {
			wait_for_transfer(engine, move, true);
			continue;
		}
		if (is_inherited(object, &transfer.range)) {
			if (!inherit_to_host(engine, move, transfer.range, error))
				return false;
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
	const struct weft_transfer transfer = {
		.device = move->device, .range = move->range, .host = move->object->host};

	return weft_transfer_run(engine, move, &transfer, error) &&
	       (weft_ranges_add(&move->object->in_host, move->range) || weft_fail_memory(error));
}

/* Others may write some of the range while it moves, and even have that in the host's memory again before it has. */
static bool move_to_copy(struct weft_engine *engine, const struct weft_move *part,
			 const struct weft_transfer *transfer, struct weft_error *error)
{
	struct weft_range *incoming = &part->object->incoming[part->device].range;

	*incoming = part->range;
	const bool done = run_transfer_unclaimed(engine, part, transfer, error);
	*incoming = (struct weft_range){0, 0};
	return done;
}

/* The copy's memory if it has the first bytes of the range, else NULL. The range ends where that changes. */
static cl_mem take_prefix(const struct weft_copy *copy, struct weft_range *range)
{
	const size_t end = weft_ranges_prefix(&copy->valid, *range);
	struct weft_range missing;

	if (end > range->begin) {
		range->end = end;
		return copy->memory;
	}
	if (weft_ranges_missing(&copy->valid, *range, &missing))
		range->end = missing.end;
	return NULL;
}

/* A memory from which the device itself gets the first bytes of the range, which ends where that changes: another device's of its context, or
 * its own, for content of another object. NULL: they come from the host. */
static cl_mem find_peer(const struct weft_engine *engine, struct weft_move *part, bool is_source)
{
	const size_t own = engine->devices->items[part->device].domain;
	const struct weft_domain *domains = engine->devices->domains;
	const struct weft_copy *copies = part->object->copies;
	cl_mem found = is_source ? take_prefix(&copies[own], &part->range) : NULL;

	const size_t in_host = weft_ranges_prefix(&part->object->in_host, part->range);
	if (found || domains[own].is_host)
		return found;
	if (!domains[own].likes_peers && in_host > part->range.begin) {
		part->range.end = in_host;
		return NULL;
	}
	for (size_t d = 0; d < engine->devices->num_domains && !found; d++) {
		if (d != own && domains[d].context == domains[own].context)
			found = take_prefix(&copies[d], &part->range);
	}
	return found;
}

/* Where the first bytes of the range come from, which ends where that changes. */
static bool find_origin(struct weft_engine *engine, struct weft_move *part,
			struct weft_transfer *transfer, struct weft_error *error)
{
	struct weft_object *object = part->object;
	const size_t domain = engine->devices->items[part->device].domain;
	const bool is_host = engine->devices->domains[domain].is_host;

	/* A base is whole. */
	transfer->host = object->base && !is_host ? object->base : object->host;
	if (object->base)
		return true;
	if (is_host || !is_inherited(object, &part->range)) {
		transfer->from = find_peer(engine, part, false);
		return transfer->from || weft_memory_to_host(engine, part, error);
	}
	struct weft_move from = claim_source(engine, part, part->range);
	transfer->from = find_peer(engine, &from, true);
	part->range = from.range;
	transfer->host = from.object->host;
	const bool done = transfer->from || weft_memory_to_host(engine, &from, error);
	weft_object_release(engine, from.object);
	return done;
}

/* The first bytes of the range, which are not valid there. What others write while they move is moved again. */
static bool fill_range(struct weft_engine *engine, struct weft_move *part, struct weft_error *error)
{
	struct weft_object *object = part->object;
	const struct weft_device *device = &engine->devices->items[part->device];
	const struct weft_domain *domain = &engine->devices->domains[device->domain];
	struct weft_copy *copy = &object->copies[device->domain];
	struct weft_incoming *incoming = &object->incoming[part->device];
	struct weft_transfer transfer = {.device = part->device, .to_device = true};

	if (!domain->is_host && fill_zeros(engine, part))
		return weft_ranges_add(&copy->valid, part->range) || weft_fail_memory(error);
	if (!find_origin(engine, part, &transfer, error))
		return false;
	/* While bytes moved to the host, another device of this memory may have begun with the range. */
	if (is_incoming(engine, part) ||
	    weft_ranges_prefix(&copy->valid, part->range) > part->range.begin)
		return true;
	transfer.range = part->range;
	incoming->is_stale = false;
	/* Mapping copies nothing. */
	if (!(domain->is_host ? weft_transfer_run(engine, part, &transfer, error)
			      : move_to_copy(engine, part, &transfer, error)))
		return false;
	return incoming->is_stale ||
	       (weft_ranges_add(&copy->valid, part->range) && note_own(object, part->range)) ||
	       weft_fail_memory(error);
}

bool weft_memory_to_device(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error)
{
	struct weft_object *object = move->object;
	const size_t domain = engine->devices->items[move->device].domain;
	struct weft_ranges *valid = &object->copies[domain].valid;
	struct weft_move part = *move;

	if (!create_copy(engine, move, error))
		return false;
	while (weft_ranges_missing(valid, move->range, &part.range)) {
		if (is_incoming(engine, &part))
			wait_for_transfer(engine, &part, false);
		else if (!fill_range(engine, &part, error))
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
		    weft_ranges_remove(&object->zeros, move->range) &&
		    note_own(object, move->range);

	for (size_t d = 0; d < engine->devices->count; d++) {
		struct weft_incoming *incoming = &object->incoming[d];

		incoming->is_stale |= incoming->range.begin < move->range.end &&
				      move->range.begin < incoming->range.end;
	}
	for (size_t d = 0; done && d < engine->devices->num_domains; d++) {
		struct weft_copy *copy = &object->copies[d];

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
	if (!weft_memory_to_host(engine, move, error))
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
	const struct weft_transfer transfer = {
		.device = move->device, .range = move->range, .host = bytes};
	if (weft_transfer_run(engine, move, &transfer, error))
		return bytes;
	free(bytes);
	return NULL;
}

/* Of one domain: those with the host's memory have written to `host` itself. */
static bool merge_domain(struct weft_engine *engine, const struct weft_move *move,
			 struct weft_error *error)
{
	const size_t domain = engine->devices->items[move->device].domain;
	const struct weft_transfer transfer = {
		.device = move->device, .range = move->range, .host = move->object->host};

	if (engine->devices->domains[domain].is_host)
		return weft_transfer_run(engine, move, &transfer, error);
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
