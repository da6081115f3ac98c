/* SPDX-License-Identifier: MIT
 *
 * The commands of an accelerator. Its clusters run kernels, its DMA engine copies and fills, each in the order in which
 * they became ready, and both at the same time. The clusters have one thread, the DMA engine one for each channel; they
 * start when there are commands for them. When the system has no thread left, whoever brings a command runs it, and what
 * comes meanwhile, until the next command finds a thread.
 *
 * An engine's lock guards its list of ready commands; it is not held while one runs. Its threads sleep while the list is
 * empty; nobody else blocks here.
 */
#include "accel.h"

#include "alloc.h"
#include "command.h"
#include "thread.h"

#define STACK_BYTES ((size_t)8 * 1024 * 1024)

static struct weft_command *pop(struct accel_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	struct weft_list *link = weft_list_pop(&engine->ready);

	engine->num_ready -= link != NULL;
	return link ? WEFT_CONTAINER_OF(link, struct weft_command, link) : NULL;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* NULL: the device closes. */
static struct weft_command *wait_for_command(struct accel_engine *engine)
{
	weft_mutex_lock(&engine->lock);
	engine->num_idle++;
	while (weft_list_empty(&engine->ready) && !engine->closing)
		weft_condition_wait(&engine->changed, &engine->lock);
	engine->num_idle--;
	struct weft_command *command = pop(engine);
	weft_mutex_unlock(&engine->lock);
	return command;
}

static void *work(void *data)
{
	struct accel_engine *engine = data;
	struct weft_command *command;

	while ((command = wait_for_command(engine)))
		weft_command_run(command, accel_execute);
	return NULL;
}

/* One more thread if there is more to do than others are idle for. */
static void start_thread(struct accel_engine *engine) WEFT_REQUIRES(&engine->lock)
{
	if (engine->num_ready <= engine->num_idle || engine->num_threads == engine->most_threads ||
	    engine->draining)
		return;
	engine->num_threads += weft_thread_start_joinable("weft-accel", work, engine, STACK_BYTES,
							  &engine->threads[engine->num_threads]);
}

/* ---- without one ----------------------------------------------------------------------------- */

static struct weft_command *next_to_drain(struct accel_engine *engine)
{
	weft_mutex_lock(&engine->lock);
	struct weft_command *command = pop(engine);
	engine->draining = command != NULL;
	weft_mutex_unlock(&engine->lock);
	return command;
}

/* ---- queue ----------------------------------------------------------------------------------- */

static void accel_submit(struct weft_device *base, struct weft_command *command)
{
	(void)base;
	weft_list_init(&command->link);
}

/* What does nothing waits for no kernel. */
static struct accel_engine *engine_for(struct weft_device *base, const struct weft_command *command)
{
	struct accel_device *device = WEFT_CONTAINER_OF(base, struct accel_device, base);

	return command->op == WEFT_OP_NDRANGE ? &device->clusters : &device->dma;
}

static void accel_notify(struct weft_device *base, struct weft_command *command,
			 enum weft_status dependencies)
{
	struct accel_engine *engine = engine_for(base, command);

	weft_command_keep(command, dependencies);
	weft_mutex_lock(&engine->lock);
	weft_list_append(&engine->ready, &command->link);
	engine->num_ready++;
	start_thread(engine);
	bool drain = engine->num_threads == 0 && !engine->draining;
	engine->draining = engine->draining || drain;
	weft_condition_signal(&engine->changed);
	weft_mutex_unlock(&engine->lock);
	while (drain && (command = next_to_drain(engine)))
		weft_command_run(command, accel_execute);
}

/* Nothing is ever held back. */
static void accel_flush(struct weft_device *base)
{
	(void)base;
}

const struct weft_driver_queue_ops accel_queue_ops = {
	.submit = accel_submit,
	.notify = accel_notify,
	.flush = accel_flush,
	.join = NULL,
	.broadcast = NULL,
};

/* ---- life ------------------------------------------------------------------------------------ */

static void init_engine(struct accel_engine *engine, uint32_t threads)
	WEFT_TSA(no_thread_safety_analysis)
{
	*engine = (struct accel_engine){.most_threads = threads};
	weft_mutex_init(&engine->lock, WEFT_RANK_WORKER);
	weft_condition_init(&engine->changed);
	weft_list_init(&engine->ready);
}

void accel_commands_init(struct accel_device *device, uint32_t channels)
{
	init_engine(&device->clusters, 1);
	init_engine(&device->dma, channels);
}

static void end_engine(struct accel_engine *engine)
{
	weft_mutex_lock(&engine->lock);
	uint32_t num_threads = engine->num_threads;
	engine->closing = true;
	weft_condition_broadcast(&engine->changed);
	weft_mutex_unlock(&engine->lock);
	for (uint32_t i = 0; i < num_threads; i++)
		pthread_join(engine->threads[i], NULL);
	weft_condition_destroy(&engine->changed);
	weft_mutex_destroy(&engine->lock);
}

void accel_commands_end(struct accel_device *device)
{
	end_engine(&device->clusters);
	end_engine(&device->dma);
	weft_arena_destroy(&device->arena);
	accel_schedule_destroy(&device->schedule);
	weft_free(device->args.bytes);
}

/* What was in flight is the parent's. Its threads, or whoever drained, may have been using the arena and the arguments:
 * they stay with them. */
void accel_commands_restart(struct accel_device *device)
{
	accel_commands_init(device, device->dma.most_threads);
	device->arena = (struct weft_arena){0};
	device->schedule = (struct accel_schedule){0};
	device->args.bytes = NULL;
	device->args.capacity = 0;
}
