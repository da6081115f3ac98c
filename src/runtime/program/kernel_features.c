/* SPDX-License-Identifier: MIT
 *
 * The blocks of a footprint, each as often as its loops run, and the bytes of its accesses.
 */
#include "program/kernel_features.h"

#include "alloc.h"
#include "program/access_ranges.h"
#include "program/footprint_values.h"

#include <string.h>

#define ASSUMED_ITERATIONS 8
/* Between the least and the most of a number that is known, and the most. */
#define MOST_DIFFERENCE ((int64_t)1 << 20)
#define MOST_ITERATIONS ((int64_t)1 << 24)
#define MOST_BRANCHES 4 /* that halve a block's count */
#define LINE 64

_Static_assert((int)CL_KERNEL_FEATURE_ATOMICS_WEFT == (int)WEFT_FOOTPRINT_ATOMIC,
	       "kinds of instructions come first, in the same order");

/* The middle of a loop's iterations; 0: not known. */
static double iterations(struct weft_footprint_values *values, uint16_t loop)
{
	const struct weft_footprint_node *node = &weft_footprint_nodes(values->footprint)[loop];
	int64_t low;
	int64_t high;

	if (node->operation != WEFT_FOOTPRINT_ITERATION || node->a == WEFT_FOOTPRINT_NO_NODE ||
	    !weft_footprint_values_bounds(values, node->a, &low, &high))
		return 0;
	/* A loop that does not run has -1 as the last one. */
	low = low > -1 ? low : -1;
	high = high > -1 ? high : -1;
	return high > MOST_ITERATIONS || high - low > MOST_DIFFERENCE
		       ? 0
		       : 1 + ((double)low + (double)high) / 2;
}

/* How often a work-item runs the block, in the mean. Counts loops that are not known. */
static double executions(struct weft_footprint_values *values,
			 const struct weft_footprint_block *block, double *unknown)
{
	double times = 1;

	for (unsigned i = 0;
	     i < WEFT_FOOTPRINT_MOST_LOOPS && block->loops[i] != WEFT_FOOTPRINT_NO_NODE; i++) {
		const double known = iterations(values, block->loops[i]);

		*unknown += known == 0;
		times *= known == 0 ? ASSUMED_ITERATIONS : known;
	}
	for (unsigned i = 0; i < block->branches && i < MOST_BRANCHES; i++)
		times /= 2;
	return times;
}

/* Whether a node may depend on the id of a work-item in dimension 0; `depends` has the nodes before it. */
static bool depends_on_id(const struct weft_footprint_node *node, const bool *depends)
{
	switch ((enum weft_footprint_operation)node->operation) {
	case WEFT_FOOTPRINT_CONSTANT:
	case WEFT_FOOTPRINT_ARGUMENT:
	case WEFT_FOOTPRINT_ITERATION:
		return false;
	case WEFT_FOOTPRINT_UNKNOWN:
		return true;
	case WEFT_FOOTPRINT_QUERY:
		return node->b == 0 &&
		       (node->a == WEFT_FOOTPRINT_GLOBAL_ID || node->a == WEFT_FOOTPRINT_LOCAL_ID);
	case WEFT_FOOTPRINT_TRUNCATED:
	case WEFT_FOOTPRINT_ZERO_EXTENDED:
	case WEFT_FOOTPRINT_SIGN_EXTENDED:
		return depends[node->a];
	case WEFT_FOOTPRINT_SUM:
	case WEFT_FOOTPRINT_PRODUCT:
	case WEFT_FOOTPRINT_QUOTIENT:
	case WEFT_FOOTPRINT_SIGNED_QUOTIENT:
	case WEFT_FOOTPRINT_MIN:
	case WEFT_FOOTPRINT_MAX:
	case WEFT_FOOTPRINT_SIGNED_MIN:
	case WEFT_FOOTPRINT_SIGNED_MAX:
	case WEFT_FOOTPRINT_EITHER:
		return depends[node->a] || depends[node->b];
	}
	return true;
}

/* Owned: by node; NULL: out of memory. */
static bool *find_dependent_nodes(const struct weft_footprint *footprint)
{
	const struct weft_footprint_node *nodes = weft_footprint_nodes(footprint);
	bool *depends = (bool *)weft_calloc(footprint->num_nodes + 1, sizeof(*depends));

	for (uint32_t i = 0; depends && i < footprint->num_nodes; i++)
		depends[i] = depends_on_id(&nodes[i], depends);
	return depends;
}

