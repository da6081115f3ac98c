/* SPDX-License-Identifier: MIT
 *
 * Transfers before the start. A migration is a node that waits for transfers, and once more while a thread looks for
 * stale bytes. When it is ready, it looks again, until nothing is stale. Invariant: a required range waits for at most one
 * transfer, which it has begun itself or found in its buffer's list. Its event lives until that transfer is over.
 */
#include "migration/migration.h"

#include "block_pool.h"
#include "device/context.h"
#include "device/device.h"
#include "fork_generation.h"
#include "graph/event_progress.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "memory/replica.h"
#include "node/completion.h"

#include <assert.h>

static _Atomic uint64_t num_transfers;

uint64_t weft_migration_num_transfers(void)
{
	return atomic_load_explicit(&num_transfers, memory_order_relaxed);
}

/* An access of a buffer that needs its bytes where the command works. */
struct weft_required_range {
	struct weft_migration *migration;
	struct weft_access access;
	struct weft_edge edge; /* from the transfer that it waits for to its migration */
	bool is_source; /* of a copy, which reads where the bytes are, if they are in one memory */
};

/* One that is under way, for a required range. */
struct weft_transfer {
	struct weft_subcommand base;
	struct weft_required_range *range;
	struct weft_range bytes;
	unsigned target;            /* replica */
	uint32_t generation;        /* of the process that it runs in */
	struct weft_transfer *next; /* in the buffer's list; guarded by its lock */
};

static_assert(sizeof(struct weft_transfer) <= WEFT_BLOCK_POOL_EVENT_BYTES, "one pool serves both");

struct weft_migration {
	struct weft_event_migration base;
	struct weft_node node; /* its outcome: of a transfer that failed */
	cl_event event;
	uint32_t num_ranges;
	struct weft_required_range ranges[];
};

/* ---- what is needed -------------------------------------------------------------------------- */

static void start(cl_event event);
static void look_again(struct weft_node *node);

static const struct weft_node_ops migration_node = {.ready = look_again};
/* A transfer is submitted when it begins, and its driver ends it: it is never in the completion queue. */
static const struct weft_node_ops transfer_node = {.ready = NULL};

/* What the application's memory holds, and an allocation's, needs no transfer. */
static void add_ranges(struct weft_migration *migration, const struct weft_accesses *accesses)
{
	const struct weft_command *command = &migration->event->command;
	const bool finds_source = command->op == WEFT_OP_COPY && !command->copy.source;

	migration->num_ranges = 0;
	for (uint32_t i = 0; i < accesses->count; i++) {
		const struct weft_access *access = &accesses->items[i];

		if (access->buffer && access->buffer->replicas)
			migration->ranges[migration->num_ranges++] = (struct weft_required_range){
				.migration = migration,
				.access = *access,
				.is_source = finds_source && access->kind == WEFT_ACCESS_READ,
			};
	}
}

cl_int weft_migration_require(cl_event event, unsigned replica,
			      const struct weft_accesses *accesses)
{
	size_t size = sizeof(struct weft_migration) +
		      accesses->count * sizeof(struct weft_required_range);

	if (!event->context->num_memories)
		return CL_SUCCESS;
	struct weft_migration *migration =
		accesses->truncated ? NULL : weft_event_memory(event, size);
	if (!migration)
		return CL_OUT_OF_HOST_MEMORY;
	migration->base.replica = replica;
	migration->base.start = start;
	migration->event = event;
	weft_node_init(&migration->node, &migration_node, 0);
	add_ranges(migration, accesses);
	if (migration->num_ranges > 0)
		event->migration = &migration->base;
	return CL_SUCCESS;
}

/* ---- a transfer ------------------------------------------------------------------------------ */

struct route {
	cl_device_id device; /* that copies */
	unsigned source;     /* replicas */
	unsigned target;
};

/* From one of the replicas in `valid` to the one that the command needs, or to the host, when no device reaches both;
 * the rest of the way is another transfer. The command's own device copies if it can. */
