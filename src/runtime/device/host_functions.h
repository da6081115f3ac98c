/* SPDX-License-Identifier: MIT
 *
 * Functions of the application's that kernels of a context may call (cl_weft_host_function). Invariant: of one name there is one
 * function at most.
 */
#ifndef WEFT_RUNTIME_HOST_FUNCTIONS_H
#define WEFT_RUNTIME_HOST_FUNCTIONS_H

#include "driver.h"
#include "list.h"
#include "mutex.h"
#include "object/host_function_weft.h"

#define WEFT_HOST_FUNCTION_MOST_ARGS 255
#define WEFT_HOST_FUNCTION_MOST_BYTES 65535 /* of one argument, or of the result */

/* The context has them. */
struct weft_host_functions {
	struct weft_launch_context launches; /* weft_launch.context */
	/* Tells the application what went wrong. */
	void (*report)(struct weft_host_functions *functions, const char *message);
	struct weft_mutex lock; /* WEFT_RANK_CONTEXT */
	struct weft_list list WEFT_GUARDED_BY(&lock);
};

void weft_host_functions_init(struct weft_host_functions *functions,
			      void (*report)(struct weft_host_functions *functions,
					     const char *message));
/* No other thread has them. */
void weft_host_functions_destroy(struct weft_host_functions *functions);

/* Takes the place of the function of that name. `desc` is valid. CL_OUT_OF_HOST_MEMORY: nothing is changed. */
cl_int weft_host_functions_set(struct weft_host_functions *functions,
			       const cl_host_function_desc_weft *desc);

/* The first of the functions that the kernel may call and that is not there with these sizes; NULL: all are there. `other_sizes`:
 * one with its name is. */
const struct weft_host_function_desc *
weft_host_functions_missing(struct weft_host_functions *functions,
			    const struct weft_kernel_desc *kernel, bool *other_sizes);

#endif
