/* SPDX-License-Identifier: MIT
 *
 * Functions that run in a child process, for what may crash, hang, or leave threads and processes behind, such as the driver of
 * others.
 */
#ifndef WEFT_TOOLS_CHILD_H
#define WEFT_TOOLS_CHILD_H

#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* How a child ended, beside its exit status, which is 255 at most. */
#define WEFT_CHILD_SIGNAL 256 /* and the number of the signal that ended it */
#define WEFT_CHILD_NOT_STARTED (-1)
#define WEFT_CHILD_LATE (-2) /* it had not ended in time */

/* The size of the longest text that weft_child_ending writes. */
#define WEFT_CHILD_ENDING 64

struct weft_child {
	FILE *output; /* owned: what the child writes to standard output and standard error; ends with the child, or at `end` */
	int pipe;     /* owned: what `output` reads */
	pid_t pid;    /* also that of its process group */
	uint64_t end; /* weft_clock_now when its time is over */
};

/* Starts the function in a child, whose exit status is what the function returns, and which has that many seconds. Its standard input
 * is empty. False: it does not start, and errno says why. */
bool weft_child_start(struct weft_child *child, int (*run)(const void *data), const void *data,
		      unsigned seconds);
/* Waits for the end of the child or of its time, and returns how it ended. What is left of the child and of the processes that it has
 * started is killed. */
int weft_child_end(struct weft_child *child);

/* Both at once, which gives what weft_child_end does. `said` gets all that the child wrote. */
int weft_child_run(int (*run)(const void *data), const void *data, unsigned seconds,
		   struct weft_strbuf *said);

/* Says how a child ended. */
void weft_child_ending(int status, char text[WEFT_CHILD_ENDING]);

/* In a child that loads libraries of others: hides what these print, and returns a stream for the child's own words. NULL: out of
 * memory. */
FILE *weft_child_words(void);

#endif
