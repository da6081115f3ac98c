/* SPDX-License-Identifier: MIT
 *
 * Ending what waits in a context that is terminated (cl_khr_terminate_context). Commands are not run any more once they are ready
 * (event_progress.c), so each of them ends by itself, unless it waits for an event that the application or a kernel ends: these are
 * listed, and what waits for them goes on.
 */
#ifndef WEFT_RUNTIME_TERMINATION_H
#define WEFT_RUNTIME_TERMINATION_H

#include "graph/event.h"

/* What waits for the user events of a terminated context, or will, does not wait any more. Their status can be set all the same. */
void weft_user_events_open(cl_context context);

#endif
