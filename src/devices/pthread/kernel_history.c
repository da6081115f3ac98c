/* SPDX-License-Identifier: MIT
 *
 * Entries of kernels, each at the index that a hash of its descriptor's address gives. Descriptors of programs with one
 * kernel each have one offset in a page, so that the address without a hash would not spread them.
 */
#include "kernel_history.h"

#define SHORT_NS 3000  /* a kernel that is over before a thread has woken up */
#define LONG_NS 100000 /* a work-group that another launch should not wait for */

static uintptr_t address_of(const struct weft_launch *launch)
{
	return (uintptr_t)launch->kernel;
}

static size_t index_of(const struct weft_launch *launch)
{
	/* Knuth's multiplicative hash, twice: a single one leaves half of the entries unused for some distances of whole pages */
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = (uint64_t)address_of(launch) * factor;

	return (size_t)((hash ^ hash >> 32) * factor >> (64 - KERNEL_HISTORY_BITS));
}

static uintptr_t read_address(const _Atomic uintptr_t *address)
{
	return atomic_load_explicit((_Atomic uintptr_t *)(uintptr_t)address, memory_order_relaxed);
}

static uint64_t groups_of(const struct weft_launch *launch)
{
	const uint64_t *groups = launch->range.num_groups;

	return groups[0] * groups[1] * groups[2];
}

bool kernel_history_is_long(const struct kernel_history *history, const struct weft_launch *launch)
{
	return read_address(&history->long_kernels[index_of(launch)]) == address_of(launch);
}

static uint64_t read_number(const _Atomic uint64_t *number)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)number, memory_order_relaxed);
}

uint64_t kernel_history_group_time(const struct kernel_history *history,
				   const struct weft_launch *launch)
{
	const size_t index = index_of(launch);

	if (read_address(&history->group_times[index].kernel) != address_of(launch))
		return 0;
	return read_number(&history->group_times[index].time);
}

/* A time that is about the last one is not written: threads of all cores read the entry. */
static void add_time(struct kernel_history *history, const struct weft_launch *launch,
		     uint64_t time)
{
	const size_t index = index_of(launch);
	const uint64_t last = kernel_history_group_time(history, launch);

	if (time >= last - last / 4 && time <= last + last / 4 && last > 0)
		return;
	atomic_store_explicit(&history->group_times[index].time, time, memory_order_relaxed);
	atomic_store_explicit(&history->group_times[index].kernel, address_of(launch),
			      memory_order_relaxed);
}

void kernel_history_add_group(struct kernel_history *history, const struct weft_launch *launch,
			      uint64_t time)
{
	bool is_long = time >= LONG_NS;

	if (is_long != kernel_history_is_long(history, launch))
		atomic_store_explicit(&history->long_kernels[index_of(launch)],
				      is_long ? address_of(launch) : 0, memory_order_relaxed);
	add_time(history, launch, time);
}

bool kernel_history_is_short(const struct kernel_history *history, const struct weft_launch *launch)
{
	size_t index = index_of(launch);

	return read_address(&history->short_kernels[index].kernel) == address_of(launch) &&
	       groups_of(launch) <= read_number(&history->short_kernels[index].groups);
}

void kernel_history_add_launch(struct kernel_history *history, const struct weft_launch *launch,
			       uint64_t time)
{
	size_t index = index_of(launch);

	if (time > SHORT_NS)
		return;
	atomic_store_explicit(&history->short_kernels[index].groups, groups_of(launch),
			      memory_order_relaxed);
	atomic_store_explicit(&history->short_kernels[index].kernel, address_of(launch),
			      memory_order_relaxed);
}