static int64_t factor_of(const struct weft_form *form, uint32_t variable)
{
	for (uint32_t i = 0; i < form->count; i++) {
		if (form->terms[i].variable == variable)
			return form->terms[i].factor;
	}
	return 0;
}

/* Bytes from an iteration of the innermost loop to the next one; 0 as well if it is not known. */
static int64_t iteration_factor(struct weft_footprint_values *values,
				const struct weft_footprint_access *access,
				const struct weft_form *form)
{
	const uint16_t loop = weft_footprint_blocks(values->footprint)[access->block].loops[0];
	struct weft_form iteration;

	return loop != WEFT_FOOTPRINT_NO_NODE &&
			       weft_footprint_values_form(values, loop, &iteration) &&
			       iteration.count == 1
		       ? factor_of(form, iteration.terms[0].variable)
		       : 0;
}

static enum cl_kernel_feature_weft pattern_of(struct weft_footprint_values *values,
					      const struct weft_footprint_access *access,
					      const bool *depends)
{
	struct weft_form form;

	if (access->distance == WEFT_FOOTPRINT_NO_NODE)
		return CL_KERNEL_FEATURE_SCATTERED_BYTES_WEFT;
	if (!depends[access->distance])
		return CL_KERNEL_FEATURE_SHARED_BYTES_WEFT;
	if (!weft_footprint_values_form(values, access->distance, &form))
		return CL_KERNEL_FEATURE_SCATTERED_BYTES_WEFT;
	const int64_t between_items = factor_of(
		&form, values->splits_id[0] ? values->local_ids[0] : values->global_ids[0]);
	if (between_items == 0 || between_items > (int64_t)access->bytes ||
	    between_items < -(int64_t)access->bytes)
		return CL_KERNEL_FEATURE_SCATTERED_BYTES_WEFT;
	const int64_t between_iterations = iteration_factor(values, access, &form);
	return between_iterations >= LINE || between_iterations <= -LINE
		       ? CL_KERNEL_FEATURE_STRIDING_BYTES_WEFT
		       : CL_KERNEL_FEATURE_NEIGHBOURING_BYTES_WEFT;
}

static void add_blocks(struct weft_footprint_values *values, cl_double *features)
{
	const struct weft_footprint_block *blocks = weft_footprint_blocks(values->footprint);

	for (uint32_t i = 0; i < values->footprint->num_blocks; i++) {
		weft_footprint_values_reset(values);
		const double times =
			executions(values, &blocks[i], &features[CL_KERNEL_FEATURE_UNKNOWN_WEFT]);
		for (unsigned k = 0; k < WEFT_FOOTPRINT_NUM_WORK; k++)
			features[k] += times * blocks[i].counts[k];
	}
}

static void add_accesses(struct weft_footprint_values *values, const bool *depends,
			 cl_double *features)
{
	const struct weft_footprint_access *accesses = weft_footprint_accesses(values->footprint);
	const struct weft_footprint_block *blocks = weft_footprint_blocks(values->footprint);

	for (uint32_t i = 0; i < values->footprint->num_accesses; i++) {
		double unknown = 0;

		weft_footprint_values_reset(values);
		features[pattern_of(values, &accesses[i], depends)] +=
			accesses[i].bytes *
			executions(values, &blocks[accesses[i].block], &unknown);
	}
}

cl_int weft_kernel_features(cl_kernel kernel, const struct weft_kernel_desc *desc,
			    const struct weft_ndrange *range, cl_double *features)
{
	const struct weft_footprint *footprint = desc->footprint;

	if (!footprint || footprint->num_blocks == 0)
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	if (!weft_access_ranges_has_values(kernel, desc))
		return CL_INVALID_KERNEL_ARGS;
	struct weft_footprint_values *values =
		weft_footprint_values_create(footprint, range, kernel->block);
	bool *depends = find_dependent_nodes(footprint);
	if (values && depends) {
		memset(features, 0, CL_KERNEL_NUM_FEATURES_WEFT * sizeof(*features));
		add_blocks(values, features);
		add_accesses(values, depends, features);
	}
	const bool done = values && depends;
	weft_free(depends);
	if (values)
		weft_footprint_values_destroy(values);
	return done ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}
