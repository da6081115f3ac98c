/* SPDX-License-Identifier: MIT
 *
 * The driver interface: how the runtime reaches a device, and how a device reports back. It follows the out-of-order
 * framework of Korhonen's thesis (submit, flush, join, notify, broadcast).
 *
 * A driver exports one `const struct weft_driver`. It sees no OpenCL object: commands carry resolved addresses, kernels
 * are descriptors (kernel_abi.h), and the driver reaches the runtime only through `struct weft_host`. The runtime calls no
 * driver function with a lock held, and a driver calls the host with no lock held; exceptions say so.
 *
 * What only devices with memory, a timer or a task graph of their own need is in driver_optional.h.
 */
#ifndef WEFT_DRIVER_H
#define WEFT_DRIVER_H

#include "kernel_abi.h"
#include "kernel_waits.h"
#include "list.h"
#include "status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_device; /* the driver's state of one device; the driver embeds it */
struct weft_module; /* a loaded kernel binary; the driver's */
struct weft_command;
struct weft_costs; /* compiler.h */

/* driver_optional.h */
struct weft_driver_memory_ops;
struct weft_driver_chaining_ops;
struct weft_driver_timer_ops;
struct weft_host_accelerator;
struct weft_host_simulation;

/* An address space that devices work in. Devices with equal spaces share memory. */
typedef uint32_t weft_space;
#define WEFT_SPACE_HOST 0 /* the process's own memory */

/* ---- commands -------------------------------------------------------------------------------- */

/* What a device does for a command. Everything an application can enqueue comes down to these. */
enum weft_op {
	WEFT_OP_NOTHING, /* markers, barriers, maps of shared memory: only order matters */
	WEFT_OP_COPY,    /* reads, writes, copies, rectangles */
	WEFT_OP_FILL,
	WEFT_OP_NDRANGE,
	WEFT_OP_NATIVE,
};

/* Copies a rectangle of bytes; source and destination never overlap. Each of the two is in the host's space, in the
 * device's, or in one that the device reaches (weft_driver_memory_ops); then a device of that space stays open until the
 * command has ended. */
struct weft_copy {
	const void *source;
	void *destination;
	weft_space source_space;
	weft_space destination_space;
	size_t region[3];       /* bytes per row, rows per slice, slices; each at least 1 */
	size_t source_pitch[2]; /* bytes from row to row, from slice to slice */
	size_t destination_pitch[2];
};

/* Fills a rectangle of bytes: each row begins with a whole pattern. */
struct weft_fill {
	void *destination; /* in the device's space */
	size_t region
		[3]; /* bytes per row, whole patterns; rows per slice; slices; each at least 1 */
	size_t pitch[2];     /* bytes from row to row, from slice to slice */
	const void *pattern; /* on the host; borrowed until the command ends */
	size_t pattern_size; /* bytes, 1 to WEFT_FILL_PATTERN_MAX */
};

#define WEFT_FILL_PATTERN_MAX 128

/* For kernels that enqueue kernels (WEFT_KERNEL_ENQUEUES); the runtime embeds it. Threads that run ranges of the launch may call
 * at once. */
struct weft_enqueuer {
	/* weft_work_context.enqueue. What is enqueued is added to *enqueued, which is NULL when a range begins. */
	int64_t (*call)(struct weft_enqueuer *enqueuer, void **enqueued, uint32_t operation,
			void *request);
	/* The groups first ≤ group < end have run, and have left something in `enqueued`. May call the driver's submit, notify
	 * and flush. */
	void (*hand_over)(struct weft_enqueuer *enqueuer, void *enqueued, uint64_t first,
			  uint64_t end);
};

/* A function of the application's that kernels call (cl_weft_host_function). */
struct weft_host_function {
	int32_t (*call)(void *user_data, const void *args, void *result);
	void *user_data;
};