static struct route find_route(const struct weft_migration *migration, uint32_t valid)
{
	const struct weft_memory *memories = migration->event->context->memories;
	cl_command_queue queue = migration->event->queue;
	const unsigned target = migration->base.replica;
	const unsigned first = (unsigned)__builtin_ctz(valid);

	if (target == 0)
		return (struct route){memories[first - 1].device, first, 0};
	cl_device_id own =
		queue->locus.replica == target ? queue->device : memories[target - 1].device;
	if (first == 0)
		return (struct route){own, 0, target};
	if (valid & memories[target - 1].reaches) {
		unsigned source = (unsigned)__builtin_ctz(valid & memories[target - 1].reaches);
		return (struct route){own, source, target};
	}
	for (uint32_t left = valid; left; left &= left - 1) {
		unsigned source = (unsigned)__builtin_ctz(left);
		if (memories[source - 1].reaches >> target & 1)
			return (struct route){memories[source - 1].device, source, target};
	}
	return (struct route){memories[first - 1].device, first, 0};
}

static weft_space space_of(cl_context context, unsigned replica)
{
	return replica == 0 ? WEFT_SPACE_HOST
			    : weft_device_properties(context->memories[replica - 1].device)->space;
}

static void fill_in(struct weft_transfer *transfer, cl_mem buffer, const struct route *route)
{
	const size_t begin = transfer->bytes.begin;
	const size_t size = transfer->bytes.end - begin;

	transfer->base.command = (struct weft_command){
		.device = route->device->impl,
		.op = WEFT_OP_COPY,
		.recorded = true,
		.migrates = true,
		.copy = {.source = weft_mem_address(buffer, route->source) + begin,
			 .destination = weft_mem_address(buffer, route->target) + begin,
			 .source_space = space_of(buffer->context, route->source),
			 .destination_space = space_of(buffer->context, route->target),
			 .region = {size, 1, 1},
			 .source_pitch = {size, size},
			 .destination_pitch = {size, size}},
	};
}

/* A transfer of some of the bytes to the replica. In the child of a fork, the parent's do not count. */
static struct weft_transfer *find_pending(cl_mem buffer, unsigned target,
					  const struct weft_range *bytes)
	WEFT_REQUIRES(&buffer->lock)
{
	struct weft_transfer *transfer = buffer->replicas->pending;

	while (transfer &&
	       (transfer->target != target || transfer->generation != weft_fork_generation() ||
		!weft_range_overlaps(&transfer->bytes, bytes)))
		transfer = transfer->next;
	return transfer;
}

static void remove_pending(cl_mem buffer, const struct weft_transfer *transfer)
	WEFT_REQUIRES(&buffer->lock)
{
	struct weft_transfer **link = &buffer->replicas->pending;

	while (*link != transfer)
		link = &(*link)->next;
	*link = transfer->next;
}

static cl_event event_of(const struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_transfer, base)->range->migration->event;
}

static void complete(struct weft_subcommand *subcommand, enum weft_status status);

static const struct weft_subcommand_ops transfer_ops = {.event = event_of, .complete = complete};

/* A transfer for the required range; NULL: out of memory, which fails the command. */
static struct weft_transfer *begin(cl_mem buffer, struct weft_required_range *range,
				   const struct route *route, const struct weft_range *stale)
	WEFT_REQUIRES(&buffer->lock)
{
	struct weft_transfer *transfer = weft_block_pool_take(WEFT_BLOCK_POOL_TRANSFERS);

	if (!transfer) {
		atomic_store_explicit(&range->migration->node.outcome, WEFT_OUT_OF_MEMORY,
				      memory_order_relaxed);
		return NULL;
	}
	transfer->base.ops = &transfer_ops;
	weft_node_init(&transfer->base.node, &transfer_node, 1);
	transfer->range = range;
	transfer->bytes = *stale;
	transfer->target = route->target;
	transfer->generation = weft_fork_generation();
	fill_in(transfer, buffer, route);
	transfer->next = buffer->replicas->pending;
	buffer->replicas->pending = transfer;
	return transfer;
}

