/* SPDX-License-Identifier: MIT
 *
 * A file of JSON, and cursors into it. A cursor knows how it was reached, so that an error names the value's line and path:
 * "graph.json:12: [3].inputBuffers[0].size: ...". The text is parsed by jansson, which keeps no lines of values; the line is
 * found in the text again when an error needs it.
 */
#ifndef WEFT_SCHEDULE_JSON_H
#define WEFT_SCHEDULE_JSON_H

#include "spec/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the text, and its line, from 1. */
struct weft_json_place {
	const char *text;
	unsigned line;
};

struct weft_json_file {
	const char *name;                 /* borrowed */
	char *text;                       /* owned */
	json_t *root;                     /* owned */
	struct weft_json_place *elements; /* owned: of the root, if it is an array */
	struct weft_error *error;         /* borrowed: where messages go */
};

struct weft_json {
	const struct weft_json_file *file;
	const struct weft_json *parent; /* borrowed, lives as long as this one; NULL: the root */
	const char *key; /* of the parent's member; NULL: an element of an array, or the root */
	size_t index;    /* of the parent's element */
	json_t *value;   /* borrowed; NULL: the object has no such member */
};

/* Reads the file. False: the error says why; nothing needs to be closed. */
bool weft_json_open(struct weft_json_file *file, const char *name, struct weft_error *error);
void weft_json_close(struct weft_json_file *file);

struct weft_json weft_json_root(const struct weft_json_file *file);
struct weft_json weft_json_member(const struct weft_json *object, const char *key);
struct weft_json weft_json_element(const struct weft_json *array, size_t index);
/* Of an array; 0: it is absent. */
size_t weft_json_count(const struct weft_json *array);

/* From 1. Of a member that is absent, and of one whose key the file writes with escapes: the line of its object. */
unsigned weft_json_line(const struct weft_json *at);

/* Always false. */
bool weft_json_fail(const struct weft_json *at, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether it is an object with no other members than `known`, a list that ends with NULL. */
bool weft_json_check_members(const struct weft_json *at, const char *const *known);
bool weft_json_check_array(const struct weft_json *at);
/* The text, borrowed from the file. */
bool weft_json_text(const struct weft_json *at, const char **text);
/* A whole number from `least` to `most`; also as a text of decimal digits, as specifications name kernels. */
bool weft_json_whole(const struct weft_json *at, int64_t least, int64_t most, int64_t *number);

#endif
