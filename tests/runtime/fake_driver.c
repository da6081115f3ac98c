/* SPDX-License-Identifier: MIT
 *
 * The fake driver. Its threads take ready commands under one lock, which is not held while one
 * runs.
 */
#include "fake_driver.h"

#include "alloc.h"
#include "driver_optional.h"
#include "graph/event.h"
#include "latch.h"
#include "mutex.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define MAX_THREADS 8

struct fake_device {
	struct weft_device base;
	struct weft_mutex lock;
	struct weft_condition changed;
	struct weft_list ready;
	pthread_t threads[MAX_THREADS];
	unsigned num_threads;
	bool stopping;
};

static unsigned threads_wanted;
static _Atomic unsigned flushes;
static struct {
	void (*function)(void *data);
	void *data;
} at_submit;
static struct latch closes = LATCH_INITIALIZER;

void fake_set_threads(unsigned threads)
{
	threads_wanted = threads;
}

void fake_at_next_submit(void (*function)(void *data), void *data)
{
	at_submit.function = function;
	at_submit.data = data;
}

unsigned fake_flushes(void)
{
	return atomic_load(&flushes);
}

int fake_closes(void)
{
	return latch_wait(&closes, 0);
}

int fake_wait_for_closes(int count)
{
	return latch_wait(&closes, count);
}

static struct fake_device *fake_of(struct weft_device *base)
{
	return (struct fake_device *)(void *)base;
}

/* ---- running --------------------------------------------------------------------------------- */

/* A copy or fill that will end in an error does nothing. */
static void start(struct fake_device *device, struct weft_command *command, enum weft_status status)
{
	device->base.host->running(command);
	if (command->op == WEFT_OP_NATIVE)
		command->native.function(command->native.args);
	else if (command->op == WEFT_OP_COPY && status == WEFT_OK)
		memcpy(command->copy.destination, command->copy.source, command->copy.region[0]);
	else if (command->op == WEFT_OP_FILL && status == WEFT_OK)
		memset(command->fill.destination, *(const unsigned char *)command->fill.pattern,
		       command->fill.region[0]);
}

static void run(struct fake_device *device, struct weft_command *command, enum weft_status status)
{
	enum weft_status dependencies = (enum weft_status)(uintptr_t)command->private_data;

	if (dependencies == WEFT_OK)
		start(device, command, status);
	device->base.host->complete(command, dependencies == WEFT_OK ? status : dependencies);
}

static struct weft_command *take(struct fake_device *device, bool wait)
{
	weft_mutex_lock(&device->lock);
	while (wait && weft_list_empty(&device->ready) && !device->stopping)
		weft_condition_wait(&device->changed, &device->lock);
	struct weft_list *link = weft_list_pop(&device->ready);
	weft_mutex_unlock(&device->lock);
	return link ? WEFT_CONTAINER_OF(link, struct weft_command, link) : NULL;
}

static void *work(void *argument)
{
	struct fake_device *device = argument;
	struct weft_command *command;

	while ((command = take(device, true)))
		run(device, command, WEFT_OK);
	return NULL;
}

/* ---- what the test does ---------------------------------------------------------------------- */

const struct weft_command *fake_first_ready(cl_device_id device)
{
	struct fake_device *fake = fake_of(device->impl);

	if (weft_list_empty(&fake->ready))
		return NULL;
	return WEFT_CONTAINER_OF(fake->ready.next, struct weft_command, link);
}

unsigned fake_num_ready(cl_device_id device)
{
	struct fake_device *fake = fake_of(device->impl);
	unsigned count = 0;

	for (struct weft_list *node = fake->ready.next; node != &fake->ready; node = node->next)
		count++;
	return count;
}

bool fake_is_ready(cl_device_id device, cl_event event)
{
	struct fake_device *fake = fake_of(device->impl);

	for (struct weft_list *node = fake->ready.next; node != &fake->ready; node = node->next) {
		if (node == &event->command.link)
			return true;
	}
	return false;
}

enum weft_status fake_dependencies(cl_device_id device, cl_event event)
{
	(void)device;
	return (enum weft_status)(uintptr_t)event->command.private_data;
}

void fake_run(cl_device_id device, cl_event event, enum weft_status status)
{
	weft_list_remove(&event->command.link);
	run(fake_of(device->impl), &event->command, status);
}

void fake_start(cl_device_id device, cl_event event)
{
	start(fake_of(device->impl), &event->command, WEFT_OK);
}

void fake_end(cl_device_id device, cl_event event, enum weft_status status)
{
	weft_list_remove(&event->command.link);
	device->impl->host->complete(&event->command, status);
}

bool fake_run_next(cl_device_id device, enum weft_status status)
{
	struct fake_device *fake = fake_of(device->impl);
	struct weft_command *command = take(fake, false);

	if (command)
		run(fake, command, status);
	return command != NULL;
}

void fake_run_all(cl_device_id device)
{
	while (fake_run_next(device, WEFT_OK))
		;
}

/* ---- the driver ------------------------------------------------------------------------------ */

