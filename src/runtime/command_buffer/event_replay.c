/* SPDX-License-Identifier: MIT
 *
 * Submissions as events. All events are made before the first one is submitted, as that cannot be undone.
 */
#include "command_buffer/event_replay.h"

#include "alloc.h"
#include "commands/launch.h"
#include "graph/event_progress.h"
#include "migration/migration.h"
#include "program/specialisations.h"

/* A submission in the making. */
struct submission {
	struct weft_exec *exec;
	const struct weft_enqueue *enqueue;
	const struct weft_queue_list *queues;
	cl_event *events;    /* owned: one for each command, and the last one */
	cl_event *waits;     /* owned: the wait lists of all events, one behind the other */
	uint32_t *next_wait; /* owned: for each event, where the next one of its wait list goes */
	uint32_t num_events; /* that are there */
};

/* ---- the last event --------------------------------------------------------------------------- */

/* When the first command starts is not known to it. It says that it was submitted, and started, when it was enqueued, as the
 * specification allows. */
static void start_last(cl_event event, enum weft_status dependencies)
{
	if (dependencies == WEFT_OK) {
		weft_event_begins(event);
		weft_event_start_at_once(event);
	}
	weft_event_complete(event, dependencies);
}

static const struct weft_subgraph_ops last_ops = {.start = start_last};
static struct weft_subgraph last = {&last_ops};

/* A queue whose events have times, if there is one. */
static cl_command_queue queue_of_last(const struct weft_queue_list *queues)
{
	for (cl_uint i = 0; i < queues->count; i++) {
		if (queues->items[i]->properties & CL_QUEUE_PROFILING_ENABLE)
			return queues->items[i];
	}
	return queues->items[0];
}

/* ---- wait lists ------------------------------------------------------------------------------- */

static bool is_end(const struct weft_command_dag *dag, uint32_t node)
{
	return dag->nodes[node].num_successors == 0;
}

/* Room for the wait lists: of each command its predecessors, of the last event the commands that nothing follows. */
static bool make_room(struct submission *submission)
{
	const struct weft_command_dag *dag = submission->exec->dag;
	const size_t num_nodes = dag->num_nodes;
	size_t count = 0;

	submission->events = weft_calloc(num_nodes + 1, sizeof(cl_event));
	submission->next_wait = weft_calloc(num_nodes + 1, sizeof(uint32_t));
	for (size_t i = 0; submission->next_wait && i < num_nodes; i++) {
		submission->next_wait[i] = (uint32_t)count;
		count += (size_t)dag->nodes[i].predecessors;
	}
	if (!submission->events || !submission->next_wait)
		return false;
	submission->next_wait[num_nodes] = (uint32_t)count;
	submission->waits = weft_calloc(count + dag->num_ends + 1, sizeof(cl_event));
	return submission->waits != NULL;
}

static void release_room(struct submission *submission)
{
	weft_free(submission->events);
	weft_free(submission->waits);
	weft_free(submission->next_wait);
}

static void wait_for(struct submission *submission, uint32_t follower, cl_event event)
{
	submission->waits[submission->next_wait[follower]++] = event;
}

/* The followers of the command wait for its event. */
static void note_event(struct submission *submission, uint32_t node, cl_event event)
{
	const struct weft_command_dag *dag = submission->exec->dag;
	const struct weft_dag_node *place = &dag->nodes[node];

	for (uint32_t i = 0; i < place->num_successors; i++)
		wait_for(submission, place->successors[i], event);
	if (is_end(dag, node))
		wait_for(submission, dag->num_nodes, event);
}

/* The next event, with its whole wait list; what waits for nothing here waits for what the submission waits for. */
static cl_int create_event(struct submission *submission, cl_command_queue queue,
			   uint32_t num_waits, cl_event *event)
{
	const uint32_t index = submission->num_events;
	struct weft_enqueue enqueue = *submission->enqueue;

	enqueue.queue = queue;
	if (num_waits) {
		enqueue.num_waits = num_waits;
		enqueue.waits = submission->waits + submission->next_wait[index] - num_waits;
	}
	cl_int err = weft_event_create(&enqueue, event);
	if (err == CL_SUCCESS)
		submission->events[submission->num_events++] = *event;
	return err;
}

