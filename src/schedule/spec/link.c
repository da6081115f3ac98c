/* SPDX-License-Identifier: MIT
 *
 * Resolves the ids of a graph, and the life of what specifications say.
 */
#include "spec/ids.h"
#include "spec/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ids ----------------------------------------------------------------------------------------- */

/* A kernel without an id gets the next number that is free in its file; `next` is none that was taken before. */
static bool give_id(const struct weft_spec *spec, const struct weft_ids *given,
		    struct weft_spec_kernel *kernel, size_t *next, struct weft_error *error)
{
	char id[32];

	do
		snprintf(id, sizeof(id), "%zu", (*next)++);
	while (weft_ids_find(given, spec, kernel->graph, id) != WEFT_NO_KERNEL);
	kernel->id = strdup(id);
	return kernel->id || weft_fail_memory(error);
}

static bool give_label(struct weft_spec_kernel *kernel, struct weft_error *error)
{
	if (kernel->graph == 0)
		kernel->label = strdup(kernel->id);
	else if (asprintf(&kernel->label, "%zu/%s", kernel->graph + 1, kernel->id) < 0)
		kernel->label = NULL;
	return kernel->label || weft_fail_memory(error);
}

static bool give_ids(struct weft_spec *spec, const struct weft_ids *given, struct weft_error *error)
{
	size_t next = 1;

	for (size_t i = 0; i < spec->count; i++) {
		struct weft_spec_kernel *kernel = &spec->kernels[i];

		if (i > 0 && kernel->graph != spec->kernels[i - 1].graph)
			next = 1;
		if (kernel->id && weft_ids_find(given, spec, kernel->graph, kernel->id) != i)
			return weft_fail(error, "%s: the id '%s' is that of another kernel",
					 kernel->place, kernel->id);
		if (!kernel->id && !give_id(spec, given, kernel, &next, error))
			return false;
		if (!give_label(kernel, error))
			return false;
	}
	return true;
}

/* ---- edges --------------------------------------------------------------------------------------- */

static void add_depends(struct weft_spec_kernel *kernel, size_t other)
{
	size_t i = 0;

	while (i < kernel->num_depends && kernel->depends[i] < other)
		i++;
	if (i < kernel->num_depends && kernel->depends[i] == other)
		return;
	memmove(&kernel->depends[i + 1], &kernel->depends[i],
		(kernel->num_depends - i) * sizeof(*kernel->depends));
	kernel->depends[i] = other;
	kernel->num_depends++;
}

static bool link_buffer(const struct weft_spec *spec, const struct weft_ids *ids,
			struct weft_spec_kernel *kernel, struct weft_spec_buffer *buffer,
			struct weft_error *error)
{
	const size_t other = weft_ids_find(ids, spec, kernel->graph, buffer->from_id);

	if (other == WEFT_NO_KERNEL)
		return weft_fail(error,
				 "%s: kernel '%s', argument %u: from: there is no kernel '%s'",
				 kernel->place, kernel->id, buffer->pos, buffer->from_id);
	const struct weft_spec_kernel *producer = &spec->kernels[other];
	for (size_t i = 0; i < producer->num_buffers; i++) {
		if (producer->buffers[i].pos != buffer->from_pos)
			continue;
		if (producer->buffers[i].bytes < buffer->bytes)
			return weft_fail(
				error,
				"%s: kernel '%s', argument %u: from: argument %u of kernel "
				"'%s' has %zu bytes, %zu are wanted",
				kernel->place, kernel->id, buffer->pos, buffer->from_pos,
				producer->id, producer->buffers[i].bytes, buffer->bytes);
		buffer->from_kernel = other;
		buffer->from_buffer = i;
		add_depends(kernel, other);
		return true;
	}
	return weft_fail(
		error,
		"%s: kernel '%s', argument %u: from: argument %u of kernel '%s' is no buffer",
		kernel->place, kernel->id, buffer->pos, buffer->from_pos, producer->id);
}

static bool link_kernel(const struct weft_spec *spec, const struct weft_ids *ids,
			struct weft_spec_kernel *kernel, struct weft_error *error)
{
	kernel->depends = (size_t *)calloc(kernel->num_depends_ids + kernel->num_buffers + 1,
					   sizeof(*kernel->depends));
	if (!kernel->depends)
		return weft_fail_memory(error);
	for (size_t i = 0; i < kernel->num_depends_ids; i++) {
		const size_t other =
			weft_ids_find(ids, spec, kernel->graph, kernel->depends_ids[i]);

		if (other == WEFT_NO_KERNEL)
			return weft_fail(error, "%s: kernel '%s': depends: there is no kernel '%s'",
					 kernel->place, kernel->id, kernel->depends_ids[i]);
		add_depends(kernel, other);
	}
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		if (kernel->buffers[i].from_id &&
		    !link_buffer(spec, ids, kernel, &kernel->buffers[i], error))
			return false;
	}
	return true;
}

