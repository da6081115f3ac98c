/* SPDX-License-Identifier: MIT */
#include "spec/ids.h"

#include <stdlib.h>
#include <string.h>

static int compare_id(const struct weft_spec_kernel *kernel, size_t graph, const char *id)
{
	return kernel->graph != graph ? (kernel->graph < graph ? -1 : 1) : strcmp(kernel->id, id);
}

/* Of kernels with one id, which is a mistake, the first one comes first. */
static int compare(const void *a, const void *b)
{
	const struct weft_spec_kernel *const *left = a;
	const struct weft_spec_kernel *const *right = b;
	const int order = compare_id(*left, (*right)->graph, (*right)->id);

	return order ? order : (*left > *right) - (*left < *right);
}

bool weft_ids_sort(const struct weft_spec *spec, struct weft_ids *ids)
{
	*ids = (struct weft_ids){.sorted = (const struct weft_spec_kernel **)calloc(
					 spec->count + 1, sizeof(const struct weft_spec_kernel *))};
	if (!ids->sorted)
		return false;
	for (size_t i = 0; i < spec->count; i++) {
		if (spec->kernels[i].id)
			ids->sorted[ids->count++] = &spec->kernels[i];
	}
	qsort((void *)ids->sorted, ids->count, sizeof(*ids->sorted), compare);
	return true;
}

void weft_ids_destroy(struct weft_ids *ids)
{
	free((void *)ids->sorted);
	*ids = (struct weft_ids){0};
}

size_t weft_ids_find(const struct weft_ids *ids, const struct weft_spec *spec, size_t graph,
		     const char *id)
{
	size_t first = 0;
	size_t end = ids->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (compare_id(ids->sorted[middle], graph, id) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first < ids->count && compare_id(ids->sorted[first], graph, id) == 0
		       ? (size_t)(ids->sorted[first] - spec->kernels)
		       : WEFT_NO_KERNEL;
}