/* ---- events ----------------------------------------------------------------------------------- */

/* The operation; what weft_event_create has set stays. */
static void copy_operation(const struct weft_command *from, struct weft_command *to)
{
	to->op = from->op;
	switch (from->op) {
	case WEFT_OP_COPY:
		to->copy = from->copy;
		break;
	case WEFT_OP_FILL:
		to->fill = from->fill;
		break;
	case WEFT_OP_NDRANGE:
		to->launch = from->launch;
		break;
	case WEFT_OP_NATIVE:
	case WEFT_OP_NOTHING:
		break;
	}
}

static cl_int create_command(struct submission *submission, uint32_t node)
{
	struct weft_exec *exec = submission->exec;
	const struct weft_recorded_command *recorded = exec->recorded_commands[node];
	cl_command_queue queue = submission->queues->items[exec->queue_numbers[node]];
	const uint32_t num_waits = (uint32_t)exec->dag->nodes[node].predecessors;
	cl_event event;

	cl_int err = create_event(submission, queue, num_waits, &event);
	if (err != CL_SUCCESS)
		return err;
	note_event(submission, node, event);
	copy_operation(&recorded->command, &event->command);
	err = weft_event_hold(event, &exec->base);
	if (err == CL_SUCCESS && recorded->command.op == WEFT_OP_NDRANGE)
		err = weft_launch_begin_recorded(event, recorded->unit, &recorded->specialisations,
						 recorded->uniform);
	return err == CL_SUCCESS
		       ? weft_migration_require(event, queue->locus.replica, &recorded->accesses)
		       : err;
}

static cl_int create_last(struct submission *submission)
{
	const uint32_t num_ends = submission->exec->dag->num_ends;
	cl_event event;

	cl_int err = create_event(submission, queue_of_last(submission->queues), num_ends, &event);
	if (err != CL_SUCCESS)
		return err;
	event->subgraph = &last;
	event->times.by_device = false;
	event->of_several = submission->queues->count > 1;
	return CL_SUCCESS;
}

static cl_int create_events(struct submission *submission)
{
	const uint32_t num_nodes = submission->exec->dag->num_nodes;
	cl_int err = make_room(submission) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	for (uint32_t i = 0; i < num_nodes && err == CL_SUCCESS; i++)
		err = create_command(submission, i);
	return err == CL_SUCCESS ? create_last(submission) : err;
}

/* In the order of recording. Until the last one is submitted, each event is a visible one: it is waited for. */
static cl_int submit_events(struct submission *submission, cl_event *application_event)
{
	static const struct weft_accesses none;
	const uint32_t num_nodes = submission->exec->dag->num_nodes;
	cl_event handle;

	for (uint32_t i = 0; i < num_nodes; i++)
		(void)weft_event_submit(submission->events[i],
					&submission->exec->recorded_commands[i]->accesses, false,
					&handle);
	cl_int err =
		weft_event_submit(submission->events[num_nodes], &none, false, application_event);
	for (uint32_t i = 0; i < num_nodes; i++)
		(void)weft_object_release_api(&submission->events[i]->base);
	for (cl_uint i = 0; i < submission->queues->count; i++)
		weft_queue_flush(submission->queues->items[i]);
	return err;
}

cl_int weft_exec_enqueue_events(struct weft_exec *exec, const struct weft_enqueue *enqueue,
				const struct weft_queue_list *queues, cl_event *application_event)
{
	struct submission submission = {.exec = exec, .enqueue = enqueue, .queues = queues};

	cl_int err = create_events(&submission);
	if (err == CL_SUCCESS) {
		err = submit_events(&submission, application_event);
	} else {
		while (submission.num_events)
			weft_event_abandon(submission.events[--submission.num_events]);
	}
	release_room(&submission);
	return err;
}
