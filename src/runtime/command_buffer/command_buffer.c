/* SPDX-License-Identifier: MIT
 *
 * The life of command buffers: recording, the end of it, enqueueing. Invariant: an exec has the recorded commands
 * that the commands have; so one is made only when every command has one, and goes when it cannot follow a change.
 */
#include "command_buffer/command_buffer.h"

#include "alloc.h"
#include "command_buffer/event_replay.h"
#include "command_buffer/replay.h"
#include "device/context.h"
#include "device/device.h"
#include "fork_generation.h"
#include "graph/event.h"
#include "migration/migration.h"
#include "options.h"

#include <string.h>

/* Submissions of one command buffer that run at the same time, where they may. */
#define MOST_INSTANCES 8

/* ---- commands -------------------------------------------------------------------------------- */

static void destroy_command(cl_mutable_command_khr command)
{
	if (!command)
		return;
	atomic_store_explicit(&command->base.type, WEFT_OBJECT_DEAD, memory_order_relaxed);
	weft_recorded_command_put(command->recorded);
	if (command->launch.args)
		weft_object_put(&command->launch.args->base);
	if (command->launch.spare)
		weft_object_put(&command->launch.spare->base);
	if (command->launch.kernel)
		weft_object_put(&command->launch.kernel->base);
	weft_free(command->properties);
	weft_free(command->waits);
	weft_object_free(&command->base);
}

/* Sync points are the commands' numbers, from one on. */
static cl_int copy_waits(const struct weft_recording *recording, cl_mutable_command_khr command)
{
	if (recording->num_waits == 0)
		return CL_SUCCESS;
	command->waits = weft_calloc(recording->num_waits, sizeof(*command->waits));
	if (!command->waits)
		return CL_OUT_OF_HOST_MEMORY;
	command->num_waits = recording->num_waits;
	for (cl_uint i = 0; i < recording->num_waits; i++)
		command->waits[i] = recording->waits[i] - 1;
	return CL_SUCCESS;
}

/* Arguments are looked at again when they are updated, or packed for another device. */
static bool needs_arguments(cl_command_buffer_khr buffer)
{
	return (buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR) || buffer->context->num_devices > 1;
}

/* Those are a copy, for the kernel object is the application's. */
static cl_int copy_launch(const struct weft_recording *recording,
			  const struct weft_recorded_kernel *launch, cl_mutable_command_khr command)
{
	cl_kernel args = launch->args ? launch->args : launch->kernel;

	if (needs_arguments(recording->buffer)) {
		cl_int err = weft_kernel_clone(args, &args);
		if (err != CL_SUCCESS)
			return err;
	} else {
		weft_object_get(&args->base);
	}
	command->launch = *launch;
	command->launch.args = args;
	weft_object_get(&launch->kernel->base);
	return CL_SUCCESS;
}

/* `launch` is NULL for what is no kernel. The recorded command stays the caller's on an error. */
static cl_int create_command(const struct weft_recording *recording,
			     const struct weft_recorded_kernel *launch,
			     struct weft_recorded_command *recorded,
			     cl_mutable_command_khr *command_ret)
{
	cl_mutable_command_khr command = weft_object_alloc(sizeof(*command));
	size_t properties_size = recording->num_properties * sizeof(cl_command_properties_khr);
	cl_int err;

	if (!command)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&command->base, WEFT_OBJECT_MUTABLE_COMMAND, NULL);
	command->buffer = recording->buffer;
	command->queue = recording->queue;
	command->queue_number = recording->queue_number;
	command->type = recording->type;
	command->barrier = recording->barrier;
	err = copy_waits(recording, command);
	if (err == CL_SUCCESS && launch)
		err = copy_launch(recording, launch, command);
	if (err == CL_SUCCESS && properties_size) {
		command->properties = weft_memdup(recording->properties, properties_size);
		command->num_properties = recording->num_properties;
		err = command->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	}
	if (err != CL_SUCCESS) {
		destroy_command(command);
		return err;
	}
	command->recorded = recorded;
	*command_ret = command;
	return CL_SUCCESS;
}

/* ---- recording ------------------------------------------------------------------------------- */

