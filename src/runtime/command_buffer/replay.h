/* SPDX-License-Identifier: MIT
 *
 * Running a submitted command buffer. Its event is one node of the task graph; when that is ready, the commands of an
 * instance go to the driver as the DAG lets them, and the event's command ends when all of them have.
 */
#ifndef WEFT_RUNTIME_REPLAY_H
#define WEFT_RUNTIME_REPLAY_H

#include "command_buffer/exec.h"

/* For execs. */
extern const struct weft_replay_ops weft_replay_ops;

#endif
