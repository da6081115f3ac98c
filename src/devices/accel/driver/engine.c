/* SPDX-License-Identifier: MIT
 *
 * The threads of a memory domain. Each does one task at a time: it runs a command of an engine, or tells the host of a command
 * that has ended. The clusters run one kernel at a time, the DMA engine as many of the other commands as it has channels;
 * one thread at a time tells the host. Commands that an engine can run go first, so the host is never between two commands.
 * All threads sleep on one condition of the domain's lock. A thread that takes a task and leaves others wakes the next.
 */
#include "driver/engine.h"

#include "clock.h"
#include "command/command.h"
#include "command/handoff.h"
#include "driver/accel.h"
#include "driver/trace.h"
#include "simulation/cycles.h"
#include "stack.h"
#include "thread.h"

/* What a thread does next. */
struct task {
	struct accel_device *device; /* NULL: there is no task */
	/* It has a command ready; NULL: a command of the device has ended, and the host is to be told. */
	struct accel_engine *engine;
};

static struct weft_command *command_of(const struct accel_entry *entry)
{
	return (struct weft_command *)(uintptr_t)entry->command;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* Markers go to the DMA engine, so that they wait for no kernel. */
void accel_engine_give(struct accel_memory_domain *domain, struct accel_device *device,
		       uint32_t number)
{
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	const struct accel_event_slot *slot = accel_event_slots_find(&domain->slots, entry->slot);
	bool runs_kernel = accel_is_kernel(command_of(entry));
	struct accel_engine *engine = runs_kernel ? &device->clusters : &device->dma;

	entry->status = ACCEL_ENTRY_READY;
	if (slot)
		entry->ready = accel_later(entry->ready, slot->ready);
	accel_entries_insert(&engine->ready, &device->ring, number);
	domain->num_tasks++;
}

/* Whether a copy, a fill or a marker is before the command in simulated time: a command that follows it may have its turn
 * before this one. In this order, each command begins at once when those before it have run, so no two wait for each other. */
static bool comes_after_dma(struct accel_memory_domain *domain, const struct accel_entry *entry)
	WEFT_REQUIRES(&domain->lock)
{
	for (struct accel_device *other = accel_next_device(domain, NULL); other;
	     other = accel_next_device(domain, other)) {
		const struct accel_engine *dma = &other->dma;

		if (dma->ready.count > 0 &&
		    accel_entry_is_before(accel_ring_entry(&other->ring, dma->ready.first), entry))
			return true;
		for (uint32_t i = 0; i < dma->num_running; i++) {
			if (accel_ring_entry(&other->ring, dma->running[i])->end <= entry->ready)
				return true;
		}
	}
	return false;
}

static bool can_run(struct accel_memory_domain *domain, const struct accel_engine *engine)
	WEFT_REQUIRES(&domain->lock)
{
	return engine->ready.count > 0 && engine->num_running < engine->most_running &&
	       !comes_after_dma(domain,
				accel_ring_entry(&engine->device->ring, engine->ready.first));
}

static struct task find_task(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock)
{
	struct accel_device *ended = NULL;

	if (domain->num_tasks == 0)
		return (struct task){NULL, NULL};
	for (struct accel_device *device = accel_next_device(domain, NULL); device;
	     device = accel_next_device(domain, device)) {
		if (can_run(domain, &device->clusters))
			return (struct task){device, &device->clusters};
		if (can_run(domain, &device->dma))
			return (struct task){device, &device->dma};
		if (!ended && device->ended.count > 0 && !domain->reporting)
			ended = device;
	}
	return (struct task){ended, NULL};
}

/* ---- a command ------------------------------------------------------------------------------- */

static bool is_request(const struct weft_command *command)
{
	return command->op == WEFT_OP_COPY || command->op == WEFT_OP_FILL;
}

/* The first server that is free at the time `ready`; if none is, the one that is free first. */
static uint32_t choose_server(const struct accel_engine *engine, uint64_t ready)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < engine->most_running && engine->free[best] > ready; i++) {
		if (engine->free[i] < engine->free[best])
			best = i;
	}
	return best;
}

static void set_end(const struct accel_engine *engine, struct accel_service *service,
		    uint64_t cycles)
{
	service->cycles = cycles;
	service->end =
		accel_clock_after(service->start, cycles, engine->device->description.clock_mhz);
}

static void take_server(struct accel_engine *engine, const struct accel_service *service)
{
	engine->free[service->server] = service->end;
	engine->busy[service->server] += service->cycles;
}