/* What the launches of an OpenCL context have in common; the runtime has it. Any thread may call these. */
struct weft_launch_context {
	/* Of kernels with WEFT_KERNEL_CALLS_HOST: the function with that key (weft_host_function_key). False: there is none. */
	bool (*find_function)(struct weft_launch_context *context, uint64_t key,
			      struct weft_host_function *found);
	/* A function has returned an error. */
	void (*function_failed)(struct weft_launch_context *context, int32_t error);
	/* Once it is true, no more work-groups have to be run, and those that run may be given up (weft_driver.interrupt). NULL: all
	 * are run. */
	const _Atomic bool *stop;
};

/* The next work-groups of a trial. */
struct weft_trial_turn {
	uint32_t version;
	const struct weft_kernel_desc *kernel;
	uint64_t most_groups; /* at least 1; then the thread asks again */
};

/* A better version of a launch's kernel, with the same arguments and results, which may appear while the command runs. */
struct weft_replacement {
	_Atomic(const struct weft_kernel_desc *) kernel; /* NULL until it is there */
	/* A thread has run work-groups of the launch, without it, for `time` ns more of the processor's time. Such threads call this every
	 * millisecond or so, and never for launches that are shorter. */
	void (*ran)(struct weft_replacement *replacement, uint64_t time);
	/* All work-groups of a launch with `timed` have run; `time`: the most of the processor's time that a thread took for them, in ns. */
	void (*took)(struct weft_replacement *replacement, uint64_t time);
	/* NULL, or a trial of versions with the same arguments and results, none of which replaces all others yet: `kernel` stays NULL.
	 * Threads of devices with weft_device_properties.tries ask what their next work-groups run with, and say what those took. Of all
	 * versions weft_kernel_continues holds. Any thread may call these. */
	struct weft_trial_turn (*choose)(struct weft_replacement *trial);
	/* So many work-items ran with that version in one call, for `time` ns by the clock. */
	void (*measured)(struct weft_replacement *trial, uint32_t version, uint64_t items,
			 uint64_t time);
};

struct weft_launch {
	struct weft_module *module;            /* borrowed until the command ends */
	const struct weft_kernel_desc *kernel; /* lives as long as the module */
	struct weft_ndrange range;
	/* Packed arguments, aligned to WEFT_KERNEL_ALIGNMENT; borrowed until the command ends. */
	const void *args;
	size_t local_bytes; /* local memory of a work-group: the kernel's variables and its arguments */
	bool zero_local; /* it begins with zeros */
	bool timed;      /* `replacement` is told what it took */
	/* Borrowed until the command ends; or NULL. Work-groups that have yet to run may run it, if weft_kernel_continues. */
	struct weft_replacement *replacement;
	/* Borrowed until the command ends; NULL: enqueueing fails. */
	struct weft_enqueuer *enqueuer;
	/* Borrowed until the command ends; NULL: no functions of the application's, and all work-groups are run. */
	struct weft_launch_context *context;
};

static inline const _Atomic bool *weft_launch_stop(const struct weft_launch *launch)
{
	return launch->context ? launch->context->stop : NULL;
}

/* Whether a version of the kernel can do with the memory that was prepared for it: local arguments lie behind the kernel's own
 * variables. */
static inline bool weft_kernel_fits(const struct weft_kernel_desc *version,
				    const struct weft_kernel_desc *kernel)
{
	return version->local_size == kernel->local_size &&
	       version->spill_per_item <= kernel->spill_per_item &&
	       version->scratch_size <= kernel->scratch_size;
}

/* Whether a version of the kernel can run the groups of a launch that the kernel has begun: it numbers them the same. */
static inline bool weft_kernel_continues(const struct weft_kernel_desc *version,
					 const struct weft_kernel_desc *kernel)
{
	return version->first_dimension == kernel->first_dimension &&
	       version->second_dimension == kernel->second_dimension &&
	       weft_kernel_fits(version, kernel);
}

