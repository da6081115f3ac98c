/* SPDX-License-Identifier: MIT
 *
 * Work-groups. Invariant: an arena that was prepared for a work has room for its local memory, its
 * spilled values, scratch memory, counted cycles and a gap behind each, so that reading a vector past the end stays inside.
 */
#include "kernel/work.h"

#include "alloc.h"
#include "clock.h"
#include "images/images.h"
#include "kernel/float_environment.h"
#include "kernel/interrupt.h"
#include "kernel_waits.h"
#include "overflow.h"
#include "thread.h"

#include <sched.h>

#include <string.h>

/* Kept between commands; a kernel of 4096 work-items that keep 1 KiB each fits. */
#define KEPT_BYTES (16u * 1024 * 1024)

/* For how long a kernel has looked for something. All zeros: it has not. */
struct patience {
	uint32_t looks;
	bool is_over;
	uint64_t begin; /* ns; the first of the looks that followed each other */
	uint64_t last;  /* ns; the last look at the clock */
};

/* What compiled code sees, and where its output goes. */
struct context {
	struct weft_waiting_context waiting;
	struct weft_print_piece *piece;
	const struct weft_work *work;
	void *enqueued; /* weft_enqueuer.call */
	struct patience patience;
};

void weft_arena_destroy(struct weft_arena *arena)
{
	weft_free(arena->memory);
	*arena = (struct weft_arena){0};
}

void weft_arena_trim(struct weft_arena *arena)
{
	if (arena->capacity > KEPT_BYTES)
		weft_arena_destroy(arena);
}

/* `size` and a gap, both multiples of WEFT_KERNEL_ALIGNMENT. */
static bool with_gap_overflows(size_t size, size_t *result)
{
	return weft_add_overflows(size, WEFT_KERNEL_ALIGNMENT, &size) ||
	       weft_align_overflows(size, WEFT_KERNEL_ALIGNMENT, result);
}

static bool groups_overflow(const struct weft_ndrange *range, uint64_t *groups)
{
	return __builtin_mul_overflow(range->num_groups[0], range->num_groups[1], groups) ||
	       __builtin_mul_overflow(*groups, range->num_groups[2], groups);
}

/* Bytes for the work-items of the enqueued local size, `each` for one. */
static bool items_overflow(const struct weft_launch *launch, uint64_t each, size_t *bytes)
{
	const uint64_t *local = launch->range.local_size;
	size_t items;

	return weft_mul_overflows(local[0], local[1], &items) ||
	       weft_mul_overflows(items, local[2], &items) ||
	       weft_mul_overflows(items, each, bytes) || with_gap_overflows(*bytes, bytes);
}

enum weft_status weft_work_start(struct weft_work *work, const struct weft_launch *launch)
{
	const struct weft_kernel_desc *kernel = launch->kernel;
	size_t cycles = 0;

	work->launch = launch;
	work->observer = NULL;
	work->executor = NULL;
	work->cache_bytes = 0;
	work->blocked = NULL;
	if (groups_overflow(&launch->range, &work->num_groups) ||
	    items_overflow(launch, kernel->spill_per_item, &work->spill_bytes) ||
	    items_overflow(launch, sizeof(uint64_t), &cycles) ||
	    with_gap_overflows(launch->local_bytes, &work->local_bytes) ||
	    with_gap_overflows(kernel->scratch_size, &work->scratch_bytes))
		return WEFT_OUT_OF_RESOURCES;
	if (cycles < WEFT_CYCLES_MIN * sizeof(uint64_t) + WEFT_KERNEL_ALIGNMENT)
		cycles = WEFT_CYCLES_MIN * sizeof(uint64_t) + WEFT_KERNEL_ALIGNMENT;
	work->cycle_bytes = kernel->flags & WEFT_KERNEL_COUNTS_CYCLES ? cycles : 0;
	atomic_init(&work->print.pieces, NULL);
	return WEFT_OK;
}

enum weft_status weft_work_prepare(const struct weft_work *work, struct weft_arena *arena)
{
	size_t needed;

