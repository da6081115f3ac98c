/* SPDX-License-Identifier: MIT
 *
 * Functions that run in a child process, for what may crash, hang, or leave threads behind, such as the driver of others.
 */
#ifndef WEFT_TOOLS_CHILD_H
#define WEFT_TOOLS_CHILD_H

#include "strbuf.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct weft_child {
	pid_t pid;
	int output; /* what the child writes to standard output and standard error */
};

/* Starts the function in a child, which ends with what the function returns, and after that many seconds by SIGALRM. False: it does
 * not start, and errno says why. */
bool weft_child_start(struct weft_child *child, int (*run)(const void *data), const void *data,
		      unsigned seconds);
/* Waits for the end: the exit status, or 128 and the signal's number. */
int weft_child_end(struct weft_child *child);

/* Both at once. `said` gets all that the child wrote. -1: it does not start. */
int weft_child_run(int (*run)(const void *data), const void *data, unsigned seconds,
		   struct weft_strbuf *said);

/* In a child that loads libraries of others: hides what these print, and returns a stream for the child's own words. NULL: out of
 * memory. */
FILE *weft_child_words(void);

#endif
