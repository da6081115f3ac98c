/* SPDX-License-Identifier: MIT
 *
 * Slabs and slices. What the compiler knows of a buffer decides. Else a broken buffer has its elements in the order of the slabs: where their number and that of the work-items along
 * the dimension divide one another, the slices are those; where they do not, or a border would lie within a slab, the file's
 * "break" says too little, and the whole buffer counts.
 */
#include "split/split.h"

#include "split/source_words.h"

#include <stdlib.h>

/* Work-items of a group, where the file does not say how many. */
#define MOST_CHOSEN 256
#define LEAST_CHOSEN 16
#define ENOUGH_SLABS 32

/* ---- slabs --------------------------------------------------------------------------------------- */

static size_t largest_divisor(size_t size, size_t most)
{
	size_t divisor = most < size ? most : size;

	while (size % divisor != 0)
		divisor--;
	return divisor;
}

/* Along the dimension of slabs, groups are smaller where there would be few of them. */
static size_t choose_local(size_t size, size_t most_group, bool are_slabs)
{
	size_t most = most_group < MOST_CHOSEN ? most_group : MOST_CHOSEN;

	if (are_slabs && size / ENOUGH_SLABS < most)
		most = size / ENOUGH_SLABS;
	if (most < LEAST_CHOSEN)
		most = most_group < LEAST_CHOSEN ? most_group : LEAST_CHOSEN;
	return largest_divisor(size, most);
}

static void choose_group(const struct weft_spec_kernel *kernel,
			 const struct weft_group_limits *limits, struct weft_split *split)
{
	for (unsigned i = 0; i < WEFT_MOST_DIMENSIONS; i++)
		split->local[i] = kernel->has_local     ? kernel->local[i]
				  : limits->required[0] ? limits->required[i]
							: 1;
	if (!kernel->has_local && !limits->required[0])
		split->local[0] =
			choose_local(kernel->global[0], limits->most, split->dimension == 0);
}

void weft_split_kernel(const struct weft_spec_kernel *kernel, const char *text,
		       const struct weft_group_limits *limits, struct weft_split *split)
{
	*split = (struct weft_split){.dimension = kernel->dimensions - 1};
	while (split->dimension > 0 && kernel->global[split->dimension] == 1)
		split->dimension--;
	choose_group(kernel, limits, split);
	split->items_per_slab = split->local[split->dimension];
	split->slabs = kernel->global[split->dimension] / split->items_per_slab;
	if (kernel->is_whole || weft_source_shares_state(text))
		split->slabs = 1;
}

/* ---- what the compiler knows --------------------------------------------------------------------- */

bool weft_split_make_room(struct weft_split *split, size_t num_buffers)
{
	split->known = (struct weft_known_slices *)calloc(num_buffers + 1, sizeof(*split->known));
	for (size_t i = 0; split->known && i < num_buffers; i++) {
		struct weft_known_slices *slices = &split->known[i];

		slices->reads = (struct weft_range *)calloc(split->slabs, sizeof(*slices->reads));
		slices->writes = (struct weft_range *)calloc(split->slabs, sizeof(*slices->writes));
		if (!slices->reads || !slices->writes)
			return false;
	}
	return split->known;
}

void weft_split_check_writes(const struct weft_split *split, struct weft_known_slices *slices)
{
	struct weft_range *writes = slices->writes;
	size_t end = 0;

	for (size_t i = 0; i < split->slabs; i++) {
		if (writes[i].begin >= writes[i].end)
			writes[i] = (struct weft_range){end, end};
		if (writes[i].begin < end) {
			free(writes);
			slices->writes = NULL;
			slices->overlaps = true;
			return;
		}
		end = writes[i].end;
	}
}

void weft_split_destroy(struct weft_split *split, size_t num_buffers)
{
	for (size_t i = 0; split->known && i < num_buffers; i++) {
		free(split->known[i].reads);
		free(split->known[i].writes);
	}
	free(split->known);
	split->known = NULL;
}