static cl_int check_recording(cl_command_buffer_khr buffer, const struct weft_recording *recording)
	WEFT_REQUIRES(&buffer->lock)
{
	if (buffer->finalized)
		return CL_INVALID_OPERATION;
	if ((recording->num_waits == 0) != (recording->waits == NULL))
		return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
	for (cl_uint i = 0; i < recording->num_waits; i++) {
		cl_sync_point_khr point = recording->waits[i];

		if (point == 0 || point > buffer->num_commands)
			return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
	}
	return CL_SUCCESS;
}

cl_int weft_command_buffer_check_recording(const struct weft_recording *recording)
{
	cl_command_buffer_khr buffer = recording->buffer;

	weft_mutex_lock(&buffer->lock);
	cl_int err = check_recording(buffer, recording);
	weft_mutex_unlock(&buffer->lock);
	return err;
}

static cl_int make_room(cl_command_buffer_khr buffer) WEFT_REQUIRES(&buffer->lock)
{
	if (buffer->num_commands < buffer->room)
		return CL_SUCCESS;
	cl_uint more = buffer->room ? 2 * buffer->room : 16;
	if (more < buffer->room) /* sync points are used up */
		return CL_OUT_OF_RESOURCES;
	cl_mutable_command_khr *commands =
		weft_realloc(buffer->commands, more, sizeof(cl_mutable_command_khr));
	if (!commands)
		return CL_OUT_OF_HOST_MEMORY;
	buffer->commands = commands;
	buffer->room = more;
	return CL_SUCCESS;
}

/* Whether it is a kernel that may enqueue kernels. */
static bool is_parent(const struct _cl_mutable_command_khr *command)
{
	return command->launch.kernel && command->launch.kernel->desc->flags & WEFT_KERNEL_ENQUEUES;
}

static cl_int append(const struct weft_recording *recording, cl_mutable_command_khr command)
{
	cl_command_buffer_khr buffer = recording->buffer;

	weft_mutex_lock(&buffer->lock);
	cl_int err = check_recording(buffer, recording); /* another thread may have ended it */
	if (err == CL_SUCCESS)
		err = make_room(buffer);
	if (err == CL_SUCCESS) {
		command->index = buffer->num_commands;
		buffer->commands[buffer->num_commands++] = command;
		buffer->num_incomplete += command->recorded == NULL;
		buffer->by_events = buffer->by_events || is_parent(command);
	}
	weft_mutex_unlock(&buffer->lock);
	return err;
}

cl_int weft_command_buffer_record_kernel(const struct weft_recording *recording,
					 const struct weft_recorded_kernel *launch,
					 struct weft_recorded_command *recorded)
{
	cl_mutable_command_khr command;

	cl_int err = create_command(recording, launch, recorded, &command);
	if (err != CL_SUCCESS) {
		weft_recorded_command_put(recorded);
		return err;
	}
	err = append(recording, command);
	if (err != CL_SUCCESS) {
		destroy_command(command);
		return err;
	}
	if (recording->sync_point)
		*recording->sync_point = command->index + 1;
	if (recording->handle)
		*recording->handle = command;
	return CL_SUCCESS;
}

cl_int weft_command_buffer_record(const struct weft_recording *recording,
				  struct weft_recorded_command *recorded)
{
	return weft_command_buffer_record_kernel(recording, NULL, recorded);
}

/* ---- the order of the buffer's queues ------------------------------------------------------------ */

uint32_t *weft_last_commands_create(cl_command_buffer_khr buffer)
{
	uint32_t *last = weft_calloc(buffer->num_queues, sizeof(*last));

	for (cl_uint i = 0; last && i < buffer->num_queues; i++)
		last[i] = WEFT_NO_COMMAND;
	return last;
}

uint32_t weft_last_commands_advance(uint32_t *last, const struct _cl_mutable_command_khr *command)
{
	const uint32_t before = last[command->queue_number];

	last[command->queue_number] = command->index;
	return weft_queue_in_order(command->queue) ? before : WEFT_NO_COMMAND;
}

/* ---- execs ----------------------------------------------------------------------------------- */

/* Of several queues, a command of one in order comes after the one before it. `last`: of weft_last_commands_create; or NULL. */
static bool add_to_dag(struct weft_dag_builder *builder,
		       const struct _cl_mutable_command_khr *command, uint32_t *last)
{
	struct weft_dag_step step = {
		.waits = command->waits,
		.num_waits = command->num_waits,
		.barrier = command->barrier,
		.accesses = &command->recorded->accesses,
	};
	const uint32_t previous =
		last ? weft_last_commands_advance(last, command) : WEFT_NO_COMMAND;

	if (previous != WEFT_NO_COMMAND)
		step.previous = &previous;
	return weft_dag_builder_add(builder, &step);
}