/* Whether anything but the time may show how many work-items of the kernel run at once. */
static inline bool weft_kernel_shows_lanes(const struct weft_kernel_desc *kernel)
{
	const uint32_t shows = (uint32_t)WEFT_KERNEL_PRINTS | WEFT_KERNEL_HAS_SUBGROUPS |
			       WEFT_KERNEL_ENQUEUES | WEFT_KERNEL_CALLS_HOST |
			       WEFT_KERNEL_COUNTS_CYCLES | WEFT_KERNEL_MAY_BLOCK |
			       WEFT_KERNEL_ITEMS_ALONE | WEFT_KERNEL_MAY_WAIT;

	return kernel->flags & shows;
}

/* What replaces the launch's kernel by now; or NULL. */
static inline const struct weft_kernel_desc *
weft_launch_replacement(const struct weft_launch *launch)
{
	return launch->replacement
		       ? atomic_load_explicit(&launch->replacement->kernel, memory_order_acquire)
		       : NULL;
}

/* Whether versions of its kernel are tried. */
static inline bool weft_launch_is_trial(const struct weft_launch *launch)
{
	return launch->replacement && launch->replacement->choose;
}

/* Whether something may replace it later. */
static inline bool weft_launch_may_be_replaced(const struct weft_launch *launch)
{
	return launch->replacement && !launch->replacement->choose &&
	       !weft_launch_replacement(launch);
}

struct weft_native {
	void (*function)(void *);
	void *args; /* borrowed until the command ends */
};

/* Which of the ready commands a driver prefers. */
enum weft_priority { WEFT_PRIORITY_MEDIUM, WEFT_PRIORITY_HIGH, WEFT_PRIORITY_LOW };

/* The driver's view of a command. The runtime embeds it in an event or in a command of a running command buffer; the
 * latter is submitted only when it is ready, and again after it has ended. From submit to the end of the command, the
 * driver may use `link` and `private_data`; it changes no other field. */
struct weft_command {
	struct weft_device *device; /* the device that runs it */
	struct weft_list link;
	void *private_data;
	enum weft_op op;
	/* No thread can learn anything about the command before the next flush or join: until then, the driver need not
	 * wake a thread for it. */
	bool deferrable;
	/* The thread that enqueues the command calls join right after submit and notify. */
	bool caller_waits;
	/* For the runtime; drivers may read it: the command belongs to a command buffer or is a transfer, and is not embedded
	 * in an event. */
	bool recorded : 1;
	/* For the runtime; drivers may read it: a transfer, which brings data that another command needs. */
	bool migrates : 1;
	/* The command was not ready when it was enqueued: the host made it ready later. */
	bool was_blocked : 1;
	/* Hints of its queue, which a driver may ignore: that one core is enough, and enum weft_priority. */
	bool throttled : 1;
	/* The thread that enqueues it runs all of it, if it is ready then: notify returns when it has ended. */
	bool in_place : 1;
	uint8_t priority;
	union {
		struct weft_copy copy;
		struct weft_fill fill;
		struct weft_launch launch;
		struct weft_native native;
	};
};

/* ---- waiting ---------------------------------------------------------------------------------- */

enum weft_wait_state { WEFT_WAIT_AWAKE, WEFT_WAIT_ASLEEP, WEFT_WAIT_OVER };

/* A thread waits until commands have done something. The runtime changes it; drivers only read it. */
struct weft_wait {
	_Atomic int32_t state; /* enum weft_wait_state; a futex */
	/* What it waits for, only to be compared: this command, and what this queue (weft_host.queue_of) runs. NULL: not known. */
	const struct weft_command *command;
	const void *queue;
};

/* Whether the wait is over; if so, the effects of the commands are visible. */
static inline bool weft_wait_over(const struct weft_wait *wait)
{
	return atomic_load_explicit(&((struct weft_wait *)(uintptr_t)wait)->state,
				    memory_order_acquire) == WEFT_WAIT_OVER;
}