/* The time of a copy or a fill is known when it starts: another one that starts before its end finds its channel taken. */
static struct accel_service begin_service(struct accel_engine *engine,
					  const struct accel_entry *entry)
{
	const struct weft_command *command = command_of(entry);
	struct accel_service service = {.start = entry->ready, .end = entry->ready};

	if (entry->result != WEFT_OK || !(accel_is_kernel(command) || is_request(command)))
		return service;
	service.server = choose_server(engine, entry->ready);
	service.start = accel_later(service.start, engine->free[service.server]);
	service.end = service.start;
	if (is_request(command)) {
		set_end(engine, &service, accel_dma_cycles(engine->device, command));
		take_server(engine, &service);
	}
	return service;
}

/* The time of a kernel is known when it has run, before another kernel starts. */
static void execute(struct accel_engine *engine, struct accel_entry *entry,
		    struct accel_service *service, struct accel_event_slot *slot)
{
	const struct accel_trace_cause none = {0};
	struct weft_command *command = command_of(entry);

	if (entry->result != WEFT_OK)
		return;
	entry->result = weft_command_execute(command, accel_execute);
	command->device->host->accelerator->ran(command);
	if (accel_is_kernel(command) && entry->result == WEFT_OK)
		set_end(engine, service, engine->device->launch_cycles);
	struct accel_trace_row row =
		accel_trace_command(engine->device, command, service, slot ? &slot->cause : &none);
	if (slot)
		slot->row = row;
}

static void count(struct accel_device *device, const struct weft_command *command, uint64_t cycles)
{
	device->stats.commands++;
	device->stats.kernels += accel_is_kernel(command);
	device->stats.dma_requests += is_request(command);
	if (is_request(command))
		device->stats.dma_cycles += cycles;
	if (!accel_is_kernel(command) || cycles == 0)
		return;
	/* the schedule is still this launch's: no other has begun */
	const struct accel_traffic traffic = accel_schedule_traffic(&device->schedule);
	device->stats.kernel_cycles += cycles;
	device->stats.transfers += traffic.requests;
	device->stats.transfer_bytes += traffic.bytes;
	device->stats.transfer_waits += traffic.waiting;
	device->stats.host_calls += device->calls.num_calls;
	device->stats.host_batches += device->calls.num_batches;
}

/* Commands that follow this one may have become ready. */
static void tell_followers(struct accel_memory_domain *domain, struct accel_event_slot *slot,
			   enum weft_status result, uint64_t end) WEFT_REQUIRES(&domain->lock)
{
	uint32_t ready = accel_event_slots_run(&domain->slots, slot, result, end);

	while (ready != 0) {
		const struct accel_event_slot *next = &domain->slots.table[ready];

		ready = next->next;
		accel_engine_give(domain, next->device, next->entry);
	}
}

static void remove_running(struct accel_engine *engine, uint32_t number)
{
	uint32_t i = 0;

	while (engine->running[i] != number)
		i++;
	engine->running[i] = engine->running[--engine->num_running];
}

static void wake_one(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock);

/* No other thread uses the entry and its slot while the command runs. */
static void run_next(struct accel_memory_domain *domain, struct accel_engine *engine)
	WEFT_REQUIRES(&domain->lock)
{
	struct accel_device *device = engine->device;
	uint32_t number = accel_entries_pop(&engine->ready, &device->ring);
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	struct accel_event_slot *slot = accel_event_slots_find(&domain->slots, entry->slot);

	domain->num_tasks--;
	engine->running[engine->num_running++] = number;
	entry->status = ACCEL_ENTRY_RUNNING;
	if (slot && slot->result != WEFT_OK)
		entry->result = slot->result;
	struct accel_service service = begin_service(engine, entry);
	entry->end = service.end;
	wake_one(domain);
	weft_mutex_unlock(&domain->lock);
	execute(engine, entry, &service, slot);
	weft_mutex_lock(&domain->lock);
	remove_running(engine, number);
	if (accel_is_kernel(command_of(entry)))
		take_server(engine, &service);
	count(device, command_of(entry), service.cycles);
	if (slot)
		tell_followers(domain, slot, (enum weft_status)entry->result, service.end);
	entry->status = ACCEL_ENTRY_ENDED;
	entry->start = service.start;
	entry->end = service.end;
	accel_entries_append(&device->ended, &device->ring, number);
	domain->num_tasks++;
	accel_clock_reach(&domain->clock, service.end);
}

/* ---- telling the host ------------------------------------------------------------------------ */

struct report {
	struct weft_handoff handoff;
	struct accel_memory_domain *domain;
};

/* Hands over commands that became ready by what the host was told, or for which there is room in the ring now. */
static void end_reporting(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock)
{
	domain->reporting = false;
	if (domain->handover_due)
		accel_memory_domain_hand_over(domain);
	else
		accel_memory_domain_refill(domain);
	domain->handover_due = false;
	accel_clock_end(&domain->clock, weft_clock_now());
}

