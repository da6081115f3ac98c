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
#include "log.h"
#include "overflow.h"
#include "stack.h"
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
	void *enqueued;                   /* weft_enqueuer.call */
	struct weft_host_function called; /* the last one; no `call`: none */
	uint64_t called_key;
	const struct weft_host_function_desc *posted; /* the last one; NULL: none */
	uint64_t posted_key;
	uint32_t environment; /* of the thread, which the kernel does not have (weft_float_enter) */
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
	atomic_init(&work->failure, WEFT_OK);
	atomic_init(&work->took, 0);
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

static void fail(const struct weft_work *work, enum weft_status status, const char *reason)
{
	enum weft_status none = WEFT_OK;

	if (atomic_compare_exchange_strong_explicit(&((struct weft_work *)(uintptr_t)work)->failure,
						    &none, status, memory_order_relaxed,
						    memory_order_relaxed))
		weft_log(WEFT_LOG_WARN, "device", "kernel %s %s", work->launch->kernel->name,
			 reason);
}

/* In the thread's own floating-point environment. Once something has failed, no more functions are called. */
static void call_host(struct weft_work_context *base, uint64_t key, const void *args, void *result)
{
	struct context *context = (struct context *)(void *)base;
	const struct weft_work *work = context->work;
	struct weft_launch_context *of = work->launch->context;

	if (atomic_load_explicit(&work->failure, memory_order_relaxed) != WEFT_OK)
		return;
	if (!context->called.call || context->called_key != key) {
		context->called_key = key;
		if (!of || !of->find_function(of, key, &context->called)) {
			context->called.call = NULL;
			fail(work, WEFT_CALL_FAILED,
			     "calls a host function that is not registered");
			return;
		}
	}
	weft_float_leave(context->environment);
	const int32_t error = context->called.call(context->called.user_data, args, result);
	(void)weft_float_enter();
	if (error == 0)
		return;
	fail(work, WEFT_CALL_FAILED, "calls a host function that failed");
	of->function_failed(of, error);
}

/* The kernel's row of the function, or NULL. */
static const struct weft_host_function_desc *declared(const struct weft_kernel_desc *kernel,
						      uint64_t key)
{
	for (uint64_t i = 0; i < kernel->num_host_functions; i++) {
		if (weft_host_function_key(&kernel->host_functions[i]) == key)
			return &kernel->host_functions[i];
	}
	return NULL;
}

/* The function goes by its own sizes, whatever a kernel that has lost its way says. Results are numbers and vectors. */
static bool is_callable(struct context *context, const struct weft_posted_call *call)
{
	const struct weft_host_function_desc *posted = context->posted;

	if (!posted || context->posted_key != call->key) {
		posted = context->posted = declared(context->work->launch->kernel, call->key);
		context->posted_key = call->key;
	}
	return posted && posted->args_size == call->args_size &&
	       posted->result_size == call->result_size &&
	       (uintptr_t)call->result % (call->result_size ? call->result_size : 1) == 0;
}

static uint64_t post_call(struct weft_work_context *base, uint64_t key, const void *args,
			  uint64_t args_size, void *result, uint64_t result_size)
{
	struct context *context = (struct context *)(void *)base;
	const struct weft_observer *observer = context->work->observer;
	const struct weft_posted_call call = {key, args, args_size, result, result_size};

	if (!is_callable(context, &call)) {
		fail(context->work, WEFT_CALL_FAILED,
		     "calls a host function that it does not have, or with other sizes");
		return 0;
	}
	if (observer && observer->post_call)
		return observer->post_call(observer->data, base, &call);
	call_host(base, key, args, result);
	return 0;
}

