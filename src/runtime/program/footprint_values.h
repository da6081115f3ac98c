/* SPDX-License-Identifier: MIT
 *
 * The nodes of a footprint (kernel_footprint.h) as linear forms, for one NDRange and arguments that are set. A form and the node's
 * number differ by a multiple of 2 to the node's width, so sums and products need no care of overflows; where a number's
 * size matters, the form is brought into the range of the type.
 */
#ifndef WEFT_RUNTIME_FOOTPRINT_VALUES_H
#define WEFT_RUNTIME_FOOTPRINT_VALUES_H

#include "kernel_abi.h"
#include "kernel_footprint.h"
#include "program/linear_forms.h"

struct weft_footprint_cell;

struct weft_footprint_values {
	const struct weft_footprint *footprint; /* borrowed */
	const struct weft_ndrange *range;       /* borrowed */
	const unsigned char *arguments;         /* borrowed: the packed block */
	struct weft_footprint_cell *cells;      /* owned: by node */
	uint32_t generation;
	uint32_t depth;
	uint64_t work; /* so far */
	/* By dimension: a global id is a sum of ids of group and work-item, as the kernel asks for these, too. */
	bool splits_id[3];
	uint32_t global_ids[3]; /* variables, and so on: UINT32_MAX: not made yet */
	uint32_t local_ids[3];
	uint32_t group_ids[3];
	struct weft_space space;
};

static inline const struct weft_footprint_node *
weft_footprint_nodes(const struct weft_footprint *footprint)
{
	return (const struct weft_footprint_node *)(const void *)(footprint + 1);
}

static inline const struct weft_footprint_access *
weft_footprint_accesses(const struct weft_footprint *footprint)
{
	return (const struct weft_footprint_access *)(const void *)(weft_footprint_nodes(
									    footprint) +
								    footprint->num_nodes);
}

static inline const struct weft_footprint_condition *
weft_footprint_conditions(const struct weft_footprint *footprint)
{
	return (const struct weft_footprint_condition *)(const void *)(weft_footprint_accesses(
									       footprint) +
								       footprint->num_accesses);
}

static inline const struct weft_footprint_block *
weft_footprint_blocks(const struct weft_footprint *footprint)
{
	return (const struct weft_footprint_block *)(const void *)(weft_footprint_conditions(
									   footprint) +
								   footprint->num_conditions);
}

/* All three are borrowed as long as the values live. NULL: out of memory. */
struct weft_footprint_values *weft_footprint_values_create(const struct weft_footprint *footprint,
							   const struct weft_ndrange *range,
							   const unsigned char *arguments);
void weft_footprint_values_destroy(struct weft_footprint_values *values);

/* Forgets all that conditions have said. What has been done by then counts for the limit of what is done at all. */
void weft_footprint_values_reset(struct weft_footprint_values *values);
/* The condition holds from now on. */
void weft_footprint_values_assume(struct weft_footprint_values *values,
				  const struct weft_footprint_condition *condition);
/* Bounds of a node's signed number; false: not known. */
bool weft_footprint_values_bounds(struct weft_footprint_values *values, uint16_t node, int64_t *low,
				  int64_t *high);
/* A node's number, but for a multiple of 2 to its width; false: not known. */
bool weft_footprint_values_form(struct weft_footprint_values *values, uint16_t node,
				struct weft_form *form);

/* footprint_leaves.c: arguments, and ids and sizes of the range. False: it is not known. */
void weft_footprint_read_argument(const struct weft_footprint_values *values,
				  const struct weft_footprint_node *node, struct weft_form *form);
bool weft_footprint_read_query(struct weft_footprint_values *values,
			       const struct weft_footprint_node *node, struct weft_form *form);

#endif
