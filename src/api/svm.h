/* SPDX-License-Identifier: MIT
 *
 * What the entry points of shared virtual memory and of its extensions have in common: the checks of a copy and of a fill, in
 * the order of their tables, and the command.
 */
#ifndef WEFT_API_SVM_H
#define WEFT_API_SVM_H

#include "commands/svm_command.h"

struct weft_svm_copy_call {
	void *destination;
	const void *source;
	size_t size; /* bytes */
	bool blocking;
};

cl_int weft_api_svm_copy(const struct weft_enqueue *enqueue, const struct weft_svm_copy_call *call,
			 cl_event *event);

/* Of `size` bytes; the pattern is in `fill` already. */
cl_int weft_api_svm_fill(const struct weft_enqueue *enqueue, void *destination, size_t size,
			 struct weft_mem_fill *fill, cl_event *event);

#endif
