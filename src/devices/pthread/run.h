/* SPDX-License-Identifier: MIT
 *
 * Running one command.
 */
#ifndef WEFT_PTHREAD_RUN_H
#define WEFT_PTHREAD_RUN_H

#include "driver.h"

struct pool;
struct runner;

/* Runs a ready command, or the parts of it that nobody else runs. It may end in another thread, later. */
void run_command(struct runner *runner, struct weft_command *command);

/* Whether a ready command costs less than telling another thread about it. */
bool run_is_short(const struct weft_command *command);
/* Whether a ready kernel has been over within microseconds before. */
bool run_seems_short(const struct pool *pool, const struct weft_command *command);

/* ---- for jobs -------------------------------------------------------------------------------- */

/* Ends the command; what becomes ready by it is the runner's first. */
void run_end(struct runner *runner, struct weft_command *command, enum weft_status status);

#endif
