/* SPDX-License-Identifier: MIT
 *
 * Execs and their instances: made, changed, lent to submissions.
 */
#include "command_buffer/exec.h"

#include "alloc.h"
#include "device/device.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct weft_exec_node) % 64 == 0 &&
		      offsetof(struct weft_exec_instance, nodes) % 64 == 0,
	      "nodes share no cache line");

/* ---- instances ------------------------------------------------------------------------------- */

static void fill_in_node(struct weft_exec_node *node, const struct weft_recorded_command *recorded)
{
	struct weft_device *device = node->base.command.device;

	node->base.command = recorded->command;
	node->base.command.device = device;
	node->base.command.recorded = true;
	if (recorded->specialisations.any_size || recorded->specialisations.sized)
		node->specialisations = &recorded->specialisations;
	else
		node->specialisations = NULL;
	node->unit = recorded->unit;
}

static struct weft_exec_instance *create_instance(struct weft_exec *exec)
{
	const struct weft_command_dag *dag = exec->dag;
	size_t size =
		sizeof(struct weft_exec_instance) + dag->num_nodes * sizeof(struct weft_exec_node);
	struct weft_exec_instance *instance =
		weft_alloc_aligned(_Alignof(struct weft_exec_node), size);

	if (!instance)
		return NULL;
	memset(instance, 0, size);
	instance->exec = exec;
	for (uint32_t i = 0; i < dag->num_nodes; i++) {
		struct weft_exec_node *node = &instance->nodes[i];

		node->base.ops = &exec->ops->commands;
		node->instance = instance;
		node->place = &dag->nodes[i];
		node->base.command.device = exec->device;
		weft_node_init(&node->base.node, &exec->ops->nodes, node->place->predecessors);
		fill_in_node(node, exec->recorded_commands[i]);
	}
	return instance;
}

/* NULL: there are enough of them, or no memory; then submissions wait for one another. */
static struct weft_exec_instance *one_more(struct weft_exec *exec)
{
	weft_mutex_lock(&exec->lock);
	bool may = exec->num_instances < exec->most_instances;
	exec->num_instances += may;
	weft_mutex_unlock(&exec->lock);
	struct weft_exec_instance *instance = may ? create_instance(exec) : NULL;
	if (may && !instance) {
		weft_mutex_lock(&exec->lock);
		exec->num_instances--;
		weft_mutex_unlock(&exec->lock);
	}
	return instance;
}

static void wait_for_instance(struct weft_exec *exec, cl_event event) WEFT_REQUIRES(&exec->lock)
{
	struct weft_node *run = &event->run;

	run->next = NULL;
	if (exec->first_waiting)
		exec->last_waiting->next = run;
	else
		exec->first_waiting = run;
	exec->last_waiting = run;
}

static struct weft_exec_instance *take_idle(struct weft_exec *exec) WEFT_REQUIRES(&exec->lock)
{
	struct weft_exec_instance *instance = exec->idle;

	if (instance)
		exec->idle = instance->next;
	return instance;
}

struct weft_exec_instance *weft_exec_take(struct weft_exec *exec, cl_event event)
{
	weft_mutex_lock(&exec->lock);
	struct weft_exec_instance *instance = take_idle(exec);
	weft_mutex_unlock(&exec->lock);
	if (!instance)
		instance = one_more(exec);
	if (!instance) { /* unless one has become idle by now */
		weft_mutex_lock(&exec->lock);
		instance = take_idle(exec);
		if (!instance)
			wait_for_instance(exec, event);
		weft_mutex_unlock(&exec->lock);
	}
	if (instance)
		instance->event = event;
	return instance;
}

cl_event weft_exec_give_back(struct weft_exec_instance *instance)
{
	struct weft_exec *exec = instance->exec;

	weft_mutex_lock(&exec->lock);
	struct weft_node *run = exec->first_waiting;
	cl_event event = run ? WEFT_CONTAINER_OF(run, struct _cl_event, run) : NULL;
	instance->event = event;
	if (run) {
		exec->first_waiting = run->next;
	} else {
		instance->next = exec->idle;
		exec->idle = instance;
	}
	weft_mutex_unlock(&exec->lock);
	return event;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy_exec(struct weft_object *object) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_exec *exec = WEFT_CONTAINER_OF(object, struct weft_exec, base);

	while (exec->idle) {
		struct weft_exec_instance *instance = exec->idle;

		exec->idle = instance->next;
		weft_free(instance);
	}
	for (uint32_t i = 0; exec->recorded_commands && i < exec->dag->num_nodes; i++)
		weft_recorded_command_put(exec->recorded_commands[i]);
	weft_free(exec->recorded_commands);
	weft_free(exec->queue_numbers);
	weft_access_builder_destroy(&exec->accesses);
	weft_dag_put(exec->dag);
	weft_mutex_destroy(&exec->lock);
	weft_object_free(&exec->base);
}

struct weft_exec *weft_exec_create(const struct weft_exec_desc *desc)
	WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_exec *exec = weft_object_alloc(sizeof(*exec));

	if (!exec)
		return NULL;
	weft_object_init(&exec->base, WEFT_OBJECT_EXEC, destroy_exec);
	weft_mutex_init(&exec->lock, WEFT_RANK_EXEC);
	weft_refcount_get(&desc->dag->refs);
	exec->ops = desc->ops;
	exec->subgraph.ops = &desc->ops->submissions;
	exec->dag = desc->dag;
	exec->device = desc->device->impl;
	exec->most_instances = desc->most_instances;
	exec->recorded_commands =
		weft_calloc(desc->dag->num_nodes, sizeof(struct weft_recorded_command *));
	if (!exec->recorded_commands)
		goto fail;
	for (uint32_t i = 0; i < desc->dag->num_nodes; i++) {
		weft_refcount_get(&desc->recorded_commands[i]->refs);
		exec->recorded_commands[i] = desc->recorded_commands[i];
	}
	if (desc->queue_numbers) {
		exec->queue_numbers =
			weft_memdup(desc->queue_numbers, desc->dag->num_nodes * sizeof(uint32_t));
		if (exec->queue_numbers || desc->dag->num_nodes == 0)
			return exec;
		goto fail;
	}
	exec->idle = create_instance(exec);
	if (!exec->idle)
		goto fail;
	exec->num_instances = 1;
	return exec;
fail:
	weft_object_put(&exec->base);
	return NULL;
}

void weft_exec_change(struct weft_exec *exec, uint32_t command,
		      struct weft_recorded_command *recorded)
	WEFT_TSA(no_thread_safety_analysis) /* no submission has it */
{
	struct weft_recorded_command *old = exec->recorded_commands[command];

	exec->accesses_known =
		exec->accesses_known && weft_accesses_equal(&old->accesses, &recorded->accesses);
	weft_refcount_get(&recorded->refs);
	exec->recorded_commands[command] = recorded;
	for (struct weft_exec_instance *instance = exec->idle; instance; instance = instance->next)
		fill_in_node(&instance->nodes[command], recorded);
	weft_recorded_command_put(old);
}

const struct weft_accesses *weft_exec_accesses(struct weft_exec *exec, cl_context context)
{
	struct weft_access_builder *accesses = &exec->accesses;

	if (exec->accesses_known)
		return &accesses->list;
	weft_access_builder_destroy(accesses);
	weft_access_builder_init(accesses, context);
	for (uint32_t i = 0; i < exec->dag->num_nodes; i++)
		weft_accesses_add_all(accesses, &exec->recorded_commands[i]->accesses);
	weft_accesses_settle(accesses);
	exec->accesses_known = !accesses->list.truncated;
	return &accesses->list;
}
