/* SPDX-License-Identifier: MIT
 *
 * The driver interface: how the runtime reaches a device, and how a device reports back. It follows the
 * out-of-order framework of Korhonen's thesis (submit, flush, join, notify, broadcast).
 *
 * A driver exports one `const struct weft_driver`. It sees no OpenCL object: commands carry resolved
 * addresses, kernels are descriptors (kernel_abi.h), and the runtime is reached only through
 * `struct weft_host`. No driver function may be called with a lock held; a driver calls the host with no
 * lock held either.
 */
#ifndef WEFT_DRIVER_H
#define WEFT_DRIVER_H

#include "kernel_abi.h"
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

/* An address space that devices work in. Devices that name the same space share memory. */
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

/* A box of bytes from one place to another. The two never overlap. Each is in the host's space, in the device's, or in
 * one that the device reaches (weft_driver_memory_ops); another device that works in that one is open until the command
 * has ended. */
struct weft_copy {
	const void *source;
	void *destination;
	weft_space source_space;
	weft_space destination_space;
	size_t region[3];       /* bytes per row, rows per slice, slices; each at least 1 */
	size_t source_pitch[2]; /* bytes from row to row, from slice to slice */
	size_t destination_pitch[2];
};

#define WEFT_FILL_PATTERN_MAX 128

struct weft_fill {
	void *destination;   /* in the device's space */
	size_t size;         /* bytes, a multiple of pattern_size */
	size_t pattern_size; /* bytes: 1, 2, 4, … 128 */
	uint8_t pattern[WEFT_FILL_PATTERN_MAX];
};

struct weft_launch {
	struct weft_module *module;            /* borrowed until the command ends */
	const struct weft_kernel_desc *kernel; /* lives as long as the module */
	struct weft_ndrange range;
	const void *args;   /* packed block, aligned to WEFT_KERNEL_ALIGNMENT; borrowed likewise */
	size_t local_bytes; /* of one work-group: the kernel's own and its arguments' */
};

struct weft_native {
	void (*function)(void *);
	void *args; /* borrowed until the command ends */
};

/* The driver's view of a command; the runtime embeds it in its event, or in what runs a command buffer: then it is
 * submitted only when it is ready, and again when it has ended. The driver may use `link` and
 * `private_data` from submit to the end, and changes nothing else. */
struct weft_command {
	struct weft_device *device; /* where it runs */
	struct weft_list link;
	void *private_data;
	enum weft_op op;
	/* Nobody can learn anything about the command before the next flush or join: the driver need not wake
	 * anybody for it until then. */
	bool patient;
	bool awaited; /* the thread that enqueues it calls join right after submit and notify */
	/* The runtime's, though the driver may look. */
	bool recorded : 1; /* one of a command buffer's, or a transfer: embedded elsewhere */
	bool migrates : 1; /* a transfer, which brings what another command needs */
	bool waited
		: 1; /* it was not ready when it was enqueued: the host had to come back to it */
	union {
		struct weft_copy copy;
		struct weft_fill fill;
		struct weft_launch launch;
		struct weft_native native;
	};
};

/* ---- waiting ---------------------------------------------------------------------------------- */

enum weft_wait_state { WEFT_WAIT_AWAKE, WEFT_WAIT_ASLEEP, WEFT_WAIT_OVER };

/* A thread that waits for something that commands will do. The runtime's; drivers only look. */
struct weft_wait {
	_Atomic int32_t state; /* enum weft_wait_state; a futex */
};

/* Whether what was waited for has happened; then its effects are visible. */
static inline bool weft_wait_over(const struct weft_wait *wait)
{
	return atomic_load_explicit(&((struct weft_wait *)(uintptr_t)wait)->state,
				    memory_order_acquire) == WEFT_WAIT_OVER;
}

/* ---- what the runtime offers to drivers ------------------------------------------------------ */

/* A part of a device works on a command, in simulated time: ns of the host's clock from when on that is counted. The
 * process numbers its devices as it likes; part 0 is the device itself. */
struct weft_span {
	uint32_t device;
	uint32_t part;
	uint64_t start;
	uint64_t end;
};

/* From the end of what one part worked on to the start of what another does. */
struct weft_arrow {
	uint32_t from_device;
	uint32_t from_part;
	uint64_t end;
	uint32_t to_device;
	uint32_t to_part;
	uint64_t start;
};

struct weft_host {
	/* The command starts now. Called once, before any effect; records CL_PROFILING_COMMAND_START. */
	void (*running)(struct weft_command *command);

	/* The command has run: records CL_PROFILING_COMMAND_END. For drivers that call complete later, in another
	 * thread; without it complete does that. May be NULL. */
	void (*ran)(struct weft_command *command);

