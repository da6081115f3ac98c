/* SPDX-License-Identifier: MIT
 *
 * The checks of `weft doctor`. Each says what it has found by weft_doctor_say. What loads a library or uses the driver runs in a
 * child process.
 */
#ifndef WEFT_TOOLS_DOCTOR_H
#define WEFT_TOOLS_DOCTOR_H

#include "strbuf.h"

#include <limits.h>
#include <stdbool.h>

enum weft_verdict {
	WEFT_VERDICT_OK,
	WEFT_VERDICT_NOTE,  /* it works, but not as one might expect, or not as fast */
	WEFT_VERDICT_FAULT, /* programs do not find Weft, or do not compute with it */
	WEFT_NUM_VERDICTS
};

struct weft_doctor {
	const char *program; /* that the user runs; NULL: not told */
	unsigned counts[WEFT_NUM_VERDICTS];
};

/* Prints a verdict in a line, and how to mend it in another one; `mend` is NULL where there is nothing to mend. `format` is the
 * finding. */
void weft_doctor_say(struct weft_doctor *doctor, enum weft_verdict verdict, const char *mend,
		     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Why the child of a check has failed: what it has said, or else how it ended, which is added to `said`. Borrowed from there. */
const char *weft_doctor_reason(int status, struct weft_strbuf *said);

/* The program of that name as the shell finds it. The path has a slash. */
bool weft_doctor_find_program(const char *name, char path[PATH_MAX]);

/* The libraries of this installation, and whether a kernel computes with them. */
void weft_doctor_check_installation(struct weft_doctor *doctor);
/* Variables that hide Weft, or that Weft does not understand. */
void weft_doctor_check_environment(struct weft_doctor *doctor);
/* Folders of .icd files, and the drivers that these name. */
void weft_doctor_check_vendors(struct weft_doctor *doctor);
/* The OpenCL loaders of this machine, and which platforms each finds. */
void weft_doctor_check_loaders(struct weft_doctor *doctor);
void weft_doctor_check_cache(struct weft_doctor *doctor);
/* Limits of processes, and the quotas of a container. */
void weft_doctor_check_limits(struct weft_doctor *doctor);
/* The program that the user runs. */
void weft_doctor_check_program(struct weft_doctor *doctor);

#endif