/* ---- what the runtime offers to drivers ------------------------------------------------------ */

struct weft_host {
	/* The command starts now. Called once, before any effect; records CL_PROFILING_COMMAND_START. */
	void (*running)(struct weft_command *command);

	/* The command has ended, and its effects are visible to every thread. Called exactly once per submitted command; the
	 * command may be gone when it returns. Makes the dependants ready through their drivers' notify, in this thread. */
	void (*complete)(struct weft_command *command, enum weft_status status);

	/* What tells the command's queue from others. */
	const void *(*queue_of)(const struct weft_command *command);

	/* Calls the function of a native command. The function may take any time, and may wait for other commands. */
	void (*call)(struct weft_command *command);

	/* For traces: this thread works on the command until it calls leave. Pairs of calls may be nested; the command may be
	 * gone when leave is called. Both are NULL when nothing is traced. */
	void (*enter)(struct weft_command *command);
	void (*leave)(void);

	/* For drivers with optional groups (driver_optional.h). */
	const struct weft_host_accelerator *accelerator;
	const struct weft_host_simulation *simulation; /* NULL when nothing is traced */
};

/* ---- what a driver offers -------------------------------------------------------------------- */

/* What clGetDeviceInfo answers about the machine. The driver fills it when the device is opened. Strings live as long as
 * the device. Sizes are in bytes. */
struct weft_device_properties {
	const char *name;
	const char *vendor;
	uint32_t vendor_id;
	/* Of a core of this machine: what cpuid says, 0 when it says nothing, and a digest of that and of how many cores there are. */
	uint32_t cpu_family;
	uint32_t cpu_model;
	uint32_t cpu_stepping;
	uint32_t configuration;
	uint64_t type; /* cl_device_type bits */
	uint8_t uuid[16];
	uint32_t compute_units;
	uint32_t clock_mhz;
	uint64_t global_memory;
	uint64_t max_allocation;
	uint64_t cache_size;
	uint32_t cache_line;
	uint64_t local_memory;
	bool has_local_memory; /* local memory is hardware of its own, not a part of the global memory */
	bool enqueues; /* its kernels may enqueue kernels: the driver calls weft_launch.enqueuer */
	bool tries; /* it runs trials of versions (weft_replacement.choose), a few work-groups in each call */
	bool runs_native; /* WEFT_OP_NATIVE; without it, such a command ends in WEFT_UNSUPPORTED */
	uint64_t max_constant;
	uint64_t max_group_size;      /* work-items */
	uint64_t max_item_sizes[3];   /* work-items */
	uint32_t native_vector_bytes; /* of a vector register */
	uint32_t max_alignment_bits;  /* CL_DEVICE_MEM_BASE_ADDR_ALIGN */
	weft_space space;
	bool shares_addresses; /* of a space of its own: weft_driver_memory_ops.share is offered */
	/* Identifies the CPU for the kernel cache: code for one key runs on no machine with another key. */
	char cpu_key[64];
	const char *cpu;   /* weft_target.cpu; NULL: this machine's; cpu_key covers it */
	const char *isa;   /* weft_target.isa; NULL: this machine's; cpu_key covers it */
	bool slow_gathers; /* weft_target.slow_gathers; cpu_key covers it */
	/* What code for a named CPU may ask for (weft_compiler.cpus): names, each behind a space; lives as long as the device. */
	const char *cpu_features;
	/* weft_target.costs; cpu_key covers it; lives as long as the device. NULL: code does not count cycles. */
	const struct weft_costs *costs;
};

/* The part of a device that the runtime reads. A driver embeds it as the first member of its own struct. */
struct weft_device {
	const struct weft_driver *driver;
	const struct weft_host *host;
	struct weft_device_properties properties;
};

/* What compute units may share, outermost first. */
enum weft_domain {
	WEFT_DOMAIN_NUMA,
	WEFT_DOMAIN_L4,
	WEFT_DOMAIN_L3,
	WEFT_DOMAIN_L2,
	WEFT_DOMAIN_L1,
	WEFT_NUM_DOMAINS,
};