	/* When the command started and ended by the timer of its device, in ns, for devices whose timer is not the
	 * host's; just before complete. May be NULL. */
	void (*timed)(struct weft_command *command, uint64_t start, uint64_t end);

	/* The command has ended, its effects are visible to every thread. Called exactly once per
	 * submitted command; the command may be gone when it returns. Makes its dependants ready through
	 * their drivers' notify, in this thread. */
	void (*complete)(struct weft_command *command, enum weft_status status);

	/* Counts down what depends on an ended command and notifies the drivers of what became ready: the
	 * rest of the work, for a driver whose own `broadcast` has told its own devices. */
	void (*broadcast)(struct weft_command *command);

	/* Calls a native command's function, which may take any time, and wait for other commands. */
	void (*call)(struct weft_command *command);

	/* This thread works on the command, until it leaves, which may be nested; the command may be gone by then. For
	 * traces: NULL when nobody looks. */
	void (*enter)(struct weft_command *command);
	void (*leave)(void);

	/* For traces of simulated time, likewise: what a part of a device is called, copied; what it has done; and
	 * by whose end the command could begin. NULL when nobody looks. */
	void (*name)(uint32_t device, uint32_t part, const char *name);
	void (*spent)(struct weft_command *command, const struct weft_span *span);
	void (*followed)(struct weft_command *command, const struct weft_arrow *arrow);
};

/* ---- what a driver offers -------------------------------------------------------------------- */

/* What clGetDeviceInfo answers about the machine. Filled by the driver when the device is opened;
 * strings live as long as the device. Sizes in bytes. */
struct weft_device_properties {
	const char *name;
	const char *vendor;
	uint32_t vendor_id;
	uint64_t type; /* cl_device_type bits */
	uint8_t uuid[16];
	uint32_t compute_units;
	uint32_t clock_mhz;
	uint64_t global_memory;
	uint64_t max_allocation;
	uint64_t cache_size;
	uint32_t cache_line;
	uint64_t local_memory;
	bool has_local_memory; /* of its own, that is, not just some of the global memory */
	bool runs_native; /* WEFT_OP_NATIVE; without it, such a command ends in WEFT_UNSUPPORTED */
	uint64_t max_constant;
	uint64_t max_group_size;      /* work-items */
	uint64_t max_item_sizes[3];   /* work-items */
	uint32_t native_vector_bytes; /* of a vector register */
	uint32_t max_alignment_bits;  /* CL_DEVICE_MEM_BASE_ADDR_ALIGN */
	weft_space space;
	/* Identifies the CPU for the kernel cache: code for one key runs on no machine of another. */
	char cpu_key[64];
	const char *cpu;   /* weft_target.cpu; NULL: this machine's */
	bool slow_gathers; /* weft_target.slow_gathers, in cpu_key, too */
	const struct weft_costs
		*costs; /* weft_target.costs, in cpu_key, too; lives as long as the device */
};

/* The part of a device that the runtime reads. Drivers embed it first. */
struct weft_device {
	const struct weft_driver *driver;
	const struct weft_host *host;
	struct weft_device_properties properties;
};

/* What compute units may share, the outermost first. */
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
	/* Opens device `index`. Starts no thread: threads come with the first command. *device is owned
	 * by the caller until close. May be called from any thread, not concurrently. */
	enum weft_status (*open)(uint32_t index, const struct weft_host *host,
				 struct weft_device **device) WEFT_MUST_CHECK;
	/* Ends the device's threads; no command is in flight. */
	void (*close)(struct weft_device *device);
	/* A device made of `count` of the parent's compute units, from `first` on. Closed before its
	 * parent. NULL: cannot be partitioned. */
	enum weft_status (*partition)(struct weft_device *parent, uint32_t first, uint32_t count,
				      struct weft_device **device) WEFT_MUST_CHECK;
	/* How many of the device's compute units share each domain, in their order; `counts` has room for all of them.
	 * Returns the number of domains, 0 when it is not known. NULL if `partition` is. */
	uint32_t (*split)(struct weft_device *device, enum weft_domain domain, uint32_t *counts);
	/* The device's timer, in ns; any thread may call it, also with the lock of a queue. NULL: the host's clock
	 * (clock.h). */
	uint64_t (*time)(struct weft_device *device);
};

/* What a command of a device that follows others waits for, of another one. */
enum weft_follow {
	WEFT_FOLLOW_RUN, /* it starts when the other has run */
	WEFT_FOLLOW_END, /* it starts when the other has ended: has run, and all that it is to end after has */
	WEFT_FOLLOW_END_CHECKED, /* the same, and it is not run, but ends in WEFT_DEPENDENCY_FAILED, if the other fails */
	WEFT_FOLLOW_LAST, /* it ends when the other has, whenever it runs */
};