static const struct weft_known_slices *find_known(const struct weft_spec_kernel *kernel,
						  const struct weft_split *split,
						  const struct weft_spec_buffer *buffer)
{
	static const struct weft_known_slices nothing = {0};

	return split->known ? &split->known[buffer - kernel->buffers] : &nothing;
}

/* The smallest range with both. */
static struct weft_range join(struct weft_range a, struct weft_range b)
{
	if (a.begin >= a.end)
		return b;
	if (b.begin >= b.end)
		return a;
	return (struct weft_range){a.begin < b.begin ? a.begin : b.begin,
				   a.end > b.end ? a.end : b.end};
}

static struct weft_range join_slabs(const struct weft_range *ranges, struct weft_slabs slabs)
{
	struct weft_range all = {0, 0};

	for (size_t i = 0; i < slabs.count; i++)
		all = join(all, ranges[slabs.first + i]);
	return all;
}

/* ---- slices -------------------------------------------------------------------------------------- */

/* By the file's "break". */
static bool is_broken(const struct weft_spec_kernel *kernel, const struct weft_split *split,
		      const struct weft_spec_buffer *buffer)
{
	const size_t items = kernel->global[split->dimension];

	if (!buffer->is_broken || find_known(kernel, split, buffer)->overlaps)
		return false;
	return buffer->count % items == 0 ||
	       (items % buffer->count == 0 && split->items_per_slab % (items / buffer->count) == 0);
}

bool weft_slice_is_known(const struct weft_spec_kernel *kernel, const struct weft_split *split,
			 const struct weft_spec_buffer *buffer)
{
	return find_known(kernel, split, buffer)->writes || is_broken(kernel, split, buffer);
}

static struct weft_range broken_slice(const struct weft_spec_kernel *kernel,
				      const struct weft_split *split,
				      const struct weft_spec_buffer *buffer,
				      struct weft_slabs slabs)
{
	if (!is_broken(kernel, split, buffer))
		return (struct weft_range){0, buffer->bytes};
	/* Bytes of a slab: exact, as one of the numbers divides the other. */
	const size_t bytes =
		buffer->bytes / (kernel->global[split->dimension] / split->items_per_slab);
	return (struct weft_range){slabs.first * bytes, (slabs.first + slabs.count) * bytes};
}

struct weft_range weft_slice_own(const struct weft_spec_kernel *kernel,
				 const struct weft_split *split,
				 const struct weft_spec_buffer *buffer, struct weft_slabs slabs)
{
	const struct weft_known_slices *known = find_known(kernel, split, buffer);

	return known->writes ? join_slabs(known->writes, slabs)
			     : broken_slice(kernel, split, buffer, slabs);
}

/* By the file's "break" and "halo". */
static struct weft_range read_slice(const struct weft_spec_kernel *kernel,
				    const struct weft_split *split,
				    const struct weft_spec_buffer *buffer, struct weft_slabs slabs)
{
	if (!is_broken(kernel, split, buffer) ||
	    (buffer->direction == WEFT_INPUT && buffer->halo == WEFT_HALO_UNKNOWN))
		return (struct weft_range){0, buffer->bytes};
	struct weft_range range = broken_slice(kernel, split, buffer, slabs);
	const size_t most = buffer->bytes / buffer->count;
	const size_t halo = buffer->halo > 0 ? (size_t)buffer->halo * most : 0;
	range.begin = range.begin > halo ? range.begin - halo : 0;
	range.end = buffer->bytes - range.end > halo ? range.end + halo : buffer->bytes;
	return range;
}

/* What a part may leave as it is, it needs, too: its own slice is valid afterwards. */
struct weft_range weft_slice_needed(const struct weft_spec_kernel *kernel,
				    const struct weft_split *split,
				    const struct weft_spec_buffer *buffer, struct weft_slabs slabs)
{
	const struct weft_known_slices *known = find_known(kernel, split, buffer);
	const struct weft_range reads = known->reads ? join_slabs(known->reads, slabs)
						     : read_slice(kernel, split, buffer, slabs);

	return buffer->direction == WEFT_INPUT
		       ? reads
		       : join(reads, weft_slice_own(kernel, split, buffer, slabs));
}
