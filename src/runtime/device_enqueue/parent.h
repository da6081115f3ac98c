/* SPDX-License-Identifier: MIT
 *
 * Launches whose kernels may enqueue kernels, their *children*. A parent ends when it has run and all its children have ended.
 * What follows from one launch of the host is its *family*. A parent counts in its node `all`; its node `ran` is for children that wait for
 * its run. Threads that run ranges of a parent collect children in lists of their own, and hand them over at the end of the range.
 */
#ifndef WEFT_RUNTIME_PARENT_H
#define WEFT_RUNTIME_PARENT_H

#include "graph/event.h"
#include "graph/upcalls.h"

struct weft_parent;

/* Constant while the first launch has not ended. */
struct weft_family {
	cl_event event; /* of the first launch */
	struct weft_parent *first;
	cl_device_id device;
	cl_command_queue default_queue; /* held by the event; or NULL */
	struct weft_module *module;
	const struct weft_program_desc *program;
	bool uniform; /* all work-groups must have the same size */
};

struct weft_parent_ops {
	/* It has run, and all its children have ended. Within a bracket of completion.h; the parent may be gone on return. */
	void (*ended)(struct weft_parent *parent, enum weft_status status);
};

struct weft_parent {
	struct weft_enqueuer enqueuer; /* what the driver calls */
	const struct weft_family *family;
	const struct weft_parent_ops *ops;
	uint64_t num_groups;
	struct weft_node ran; /* its waiters: children that wait for the run */
	/* Counts the run, and children that have not ended; in the first parent also captures of times, which may be those of
	 * another family's launch: the memory that they go to is in use until then. */
	struct weft_node all;
	_Atomic int32_t status; /* enum weft_status: the first error */
	/* ns of the device's timer, if that is not the host's clock: the latest end of its children, and of theirs; or 0. */
	_Atomic uint64_t last_end;
};

void weft_parent_init(struct weft_parent *parent, const struct weft_family *family,
		      const struct weft_parent_ops *ops, const struct weft_enqueuer *enqueuer,
		      const struct weft_ndrange *range);
/* An error of it or of a child. */
void weft_parent_note(struct weft_parent *parent, enum weft_status status);
/* When a child and its children had ended by the device's timer; 0: that is not known. */
void weft_parent_note_end(struct weft_parent *parent, uint64_t end);
/* It has run. Within a bracket; the parent may be gone on return. */
void weft_parent_ran(struct weft_parent *parent, enum weft_status status);

/* The launch from the host, whose kernel has WEFT_KERNEL_ENQUEUES, becomes a parent: its event ends when all children have
 * ended. The driver's launch is filled in. `requests`: weft_enqueue_requests. */
cl_int weft_parent_begin_family(cl_event event, const struct weft_enqueuer *requests,
				bool uniform) WEFT_MUST_CHECK;

#endif