/* Commands. The life of a command: submit, then notify once everything it waits for has ended (from
 * within the enqueuing thread when there is nothing to wait for), then the driver runs it and reports
 * host->running and host->complete. Of what it follows, notify says nothing: the device looks after that itself. */
struct weft_driver_queue_ops {
	/* The command exists; it may have to wait. The driver may prepare it. Does not block. */
	void (*submit)(struct weft_device *device, struct weft_command *command);
	/* The command, which has been submitted and not yet notified of, waits for another one that has been submitted
	 * to a device of this driver in the same space, or ends after it. True: the devices look after that between
	 * themselves; the runtime makes sure that the other is notified of first, and need not wait for its end, but
	 * may yet call its host->complete later than that of those who follow it. False: the runtime looks after it, now
	 * or because the other has ended long ago; so it does when `other`, NULL, is nothing that the driver knows.
	 * Called by the enqueuing thread, also with the lock of a queue: it takes the driver's own locks only, and calls
	 * nobody. NULL, as for most drivers: never. With it, flush hands over what all devices of the space have
	 * batched. */
	bool (*follow)(struct weft_device *device, struct weft_command *command,
		       const struct weft_command *other, enum weft_follow kind);
	/* Everything the command waits for, but what it follows, has ended, with `dependencies` the worst outcome:
	 * when that is not WEFT_OK, the driver does not run it and completes it with that status. Called exactly once
	 * per command, after submit, by whichever thread ended the last dependency. Must not wait for
	 * another command. */
	void (*notify)(struct weft_device *device, struct weft_command *command,
		       enum weft_status dependencies);
	/* Hands over what submit and notify have batched. Does not block. */
	void (*flush)(struct weft_device *device);
	/* The calling thread is about to sleep until `wait` is over: it may run ready commands meanwhile. Hands over,
	 * as flush does, what it leaves. Returns at once or later, over or not; the runtime sleeps for the rest.
	 * NULL: flush is called in its place. */
	void (*join)(struct weft_device *device, const struct weft_wait *wait);
	/* A command of this device, not a recorded one, has ended for everybody: tells the commands that depend on it,
	 * by host->broadcast, but for those that follow it. Nothing follows it afterwards. NULL: the runtime's own,
	 * which counts each dependant down and notifies its driver. */
	void (*broadcast)(struct weft_device *device, struct weft_command *command);
};

/* Memory in the device's own space. NULL for devices that work in WEFT_SPACE_HOST, for which the runtime
 * allocates. Devices of one space share it: what one has allocated is also there for the kernels and copies of the
 * others, and any of them may release it. Addresses are the device's: the host calculates with them, but what they lead
 * to is only for commands. A driver gives each of its spaces a number that no other space in the process has. None of
 * these functions blocks; any thread may call them. */
struct weft_driver_memory_ops {
	/* Contents undefined. *address is the caller's until release, which any device of the space may be asked for; not
	 * NULL. WEFT_OUT_OF_RESOURCES: the memory is full. */
	enum weft_status (*allocate)(struct weft_device *device, size_t size, size_t alignment,
				     void **address) WEFT_MUST_CHECK;
	/* No command uses it any more. */
	void (*release)(struct weft_device *device, void *address);
	/* Whether the device's copies may have one side in its own space and the other in this one, of another
	 * device that is open. Between its own and the host's they always may. */
	bool (*reaches)(struct weft_device *device, weft_space other);
};

struct weft_driver_program_ops {
	/* Loads a verified kernel binary (an ELF shared object); `image` is borrowed for the call. May
	 * block on the file system. *module is owned by the caller until unload. */
	enum weft_status (*load)(struct weft_device *device, const void *image, size_t size,
				 struct weft_module **module) WEFT_MUST_CHECK;
	/* No command uses the module any more. */
	void (*unload)(struct weft_device *device, struct weft_module *module);
	/* Borrowed until unload. */
	const struct weft_program_desc *(*describe)(const struct weft_module *module);
};

struct weft_driver {
	const char *name; /* as WEFT_DEVICES spells it */
	const struct weft_driver_device_ops *device;
	const struct weft_driver_queue_ops *queue;
	const struct weft_driver_memory_ops *memory; /* may be NULL */
	const struct weft_driver_program_ops *program;
};

extern const struct weft_driver weft_basic_driver;
extern const struct weft_driver weft_pthread_driver;
extern const struct weft_driver weft_accel_driver;

#endif
