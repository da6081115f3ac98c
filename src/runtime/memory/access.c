/* SPDX-License-Identifier: MIT
 *
 * Lists of accesses: those that overlap become one.
 */
#include "memory/access.h"

#include "alloc.h"
#include "device/context.h"
#include "memory/allocation.h"

#include <stdlib.h>
#include <string.h>

void weft_access_builder_init(struct weft_access_builder *builder, cl_context context)
{
	builder->list = (struct weft_accesses){.items = builder->few};
	builder->context = context;
	builder->list_all = context->num_memories > 0;
	builder->is_elsewhere = false;
	builder->unsettled = false;
	builder->room = WEFT_ACCESSES_MOST;
}

void weft_access_builder_destroy(struct weft_access_builder *builder)
{
	if (builder->list.items != builder->few)
		weft_free(builder->list.items);
}

/* What is only partly overwritten counts as read, too. */
static void join(struct weft_access *access, const struct weft_access *other)
{
	if (other->kind != WEFT_ACCESS_READ || access->kind != WEFT_ACCESS_READ)
		access->kind = WEFT_ACCESS_READ_WRITE;
	weft_region_join(&access->region, &other->region);
}

/* Takes all that overlaps out of the list, into the access. */
static void absorb(struct weft_accesses *list, struct weft_access *access)
{
	for (uint32_t i = 0; i < list->count;) {
		const struct weft_access *other = &list->items[i];

		if (other->buffer != access->buffer ||
		    !weft_regions_overlap(&other->region, &access->region)) {
			i++;
			continue;
		}
		join(access, other);
		list->items[i] = list->items[--list->count];
	}
}

/* By their buffers, then by where they begin. */
static int compare(const void *a, const void *b)
{
	const struct weft_access *first = a;
	const struct weft_access *second = b;
	const uintptr_t buffers[] = {(uintptr_t)first->buffer, (uintptr_t)second->buffer};
	const size_t begins[] = {first->region.range.begin, second->region.range.begin};

	if (buffers[0] != buffers[1])
		return buffers[0] < buffers[1] ? -1 : 1;
	return (begins[0] > begins[1]) - (begins[0] < begins[1]);
}

/* Whether the second one, which begins no earlier, is to become a part of the first. */
static bool follows(const struct weft_access *first, const struct weft_access *second)
{
	const size_t end = first->region.range.end;
	const size_t begin = second->region.range.begin;

	return first->buffer == second->buffer &&
	       (begin < end || (begin == end && first->kind == second->kind));
}

void weft_accesses_settle(struct weft_access_builder *builder)
{
	struct weft_accesses *list = &builder->list;
	uint32_t kept = 0;

	if (!builder->unsettled)
		return;
	builder->unsettled = false;
	qsort(list->items, list->count, sizeof(*list->items), compare);
	for (uint32_t i = 1; i < list->count; i++) {
		if (follows(&list->items[kept], &list->items[i]))
			join(&list->items[kept], &list->items[i]);
		else
			list->items[++kept] = list->items[i];
	}
	list->count = kept + 1;
}

static bool make_room(struct weft_access_builder *builder)
{
	struct weft_accesses *list = &builder->list;

	if (list->count < builder->room)
		return true;
	list->anything = true;
	if (!builder->list_all)
		return false;
	weft_accesses_settle(builder);
	if (list->count < builder->room / 2)
		return true;
	bool owned = list->items != builder->few;
	struct weft_access *items =
		weft_realloc(owned ? list->items : NULL, 2 * (size_t)builder->room, sizeof(*items));
	if (!items) {
		list->truncated = true;
		return false;
	}
	if (!owned)
		memcpy(items, builder->few, sizeof(builder->few));
	list->items = items;
	builder->room *= 2;
	return true;
}

static void make_span(const struct weft_access_builder *builder, struct weft_access *access)
{
	if (access->buffer &&
	    (builder->is_elsewhere || (builder->list_all && access->kind == WEFT_ACCESS_WRITE)))
		access->region = weft_region_of_span(&access->region.range);
}

static void add(struct weft_access_builder *builder, struct weft_access access)
{
	struct weft_accesses *list = &builder->list;
	const struct weft_range range = access.region.range;

	if (range.begin >= range.end || (list->anything && !builder->list_all))
		return;
	make_span(builder, &access);
	absorb(list, &access);
	make_span(builder, &access);
	if (make_room(builder))
		list->items[list->count++] = access;
}

/* The list is to be settled afterwards. */
static void append(struct weft_access_builder *builder, struct weft_access access)
{
	struct weft_accesses *list = &builder->list;

	make_span(builder, &access);
	if (!make_room(builder))
		return;
	list->items[list->count++] = access;
	builder->unsettled = true;
}

void weft_accesses_add(struct weft_access_builder *builder, cl_mem mem, size_t begin, size_t end,
		       enum weft_access_kind kind)
{
	const struct weft_region region = weft_region_of_range(begin, end);

	weft_accesses_add_region(builder, mem, &region, kind);
}

/* If the allocation has replicas elsewhere, or in memories of another context, the bytes at the address are those of the host's
 * replica alone. */
static struct weft_access access_by_address(const struct weft_access_builder *builder,
					    const struct weft_region *region,
					    enum weft_access_kind kind)
{
	cl_mem allocation = weft_allocation_find((const void *)region->range.begin);
	if (allocation && allocation->replicas &&
	    !weft_allocation_moves_in(allocation, builder->context))
		allocation = NULL;
	const size_t start = allocation ? (uintptr_t)allocation->address : 0;

	return (struct weft_access){allocation, weft_region_moved(*region, 0 - start), kind};
}

void weft_accesses_add_region(struct weft_access_builder *builder, cl_mem mem,
			      const struct weft_region *region, enum weft_access_kind kind)
{
	add(builder, mem ? (struct weft_access){weft_mem_root(mem),
						weft_region_moved(*region, mem->origin), kind}
			 : access_by_address(builder, region, kind));
}

void weft_accesses_add_host(struct weft_access_builder *builder, const void *memory, size_t size,
			    enum weft_access_kind kind)
{
	const size_t begin = (uintptr_t)memory;
	const struct weft_region region = weft_region_of_range(begin, begin + size);

	weft_accesses_add_region(builder, NULL, &region, kind);
}

void weft_accesses_add_all(struct weft_access_builder *builder,
			   const struct weft_accesses *accesses)
{
	builder->list.anything = builder->list.anything || accesses->anything;
	for (uint32_t i = 0; i < accesses->count; i++) {
		struct weft_access access = accesses->items[i];

		/* another part may read it before it is written */
		access.kind =
			access.kind == WEFT_ACCESS_READ ? WEFT_ACCESS_READ : WEFT_ACCESS_READ_WRITE;
		/* it does not matter for the order any more what regions overlap: each access is not compared with all */
		if (builder->list.anything && builder->list_all)
			append(builder, access);
		else
			add(builder, access);
	}
}

static bool equal(const struct weft_access *a, const struct weft_access *b)
{
	return a->buffer == b->buffer && a->kind == b->kind &&
	       weft_region_contains(&a->region, &b->region) &&
	       weft_region_contains(&b->region, &a->region);
}

bool weft_accesses_equal(const struct weft_accesses *a, const struct weft_accesses *b)
{
	if (a->anything != b->anything || a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		if (!equal(&a->items[i], &b->items[i]))
			return false;
	}
	return true;
}