static uint32_t fake_count(void)
{
	return 1;
}

static void fake_close(struct weft_device *base)
{
	struct fake_device *device = fake_of(base);

	weft_mutex_lock(&device->lock);
	device->stopping = true;
	weft_mutex_unlock(&device->lock);
	weft_condition_broadcast(&device->changed);
	for (unsigned i = 0; i < device->num_threads; i++)
		pthread_join(device->threads[i], NULL);
	weft_condition_destroy(&device->changed);
	weft_mutex_destroy(&device->lock);
	weft_free(device);
	latch_raise(&closes);
}

static enum weft_status fake_open(uint32_t index, const struct weft_host *host,
				  struct weft_device **out)
{
	struct fake_device *device = weft_zalloc(sizeof(*device));

	(void)index;
	if (!device)
		return WEFT_OUT_OF_MEMORY;
	device->base.driver = &fake_driver;
	device->base.host = host;
	device->base.properties.type = CL_DEVICE_TYPE_CPU;
	device->base.properties.compute_units = 8;
	device->base.properties.global_memory = UINT64_C(1) << 20;
	weft_mutex_init(&device->lock, WEFT_RANK_WORKER);
	weft_condition_init(&device->changed);
	weft_list_init(&device->ready);
	for (; device->num_threads < threads_wanted; device->num_threads++) {
		if (pthread_create(&device->threads[device->num_threads], NULL, work, device) != 0)
			break;
	}
	*out = &device->base;
	return WEFT_OK;
}

static enum weft_status fake_partition(struct weft_device *parent, uint32_t first, uint32_t count,
				       struct weft_device **out)
{
	(void)first;
	enum weft_status status = fake_open(0, parent->host, out);
	if (status == WEFT_OK)
		(*out)->properties.compute_units = count;
	return status;
}

static void fake_submit(struct weft_device *base, struct weft_command *command)
{
	void (*function)(void *) = at_submit.function;

	(void)base;
	weft_list_init(&command->link);
	if (!function)
		return;
	at_submit.function = NULL;
	function(at_submit.data);
}

static void fake_notify(struct weft_device *base, struct weft_command *command,
			enum weft_status dependencies)
{
	struct fake_device *device = fake_of(base);

	command->private_data = (void *)(uintptr_t)dependencies;
	/* Ends in here, as a driver may: deep chains must not need a deep stack. */
	if (dependencies != WEFT_OK && !threads_wanted) {
		device->base.host->complete(command, dependencies);
		return;
	}
	weft_mutex_lock(&device->lock);
	weft_list_append(&device->ready, &command->link);
	weft_mutex_unlock(&device->lock);
	weft_condition_signal(&device->changed);
}

static void fake_flush(struct weft_device *base)
{
	(void)base;
	atomic_fetch_add(&flushes, 1);
}

static const struct weft_driver_device_ops fake_device_ops = {
	.count = fake_count,
	.open = fake_open,
	.close = fake_close,
	.partition = fake_partition,
};

static const struct weft_driver_queue_ops fake_queue_ops = {
	.submit = fake_submit,
	.notify = fake_notify,
	.flush = fake_flush,
};

const struct weft_driver fake_driver = {
	.name = "fake",
	.device = &fake_device_ops,
	.queue = &fake_queue_ops,
};

/* ---- the one with memory --------------------------------------------------------------------- */

static bool reach;
static _Atomic int allocations;

void fake_set_reach(bool given)
{
	reach = given;
}

int fake_allocations(void)
{
	return atomic_load(&allocations);
}

static enum weft_status fake_memory_open(uint32_t index, const struct weft_host *host,
					 struct weft_device **out)
{
	static weft_space last_space = WEFT_SPACE_HOST;
	enum weft_status status = fake_open(index, host, out);

	if (status == WEFT_OK) {
		(*out)->driver = &fake_memory_driver;
		(*out)->properties.space = ++last_space;
	}
	return status;
}

static enum weft_status fake_allocate(struct weft_device *device, size_t size, size_t alignment,
				      void **address)
{
	(void)device;
	*address = weft_alloc_aligned(alignment, size);
	atomic_fetch_add(&allocations, *address != NULL);
	return *address ? WEFT_OK : WEFT_OUT_OF_RESOURCES;
}

static void fake_release(struct weft_device *device, void *address)
{
	(void)device;
	weft_free(address);
	atomic_fetch_sub(&allocations, 1);
}

static bool fake_reaches(struct weft_device *device, weft_space other)
{
	(void)device;
	(void)other;
	return reach;
}

static const struct weft_driver_device_ops fake_memory_device_ops = {
	.count = fake_count,
	.open = fake_memory_open,
	.close = fake_close,
};

static const struct weft_driver_memory_ops fake_memory_ops = {
	.allocate = fake_allocate,
	.release = fake_release,
	.reaches = fake_reaches,
};

const struct weft_driver fake_memory_driver = {
	.name = "fake memory",
	.device = &fake_memory_device_ops,
	.queue = &fake_queue_ops,
	.memory = &fake_memory_ops,
};