static struct weft_command_dag *make_dag(cl_command_buffer_khr buffer) WEFT_REQUIRES(&buffer->lock)
{
	struct weft_dag_builder *builder = weft_dag_builder_create(buffer->order);
	const bool several = buffer->num_queues > 1;
	uint32_t *last = several ? weft_last_commands_create(buffer) : NULL;
	struct weft_command_dag *dag = NULL;
	cl_uint done = 0;

	while (builder && (last || !several) && done < buffer->num_commands &&
	       add_to_dag(builder, buffer->commands[done], last))
		done++;
	if (builder && (last || !several) && done == buffer->num_commands)
		dag = weft_dag_builder_finish(builder);
	weft_dag_builder_destroy(builder);
	weft_free(last);
	return dag;
}

static struct weft_exec *make_exec(cl_command_buffer_khr buffer) WEFT_REQUIRES(&buffer->lock)
{
	const cl_uint count = buffer->num_commands;
	struct weft_exec *exec = NULL;
	struct weft_recorded_command **recorded_commands =
		weft_calloc(count, sizeof(struct weft_recorded_command *));
	uint32_t *queue_numbers = weft_calloc(count, sizeof(*queue_numbers));
	const struct weft_exec_desc desc = {
		.device = buffer->queues[0]->device,
		.dag = buffer->dag,
		.recorded_commands = recorded_commands,
		.queue_numbers = buffer->by_events ? queue_numbers : NULL,
		.most_instances =
			buffer->flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR ? MOST_INSTANCES : 1,
		.ops = &weft_replay_ops,
	};
	const bool has_room = recorded_commands && queue_numbers;

	for (cl_uint i = 0; has_room && i < count; i++) {
		recorded_commands[i] = buffer->commands[i]->recorded;
		queue_numbers[i] = buffer->commands[i]->queue_number;
	}
	if (has_room)
		exec = weft_exec_create(&desc);
	weft_free(recorded_commands);
	weft_free(queue_numbers);
	return exec;
}

