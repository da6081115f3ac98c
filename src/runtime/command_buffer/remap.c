/* SPDX-License-Identifier: MIT
 *
 * Copies of command buffers for other queues (clRemapCommandBufferKHR). The commands are looked at once, under the lock; then they are
 * recorded again. Invariant: a command of the copy comes after all that it comes after in the original.
 */
#include "alloc.h"
#include "command_buffer/command_buffer.h"

/* A command of the original, as it was then. What does not change is looked at in the command. */
struct snapshot {
	cl_mutable_command_khr command;
	struct weft_recorded_command *recorded; /* retained; NULL while arguments are missing */
	struct weft_recorded_kernel launch;     /* of a kernel; `args` retained */
	uint32_t
		previous; /* the command before it in its queue, if that is in order; or WEFT_NO_COMMAND */
	uint32_t queue_number; /* in the copy */
};

struct remap {
	cl_command_buffer_khr copy;
	const struct weft_remapping *remapping;
	struct snapshot *snapshots; /* owned */
	cl_uint count;
	bool finalized;
};

/* ---- snapshots -------------------------------------------------------------------------------- */

/* The first queue of the command's device; without one, or if each queue is for one of the original, the one of that number. */
static uint32_t choose_queue(const struct weft_remapping *remapping, cl_mutable_command_khr command)
{
	const struct weft_queue_list *queues = &remapping->queues;

	for (cl_uint i = 0; remapping->automatic && i < queues->count; i++) {
		if (queues->items[i]->device == command->queue->device)
			return i;
	}
	return command->queue_number % queues->count;
}

static void take_snapshot(cl_mutable_command_khr command, struct snapshot *snapshot)
{
	*snapshot = (struct snapshot){.command = command, .recorded = command->recorded};
	if (snapshot->recorded)
		weft_refcount_get(&snapshot->recorded->refs);
	snapshot->launch = command->launch;
	snapshot->launch.spare = NULL;
	if (snapshot->launch.args)
		weft_object_get(&snapshot->launch.args->base);
}

static cl_int take_snapshots(cl_command_buffer_khr buffer, struct remap *remap)
{
	uint32_t *last = weft_last_commands_create(buffer);

	if (!last)
		return CL_OUT_OF_HOST_MEMORY;
	weft_mutex_lock(&buffer->lock);
	remap->finalized = buffer->finalized;
	remap->snapshots = weft_calloc(buffer->num_commands, sizeof(*remap->snapshots));
	if (remap->snapshots)
		remap->count = buffer->num_commands;
	for (cl_uint i = 0; i < remap->count; i++) {
		take_snapshot(buffer->commands[i], &remap->snapshots[i]);
		remap->snapshots[i].previous =
			weft_last_commands_advance(last, buffer->commands[i]);
		remap->snapshots[i].queue_number =
			choose_queue(remap->remapping, buffer->commands[i]);
	}
	weft_mutex_unlock(&buffer->lock);
	weft_free(last);
	return remap->snapshots ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void release_snapshots(struct remap *remap)
{
	for (cl_uint i = 0; i < remap->count; i++) {
		weft_recorded_command_put(remap->snapshots[i].recorded);
		if (remap->snapshots[i].launch.args)
			weft_object_put(&remap->snapshots[i].launch.args->base);
	}
	weft_free(remap->snapshots);
}

/* ---- recording again -------------------------------------------------------------------------- */

/* Whether the queue of the copy does not say that the command comes after the one before it in its queue of the original. */
static bool needs_edge(const struct remap *remap, const struct snapshot *snapshot)
{
	if (snapshot->previous == WEFT_NO_COMMAND ||
	    (snapshot->command->barrier && snapshot->command->num_waits == 0))
		return false;
	return remap->snapshots[snapshot->previous].queue_number != snapshot->queue_number ||
	       !weft_queue_in_order(remap->remapping->queues.items[snapshot->queue_number]);
}

/* The wait list, of sync points; *waits is the caller's. */
static cl_int list_waits(const struct remap *remap, const struct snapshot *snapshot,
			 struct weft_recording *recording, cl_sync_point_khr **waits)
{
	const struct _cl_mutable_command_khr *command = snapshot->command;
	const bool one_more = needs_edge(remap, snapshot);

	*waits = NULL;
	recording->num_waits = command->num_waits + one_more;
	if (recording->num_waits == 0)
		return CL_SUCCESS;
	*waits = weft_calloc(recording->num_waits, sizeof(**waits));
	if (!*waits)
		return CL_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < command->num_waits; i++)
		(*waits)[i] = command->waits[i] + 1;
	if (one_more)
		(*waits)[command->num_waits] = snapshot->previous + 1;
	recording->waits = *waits;
	return CL_SUCCESS;
}

