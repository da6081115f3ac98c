/* SPDX-License-Identifier: MIT
 *
 * Running a submitted command buffer. Its event is one node of the task graph; when that is ready, the commands of a run
 * go to the driver as the plan lets them, and the event's command ends when all of them have. The functions below are
 * for the graph and for what drivers call.
 */
#ifndef WEFT_RUNTIME_REPLAY_H
#define WEFT_RUNTIME_REPLAY_H

#include "edition.h"

/* The event of a submission, whose edition is set, has nothing left to wait for. */
void weft_replay_start(cl_event event, enum weft_status dependencies);
/* The driver has completed the event's own command, which was to begin the run. */
void weft_replay_begin(cl_event event, enum weft_status status);

/* host->running and host->complete of a recorded command. */
void weft_replay_running(struct weft_command *command);
void weft_replay_complete(struct weft_command *command, enum weft_status status);

/* What follows from the end of a part; called by the thread that ended it, see event_graph.h. */
void weft_replay_go_on(struct weft_part *part);

/* Nothing is left for the part to wait for, but perhaps its code. */
void weft_replay_start_part(struct weft_part *part);

/* The submission that a recorded command runs for. */
cl_event weft_replay_event(const struct weft_command *command);

#endif