/* There is an exec afterwards. In the child of a fork the instances that the parent has in flight never come back. */
static cl_int need_exec(cl_command_buffer_khr buffer) WEFT_REQUIRES(&buffer->lock)
{
	uint32_t now = weft_fork_generation();

	if (buffer->generation != now && buffer->exec && !weft_exec_is_idle(buffer->exec))
		buffer->exec = NULL;
	buffer->generation = now;
	if (!buffer->dag)
		buffer->dag = make_dag(buffer);
	if (buffer->dag && !buffer->exec)
		buffer->exec = make_exec(buffer);
	return buffer->exec ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy_buffer(struct weft_object *object) WEFT_TSA(no_thread_safety_analysis)
{
	cl_command_buffer_khr buffer =
		WEFT_CONTAINER_OF(object, struct _cl_command_buffer_khr, base);

	if (buffer->exec)
		weft_object_put(&buffer->exec->base);
	weft_dag_put(buffer->dag);
	for (cl_uint i = 0; i < buffer->num_commands; i++)
		destroy_command(buffer->commands[i]);
	weft_free(buffer->commands);
	weft_free(buffer->properties);
	weft_mutex_destroy(&buffer->lock);
	for (cl_uint i = 0; i < buffer->num_queues; i++)
		weft_object_put(&buffer->queues[i]->base);
	weft_free(buffer->queues);
	weft_object_free(&buffer->base);
}

static cl_int copy_lists(const struct weft_command_buffer_desc *desc, cl_command_buffer_khr buffer)
{
	buffer->queues =
		weft_memdup(desc->queues.items, desc->queues.count * sizeof(cl_command_queue));
	if (!buffer->queues)
		return CL_OUT_OF_HOST_MEMORY;
	buffer->num_queues = desc->queues.count;
	for (cl_uint i = 0; i < buffer->num_queues; i++)
		weft_object_get(&buffer->queues[i]->base);
	if (!desc->properties)
		return CL_SUCCESS;
	buffer->properties =
		weft_memdup(desc->properties, desc->num_properties * sizeof(*desc->properties));
	buffer->num_properties = desc->num_properties;
	return buffer->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static enum weft_dag_order order_of(const struct weft_queue_list *queues)
{
	if (queues->count > 1 || !weft_queue_in_order(queues->items[0]))
		return WEFT_DAG_OUT_OF_ORDER;
	return weft_options()->inorder_parallel ? WEFT_DAG_BY_DATA : WEFT_DAG_SERIAL;
}

cl_int weft_command_buffer_create(const struct weft_command_buffer_desc *desc,
				  cl_command_buffer_khr *buffer_ret)
{
	cl_command_buffer_khr buffer = weft_object_alloc(sizeof(*buffer));

	if (!buffer)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&buffer->base, WEFT_OBJECT_COMMAND_BUFFER, destroy_buffer);
	weft_mutex_init(&buffer->lock, WEFT_RANK_COMMAND_BUFFER);
	buffer->context = desc->queues.items[0]->context;
	buffer->flags = desc->flags;
	buffer->asserts = desc->asserts;
	buffer->order = order_of(&desc->queues);
	buffer->by_events = desc->queues.count > 1;
	cl_int err = copy_lists(desc, buffer);
	if (err != CL_SUCCESS) {
		weft_object_put(&buffer->base);
		return err;
	}
	*buffer_ret = buffer;
	return CL_SUCCESS;
}

cl_command_buffer_state_khr weft_command_buffer_state(cl_command_buffer_khr buffer)
{
	cl_command_buffer_state_khr state = CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;

	weft_mutex_lock(&buffer->lock);
	if (!buffer->finalized)
		state = CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
	else if (buffer->num_incomplete)
		state = CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
	weft_mutex_unlock(&buffer->lock);
	return state;
}

cl_int weft_command_buffer_finalize(cl_command_buffer_khr buffer)
{
	cl_int err = CL_SUCCESS;

	weft_mutex_lock(&buffer->lock);
	if (buffer->finalized)
		err = CL_INVALID_OPERATION;
	else if (buffer->num_incomplete == 0)
		err = need_exec(buffer);
	buffer->finalized = buffer->finalized || err == CL_SUCCESS;
	weft_mutex_unlock(&buffer->lock);
	return err;
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

/* The event gets the present exec. *accesses are those of all its commands: what they read is brought before the first of
 * them starts. NULL: nothing depends on them. */
static cl_int give_exec(cl_command_buffer_khr buffer, cl_event event,
			const struct weft_accesses **accesses)
{
	cl_command_queue queue = event->queue;

	*accesses = NULL;
	weft_mutex_lock(&buffer->lock);
	cl_int err = need_exec(buffer);
	if (err == CL_SUCCESS)
		err = weft_event_hold(event, &buffer->exec->base);
	if (err == CL_SUCCESS)
		event->subgraph = &buffer->exec->subgraph;
	if (err == CL_SUCCESS && (queue->parallel || queue->context->num_memories)) {
		*accesses = weft_exec_accesses(buffer->exec, queue->context);
		err = weft_migration_require(event, queue->locus.replica, *accesses);
	}
	weft_mutex_unlock(&buffer->lock);
	return err;
}

static cl_int enqueue_whole(const struct weft_enqueue *enqueue, cl_command_buffer_khr buffer,
			    cl_event *application_event)
{
	const struct weft_accesses *accesses;
	cl_event event;

	cl_int err = weft_event_create(enqueue, &event);
	if (err != CL_SUCCESS)
		return err;
	err = give_exec(buffer, event, &accesses);
	if (err != CL_SUCCESS) {
		weft_event_abandon(event);
		return err;
	}
	return weft_event_submit(event, accesses, false, application_event);
}

cl_int weft_command_buffer_enqueue(const struct weft_enqueue *enqueue,
				   const struct weft_queue_list *queues,
				   cl_command_buffer_khr buffer, cl_event *application_event)
{
	struct weft_exec *exec = NULL;

	if (!buffer->by_events)
		return enqueue_whole(enqueue, buffer, application_event);
	weft_mutex_lock(&buffer->lock);
	cl_int err = need_exec(buffer);
	if (err == CL_SUCCESS) {
		exec = buffer->exec;
		weft_object_get(&exec->base);
	}
	weft_mutex_unlock(&buffer->lock);
	if (err != CL_SUCCESS)
		return err;
	err = weft_exec_enqueue_events(exec, enqueue, queues, application_event);
	weft_object_put(&exec->base);
	return err;
}
