/* SPDX-License-Identifier: MIT
 *
 * An intrusive doubly linked list. The head is a node that links to itself when the list is empty;
 * a node that is in no list links to itself too, so removing twice is harmless.
 */
#ifndef WEFT_BASE_LIST_H
#define WEFT_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define WEFT_CONTAINER_OF(node, type, member)                                                      \
	((type *)(void *)((char *)(node) - offsetof(type, member)))

struct weft_list {
	struct weft_list *next;
	struct weft_list *prev;
};

static inline void weft_list_init(struct weft_list *node)
{
	node->next = node;
	node->prev = node;
}

static inline bool weft_list_empty(const struct weft_list *head)
{
	return head->next == head;
}

static inline void weft_list_append(struct weft_list *head, struct weft_list *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

static inline void weft_list_remove(struct weft_list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	weft_list_init(node);
}

/* Removes and returns the first node, or NULL. */
static inline struct weft_list *weft_list_pop(struct weft_list *head)
{
	struct weft_list *node = head->next;

	if (node == head)
		return NULL;
	weft_list_remove(node);
	return node;
}

#endif