/* From now until the host has been told, this thread is blocked in a native function: another one takes over. */
static void hand_off(struct weft_handoff *handoff)
{
	struct accel_memory_domain *domain =
		WEFT_CONTAINER_OF(handoff, struct report, handoff)->domain;

	weft_mutex_lock(&domain->lock);
	end_reporting(domain);
	if (domain->draining && pthread_equal(domain->drainer, pthread_self()))
		domain->draining = false;
	domain->num_blocked++;
	accel_memory_domain_unlock(domain);
}

/* The device may be closed as soon as the host knows of its last command. */
static void report_next(struct accel_memory_domain *domain, struct accel_device *device)
	WEFT_REQUIRES(&domain->lock)
{
	const struct weft_host *host = device->base.host;
	uint32_t number = accel_entries_pop(&device->ended, &device->ring);
	struct accel_entry *entry = accel_ring_entry(&device->ring, number);
	struct weft_command *command = command_of(entry);
	enum weft_status result = (enum weft_status)entry->result;
	const uint64_t start = accel_clock_at(&domain->clock, entry->start);
	const uint64_t end = accel_clock_at(&domain->clock, entry->end);
	struct report report = {.handoff.hand_off = hand_off, .domain = domain};

	domain->num_tasks--;
	entry->status = ACCEL_ENTRY_EMPTY;
	domain->reporting = true;
	domain->reporter = pthread_self();
	/* so that other devices have their turn */
	weft_list_remove(&device->link);
	weft_list_append(&domain->devices, &device->link);
	weft_mutex_unlock(&domain->lock);
	weft_handoff_begin(&report.handoff);
	host->accelerator->timed(command, start, end);
	host->complete(command, result);
	weft_handoff_end(&report.handoff);
	weft_mutex_lock(&domain->lock);
	if (!report.handoff.done) {
		end_reporting(domain);
		return;
	}
	accel_memory_domain_hand_over(domain);
	if (domain->num_blocked > 0) /* it is 0 in the child of a fork */
		domain->num_blocked--;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* False: there is no task. */
static bool do_task(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock)
{
	struct task task = find_task(domain);

	if (task.engine)
		run_next(domain, task.engine);
	else if (task.device)
		report_next(domain, task.device);
	return task.device != NULL;
}

static void *work(void *data)
{
	struct accel_memory_domain *domain = data;

	weft_mutex_lock(&domain->lock);
	while (do_task(domain) || !domain->closing) {
		if (find_task(domain).device)
			continue;
		domain->num_idle++;
		while (!find_task(domain).device && !domain->closing)
			weft_condition_wait(&domain->changed, &domain->lock);
		domain->num_idle--;
	}
	weft_mutex_unlock(&domain->lock);
	return NULL;
}

/* As many threads as there can be tasks at the same time. */
static uint32_t most_threads(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock)
{
	uint32_t most = domain->num_blocked + 1; /* one tells the host */

	for (struct accel_device *device = accel_next_device(domain, NULL); device;
	     device = accel_next_device(domain, device))
		most += device->clusters.most_running + device->dma.most_running;
	return most < ACCEL_MOST_THREADS ? most : ACCEL_MOST_THREADS;
}

static bool start_thread(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock)
{
	if (domain->num_threads >= most_threads(domain) || domain->closing)
		return false;
	bool started = weft_thread_start_joinable("weft-accel", work, domain, WEFT_STACK_BYTES,
						  &domain->threads[domain->num_threads]);
	domain->num_threads += started;
	return started;
}

static void wake_one(struct accel_memory_domain *domain)
{
	if (!find_task(domain).device)
		return;
	if (domain->num_idle > 0)
		weft_condition_signal(&domain->changed);
	else
		(void)start_thread(domain);
}

/* The caller holds the lock. */
static void drain(void *data) WEFT_TSA(no_thread_safety_analysis)
{
	while (do_task(data)) {
	}
}

/* The drainer also does the tasks that come up while it drains; on another stack, or, without memory for one, on its own. */
void accel_memory_domain_unlock(struct accel_memory_domain *domain)
{
	wake_one(domain);
	if (domain->num_threads == 0 && !domain->draining) {
		domain->draining = true;
		domain->drainer = pthread_self();
		if (!weft_stack_call(drain, domain))
			drain(domain);
		if (pthread_equal(domain->drainer,
				  pthread_self())) /* no other thread has become it */
			domain->draining = false;
	}
	weft_mutex_unlock(&domain->lock);
}

/* While it waits, no other thread starts. */
void accel_engine_end_threads(struct accel_memory_domain *domain)
{
	weft_mutex_lock(&domain->lock);
	domain->closing = true;
	weft_condition_broadcast(&domain->changed);
	for (uint32_t i = 0; i < domain->num_threads; i++) {
		pthread_t thread = domain->threads[i];

		weft_mutex_unlock(&domain->lock);
		pthread_join(thread, NULL);
		weft_mutex_lock(&domain->lock);
	}
	domain->num_threads = 0;
	domain->closing = false;
	accel_memory_domain_unlock(domain);
}
