/* SPDX-License-Identifier: MIT
 *
 * The application's callbacks for the end of an object: a stack, of which the newest is called first (specification 4.4, 5.5.1, 5.8).
 * Each kind of object has its own type of function: what calls the function gives it that type again.
 */
#ifndef WEFT_RUNTIME_RELEASE_CALLBACKS_H
#define WEFT_RUNTIME_RELEASE_CALLBACKS_H

#include "mutex.h"
#include "object/opencl_headers.h"
#include "status.h"

#include <stdbool.h>

/* Any type of function. */
typedef void (*weft_release_function)(void);

struct weft_release_callback {
	struct weft_release_callback *next; /* the one that was registered before it */
	weft_release_function function;
	void *user_data;
};

/* Registers a callback in the list, which the lock guards. CL_OUT_OF_HOST_MEMORY */
cl_int weft_release_callbacks_add(struct weft_mutex *lock, struct weft_release_callback **list,
				  weft_release_function function, void *user_data) WEFT_MUST_CHECK;

/* Takes the newest callback out of the list of an object that no other thread has. False: the list is empty. */
bool weft_release_callbacks_take(struct weft_release_callback **list,
				 struct weft_release_callback *callback);

#endif
