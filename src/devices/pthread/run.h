/* SPDX-License-Identifier: MIT
 *
 * Running one command.
 */
#ifndef WEFT_PTHREAD_RUN_H
#define WEFT_PTHREAD_RUN_H

#include "driver.h"

struct runner;
struct scheduler;

/* Runs a ready command, or the parts of it that no other runner claims. The command may end in another thread, later. */
void run_command(struct runner *runner, struct weft_command *command);

/* Whether a ready command costs less than telling another thread about it. */
bool run_is_short(const struct weft_command *command);
/* Whether a ready command is a kernel that has been over within microseconds before. */
bool run_seems_short(const struct scheduler *scheduler, const struct weft_command *command);

/* For split_command.c: ends the command. The runner runs first what becomes ready by that. */
void run_end(struct runner *runner, struct weft_command *command, enum weft_status status);

#endif
