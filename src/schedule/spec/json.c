/* SPDX-License-Identifier: MIT */
#include "spec/json.h"

#include "spec/text_file.h"
#include "strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places in the text, which is known to be JSON -------------------------------------------------- */

static const char *skip_space(const char *c)
{
	return c + strspn(c, " \t\r\n");
}

/* `c` is at a quotation mark; returns what follows the text's end. */
static const char *skip_text(const char *c)
{
	c++;
	while (*c && *c != '"')
		c += c[0] == '\\' && c[1] ? 2 : 1;
	return *c ? c + 1 : c;
}

/* Returns what follows the value that begins at `c`. */
static const char *skip_value(const char *c)
{
	size_t depth = 0;

	do {
		if (*c == '"') {
			c = skip_text(c);
			continue;
		}
		if (*c == '{' || *c == '[')
			depth++;
		else if (*c == '}' || *c == ']')
			depth--;
		else if (depth == 0)
			return c + strcspn(c, " \t\r\n,]}");
		if (*c)
			c++;
	} while (*c && depth > 0);
	return c;
}

/* The value of the object at `c` with that key; NULL: there is none. */
static const char *find_member(const char *c, const char *key)
{
	const size_t length = strlen(key);

	for (c = skip_space(c + 1); *c == '"'; c = skip_space(c + 1)) {
		const char *name = c + 1;
		const char *after = skip_text(c);

		c = skip_space(skip_space(after) + 1);
		if ((size_t)(after - name) == length + 1 && memcmp(name, key, length) == 0)
			return c;
		c = skip_space(skip_value(c));
		if (*c != ',')
			break;
	}
	return NULL;
}

/* The element of the array at `c`; NULL: there is none. */
static const char *find_element(const char *c, size_t index)
{
	c = skip_space(c + 1);
	for (; index > 0; index--) {
		c = skip_space(skip_value(c));
		if (*c != ',')
			return NULL;
		c = skip_space(c + 1);
	}
	return c;
}

/* Goes on to a place that stands behind. */
static void move_to(struct weft_json_place *place, const char *text)
{
	for (; place->text < text; place->text++)
		place->line += *place->text == '\n';
}

/* Graphs may have very many kernels, each of which has its line: their places are found once. */
static bool list_elements(struct weft_json_file *file)
{
	const size_t count = json_array_size(file->root);
	struct weft_json_place place = {file->text, 1};

	if (count == 0)
		return true;
	file->elements = (struct weft_json_place *)calloc(count, sizeof(*file->elements));
	if (!file->elements)
		return weft_fail_memory(file->error);
	move_to(&place, find_element(skip_space(file->text), 0));
	for (size_t i = 0; i < count; i++) {
		file->elements[i] = place;
		if (i + 1 < count)
			move_to(&place, skip_space(skip_space(skip_value(place.text)) + 1));
	}
	return true;
}

/* ---- the file ------------------------------------------------------------------------------------ */

bool weft_json_open(struct weft_json_file *file, const char *name, struct weft_error *error)
{
	json_error_t problem;

	*file = (struct weft_json_file){
		.name = name, .text = weft_text_file_read(name, error), .error = error};
	if (!file->text)
		return false;
	file->root = json_loads(file->text, JSON_REJECT_DUPLICATES, &problem);
	if (!file->root)
		weft_fail(error, "%s:%d: column %d: %s", name, problem.line, problem.column,
			  problem.text);
	if (file->root && list_elements(file))
		return true;
	weft_json_close(file);
	return false;
}

void weft_json_close(struct weft_json_file *file)
{
	json_decref(file->root);
	free(file->elements);
	free(file->text);
	*file = (struct weft_json_file){0};
}

/* ---- cursors ------------------------------------------------------------------------------------- */

struct weft_json weft_json_root(const struct weft_json_file *file)
{
	return (struct weft_json){.file = file, .value = file->root};
}

struct weft_json weft_json_member(const struct weft_json *object, const char *key)
{
	return (struct weft_json){.file = object->file,
				  .parent = object,
				  .key = key,
				  .value = json_object_get(object->value, key)};
}

