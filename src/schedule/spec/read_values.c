/* SPDX-License-Identifier: MIT
 *
 * Numbers, paths and types of a specification.
 */
#include "spec/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ARGUMENT_POS 255

static bool read_expressions(const struct weft_reading *reading, const struct weft_json *at,
			     struct weft_number *numbers, size_t *count)
{
	struct weft_expression expression = {.variables = reading->variables};

	return weft_json_text(at, &expression.text) &&
	       (weft_expression_list(&expression, numbers, count) ||
		weft_json_fail(at, "%s", expression.problem));
}

/* One number, or one expression. */
static bool read_number(const struct weft_reading *reading, const struct weft_json *at,
			struct weft_number *number)
{
	struct weft_number numbers[WEFT_EXPRESSION_LIST];
	size_t count = 0;

	if (json_is_integer(at->value)) {
		*number = (struct weft_number){.whole = json_integer_value(at->value)};
		return true;
	}
	if (json_is_real(at->value)) {
		*number = (struct weft_number){.is_real = true, .real = json_real_value(at->value)};
		return true;
	}
	if (!read_expressions(reading, at, numbers, &count))
		return false;
	*number = numbers[0];
	return count == 1 || weft_json_fail(at, "one number is wanted, this is a list");
}

bool weft_read_numbers(const struct weft_reading *reading, const struct weft_json *at,
		       struct weft_number numbers[WEFT_EXPRESSION_LIST], size_t *count)
{
	if (json_is_string(at->value))
		return read_expressions(reading, at, numbers, count);
	*count = 1;
	if (!json_is_array(at->value))
		return read_number(reading, at, &numbers[0]);
	*count = weft_json_count(at);
	if (*count == 0 || *count > WEFT_EXPRESSION_LIST)
		return weft_json_fail(at, "a list of 1 to %d numbers is wanted",
				      WEFT_EXPRESSION_LIST);
	for (size_t i = 0; i < *count; i++) {
		const struct weft_json element = weft_json_element(at, i);

		if (!read_number(reading, &element, &numbers[i]))
			return false;
	}
	return true;
}

bool weft_read_size(const struct weft_reading *reading, const struct weft_json *at, int64_t most,
		    size_t *size)
{
	struct weft_number number;

	if (!read_number(reading, at, &number))
		return false;
	if (number.is_real)
		return weft_json_fail(at, "a whole number is wanted, this is %g", number.real);
	if (number.whole < 1 || number.whole > most)
		return weft_json_fail(at, "%lld is not from 1 to %lld", (long long)number.whole,
				      (long long)most);
	*size = (size_t)number.whole;
	return true;
}

bool weft_read_copy(const struct weft_json *at, char **text)
{
	const char *value = NULL;

	if (!at->value)
		return true;
	if (!weft_json_text(at, &value))
		return false;
	*text = strdup(value);
	return *text || weft_fail_memory(at->file->error);
}

bool weft_read_id(const struct weft_json *at, char **id)
{
	int64_t number = 0;

	if (json_is_string(at->value))
		return weft_read_copy(at, id);
	if (!weft_json_whole(at, INT64_MIN, INT64_MAX, &number))
		return false;
	if (asprintf(id, "%lld", (long long)number) >= 0)
		return true;
	*id = NULL;
	return weft_fail_memory(at->file->error);
}

bool weft_read_path(const struct weft_reading *reading, const struct weft_json *at, char **path)
{
	const char *value = NULL;

	if (!at->value)
		return true;
	if (!weft_json_text(at, &value))
		return false;
	if (!*value)
		return weft_json_fail(at, "the path is empty");
	if (asprintf(path, "%s%s", *value == '/' ? "" : reading->folder, value) < 0) {
		*path = NULL;
		return weft_fail_memory(at->file->error);
	}
	return true;
}

bool weft_read_element(const struct weft_json *object, struct weft_element *element)
{
	const struct weft_json at = weft_json_member(object, "type");
	const char *name = NULL;

	return weft_json_text(&at, &name) && (weft_element_named(name, element) ||
					      weft_json_fail(&at, "there is no type '%s'", name));
}

bool weft_read_pos(const struct weft_json *object, unsigned *pos)
{
	const struct weft_json at = weft_json_member(object, "pos");
	int64_t number = 0;

	if (!weft_json_whole(&at, 0, MOST_ARGUMENT_POS, &number))
		return false;
	*pos = (unsigned)number;
	return true;
}
