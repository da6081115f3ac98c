/* SPDX-License-Identifier: MIT
 *
 * Notes of kernels, each in the place that its descriptor's address gives it. Descriptors of programs with one kernel each
 * lie at one place of a page, so that only a hash of the address spreads them.
 */
#include "kernel_history.h"

#define SHORT_NS 3000  /* a kernel that is over before somebody is awake */
#define LONG_NS 100000 /* a group that others should not wait for */

static uintptr_t number_of(const struct weft_launch *launch)
{
	return (uintptr_t)launch->kernel;
}

static size_t place_of(const struct weft_launch *launch)
{
	/* Knuth's multiplicative hash, twice: once, distances of some numbers of pages leave half of the places empty */
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = (uint64_t)number_of(launch) * factor;

	return (size_t)((hash ^ hash >> 32) * factor >> (64 - KERNEL_NOTES_BITS));
}

static uintptr_t read_number(const _Atomic uintptr_t *number)
{
	return atomic_load_explicit((_Atomic uintptr_t *)(uintptr_t)number, memory_order_relaxed);
}

static uint64_t groups_of(const struct weft_launch *launch)
{
	const uint64_t *groups = launch->range.num_groups;

	return groups[0] * groups[1] * groups[2];
}

bool notes_say_long(const struct kernel_notes *notes, const struct weft_launch *launch)
{
	return read_number(&notes->long_kernels[place_of(launch)]) == number_of(launch);
}

void notes_add_group(struct kernel_notes *notes, const struct weft_launch *launch, uint64_t time)
{
	bool is_long = time >= LONG_NS;

	if (is_long != notes_say_long(notes, launch))
		atomic_store_explicit(&notes->long_kernels[place_of(launch)],
				      is_long ? number_of(launch) : 0, memory_order_relaxed);
}

bool notes_say_short(const struct kernel_notes *notes, const struct weft_launch *launch)
{
	size_t place = place_of(launch);
	const _Atomic uint64_t *groups = &notes->short_kernels[place].groups;

	return read_number(&notes->short_kernels[place].kernel) == number_of(launch) &&
	       groups_of(launch) <= atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)groups,
							 memory_order_relaxed);
}

void notes_add_launch(struct kernel_notes *notes, const struct weft_launch *launch, uint64_t time)
{
	size_t place = place_of(launch);

	if (time > SHORT_NS)
		return;
	atomic_store_explicit(&notes->short_kernels[place].groups, groups_of(launch),
			      memory_order_relaxed);
	atomic_store_explicit(&notes->short_kernels[place].kernel, number_of(launch),
			      memory_order_relaxed);
}