	if (weft_add_overflows(work->local_bytes, work->spill_bytes, &needed) ||
	    weft_add_overflows(needed, work->scratch_bytes, &needed) ||
	    weft_add_overflows(needed, work->cycle_bytes, &needed))
		return WEFT_OUT_OF_RESOURCES;
	if (needed <= arena->capacity)
		return WEFT_OK;
	unsigned char *memory = weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, needed);
	if (!memory)
		return WEFT_OUT_OF_RESOURCES;
	weft_arena_destroy(arena);
	arena->memory = memory;
	arena->capacity = needed;
	return WEFT_OK;
}

static int32_t print(struct weft_work_context *base, const struct weft_printf_site *site,
		     const void *args)
{
	struct context *context = (struct context *)(void *)base;

	return weft_print_call(&context->piece, base->first_group, site, args);
}

static void measure(struct weft_work_context *base, uint64_t num_items, uint32_t region)
{
	const struct weft_observer *observer = ((struct context *)(void *)base)->work->observer;

	if (observer)
		observer->measure(observer->data, base->cycles, num_items, region);
}

static uint64_t report_access(struct weft_work_context *base, uint64_t group, const void *address,
			      uint64_t size, uint32_t kind)
{
	const struct weft_observer *observer = ((struct context *)(void *)base)->work->observer;

	return observer && observer->access
		       ? observer->access(observer->data, group, address, size, kind)
		       : 0;
}

static void request(struct weft_work_context *base, uint64_t bytes, uint64_t lines, uint64_t cycles)
{
	const struct weft_observer *observer = ((struct context *)(void *)base)->work->observer;

	if (observer && observer->request)
		observer->request(observer->data, bytes, lines, cycles);
}

#define ENQUEUE_FAILURE (-101) /* CLK_ENQUEUE_FAILURE */

static int64_t enqueue(struct weft_work_context *base, uint32_t operation, void *request)
{
	struct context *context = (struct context *)(void *)base;
	struct weft_enqueuer *enqueuer = context->work->launch->enqueuer;

	return enqueuer ? enqueuer->call(enqueuer, &context->enqueued, operation, request)
			: ENQUEUE_FAILURE;
}

#define LOOKS_PER_CLOCK 16
#define PROGRESS_NS                                                                                \
	(LOOKS_PER_CLOCK * 10000u) /* so many looks that take longer find something in between */
#define BLOCKED_NS 200000
#define REPORT_NS 1000000 /* weft_replacement.ran */

/* The clock costs more than a look. When the kernel has waited for long, others need the core more. */
static void yield(struct weft_work_context *base)
{
	struct context *context = (struct context *)(void *)base;
	struct patience *patience = &context->patience;

	weft_pause();
	if (++patience->looks % LOOKS_PER_CLOCK != 1)
		return;
	const uint64_t now = weft_clock_now();
	if (now - patience->last > PROGRESS_NS)
		patience->begin = now;
	patience->last = now;
	if (now - patience->begin < BLOCKED_NS)
		return;
	weft_leave_if_stopped(context->work->launch->stop);
	if (context->work->blocked && !patience->is_over)
		context->work->blocked();
	patience->is_over = true;
	sched_yield();
}

/* The kernel, or a better version of it that has appeared and can go on where the kernel is. */
static const struct weft_kernel_desc *newest_kernel(const struct weft_launch *launch)
{
	const struct weft_kernel_desc *newer = weft_launch_replacement(launch);

	return newer && weft_kernel_continues(newer, launch->kernel) ? newer : launch->kernel;
}

static void enter(struct weft_work_context *base, const struct weft_entry_call *call)
{
	struct weft_executor *executor = ((struct context *)(void *)base)->work->executor;

	if (executor)
		executor->enter(executor, call);
	else
		call->kernel->entry(call->range, call->args, call->context, call->first_group,
				    call->end_group);
}

