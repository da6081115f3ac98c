/* SPDX-License-Identifier: MIT
 *
 * The stand-in for the runtime.
 */
#include "host.h"

#include "driver_optional.h"
#include "futex.h"

#include <stdio.h>
#include <stdlib.h>

static _Atomic int mistakes;
static _Atomic uint64_t ends;

int host_mistakes(void)
{
	return atomic_load(&mistakes);
}

static void mistake(const char *what)
{
	fprintf(stderr, "the driver's mistake: %s\n", what);
	atomic_fetch_add(&mistakes, 1);
}

static struct node *node_of(const struct weft_command *command)
{
	return WEFT_CONTAINER_OF((uintptr_t)command, struct node, command);
}

struct node *node_new(struct weft_device *device, enum weft_op op)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		exit(1);
	node->command.device = device;
	node->command.op = op;
	atomic_store(&node->unmet, 1);
	pthread_mutex_init(&node->lock, NULL);
	return node;
}

void node_free(struct node *node)
{
	pthread_mutex_destroy(&node->lock);
	free(node->dependants);
	free(node);
}

void node_depend(struct node *node, struct node *other)
{
	pthread_mutex_lock(&other->lock);
	if (!other->closed) {
		size_t size = (other->num_dependants + 1) * sizeof(struct node *);
		struct node **dependants = realloc(other->dependants, size);
		if (!dependants)
			exit(1);
		other->dependants = dependants;
		other->dependants[other->num_dependants++] = node;
		atomic_fetch_add(&node->unmet, 1);
	} else if (atomic_load(&other->status) != WEFT_OK) {
		atomic_store(&node->dependencies, WEFT_DEPENDENCY_FAILED);
	}
	pthread_mutex_unlock(&other->lock);
}

static void meet(struct node *node)
{
	struct weft_device *device = node->command.device;

	if (atomic_fetch_sub(&node->unmet, 1) == 1)
		device->driver->queue->notify(device, &node->command,
					      (enum weft_status)atomic_load(&node->dependencies));
}

void node_submit(struct node *node)
{
	struct weft_device *device = node->command.device;

	device->driver->queue->submit(device, &node->command);
	meet(node);
}

void wait_for_word(_Atomic int32_t *word, int32_t value)
{
	int32_t seen;

	while ((seen = atomic_load(word)) < value)
		weft_futex_wait(word, seen);
}

enum weft_status node_wait(struct node *node)
{
	struct weft_device *device = node->command.device;

	device->driver->queue->flush(device);
	if (device->driver->queue->join)
		device->driver->queue->join(device, &node->wait);
	return node_sleep(node);
}

enum weft_status node_sleep(struct node *node)
{
	wait_for_word(&node->ended, 1);
	/* its last user has left this lock */
	pthread_mutex_lock(&node->lock);
	pthread_mutex_unlock(&node->lock);
	return (enum weft_status)atomic_load(&node->status);
}

enum weft_status node_run(struct node *node)
{
	node_submit(node);
	enum weft_status status = node_wait(node);
	node_free(node);
	return status;
}

/* ---- what the driver calls ------------------------------------------------------------------- */

static void running(struct weft_command *command)
{
	struct node *node = node_of(command);

	if (atomic_fetch_add(&node->runs, 1) != 0)
		mistake("running called twice");
	if (atomic_load(&node->unmet) != 0)
		mistake("a command runs before what it waits for has ended");
	if (atomic_load(&node->dependencies) != WEFT_OK)
		mistake("a command runs though what it waits for has failed");
}

/* Nothing follows the command afterwards. */
static void broadcast_by_driver(struct node *node)
{
	struct weft_device *device = node->command.device;

	if (device->driver->chaining && !node->lingers)
		device->driver->chaining->broadcast(device, &node->command);
}

static void complete(struct weft_command *command, enum weft_status status)
{
	struct node *node = node_of(command);

	if (atomic_load(&node->ended))
		mistake("complete called twice");
	if (status == WEFT_OK && atomic_load(&node->runs) != 1)
		mistake("a command ends well without having run");
	if (node->on_end)
		node->on_end(node);
	pthread_mutex_lock(&node->lock);
	node->closed = true;
	struct node **dependants = node->dependants;
	size_t count = node->num_dependants;
	node->dependants = NULL;
	atomic_store(&node->status, (int32_t)status);
	atomic_store(&node->thread, (uint64_t)pthread_self());
	atomic_store(&node->order, atomic_fetch_add(&ends, 1) + 1);
	broadcast_by_driver(node);
	atomic_store(&node->wait.state, WEFT_WAIT_OVER);
	atomic_store(&node->ended, 1);
	weft_futex_wake_all(&node->ended);
	pthread_mutex_unlock(&node->lock);
	/* the node may be gone */
	for (size_t i = 0; i < count; i++) {
		if (status != WEFT_OK)
			atomic_store(&dependants[i]->dependencies, WEFT_DEPENDENCY_FAILED);
		meet(dependants[i]);
	}
	free(dependants);
}

static void ran(struct weft_command *command)
{
	struct node *node = node_of(command);

	if (atomic_load(&node->runs) != 1 || atomic_load(&node->ended))
		mistake("ran called of a command that does not run");
}

static void timed(struct weft_command *command, uint64_t start, uint64_t end)
{
	if (start > end || atomic_load(&node_of(command)->ended))
		mistake("timed called with wrong times, or after complete");
}

static void broadcast(struct weft_command *command)
{
	if (!command->device->driver->chaining)
		mistake("broadcast is for drivers that have their own");
}

static const void *queue_of(const struct weft_command *command)
{
	(void)command;
	return NULL;
}

static void call(struct weft_command *command)
{
	command->native.function(command->native.args);
}

static const struct weft_host_accelerator accelerator = {
	.ran = ran,
	.timed = timed,
	.broadcast = broadcast,
};

const struct weft_host test_host = {
	.running = running,
	.queue_of = queue_of,
	.complete = complete,
	.call = call,
	.accelerator = &accelerator,
};
