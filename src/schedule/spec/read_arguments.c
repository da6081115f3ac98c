/* SPDX-License-Identifier: MIT
 *
 * A kernel's arguments.
 */
#include "spec/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of one buffer, and of local memory: sums of some of them stay within 64 bits. */
#define MOST_BYTES ((int64_t)1 << 46)
#define MOST_ARGUMENTS 256 /* as many as weft_read_pos has */

/* The array of the member, or none. */
static bool open_list(const struct weft_json *kernel, const char *key, struct weft_json *list)
{
	*list = weft_json_member(kernel, key);
	return !list->value ||
	       (weft_json_check_array(list) &&
		(weft_json_count(list) <= MOST_ARGUMENTS ||
		 weft_json_fail(list, "there are more than %d arguments", MOST_ARGUMENTS)));
}

/* ---- buffers ------------------------------------------------------------------------------------- */

static bool read_from(const struct weft_json *buffer, struct weft_spec_buffer *result)
{
	static const char *const known[] = {"kernel", "pos", NULL};
	const struct weft_json from = weft_json_member(buffer, "from");
	const struct weft_json id = weft_json_member(&from, "kernel");

	if (!from.value)
		return true;
	if (!weft_json_check_members(&from, known) || !weft_read_pos(&from, &result->from_pos))
		return false;
	if (result->direction == WEFT_OUTPUT)
		return weft_json_fail(&from, "an output buffer has no content at first");
	return weft_read_id(&id, &result->from_id);
}

static bool read_filling(const struct weft_json *buffer, enum weft_filling *filling)
{
	static const char *const names[] = {[WEFT_FILL_RANDOM] = "random",
					    [WEFT_FILL_ZEROS] = "zeros",
					    [WEFT_FILL_INDEX] = "index"};
	const struct weft_json at = weft_json_member(buffer, "fill");
	const char *name = NULL;

	if (!at.value)
		return true;
	if (!weft_json_text(&at, &name))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i], name) == 0) {
			*filling = (enum weft_filling)i;
			return true;
		}
	}
	return weft_json_fail(&at, "'%s' is none of random, zeros, index", name);
}

static bool read_tolerance(const struct weft_json *buffer, double *tolerance)
{
	const struct weft_json at = weft_json_member(buffer, "tolerance");

	if (!at.value)
		return true;
	if (!json_is_number(at.value) || !(json_number_value(at.value) >= 0))
		return weft_json_fail(&at, "a number of at least 0 is wanted");
	*tolerance = json_number_value(at.value);
	return true;
}

static bool read_data(const struct weft_reading *reading, const struct weft_json *at,
		      struct weft_spec_buffer *buffer)
{
	const struct weft_json file = weft_json_member(at, "file");
	const struct weft_json save = weft_json_member(at, "save");
	const struct weft_json reference = weft_json_member(at, "reference");

	if (file.value && buffer->direction == WEFT_OUTPUT)
		return weft_json_fail(&file, "an output buffer has no content at first");
	if (file.value && buffer->from_id)
		return weft_json_fail(&file, "the content comes from another kernel");
	return weft_read_path(reading, &file, &buffer->file) &&
	       weft_read_path(reading, &save, &buffer->save) &&
	       weft_read_path(reading, &reference, &buffer->reference) &&
	       read_filling(at, &buffer->filling) && read_tolerance(at, &buffer->tolerance);
}

/* "break": 0 or 1, or false or true. */
static bool read_break(const struct weft_reading *reading, const struct weft_json *buffer,
		       struct weft_spec_buffer *result)
{
	const struct weft_json at = weft_json_member(buffer, "break");
	const struct weft_json halo = weft_json_member(buffer, "halo");
	struct weft_number numbers[WEFT_EXPRESSION_LIST];
	int64_t number = 0;
	size_t count = 0;

	if (at.value && !json_is_boolean(at.value) && !weft_json_whole(&at, 0, 1, &number))
		return false;
	result->is_broken = json_is_true(at.value) || number == 1;
	if (!halo.value)
		return true;
	if (!result->is_broken)
		return weft_json_fail(&halo, "only a buffer with \"break\": 1 has a halo");
	if (!weft_read_numbers(reading, &halo, numbers, &count))
		return false;
	if (count != 1 || numbers[0].is_real || numbers[0].whole < 0 ||
	    numbers[0].whole > MOST_BYTES)
		return weft_json_fail(&halo, "a whole number of at least 0 is wanted");
	result->halo = numbers[0].whole;
	return true;
}

static bool read_buffer(const struct weft_reading *reading, const struct weft_json *at,
			struct weft_spec_buffer *buffer)
{
	/* PySchedCL writes create, enq_write and enq_read into what it dumps; chunk says how its own slices are rounded. */
	static const char *const known[] = {"pos",       "type",      "size",   "break",
					    "from",      "chunk",     "create", "enq_write",
					    "enq_read",  "halo",      "file",   "save",
					    "reference", "tolerance", "fill",   NULL};
	const struct weft_json size = weft_json_member(at, "size");

	if (!weft_json_check_members(at, known) || !weft_read_pos(at, &buffer->pos) ||
	    !weft_read_element(at, &buffer->element))
		return false;
	const size_t element_bytes = weft_element_bytes(&buffer->element);
	if (!weft_read_size(reading, &size, MOST_BYTES / (int64_t)element_bytes, &buffer->count))
		return false;
	buffer->bytes = buffer->count * element_bytes;
	buffer->line = weft_json_line(at);
	return read_break(reading, at, buffer) && read_from(at, buffer) &&
	       read_data(reading, at, buffer);
}