/* One work-group after the other, each with local memory of zeros. */
static void run_zeroed(const struct weft_launch *launch, struct weft_work_context *context,
		       uint64_t first, uint64_t end)
{
	const struct weft_kernel_desc *kernel = newest_kernel(launch);

	for (uint64_t group = first; group < end; group++) {
		memset(context->local, 0, launch->local_bytes);
		enter(context, &(struct weft_entry_call){kernel, &launch->range, launch->args,
							 context, group, group + 1});
	}
}

static void run_groups(const struct weft_launch *launch, struct weft_work_context *context,
		       uint64_t first, uint64_t end)
{
	if (launch->zero_local)
		run_zeroed(launch, context, first, end);
	else
		enter(context, &(struct weft_entry_call){newest_kernel(launch), &launch->range,
							 launch->args, context, first, end});
}

/* Arguments of run_groups. */
struct groups {
	const struct weft_launch *launch;
	struct weft_work_context *context;
	uint64_t first, end;
};

static void run_those(void *data)
{
	const struct groups *groups = data;

	run_groups(groups->launch, groups->context, groups->first, groups->end);
}

/* Another thread may give them up. A better version of the kernel, whose code is elsewhere, is not for them. */
static void run_interruptible(const struct groups *groups)
{
	const struct weft_launch *launch = groups->launch;
	struct weft_launch fixed = *launch;

	fixed.kernel = newest_kernel(launch);
	fixed.replacement = NULL;
	weft_run_interruptible(
		launch->stop, (const void *)(uintptr_t)fixed.kernel->entry, run_those,
		&(struct groups){&fixed, groups->context, groups->first, groups->end});
}

void weft_work_run(struct weft_work *work, struct weft_arena *arena, uint64_t first, uint64_t end)
{
	const struct weft_launch *launch = work->launch;
	unsigned char *spill = arena->memory + work->local_bytes;
	unsigned char *scratch = spill + work->spill_bytes;
	unsigned char *cycles = scratch + work->scratch_bytes;
	struct context context = {
		.waiting.base =
			{
				.local = arena->memory,
				.spill = spill,
				.scratch = scratch,
				.cycles = (uint64_t *)(void *)cycles,
				.print = print,
				.first_group = first,
				.measure = measure,
				.access = report_access,
				.request = request,
				.transfers = work->observer ? work->observer->transfers : 0,
				.cache_bytes = work->cache_bytes,
				.images = weft_image_functions(),
				.enqueue = enqueue,
			},
		.waiting.yield = yield,
		.work = work,
	};
	uint32_t environment = weft_float_enter();

	if (launch->stop)
		run_interruptible(&(struct groups){launch, &context.waiting.base, first, end});
	else
		run_groups(launch, &context.waiting.base, first, end);
	weft_float_leave(environment);
	weft_print_add(&work->print, context.piece);
	if (context.enqueued)
		launch->enqueuer->hand_over(launch->enqueuer, context.enqueued, first, end);
}

uint64_t weft_work_note_time(const struct weft_work *work, uint64_t since)
{
	if (!since)
		return 0;
	const uint64_t now = weft_clock_now();
	if (now - since < REPORT_NS)
		return since;
	work->launch->replacement->ran(work->launch->replacement, now - since);
	return weft_launch_may_be_replaced(work->launch) ? now : 0;
}

void weft_work_finish(struct weft_work *work)
{
	if (weft_print_has_output(&work->print))
		weft_print_finish(&work->print);
}

enum weft_status weft_work_run_alone(const struct weft_launch *launch, struct weft_arena *arena,
				     const struct weft_observer *observer, uint64_t cache_bytes,
				     struct weft_executor *executor)
{
	struct weft_work work;

	enum weft_status status = weft_work_start(&work, launch);
	if (status != WEFT_OK)
		return status;
	work.observer = observer;
	work.cache_bytes = cache_bytes;
	work.executor = executor;
	status = weft_work_prepare(&work, arena);
	if (status == WEFT_OK && work.num_groups > 0)
		weft_work_run(&work, arena, 0, work.num_groups);
	weft_work_finish(&work);
	weft_arena_trim(arena);
	return status;
}
