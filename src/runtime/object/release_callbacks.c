/* SPDX-License-Identifier: MIT
 *
 * The stack of an object's callbacks for its end.
 */
#include "object/release_callbacks.h"

#include "alloc.h"

cl_int weft_release_callbacks_add(struct weft_mutex *lock, struct weft_release_callback **list,
				  weft_release_function function, void *user_data)
{
	struct weft_release_callback *callback = weft_zalloc(sizeof(*callback));

	if (!callback)
		return CL_OUT_OF_HOST_MEMORY;
	callback->function = function;
	callback->user_data = user_data;
	weft_mutex_lock(lock);
	callback->next = *list;
	*list = callback;
	weft_mutex_unlock(lock);
	return CL_SUCCESS;
}

bool weft_release_callbacks_take(struct weft_release_callback **list,
				 struct weft_release_callback *callback)
{
	struct weft_release_callback *newest = *list;

	if (!newest)
		return false;
	*callback = *newest;
	*list = newest->next;
	weft_free(newest);
	return true;
}