static cl_int retarget_launch(cl_command_queue queue, struct snapshot *snapshot,
			      struct weft_recorded_command **recorded)
{
	struct weft_recorded_kernel *launch = &snapshot->launch;
	struct weft_launch_plan plan;

	cl_int err = weft_geometry_plan(queue, launch->args, &launch->geometry, !snapshot->recorded,
					&plan);
	if (err != CL_SUCCESS)
		return err;
	launch->uniform = weft_launch_is_uniform(&plan);
	return snapshot->recorded
		       ? weft_recorded_command_create_launch(queue, launch->args, &plan, recorded)
		       : CL_SUCCESS;
}

/* On the same device it is the same recorded command. */
static cl_int retarget(cl_command_queue queue, struct snapshot *snapshot,
		       struct weft_recorded_command **recorded)
{
	*recorded = NULL;
	if (queue->device != snapshot->command->queue->device)
		return snapshot->launch.kernel ? retarget_launch(queue, snapshot, recorded)
					       : weft_recorded_command_retarget(snapshot->recorded,
										queue, recorded);
	*recorded = snapshot->recorded;
	if (*recorded)
		weft_refcount_get(&(*recorded)->refs);
	return CL_SUCCESS;
}

static cl_int record_again(struct remap *remap, struct snapshot *snapshot)
{
	const struct _cl_mutable_command_khr *command = snapshot->command;
	struct weft_recording recording = {
		.buffer = remap->copy,
		.queue = remap->remapping->queues.items[snapshot->queue_number],
		.queue_number = snapshot->queue_number,
		.type = command->type,
		.barrier = command->barrier,
		.properties = command->properties,
		.num_properties = command->num_properties,
	};
	struct weft_recorded_command *recorded;
	cl_sync_point_khr *waits;

	cl_int err = list_waits(remap, snapshot, &recording, &waits);
	if (err == CL_SUCCESS)
		err = retarget(recording.queue, snapshot, &recorded);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_record_kernel(
			&recording, snapshot->launch.kernel ? &snapshot->launch : NULL, recorded);
	weft_free(waits);
	return err;
}

/* ---- the copy --------------------------------------------------------------------------------- */

static cl_int fill_copy(cl_command_buffer_khr buffer, struct remap *remap)
{
	cl_int err = take_snapshots(buffer, remap);

	for (cl_uint i = 0; i < remap->count && err == CL_SUCCESS; i++)
		err = record_again(remap, &remap->snapshots[i]);
	release_snapshots(remap);
	return err == CL_SUCCESS && remap->finalized ? weft_command_buffer_finalize(remap->copy)
						     : err;
}

static void give_handles(const struct remap *remap, cl_mutable_command_khr *handles)
{
	cl_command_buffer_khr copy = remap->copy;

	weft_mutex_lock(&copy->lock);
	for (cl_uint i = 0; i < remap->remapping->num_handles; i++)
		handles[i] = copy->commands[remap->remapping->handles[i]->index];
	weft_mutex_unlock(&copy->lock);
}

cl_int weft_command_buffer_remap(cl_command_buffer_khr buffer,
				 const struct weft_remapping *remapping,
				 cl_mutable_command_khr *handles, cl_command_buffer_khr *copy)
{
	const struct weft_command_buffer_desc desc = {
		.queues = remapping->queues,
		.properties = buffer->properties,
		.num_properties = buffer->num_properties,
		.flags = buffer->flags,
		.asserts = buffer->asserts,
	};
	struct remap remap = {.remapping = remapping};

	cl_int err = weft_command_buffer_create(&desc, &remap.copy);
	if (err != CL_SUCCESS)
		return err;
	err = fill_copy(buffer, &remap);
	if (err != CL_SUCCESS) {
		weft_object_put(&remap.copy->base);
		return err;
	}
	give_handles(&remap, handles);
	*copy = remap.copy;
	return CL_SUCCESS;
}
