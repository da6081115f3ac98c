/* SPDX-License-Identifier: MIT
 *
 * The size of work-groups when the application leaves it to us.
 */
#ifndef WEFT_RUNTIME_GROUP_SIZE_H
#define WEFT_RUNTIME_GROUP_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_group_size_request {
	uint32_t work_dim;
	const uint64_t *global;   /* work-items, three numbers of at least 1 */
	const uint64_t *item_max; /* the most per dimension, three numbers */
	uint64_t limit;           /* the most per group */
	uint32_t compute_units;
	uint32_t lanes;            /* of the kernel's vectors; 0: unknown */
	uint32_t first_dimension;  /* that along which vectors go */
	uint32_t second_dimension; /* the other one of blocks; as the first: any other */
	bool few_layers;           /* blocks with the source's z are of few layers */
	bool uniform;              /* the last group may not be smaller */
};

/* Fills in three numbers whose product is within the limit. */
void weft_group_size_choose(const struct weft_group_size_request *request, uint64_t local[3]);

#endif