/* Whether the required range, of that buffer, waits for a transfer from now on; *own, if it is to be started. */
static bool look(cl_mem buffer, struct weft_required_range *range, struct weft_transfer **own)
	WEFT_REQUIRES(&buffer->lock)
{
	struct weft_migration *migration = range->migration;
	struct weft_range stale;
	uint32_t valid;

	*own = NULL;
	/* a command that may yet not be run keeps what it would have overwritten */
	if ((range->access.kind == WEFT_ACCESS_WRITE && !migration->event->chaining.may_fail) ||
	    !weft_replica_find_stale(buffer, migration->base.replica, &range->access.region.range,
				     &stale, &valid))
		return false;
	const struct route route = find_route(migration, valid);
	struct weft_transfer *pending = find_pending(buffer, migration->base.replica, &stale);
	if (!pending)
		pending = find_pending(buffer, route.target, &stale);
	if (!pending)
		pending = *own = begin(buffer, range, &route, &stale);
	if (!pending)
		return false;
	atomic_fetch_add_explicit(&migration->node.unmet, 1, memory_order_relaxed);
	range->edge = weft_edge_to(&migration->node);
	weft_edges_add_alone(&pending->base.node.waiters, &range->edge);
	return true;
}

/* ---- the source of a copy -------------------------------------------------------------------- */

static void set_source(struct weft_required_range *range, unsigned replica)
{
	const struct weft_migration *migration = range->migration;
	struct weft_copy *copy = &migration->event->command.copy;

	copy->source =
		weft_mem_address(range->access.buffer, replica) + range->access.region.range.begin;
	copy->source_space = space_of(migration->event->context, replica);
}

/* The copy reads where all of its bytes are valid, if its device reaches that memory. */
static bool read_in_place(struct weft_required_range *range)
{
	const struct weft_migration *migration = range->migration;
	const unsigned own = migration->base.replica;
	cl_mem buffer = range->access.buffer;

	weft_mutex_lock(&buffer->lock);
	uint32_t found = weft_replica_find_valid(buffer, &range->access.region.range);
	weft_mutex_unlock(&buffer->lock);
	found &= migration->event->context->memories[own - 1].reaches | UINT32_C(1) << own;
	if (!found)
		return false;
	set_source(range, found >> own & 1 ? own : (unsigned)__builtin_ctz(found));
	return true;
}

