/* SPDX-License-Identifier: MIT
 *
 * The list of open devices, for the child of a fork. Its lock is held over the fork, so that the child finds the list
 * whole; no other lock is held.
 */
#include "machine/fork.h"

#include "mutex.h"

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_DEVICE);
static struct weft_list nodes = {&nodes, &nodes};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before(void) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_lock(&lock);
}

static void after_in_parent(void) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_unlock(&lock);
}

static void after_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	for (struct weft_list *link = nodes.next; link != &nodes; link = link->next) {
		struct weft_fork_node *node = WEFT_CONTAINER_OF(link, struct weft_fork_node, link);
		node->restart(node);
	}
	weft_mutex_unlock(&lock);
}

/* Without memory for the handlers, children cannot use the devices of their parent; everything else works. */
static void install(void)
{
	(void)pthread_atfork(before, after_in_parent, after_in_child);
}

void weft_fork_add(struct weft_fork_node *node)
{
	pthread_once(&once, install);
	weft_mutex_lock(&lock);
	weft_list_append(&nodes, &node->link);
	weft_mutex_unlock(&lock);
}

void weft_fork_remove(struct weft_fork_node *node)
{
	weft_mutex_lock(&lock);
	weft_list_remove(&node->link);
	weft_mutex_unlock(&lock);
}