struct weft_driver_device_ops {
	/* How many devices this driver offers now. Cheap; starts nothing. */
	uint32_t (*count)(void);
	/* Opens device `index`. Starts no thread: threads start with the first command. The caller owns *device until close.
	 * May be called from any thread, not concurrently. */
	enum weft_status (*open)(uint32_t index, const struct weft_host *host,
				 struct weft_device **device) WEFT_MUST_CHECK;
	/* Ends the device's threads; no command is in flight. */
	void (*close)(struct weft_device *device);
	/* Makes a device of `count` of the parent's compute units, from `first` on. The caller closes it before its parent.
	 * NULL: the device cannot be partitioned. */
	enum weft_status (*partition)(struct weft_device *parent, uint32_t first, uint32_t count,
				      struct weft_device **device) WEFT_MUST_CHECK;
	/* How many of the device's compute units share each domain, in the order of the units; `counts` has room for one
	 * number per unit. Returns the number of domains, 0 when it is not known. NULL: it is never known. */
	uint32_t (*split)(struct weft_device *device, enum weft_domain domain, uint32_t *counts);
};

/* Commands. The life of a command: the runtime calls submit; it calls notify once everything that the command waits for has
 * ended (from within the enqueuing thread when there is nothing to wait for); then the driver runs the command, and calls
 * host->running and host->complete. Any thread may call these functions. */
struct weft_driver_queue_ops {
	/* The command exists, and may have to wait. The driver may prepare it. Does not block. */
	void (*submit)(struct weft_device *device, struct weft_command *command);
	/* Everything that the command waits for has ended; `dependencies` is the worst outcome. If it is not WEFT_OK, the driver
	 * does not run the command, and completes it with that status. Called exactly once per command, after submit, by the
	 * thread that ended the last dependency. Must not wait for another command. */
	void (*notify)(struct weft_device *device, struct weft_command *command,
		       enum weft_status dependencies);
	/* Hands over what submit and notify have batched. Does not block. */
	void (*flush)(struct weft_device *device);
	/* The calling thread is about to sleep until `wait` is over: it may run ready commands until then. Hands over what it
	 * leaves, as flush does. Returns at any time, whether the wait is over or not; the runtime sleeps for the rest.
	 * NULL: the runtime calls flush instead. */
	void (*join)(struct weft_device *device, const struct weft_wait *wait);
};

struct weft_driver_program_ops {
	/* Loads a verified kernel binary (an ELF shared object); `image` is borrowed for the call. May block on the file system.
	 * The caller owns *module until unload. */
	enum weft_status (*load)(struct weft_device *device, const void *image, size_t size,
				 struct weft_module **module) WEFT_MUST_CHECK;
	/* No command uses the module any more. */
	void (*unload)(struct weft_device *device, struct weft_module *module);
	/* The result is borrowed until unload. */
	const struct weft_program_desc *(*describe)(const struct weft_module *module);
};

struct weft_driver {
	const char *name; /* as WEFT_DEVICES spells it */
	const struct weft_driver_device_ops *device;
	const struct weft_driver_queue_ops *queue;
	const struct weft_driver_program_ops *program;
	/* Optional groups (driver_optional.h); NULL: the device has no such thing. */
	const struct weft_driver_memory_ops *memory;
	const struct weft_driver_chaining_ops *chaining;
	const struct weft_driver_timer_ops *timer;
	/* Ends the work-groups that run of launches with that `stop`, which is true. Returns when no thread runs any. NULL: the
	 * device cannot do that. */
	void (*interrupt)(struct weft_device *device, const _Atomic bool *stop);
};

extern const struct weft_driver weft_basic_driver;
extern const struct weft_driver weft_pthread_driver;
extern const struct weft_driver weft_accel_driver;

#endif
