/* SPDX-License-Identifier: MIT
 *
 * How one kernel is read; shared by the files that read its parts.
 */
#ifndef WEFT_SCHEDULE_READ_H
#define WEFT_SCHEDULE_READ_H

#include "spec/json.h"
#include "spec/spec.h"

struct weft_reading {
	const struct weft_spec_settings *settings;
	struct weft_spec_kernel *kernel; /* being read */
	const struct weft_variables *variables;
	char *folder; /* owned: of the file, with a slash, or "" */
};

/* A number, or an expression in a text, or a list of them. */
bool weft_read_numbers(const struct weft_reading *reading, const struct weft_json *at,
		       struct weft_number numbers[WEFT_EXPRESSION_LIST], size_t *count);
/* A whole number of that kind, from 1 to `most`. */
bool weft_read_size(const struct weft_reading *reading, const struct weft_json *at, int64_t most,
		    size_t *size);
/* A copy of the text; NULL stays where the member is absent. */
bool weft_read_copy(const struct weft_json *at, char **text);
/* A kernel's id: a text, or a whole number as one. */
bool weft_read_id(const struct weft_json *at, char **id);
/* A path, from the file's folder on. NULL stays where the member is absent. */
bool weft_read_path(const struct weft_reading *reading, const struct weft_json *at, char **path);
bool weft_read_element(const struct weft_json *object, struct weft_element *element);
/* The member "pos". */
bool weft_read_pos(const struct weft_json *object, unsigned *pos);

/* inputBuffers, outputBuffers and ioBuffers. */
bool weft_read_buffers(const struct weft_reading *reading, const struct weft_json *kernel);
/* varArguments and localArguments; then whether each argument is there once. */
bool weft_read_arguments(const struct weft_reading *reading, const struct weft_json *kernel);

#endif
