/* SPDX-License-Identifier: MIT
 *
 * The message of what went wrong. The first one stays: what follows from it would hide the cause.
 */
#ifndef WEFT_SCHEDULE_ERROR_H
#define WEFT_SCHEDULE_ERROR_H

#include <stdbool.h>

#define WEFT_ERROR_TEXT 1024

struct weft_error {
	char text[WEFT_ERROR_TEXT]; /* "": none */
};

/* Always false, so that a function can return it. */
bool weft_fail(struct weft_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool weft_fail_memory(struct weft_error *error);

#endif