static void await_call(struct weft_work_context *base, uint64_t call)
{
	const struct weft_observer *observer = ((struct context *)(void *)base)->work->observer;

	if (observer && observer->await_call)
		observer->await_call(observer->data, base, call);
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
	weft_leave_if_stopped(weft_launch_stop(context->work->launch));
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
static void run_zeroed(const struct weft_launch *launch, const struct weft_kernel_desc *kernel,
		       struct weft_work_context *context, uint64_t first, uint64_t end)
{
	for (uint64_t group = first; group < end; group++) {
		memset(context->local, 0, launch->local_bytes);
		enter(context, &(struct weft_entry_call){kernel, &launch->range, launch->args,
							 context, group, group + 1});
	}
}

static void run_version(const struct weft_launch *launch, const struct weft_kernel_desc *kernel,
			struct weft_work_context *context, uint64_t first, uint64_t end)
{
	if (launch->zero_local)
		run_zeroed(launch, kernel, context, first, end);
	else
		enter(context, &(struct weft_entry_call){kernel, &launch->range, launch->args,
							 context, first, end});
}

static void run_trial(const struct weft_launch *launch, struct weft_work_context *context,
		      uint64_t first, uint64_t end)
{
	struct weft_replacement *trial = launch->replacement;
	const size_t *size = launch->range.local_size;

	while (first < end) {
		const struct weft_trial_turn turn = trial->choose(trial);
		const uint64_t groups =
			end - first < turn.most_groups ? end - first : turn.most_groups;
		const uint64_t start = weft_clock_now();

		run_version(launch, turn.kernel, context, first, first + groups);
		trial->measured(trial, turn.version, groups * size[0] * size[1] * size[2],
				weft_clock_now() - start);
		first += groups;
	}
}

static void run_groups(const struct weft_launch *launch, struct weft_work_context *context,
		       uint64_t first, uint64_t end)
{
	if (weft_launch_is_trial(launch))
		run_trial(launch, context, first, end);
	else
		run_version(launch, newest_kernel(launch), context, first, end);
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
		weft_launch_stop(launch), (const void *)(uintptr_t)fixed.kernel->entry, run_those,
		&(struct groups){&fixed, groups->context, groups->first, groups->end});
}

/* Of the thread's stack; a simulator has its own. */
static uint64_t stack_end(const struct weft_kernel_desc *kernel)
{
	return kernel->flags & WEFT_KERNEL_RECURSES ? weft_stack_low() + WEFT_CALL_ROOM : 0;
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
				.call_host = call_host,
				.post_call = post_call,
				.await_call = await_call,
				.calls_left = WEFT_MOST_CALLS,
				.stack_end = stack_end(launch->kernel),
			},
		.waiting.yield = yield,
		.work = work,
		.environment = weft_float_enter(),
	};

	if (weft_launch_stop(launch))
		run_interruptible(&(struct groups){launch, &context.waiting.base, first, end});
	else
		run_groups(launch, &context.waiting.base, first, end);
	weft_float_leave(context.environment);
	if (context.waiting.base.wrong_call)
		fail(work, WEFT_CALL_FAILED,
		     "calls through a pointer that leads to no function of that type");
	if (context.waiting.base.calls_left < 0)
		fail(work, WEFT_CALLS_TOO_DEEP,
		     "has functions that call themselves, deeper than there is room for");
	weft_print_add(&work->print, context.piece);
	if (context.enqueued)
		launch->enqueuer->hand_over(launch->enqueuer, context.enqueued, first, end);
}

struct weft_work_time weft_work_time_begin(const struct weft_work *work, uint64_t now)
{
	struct weft_work_time time = {0};

	if (weft_launch_may_be_replaced(work->launch))
		time.since = now;
	if (work->launch->timed)
		time.begin = time.reported = weft_clock_thread();
	return time;
}

/* The processor's time costs a system call, so short launches that are not timed go without, and the first millisecond of longer ones is
 * not reported. */
void weft_work_time_note(const struct weft_work *work, struct weft_work_time *time)
{
	const struct weft_launch *launch = work->launch;

	if (!time->since)
		return;
	const uint64_t now = weft_clock_now();
	if (now - time->since < REPORT_NS)
		return;
	const uint64_t computed = weft_clock_thread();
	if (time->reported)
		launch->replacement->ran(launch->replacement, computed - time->reported);
	time->reported = computed;
	time->since = weft_launch_may_be_replaced(launch) ? now : 0;
}

void weft_work_time_end(struct weft_work *work, const struct weft_work_time *time)
{
	if (!time->begin)
		return;
	const uint64_t took = weft_clock_thread() - time->begin;
	uint64_t most = atomic_load_explicit(&work->took, memory_order_relaxed);
	while (took > most &&
	       !atomic_compare_exchange_weak_explicit(&work->took, &most, took,
						      memory_order_relaxed, memory_order_relaxed)) {
	}
}

enum weft_status weft_work_finish(struct weft_work *work)
{
	struct weft_replacement *replacement = work->launch->replacement;

	if (work->launch->timed)
		replacement->took(replacement,
				  atomic_load_explicit(&work->took, memory_order_relaxed));
	if (weft_print_has_output(&work->print))
		weft_print_finish(&work->print);
	return atomic_load_explicit(&work->failure, memory_order_relaxed);
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
	const struct weft_work_time time = weft_work_time_begin(&work, 0);
	if (status == WEFT_OK && work.num_groups > 0)
		weft_work_run(&work, arena, 0, work.num_groups);
	weft_work_time_end(&work, &time);
	const enum weft_status ran = weft_work_finish(&work);
	weft_arena_trim(arena);
	return status == WEFT_OK ? ran : status;
}