static bool read_buffer_list(const struct weft_reading *reading, const struct weft_json *list,
			     enum weft_direction direction)
{
	struct weft_spec_kernel *kernel = reading->kernel;

	for (size_t i = 0; i < weft_json_count(list); i++) {
		const struct weft_json at = weft_json_element(list, i);
		struct weft_spec_buffer *buffer = &kernel->buffers[kernel->num_buffers++];

		*buffer = (struct weft_spec_buffer){.direction = direction,
						    .halo = WEFT_HALO_UNKNOWN,
						    .from_kernel = WEFT_NO_KERNEL};
		if (direction == WEFT_OUTPUT)
			buffer->filling = WEFT_FILL_ZEROS;
		if (!read_buffer(reading, &at, buffer))
			return false;
	}
	return true;
}

bool weft_read_buffers(const struct weft_reading *reading, const struct weft_json *kernel)
{
	static const char *const keys[] = {[WEFT_INPUT] = "inputBuffers",
					   [WEFT_OUTPUT] = "outputBuffers",
					   [WEFT_IO] = "ioBuffers"};
	struct weft_json lists[3];
	size_t count = 0;

	for (size_t i = 0; i < 3; i++) {
		if (!open_list(kernel, keys[i], &lists[i]))
			return false;
		count += weft_json_count(&lists[i]);
	}
	if (count == 0)
		return true;
	reading->kernel->buffers =
		(struct weft_spec_buffer *)calloc(count, sizeof(*reading->kernel->buffers));
	if (!reading->kernel->buffers)
		return weft_fail_memory(kernel->file->error);
	for (size_t i = 0; i < 3; i++) {
		if (!read_buffer_list(reading, &lists[i], (enum weft_direction)i))
			return false;
	}
	return true;
}

/* ---- values and local memory --------------------------------------------------------------------- */

static bool read_value(const struct weft_reading *reading, const struct weft_json *at,
		       struct weft_spec_value *value)
{
	static const char *const known[] = {"pos", "type", "value", NULL};
	const struct weft_json content = weft_json_member(at, "value");
	struct weft_number numbers[WEFT_EXPRESSION_LIST];
	struct weft_element element;
	size_t count = 0;

	if (!weft_json_check_members(at, known) || !weft_read_pos(at, &value->pos) ||
	    !weft_read_element(at, &element) ||
	    !weft_read_numbers(reading, &content, numbers, &count))
		return false;
	const char *problem = weft_element_encode(&element, numbers, count, value->bytes);
	value->size = weft_element_bytes(&element);
	return !problem || weft_json_fail(&content, "%s", problem);
}

static bool read_local(const struct weft_reading *reading, const struct weft_json *at,
		       struct weft_spec_local *local)
{
	static const char *const known[] = {"pos", "type", "size", "break", NULL};
	const struct weft_json size = weft_json_member(at, "size");
	struct weft_element element;

	if (!weft_json_check_members(at, known) || !weft_read_pos(at, &local->pos) ||
	    !weft_read_element(at, &element))
		return false;
	const size_t bytes = weft_element_bytes(&element);
	if (!weft_read_size(reading, &size, MOST_BYTES / (int64_t)bytes, &local->bytes))
		return false;
	local->bytes *= bytes;
	return true;
}

static bool claim_pos(const struct weft_json *kernel, bool *taken, unsigned pos, unsigned *most)
{
	if (taken[pos])
		return weft_json_fail(kernel, "two arguments have the pos %u", pos);
	taken[pos] = true;
	if (pos > *most)
		*most = pos;
	return true;
}

static bool check_positions(const struct weft_spec_kernel *result, const struct weft_json *kernel)
{
	bool taken[MOST_ARGUMENTS] = {false};
	unsigned most = 0;

	for (size_t i = 0; i < result->num_buffers; i++) {
		if (!claim_pos(kernel, taken, result->buffers[i].pos, &most))
			return false;
	}
	for (size_t i = 0; i < result->num_values; i++) {
		if (!claim_pos(kernel, taken, result->values[i].pos, &most))
			return false;
	}
	for (size_t i = 0; i < result->num_locals; i++) {
		if (!claim_pos(kernel, taken, result->locals[i].pos, &most))
			return false;
	}
	for (unsigned pos = 0; pos < most; pos++) {
		if (!taken[pos])
			return weft_json_fail(kernel, "no argument has the pos %u", pos);
	}
	return true;
}

bool weft_read_arguments(const struct weft_reading *reading, const struct weft_json *kernel)
{
	struct weft_spec_kernel *result = reading->kernel;
	struct weft_json values;
	struct weft_json locals;

	if (!open_list(kernel, "varArguments", &values) ||
	    !open_list(kernel, "localArguments", &locals))
		return false;
	result->values = (struct weft_spec_value *)calloc(weft_json_count(&values) + 1,
							  sizeof(*result->values));
	result->locals = (struct weft_spec_local *)calloc(weft_json_count(&locals) + 1,
							  sizeof(*result->locals));
	if (!result->values || !result->locals)
		return weft_fail_memory(kernel->file->error);
	for (size_t i = 0; i < weft_json_count(&values); i++) {
		const struct weft_json at = weft_json_element(&values, i);

		if (!read_value(reading, &at, &result->values[result->num_values++]))
			return false;
	}
	for (size_t i = 0; i < weft_json_count(&locals); i++) {
		const struct weft_json at = weft_json_element(&locals, i);

		if (!read_local(reading, &at, &result->locals[result->num_locals++]))
			return false;
	}
	return check_positions(result, kernel);
}
