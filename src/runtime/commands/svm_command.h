/* SPDX-License-Identifier: MIT
 *
 * Commands on memory that the host and kernels share by its address (specification 5.6). Copies and fills are those of
 * mem_command.h, between addresses. The others are a place in the order of what accesses the same allocation, or free memory. On
 * devices with memory of their own, maps and migrations also bring an allocation to where it is asked for (migration.h).
 */
#ifndef WEFT_RUNTIME_SVM_COMMAND_H
#define WEFT_RUNTIME_SVM_COMMAND_H

#include "commands/mem_command.h"

/* ---- checks ---------------------------------------------------------------------------------- */

/* CL_INVALID_COMMAND_QUEUE; CL_INVALID_OPERATION: its device does not offer shared virtual memory. */
cl_int weft_svm_check_queue(cl_command_queue queue) WEFT_MUST_CHECK;
/* CL_INVALID_VALUE: the queue's device does not share all of the host's memory, nor has it these bytes. */
cl_int weft_svm_check_range(cl_command_queue queue, const void *address,
			    size_t size) WEFT_MUST_CHECK;
/* Fills in a copy between addresses. CL_INVALID_VALUE */
cl_int weft_svm_place_copy(void *destination, const void *source, size_t size,
			   struct weft_mem_copy *copy) WEFT_MUST_CHECK;
/* CL_MEM_COPY_OVERLAP, of such a copy. */
cl_int weft_svm_check_overlap(const struct weft_mem_copy *copy) WEFT_MUST_CHECK;
/* Fills in a fill of `size` bytes, whose pattern is there already. CL_INVALID_VALUE */
cl_int weft_svm_place_fill(void *destination, size_t size,
			   struct weft_mem_fill *fill) WEFT_MUST_CHECK;

struct weft_svm_migration {
	cl_uint count;
	const void **pointers; /* borrowed for the call */
	const size_t *sizes;   /* bytes; 0, or NULL: the whole allocation */
	cl_mem_migration_flags flags;
};

/* CL_INVALID_VALUE */
cl_int weft_svm_check_migration(cl_command_queue queue,
				const struct weft_svm_migration *migration) WEFT_MUST_CHECK;

/* ---- commands: everything has been checked --------------------------------------------------- */

struct weft_svm_range {
	const void *address;
	size_t size; /* bytes */
};

/* `event` is the application's or NULL. */
cl_int weft_svm_enqueue_map(const struct weft_enqueue *enqueue, const struct weft_svm_range *range,
			    cl_map_flags flags, bool blocking, cl_event *event);
/* All of the allocation counts as mapped: which part of it was, only the application knows. */
cl_int weft_svm_enqueue_unmap(const struct weft_enqueue *enqueue, const void *address,
			      cl_event *event);

struct weft_svm_free {
	cl_uint count;
	void **pointers; /* copied */
	/* Called when the command runs; NULL: the pointers are freed then. */
	void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void *[], void *);
	void *user_data;
};

cl_int weft_svm_enqueue_free(const struct weft_enqueue *enqueue, const struct weft_svm_free *call,
			     cl_event *event);

cl_int weft_svm_enqueue_migration(const struct weft_enqueue *enqueue,
				  const struct weft_svm_migration *migration, cl_event *event);
/* A command that is only an event of the queue: hints and advice. */
cl_int weft_svm_enqueue_hint(const struct weft_enqueue *enqueue, cl_event *event);

#endif
