/* SPDX-License-Identifier: MIT
 *
 * What a program's source says by its words alone; comments and texts count as well, so the answer errs to the safe side.
 */
#ifndef WEFT_SCHEDULE_SOURCE_WORDS_H
#define WEFT_SCHEDULE_SOURCE_WORDS_H

#include <stdbool.h>

/* Whether work-groups may share something that parts of a kernel in different memories would not: atomic operations, pipes, and
 * what another file may have. */
bool weft_source_shares_state(const char *text);

/* Whether it asks for ids or sizes that a part of a kernel sees differently. */
bool weft_source_asks_for_range(const char *text);

#endif