/* Otherwise the bytes come to where the command works, as those of any command. Memory for them is taken only now. */
static bool bring_source(struct weft_required_range *range)
{
	struct weft_migration *migration = range->migration;
	const unsigned own = migration->base.replica;

	if (weft_replica_allocate(range->access.buffer, own) != CL_SUCCESS) {
		atomic_store_explicit(&migration->node.outcome, WEFT_OUT_OF_RESOURCES,
				      memory_order_relaxed);
		return false;
	}
	set_source(range, own);
	range->is_source = false;
	return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Whether the required range waits for something. Its transfer may be over when this returns. */
static bool request(struct weft_required_range *range)
{
	cl_mem buffer = range->access.buffer;
	struct weft_transfer *own;

	if (range->is_source && (range->migration->event->command.copy.source ||
				 read_in_place(range) || !bring_source(range)))
		return false;
	weft_mutex_lock(&buffer->lock);
	bool waits = look(buffer, range, &own);
	weft_mutex_unlock(&buffer->lock);
	if (own) {
		struct weft_device *device = own->base.command.device;
		const struct weft_driver_queue_ops *queue = device->driver->queue;

		atomic_fetch_add_explicit(&num_transfers, 1, memory_order_relaxed);
		queue->submit(device, &own->base.command);
		queue->notify(device, &own->base.command, WEFT_OK);
		queue->flush(device);
	}
	return waits;
}

static bool request_all(struct weft_migration *migration)
{
	bool waits = false;

	for (uint32_t i = 0; i < migration->num_ranges; i++)
		waits = request(&migration->ranges[i]) || waits;
	return waits;
}

/* Everything is there: what the command writes is stale elsewhere from now on. All of it, or without memory nothing: the
 * command will not run. */
static enum weft_status claim(struct weft_migration *migration)
{
	struct weft_extent *spare = NULL;
	bool room = true;

	for (uint32_t i = 0; i < migration->num_ranges && room; i++) {
		const struct weft_access *access = &migration->ranges[i].access;

		if (access->kind != WEFT_ACCESS_READ)
			room = weft_replica_reserve(access->buffer, &access->region.range, &spare);
	}
	for (uint32_t i = 0; i < migration->num_ranges && room; i++) {
		const struct weft_access *access = &migration->ranges[i].access;
		cl_mem buffer = access->buffer;

		if (access->kind == WEFT_ACCESS_READ)
			continue;
		weft_mutex_lock(&buffer->lock);
		weft_replica_validate(buffer, migration->base.replica, &access->region.range, true,
				      &spare);
		weft_mutex_unlock(&buffer->lock);
	}
	weft_replica_unreserve(spare);
	return room ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

/* No other code flushes the command's device: the driver that ran a transfer flushes its own device only. The device is
 * kept, as the event may be gone, and its queue. */
static void hand_over_and_flush(cl_event event, enum weft_status status)
{
	cl_device_id device = event->queue->device;

	event->command.was_blocked = true;
	weft_object_get(&device->base);
	weft_event_hand_over(event, status);
	device->impl->driver->queue->flush(device->impl);
	weft_object_put(&device->base);
}

/* `waited`: the command has waited for a transfer, and the code that made it ready does not flush its device. */
static void go_on(struct weft_migration *migration, bool waited)
{
	struct weft_node *node = &migration->node;
	cl_event event = migration->event;
	enum weft_status status;
	bool waits;

	do {
		atomic_store_explicit(&node->unmet, 1, memory_order_relaxed);
		waits = atomic_load_explicit(&node->outcome, memory_order_relaxed) == WEFT_OK &&
			request_all(migration);
		waited = waited || waits;
		if (waits && atomic_fetch_sub_explicit(&node->unmet, 1, memory_order_acq_rel) != 1)
			return;
	} while (waits);
	status = (enum weft_status)atomic_load_explicit(&node->outcome, memory_order_relaxed);
	if (status == WEFT_OK)
		status = claim(migration);
	if (waited)
		hand_over_and_flush(event, status);
	else
		weft_event_hand_over(event, status);
}

static void start(cl_event event)
{
	go_on(WEFT_CONTAINER_OF(event->migration, struct weft_migration, base), false);
}

static void look_again(struct weft_node *node)
{
	go_on(WEFT_CONTAINER_OF(node, struct weft_migration, node), true);
}

/* The transfer leaves its buffer's list. Returns the edges to those that wait for it. */
static struct weft_edge *end(struct weft_transfer *transfer, enum weft_status *status)
{
	cl_mem buffer = transfer->range->access.buffer;
	struct weft_extent *spare = NULL;

	if (*status == WEFT_OK && !weft_replica_reserve(buffer, &transfer->bytes, &spare))
		*status = WEFT_OUT_OF_MEMORY;
	weft_mutex_lock(&buffer->lock);
	remove_pending(buffer, transfer);
	if (*status == WEFT_OK)
		weft_replica_validate(buffer, transfer->target, &transfer->bytes, false, &spare);
	weft_mutex_unlock(&buffer->lock);
	weft_replica_unreserve(spare);
	return weft_edges_close(&transfer->base.node.waiters);
}

/* Migrations that waited look again, and begin transfers of what is still stale. Only the one that began the transfer fails
 * with it. */
static void complete(struct weft_subcommand *subcommand, enum weft_status status)
{
	struct weft_transfer *transfer = WEFT_CONTAINER_OF(subcommand, struct weft_transfer, base);
	struct weft_node *owner = &transfer->range->migration->node;

	bool first = weft_completion_begin(NULL);
	struct weft_edge *edges = end(transfer, &status);
	weft_block_pool_return(WEFT_BLOCK_POOL_TRANSFERS, transfer);
	if (status != WEFT_OK)
		atomic_store_explicit(&owner->outcome, (int32_t)status, memory_order_relaxed);
	weft_edges_meet(edges, false);
	weft_completion_end(first);
}