/* From the end: a kernel has its place when all that wait for it have theirs. Returns how many have none: those of a circle, and those that
 * they wait for. `waiting`: zeros; then how many without a place wait for each. */
static size_t order_kernels(const struct weft_spec *spec, size_t *order, size_t *waiting)
{
	size_t free_places = spec->count;

	for (size_t i = 0; i < spec->count; i++) {
		for (size_t k = 0; k < spec->kernels[i].num_depends; k++)
			waiting[spec->kernels[i].depends[k]]++;
	}
	for (size_t i = spec->count; i-- > 0;) {
		if (waiting[i] == 0)
			order[--free_places] = i;
	}
	for (size_t place = spec->count; place-- > free_places;) {
		const struct weft_spec_kernel *kernel = &spec->kernels[order[place]];

		for (size_t k = 0; k < kernel->num_depends; k++) {
			if (--waiting[kernel->depends[k]] == 0)
				order[--free_places] = kernel->depends[k];
		}
	}
	return free_places;
}

/* From one without a place to one that waits for it, as many times as there are kernels: the last one is in a circle. */
static size_t find_circle(const struct weft_spec *spec, const size_t *waiting, size_t *followers)
{
	size_t kernel = 0;

	for (size_t i = 0; i < spec->count; i++) {
		for (size_t k = 0; k < spec->kernels[i].num_depends && waiting[i] > 0; k++)
			followers[spec->kernels[i].depends[k]] = i;
	}
	while (waiting[kernel] == 0)
		kernel++;
	for (size_t i = 0; i < spec->count; i++)
		kernel = followers[kernel];
	return kernel;
}

static bool check_circles(const struct weft_spec *spec, struct weft_error *error)
{
	size_t *order = (size_t *)calloc(2 * spec->count + 1, sizeof(*order));

	if (!order)
		return weft_fail_memory(error);
	size_t *waiting = order + spec->count;
	const bool is_open = order_kernels(spec, order, waiting) == 0;
	if (!is_open) {
		const struct weft_spec_kernel *kernel =
			&spec->kernels[find_circle(spec, waiting, order)];
		weft_fail(error, "%s: kernel '%s' waits for itself, by a circle of kernels",
			  kernel->place, kernel->id);
	}
	free(order);
	return is_open;
}

bool weft_spec_link(struct weft_spec *spec, struct weft_error *error)
{
	struct weft_ids ids;

	bool done =
		weft_ids_sort(spec, &ids) ? give_ids(spec, &ids, error) : weft_fail_memory(error);
	weft_ids_destroy(&ids);
	if (!done)
		return false;
	done = weft_ids_sort(spec, &ids) || weft_fail_memory(error);
	for (size_t i = 0; done && i < spec->count; i++)
		done = link_kernel(spec, &ids, &spec->kernels[i], error);
	weft_ids_destroy(&ids);
	return done && check_circles(spec, error);
}

bool weft_spec_order(const struct weft_spec *spec, size_t *order)
{
	size_t *waiting = (size_t *)calloc(spec->count + 1, sizeof(size_t));

	if (!waiting)
		return false;
	(void)order_kernels(spec, order, waiting);
	free(waiting);
	return true;
}

/* ---- end ----------------------------------------------------------------------------------------- */

static void destroy_kernel(struct weft_spec_kernel *kernel)
{
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		free(kernel->buffers[i].from_id);
		free(kernel->buffers[i].file);
		free(kernel->buffers[i].save);
		free(kernel->buffers[i].reference);
	}
	for (size_t i = 0; i < kernel->num_depends_ids; i++)
		free(kernel->depends_ids[i]);
	free(kernel->depends_ids);
	free(kernel->depends);
	free(kernel->buffers);
	free(kernel->values);
	free(kernel->locals);
	free(kernel->id);
	free(kernel->label);
	free(kernel->name);
	free(kernel->source);
	free(kernel->options);
	free(kernel->place);
}

void weft_spec_destroy(struct weft_spec *spec)
{
	for (size_t i = 0; i < spec->count; i++)
		destroy_kernel(&spec->kernels[i]);
	free(spec->kernels);
	*spec = (struct weft_spec){0};
}

void weft_spec_place(const struct weft_spec_kernel *kernel, const struct weft_spec_buffer *buffer,
		     char text[WEFT_BUFFER_PLACE])
{
	snprintf(text, WEFT_BUFFER_PLACE, "%s: kernel '%s', argument %u", kernel->place,
		 kernel->label, buffer->pos);
}
