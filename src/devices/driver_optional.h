/* SPDX-License-Identifier: MIT
 *
 * Optional groups of the driver interface, for devices that are more than cores of this machine: memory apart from the
 * host's, chaining, a timer, and traces of simulated time. A driver whose devices are the host's cores has none of them
 * (driver.h).
 */
#ifndef WEFT_DRIVER_OPTIONAL_H
#define WEFT_DRIVER_OPTIONAL_H

#include "driver.h"

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory in the device's own space. A driver without this group works in WEFT_SPACE_HOST, where the runtime allocates.
 * Devices of one space share their memory: what one device has allocated, kernels and copies of the others may use, and any
 * of the devices may release. Addresses are the device's: the host calculates with them, but only commands access what they
 * point to. Each space of a driver has a number that no other space in the process has. Any thread may call these functions;
 * none of them blocks. */
struct weft_driver_memory_ops {
	/* The contents are undefined. The caller owns *address, which is not NULL, until release. WEFT_OUT_OF_RESOURCES: the
	 * memory is full. */
	enum weft_status (*allocate)(struct weft_device *device, size_t size, size_t alignment,
				     void **address) WEFT_MUST_CHECK;
	/* Takes memory for a range of the host's, at the same addresses: from then on the range is in the device's space, too, where
	 * kernels find it by pointers that they have in any way. Its bytes are in turn the host's and the devices': before one side
	 * accesses what the other has written, a copy goes from space to space. The caller owns the memory, which begins at
	 * `address`, until release. WEFT_OUT_OF_RESOURCES: the memory is full. WEFT_OUT_OF_MEMORY. Called only if
	 * weft_device_properties.shares_addresses. */
	enum weft_status (*share)(struct weft_device *device, void *address,
				  size_t size) WEFT_MUST_CHECK;
	/* No command uses the memory any more. */
	void (*release)(struct weft_device *device, void *address);
	/* Whether a copy by this device may have one side in the device's own space and the other side in the space `other`, of
	 * another device that is open. Copies between the device's own space and the host's are always possible. */
	bool (*reaches)(struct weft_device *device, weft_space other);
};

/* ---- chaining -------------------------------------------------------------------------------- */

/* How a command follows another one. A command has ended when it has run and all that it is to end after has ended. */
enum weft_follow {
	WEFT_FOLLOW_RUN, /* it starts when the other has run */
	WEFT_FOLLOW_END, /* it starts when the other has ended */
	/* It starts when the other has ended. If the other has failed, it does not run, and ends in WEFT_DEPENDENCY_FAILED. */
	WEFT_FOLLOW_END_CHECKED,
	WEFT_FOLLOW_LAST, /* it ends when the other has ended, whenever it runs */
};

/* Devices that wait for each other's commands without the host. With this group, weft_driver_queue_ops changes in two ways:
 * notify says nothing about the commands that a command follows, and flush hands over what all devices of the space have
 * batched. */
struct weft_driver_chaining_ops {
	/* Asks the device to let the command, which has been submitted and not yet been notified of, follow `other`, a
	 * command that has been submitted to a device of this driver in the same space. `other` is NULL for a thing that the
	 * driver does not know.
	 * True: the devices see to it. The runtime notifies the driver of `other` first, and need not wait until `other` has
	 * ended. The driver may call host->complete of `other` later than of commands that follow `other`.
	 * False: the runtime sees to it, or `other` has ended long ago. False if `other` is NULL.
	 * Called by the enqueuing thread, also with the lock of a queue held: takes only locks of the driver, and calls no
	 * function of the host. */
	bool (*follow)(struct weft_device *device, struct weft_command *command,
		       const struct weft_command *other, enum weft_follow kind);
	/* The command of this device, which is not `recorded`, has ended for the host too. Tells the commands that depend on it,
	 * by host->broadcast, except those that follow it. No command follows it afterwards. */
	void (*broadcast)(struct weft_device *device, struct weft_command *command);
};

/* ---- timer ----------------------------------------------------------------------------------- */

/* A timer that is not the host's clock (clock.h). */
struct weft_driver_timer_ops {
	/* The timer's value in ns. Any thread may call it, also with the lock of a queue held. */
	uint64_t (*now)(struct weft_device *device);
};

/* ---- what the runtime offers ----------------------------------------------------------------- */

/* To drivers with chaining or a timer. */
struct weft_host_accelerator {
	/* The command has run: records CL_PROFILING_COMMAND_END by the host's clock. For drivers that call host->complete
	 * later, in another thread; without it, host->complete records the end. */
	void (*ran)(struct weft_command *command);
	/* When the command started and ended by the timer of its device, in ns; called just before host->complete. */
	void (*timed)(struct weft_command *command, uint64_t start, uint64_t end);
	/* Counts down what depends on an ended command, and notifies the drivers of what has become ready: the part of
	 * weft_driver_chaining_ops.broadcast that the host does. */
	void (*broadcast)(struct weft_command *command);
};

/* A part of a device works on a command in simulated time, which is in ns of the host's clock from some moment on. The
 * driver numbers its devices as it likes. Part 0 is the device itself. */
struct weft_span {
	uint32_t device;
	uint32_t part;
	uint64_t start;
	uint64_t end;
};

/* From the end of the work of one part to the start of the work of another part, in simulated time. */
struct weft_arrow {
	uint32_t from_device;
	uint32_t from_part;
	uint64_t end;
	uint32_t to_device;
	uint32_t to_part;
	uint64_t start;
};

/* Traces of simulated time. */
struct weft_host_simulation {
	/* The name of a part of a device; it is copied. */
	void (*name)(uint32_t device, uint32_t part, const char *name);
	/* A part has worked on the command. */
	void (*spent)(struct weft_command *command, const struct weft_span *span);
	/* The command could begin because other work had ended. */
	void (*followed)(struct weft_command *command, const struct weft_arrow *arrow);
};

#endif
