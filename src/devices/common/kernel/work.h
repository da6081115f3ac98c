/* SPDX-License-Identifier: MIT
 *
 * Runs ranges of work-groups of one NDRange, and the memory that a thread needs for it.
 */
#ifndef WEFT_DEVICES_WORK_H
#define WEFT_DEVICES_WORK_H

#include "driver.h"
#include "kernel/print.h"

/* One thread's memory for work-groups: local memory, values kept across barriers, then
 * private variables too large for the stack. It grows
 * when a kernel needs more, and is kept for the next. All zeros is an empty one. */
struct weft_arena {
	unsigned char *memory; /* owned, aligned to WEFT_KERNEL_ALIGNMENT; contents undefined */
	size_t capacity;       /* bytes */
};

void weft_arena_destroy(struct weft_arena *arena);
/* Frees the arena if it is larger than a thread should keep between commands. */
void weft_arena_trim(struct weft_arena *arena);

/* A call of the application's that a work-item has asked for. Sizes are in bytes. */
struct weft_posted_call {
	uint64_t key;     /* weft_host_function_key */
	const void *args; /* borrowed while it is posted */
	uint64_t args_size;
	void *result; /* borrowed until the work-item has awaited it */
	uint64_t result_size;
};

/* The observer of code that counts cycles. */
struct weft_observer {
	void *data; /* the first argument of the functions */
	/* weft_work_context.measure */
	void (*measure)(void *data, const uint64_t *cycles, uint64_t num_items, uint32_t region);
	/* weft_work_context.access; may be NULL. */
	uint64_t (*access)(void *data, uint64_t group, const void *address, uint64_t size,
			   uint32_t kind);
	uint64_t transfers; /* weft_work_context.transfers */
	/* weft_work_context.request; may be NULL. */
	void (*request)(void *data, uint64_t bytes, uint64_t lines, uint64_t cycles);
	/* weft_work_context.post_call and await_call. What has been posted is called by `context`'s call_host, in this thread. Both are
	 * NULL where calls are made at once. */
	uint64_t (*post_call)(void *data, struct weft_work_context *context,
			      const struct weft_posted_call *call);
	void (*await_call)(void *data, struct weft_work_context *context, uint64_t call);
};

/* A call of a kernel's entry point. */
struct weft_entry_call {
	const struct weft_kernel_desc *kernel;
	const struct weft_ndrange *range;
	const void *args;
	struct weft_work_context *context;
	uint64_t first_group, end_group;
};

/* Runs code that is not this CPU's (weft_target.isa). */
struct weft_executor {
	void (*enter)(struct weft_executor *executor, const struct weft_entry_call *call);
};

/* An NDRange that runs, shared by the threads that run parts of it. */
struct weft_work {
	const struct weft_launch *launch; /* borrowed until the command ends */
	uint64_t num_groups;
	size_t local_bytes;   /* rounded up */
	size_t spill_bytes;   /* rounded up */
	size_t scratch_bytes; /* rounded up */
	size_t cycle_bytes;   /* rounded up */
	struct weft_print print;
	_Atomic enum weft_status failure; /* the first one of a call of a work-item's */
	_Atomic uint64_t took;            /* weft_replacement.took */
	/* The caller may set these after weft_work_start, which clears them. */
	uint64_t cache_bytes; /* weft_work_context.cache_bytes */
	/* A thread calls it while it runs a kernel that has waited for another one for a while; or NULL. */
	void (*blocked)(void);
	const struct weft_observer *observer; /* borrowed until the command ends; or NULL */
	struct weft_executor *executor;       /* the same; NULL: the code is this CPU's */
};

/* Prepares to run. WEFT_OUT_OF_RESOURCES when the sizes do not fit into the address space. After an error there is
 * nothing to undo; otherwise weft_work_finish is called once. */
enum weft_status weft_work_start(struct weft_work *work,
				 const struct weft_launch *launch) WEFT_MUST_CHECK;

/* Grows the arena to what the work needs; called before this thread's first weft_work_run. WEFT_OUT_OF_RESOURCES when
 * there is no memory. */
enum weft_status weft_work_prepare(const struct weft_work *work,
				   struct weft_arena *arena) WEFT_MUST_CHECK;

/* Runs the groups first ≤ group < end in this thread. Several threads may do so at once, each with its own arena. */
void weft_work_run(struct weft_work *work, struct weft_arena *arena, uint64_t first, uint64_t end);

/* How long a thread runs groups of a launch, for weft_replacement. All zeros: it does not ask. */
struct weft_work_time {
	uint64_t
		since; /* by the clock: when it began, or last called weft_replacement.ran; 0: nothing replaces the kernel, or something has */
	uint64_t reported; /* the thread's processor time then; 0: not looked at yet */
	uint64_t begin;    /* that when it began; 0: the launch is not timed */
};

/* Before the thread's first weft_work_run of the launch. `now`: weft_clock_now(). */
struct weft_work_time weft_work_time_begin(const struct weft_work *work, uint64_t now);
/* After one of them. It looks at the clock, and each millisecond at the thread's processor time. */
void weft_work_time_note(const struct weft_work *work, struct weft_work_time *time);
/* After the last, before weft_work_finish. */
void weft_work_time_end(struct weft_work *work, const struct weft_work_time *time);

/* Every group has run: writes what was printed. WEFT_CALL_FAILED, WEFT_CALLS_TOO_DEEP: a call of a work-item's has. */
enum weft_status weft_work_finish(struct weft_work *work) WEFT_MUST_CHECK;

/* Does all of the above, for every group of a launch, in this thread. `observer` and `executor` may be NULL. */
enum weft_status weft_work_run_alone(const struct weft_launch *launch, struct weft_arena *arena,
				     const struct weft_observer *observer, uint64_t cache_bytes,
				     struct weft_executor *executor) WEFT_MUST_CHECK;

#endif
