/* SPDX-License-Identifier: MIT
 *
 * What a footprint's formulas begin with: arguments, ids and sizes.
 */
#include "program/footprint_values.h"

#include <string.h>

void weft_footprint_read_argument(const struct weft_footprint_values *values,
				  const struct weft_footprint_node *node, struct weft_form *form)
{
	const unsigned char *bytes = values->arguments + node->value;
	uint64_t number = 0;

	memcpy(&number, bytes, node->width / 8);
	const unsigned unused = 64U - node->width;
	*form = weft_form_constant((int64_t)(number << unused) >> unused);
}

/* A variable of the range, which is made when it is first asked for. */
static bool range_variable(struct weft_footprint_values *values, uint32_t *variable, uint64_t first,
			   uint64_t count, struct weft_form *form)
{
	if (*variable != UINT32_MAX) {
		*form = (struct weft_form){.count = 1, .terms = {{*variable, 1}}};
		return true;
	}
	if (first > INT64_MAX || count > INT64_MAX - first ||
	    !weft_space_add_variable(&values->space, (int64_t)first, (int64_t)(first + count) - 1,
				     form))
		return false;
	*variable = form->terms[0].variable;
	return true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool read_local_id(struct weft_footprint_values *values, unsigned d, struct weft_form *form)
{
	const struct weft_ndrange *range = values->range;

	return range_variable(values, &values->local_ids[d], 0,
			      smaller(range->local_size[d], range->global_size[d]), form);
}

static bool read_group_id(struct weft_footprint_values *values, unsigned d, struct weft_form *form)
{
	return range_variable(values, &values->group_ids[d], 0, values->range->num_groups[d], form);
}

/* Offset, group's id times local size, and local id. */
static bool split_id(struct weft_footprint_values *values, unsigned d, struct weft_form *form)
{
	const struct weft_ndrange *range = values->range;
	const bool is_new = values->global_ids[d] == UINT32_MAX;
	struct weft_form offset = weft_form_constant((int64_t)range->global_offset[d]);
	struct weft_form end =
		weft_form_constant((int64_t)(range->global_offset[d] + range->global_size[d]));
	struct weft_form local;
	struct weft_form group;

	if (!read_local_id(values, d, &local) || !read_group_id(values, d, &group) ||
	    !weft_form_add(&offset, &local, 1, form) ||
	    !weft_form_add(form, &group, (int64_t)range->local_size[d], form))
		return false;
	values->global_ids[d] = 0;
	if (is_new && range->global_size[d] % range->local_size[d] != 0)
		weft_space_add_difference(&values->space, form, &end, -1);
	return true;
}

static bool read_local_size(struct weft_footprint_values *values, unsigned d,
			    struct weft_form *form)
{
	const struct weft_ndrange *range = values->range;
	const uint64_t last = range->global_size[d] % range->local_size[d];

	if (last == 0) {
		*form = weft_form_constant((int64_t)range->local_size[d]);
		return true;
	}
	return weft_space_add_variable(
		&values->space, (int64_t)last,
		(int64_t)smaller(range->local_size[d], range->global_size[d]), form);
}

bool weft_footprint_read_query(struct weft_footprint_values *values,
			       const struct weft_footprint_node *node, struct weft_form *form)
{
	const struct weft_ndrange *range = values->range;
	const unsigned d = node->b;
	uint64_t number = 0;

	switch ((enum weft_footprint_query)node->a) {
	case WEFT_FOOTPRINT_GLOBAL_ID:
		return values->splits_id[d] ? split_id(values, d, form)
					    : range_variable(values, &values->global_ids[d],
							     range->global_offset[d],
							     range->global_size[d], form);
	case WEFT_FOOTPRINT_LOCAL_ID:
		return read_local_id(values, d, form);
	case WEFT_FOOTPRINT_GROUP_ID:
		return read_group_id(values, d, form);
	case WEFT_FOOTPRINT_LOCAL_SIZE:
		return read_local_size(values, d, form);
	case WEFT_FOOTPRINT_NUM_GROUPS:
		number = range->num_groups[d];
		break;
	case WEFT_FOOTPRINT_GLOBAL_SIZE:
		number = range->global_size[d];
		break;
	case WEFT_FOOTPRINT_GLOBAL_OFFSET:
		number = range->global_offset[d];
		break;
	case WEFT_FOOTPRINT_ENQUEUED_LOCAL_SIZE:
		number = range->local_size[d];
		break;
	case WEFT_FOOTPRINT_WORK_DIM:
		number = range->work_dim;
		break;
	}
	*form = weft_form_constant((int64_t)number);
	return true;
}