struct weft_json weft_json_element(const struct weft_json *array, size_t index)
{
	return (struct weft_json){.file = array->file,
				  .parent = array,
				  .index = index,
				  .value = json_array_get(array->value, index)};
}

size_t weft_json_count(const struct weft_json *array)
{
	return json_array_size(array->value);
}

/* ---- lines ---------------------------------------------------------------------------------------- */

/* Where the value begins, or the nearest one around it that is found. */
static struct weft_json_place find(const struct weft_json *at)
{
	struct weft_json_place place = {at->file->text, 1};
	const char *found = NULL;

	if (!at->parent) {
		move_to(&place, skip_space(place.text));
		return place;
	}
	if (!at->parent->parent && !at->key && at->file->elements)
		return at->file->elements[at->index];
	place = find(at->parent);
	if (*place.text == '{' && at->key)
		found = find_member(place.text, at->key);
	else if (*place.text == '[' && !at->key)
		found = find_element(place.text, at->index);
	if (found)
		move_to(&place, found);
	return place;
}

unsigned weft_json_line(const struct weft_json *at)
{
	return find(at).line;
}

/* ---- errors -------------------------------------------------------------------------------------- */

static void add_path(struct weft_strbuf *path, const struct weft_json *at)
{
	if (!at->parent)
		return;
	add_path(path, at->parent);
	if (at->key)
		weft_strbuf_printf(path, "%s%s", path->size > 0 ? "." : "", at->key);
	else
		weft_strbuf_printf(path, "[%zu]", at->index);
}

bool weft_json_fail(const struct weft_json *at, const char *format, ...)
{
	struct weft_strbuf path = {0};
	char problem[WEFT_ERROR_TEXT];
	va_list list;

	va_start(list, format);
	vsnprintf(problem, sizeof(problem), format, list);
	va_end(list);
	add_path(&path, at);
	weft_fail(at->file->error, "%s:%u: %s%s%s", at->file->name, weft_json_line(at),
		  path.data ? path.data : "", path.data ? ": " : "", problem);
	weft_strbuf_destroy(&path);
	return false;
}

/* ---- values -------------------------------------------------------------------------------------- */

static const char *kind(const json_t *value)
{
	if (!value)
		return "missing";
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a text";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "true or false";
	case JSON_NULL:
		break;
	}
	return "null";
}

static bool is_known(const char *key, const char *const *known)
{
	while (*known && strcmp(*known, key) != 0)
		known++;
	return *known != NULL;
}

bool weft_json_check_members(const struct weft_json *at, const char *const *known)
{
	const char *key = NULL;
	json_t *value = NULL;

	if (!json_is_object(at->value))
		return weft_json_fail(at, "an object is wanted, this is %s", kind(at->value));
	json_object_foreach(at->value, key, value)
	{
		const struct weft_json member = weft_json_member(at, key);

		if (!is_known(key, known))
			return weft_json_fail(&member, "there is no such member");
	}
	return true;
}

bool weft_json_check_array(const struct weft_json *at)
{
	return json_is_array(at->value) ||
	       weft_json_fail(at, "an array is wanted, this is %s", kind(at->value));
}

bool weft_json_text(const struct weft_json *at, const char **text)
{
	if (!json_is_string(at->value))
		return weft_json_fail(at, "a text is wanted, this is %s", kind(at->value));
	*text = json_string_value(at->value);
	return strlen(*text) == json_string_length(at->value) ||
	       weft_json_fail(at, "the text has a zero character");
}

bool weft_json_whole(const struct weft_json *at, int64_t least, int64_t most, int64_t *number)
{
	char *end = NULL;
	long long value = 0;

	if (json_is_integer(at->value)) {
		value = json_integer_value(at->value);
	} else if (json_is_string(at->value)) {
		errno = 0;
		value = strtoll(json_string_value(at->value), &end, 10);
		if (errno != 0 || end == json_string_value(at->value) || *end)
			return weft_json_fail(at, "'%s' is no whole number",
					      json_string_value(at->value));
	} else {
		return weft_json_fail(at, "a whole number is wanted, this is %s", kind(at->value));
	}
	if (value < least || value > most)
		return weft_json_fail(at, "%lld is not from %lld to %lld", value, (long long)least,
				      (long long)most);
	*number = value;
	return true;
}
