/* SPDX-License-Identifier: MIT
 *
 * The split commands of a scheduler that are shared and have unclaimed parts: runners with nothing else to do join them.
 */
#ifndef WEFT_PTHREAD_SHARED_SPLITS_H
#define WEFT_PTHREAD_SHARED_SPLITS_H

#include "split_command.h"

/* `split` is shared from now on; the caller is its participant. Those of high priority come first. */
void shared_splits_add(struct scheduler *scheduler, struct split_command *split);
/* One with unclaimed parts, or NULL. The caller becomes a participant. A helper joins none that may block, or would keep it. `awaited`: only
 * one that a helper waits for. */
struct split_command *shared_splits_join(struct runner *runner, bool awaited);
/* A runner of `split` waits for other commands: no more runners join. */
void shared_splits_block(struct scheduler *scheduler, struct split_command *split);
/* The caller is a participant no longer. Returns whether it was the last one and every part has run: then it ends the command. */
bool shared_splits_leave(struct scheduler *scheduler, struct split_command *split);

#endif
