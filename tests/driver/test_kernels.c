/* SPDX-License-Identifier: MIT
 *
 * Kernels as the compiler would make them, written in C: entry points that run ranges of
 * work-groups, and the program descriptor. Built as a shared object that the suite loads through
 * the drivers.
 */
#include "test_kernels.h"

#include "kernel_abi.h"

#include <pthread.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#ifndef TEST_ABI
#define TEST_ABI WEFT_KERNEL_ABI
#endif
#define EXPORT __attribute__((visibility("default")))

#define SCRATCH 100000 /* bytes that KERNEL_MEMORY asks for */

/* The group's place and its first work-item and size in each dimension. */
struct group {
	uint64_t start[3];
	uint64_t size[3];
};

static struct group locate(const struct weft_ndrange *range, uint64_t number)
{
	struct group group;

	for (int d = 0; d < 3; d++) {
		uint64_t id = number % range->num_groups[d];
		number /= range->num_groups[d];
		group.start[d] = id * range->local_size[d];
		uint64_t left = range->global_size[d] - group.start[d];
		group.size[d] = left < range->local_size[d] ? left : range->local_size[d];
	}
	return group;
}

static void run_count(const struct weft_ndrange *range, const void *args,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct count_args *count = args;

	(void)context;
	atomic_fetch_add(count->calls, 1);
	atomic_fetch_or(count->threads, UINT64_C(1) << ((uintptr_t)pthread_self() >> 12 & 63));
	for (; first < end; first++) {
		struct group group = locate(range, first);
		for (uint64_t z = 0; z < group.size[2]; z++)
			for (uint64_t y = 0; y < group.size[1]; y++)
				for (uint64_t x = 0; x < group.size[0]; x++)
					count->cells[((group.start[2] + z) * range->global_size[1] +
						      group.start[1] + y) *
							     range->global_size[0] +
						     group.start[0] + x]++;
	}
}

/* Each byte is as the one before it: one call, as a sanitizer looks at each access. */
static int is_filled(const unsigned char *bytes, uint64_t size, unsigned char value)
{
	return size == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static void run_memory(const struct weft_ndrange *range, const void *args,
		       struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct memory_args *memory = args;

	(void)range;
	if ((uintptr_t)context->local % WEFT_KERNEL_ALIGNMENT ||
	    (uintptr_t)context->spill % WEFT_KERNEL_ALIGNMENT ||
	    (uintptr_t)context->scratch % WEFT_KERNEL_ALIGNMENT || context->first_group != first)
		atomic_fetch_add(memory->wrong, 1);
	for (; first < end; first++) {
		unsigned char value = (unsigned char)(first * 37 + 1);
		memset(context->local, value, memory->local_bytes);
		memset(context->spill, value ^ 0xff, memory->spill_bytes);
		memset(context->scratch, value ^ 0x55, SCRATCH);
		if (!is_filled(context->local, memory->local_bytes, value) ||
		    !is_filled(context->spill, memory->spill_bytes, value ^ 0xff) ||
		    !is_filled(context->scratch, SCRATCH, value ^ 0x55))
			atomic_fetch_add(memory->wrong, 1);
		atomic_fetch_add(memory->groups, 1);
	}
}

static void run_add(const struct weft_ndrange *range, const void *args,
		    struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct add_args *add = args;

	(void)range;
	(void)context;
	*add->value += add->amount * (end - first);
}

static const struct weft_printf_arg print_args[] = {
	{.type = WEFT_PRINTF_INT64, .lanes = 1, .offset = 0, .size = 8},
	{.type = WEFT_PRINTF_INT32, .lanes = 1, .offset = 8, .size = 4},
};
static const struct weft_printf_site print_site = {
	.format = "%lu %u\n",
	.args = print_args,
	.num_args = 2,
	.args_size = 12,
};

static void run_print(const struct weft_ndrange *range, const void *args,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct print_args *print = args;
	unsigned char packed[12];

	(void)range;
	for (; first < end; first++) {
		for (uint32_t line = 0; line < print->lines; line++) {
			memcpy(packed, &first, 8);
			memcpy(packed + 8, &line, 4);
			if (context->print(context, &print_site, packed) != 0)
				atomic_fetch_add(print->failures, 1);
			memset(packed, 0xee, sizeof(packed)); /* it was copied */
		}
	}
}

static void run_float(const struct weft_ndrange *range, const void *args,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct float_args *result = args;
	volatile float one = 1;
	volatile float three = 3;
	volatile float smallest = 1.17549435e-38f;

	(void)range;
	(void)context;
	for (; first < end; first++) {
		result->third[first] = one / three;
		result->denormal[first] = smallest / 2;
#if defined(__x86_64__)
		result->control[first] = _mm_getcsr() & ~0x3fu;
#else
		result->control[first] = 0x1f80;
#endif
	}
}

static void run_slow(const struct weft_ndrange *range, const void *args,
		     struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct slow_args *slow = args;

	(void)range;
	(void)context;
	for (; first < end; first++) {
		uint64_t value = first;
		for (uint64_t i = 0; i < slow->rounds; i++) {
			value = value * 6364136223846793005u + 1442695040888963407u;
			__asm__ volatile("" : "+r"(value));
		}
		atomic_fetch_add(slow->sum, 1 + (value == 42));
	}
}

static void run_empty(const struct weft_ndrange *range, const void *args,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	for (; first < end; first++)
		__asm__ volatile("" : : "r"(first));
}

static const struct weft_kernel_desc kernels[NUM_KERNELS] = {
	[KERNEL_COUNT] = {.name = "count", .attributes = "", .entry = run_count},
	[KERNEL_MEMORY] = {.name = "memory",
			   .attributes = "",
			   .entry = run_memory,
			   .spill_per_item = 24,
			   .scratch_size = SCRATCH},
	[KERNEL_ADD] = {.name = "add", .attributes = "", .entry = run_add},
	[KERNEL_PRINT] = {.name = "print",
			  .attributes = "",
			  .entry = run_print,
			  .flags = WEFT_KERNEL_PRINTS},
	[KERNEL_FLOAT] = {.name = "float", .attributes = "", .entry = run_float},
	[KERNEL_SLOW] = {.name = "slow", .attributes = "", .entry = run_slow},
	[KERNEL_EMPTY] = {.name = "empty", .attributes = "", .entry = run_empty},
};

#ifndef TEST_NO_SYMBOL
extern const struct weft_program_desc weft_program EXPORT;
const struct weft_program_desc weft_program = {
	.abi = TEST_ABI,
	.num_kernels = NUM_KERNELS,
	.kernels = kernels,
};
#else
extern const void *const something_else EXPORT;
const void *const something_else = kernels;
#endif
