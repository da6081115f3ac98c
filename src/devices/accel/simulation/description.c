/* SPDX-License-Identifier: MIT
 *
 * Reading WEFT_ACCEL. A text with a mistake describes nothing: experiments with another machine than the one asked for would
 * mislead.
 */
#include "simulation/description.h"

#include "alloc.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)64 * 1024)

enum kind { NUMBER, BYTES, POWER }; /* of two, or 0 */

/* The numbers of a description. */
struct row {
	const char *key;
	size_t place;
	enum kind kind;
	uint64_t preset;
	uint64_t least;
	uint64_t most;
};

#define ROW(key, field, kind, preset, least, most)                                                 \
	{key, offsetof(struct accel_description, field), kind, preset, least, most}

static const struct row rows[] = {
	ROW("clusters", clusters, NUMBER, 4, 1, ACCEL_MOST_CLUSTERS),
	ROW("elements", elements, NUMBER, 16, 1, 4096),
	ROW("local", local_bytes, BYTES, 256 << 10, 1 << 10, 1 << 30),
	ROW("global", global_bytes, BYTES, 1 << 30, 64 << 20, UINT64_C(1) << 40),
	ROW("channels", channels, NUMBER, 2, 1, ACCEL_MOST_CHANNELS),
	ROW("ring", ring, NUMBER, 1024, 1, 16384),
	ROW("clock", clock_mhz, NUMBER, 600, 1, 100000),
	ROW("groups", groups, POWER, 0, 0, ACCEL_MOST_GROUPS),
	ROW("cache", cache_bytes, BYTES, 0, 0, 1 << 29),
	ROW("cache_line", cache_line, POWER, 64, 8, 4096),
	ROW("cache_ways", cache_ways, POWER, 4, 1, 64),
	ROW("cache_latency", cache_latency, NUMBER, 20, 1, 1000000),
	ROW("local_latency", local_latency, NUMBER, 2, 1, 1000000),
	ROW("global_latency", global_latency, NUMBER, 100, 1, 1000000),
	ROW("dma_latency", dma_latency, NUMBER, 300, 0, 1000000),
	ROW("dma_bytes", dma_bytes, NUMBER, 8, 1, 4096),
	ROW("transfers", transfers, NUMBER, 1, 0, 1),
	ROW("enqueue", enqueue, NUMBER, 1, 0, 1),
	ROW("svm", svm, NUMBER, 1, 0, 1),
	ROW("launch", launch, NUMBER, 1000, 0, 1000000000),
	ROW("dispatch", dispatch, NUMBER, 50, 0, 1000000),
	ROW("barrier", barrier, NUMBER, 20, 0, 1000000),
};
enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

static struct accel_description presets(void)
{
	struct accel_description made = {0};

	for (size_t i = 0; i < NUM_ROWS; i++)
		memcpy((char *)&made + rows[i].place, &rows[i].preset, sizeof(uint64_t));
	return made;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A part of the text; no zero ends it. */
struct piece {
	const char *start;
	size_t length;
};

static bool is(struct piece piece, const char *word)
{
	return strlen(word) == piece.length && memcmp(word, piece.start, piece.length) == 0;
}

static enum weft_status complain(struct accel_mistake *mistake, const char *what,
				 struct piece piece)
{
	snprintf(mistake->text, sizeof(mistake->text), "%s: %.*s", what,
		 piece.length < 60 ? (int)piece.length : 60, piece.start);
	return WEFT_INVALID_OPTIONS;
}

/* Removes from the text what is before the first character of `ends`, and that character. */
static struct piece take(struct piece *text, const char *ends)
{
	struct piece piece = {text->start, 0};

	while (piece.length < text->length && !strchr(ends, piece.start[piece.length]))
		piece.length++;
	size_t taken = piece.length + (piece.length < text->length);
	text->start += taken;
	text->length -= taken;
	return piece;
}

/* Digits; for bytes, K, M, G or T may follow. */
static bool parse_number(struct piece text, enum kind kind, uint64_t *number)
{
	static const char suffixes[] = "KMGT";
	size_t at = 0;
	uint64_t value = 0;

	for (; at < text.length && isdigit((unsigned char)text.start[at]); at++) {
		uint64_t digit = (uint64_t)(text.start[at] - '0');
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	const char *suffix = NULL;
	if (kind == BYTES && at > 0 && at + 1 == text.length)
		suffix = strchr(suffixes, toupper((unsigned char)text.start[at]));
	if (suffix) {
		unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
		if (value > UINT64_MAX >> shift)
			return false;
		value <<= shift;
		at++;
	}
	*number = value;
	return at > 0 && at == text.length;
}

/* ---- settings -------------------------------------------------------------------------------- */

static enum weft_status set_number(const struct row *row, struct piece value,
				   struct accel_description *device, struct accel_mistake *mistake)
{
	uint64_t number;

	if (!parse_number(value, row->kind, &number))
		return complain(mistake, "not a number", value);
	if (number < row->least || number > row->most) {
		snprintf(mistake->text, sizeof(mistake->text),
			 "%s must be between %" PRIu64 " and %" PRIu64, row->key, row->least,
			 row->most);
		return WEFT_INVALID_OPTIONS;
	}
	if (row->kind == POWER && (number & (number - 1)))
		return complain(mistake, "not a power of two", value);
	memcpy((char *)device + row->place, &number, sizeof(number));
	return WEFT_OK;
}

static enum weft_status set_memory(struct piece name, struct accel_description *device,
				   struct accel_mistake *mistake)
{
	if (name.length == 0 || name.length >= ACCEL_NAME_BYTES)
		return complain(mistake, "a memory's name has 1 to 31 characters", name);
	memcpy(device->memory, name.start, name.length);
	device->memory[name.length] = '\0';
	return WEFT_OK;
}

static enum weft_status set_isa(struct piece name, struct accel_description *device,
				struct accel_mistake *mistake)
{
	if (!is(name, "host") && !is(name, "riscv64"))
		return complain(mistake, "not an instruction set: host or riscv64", name);
	device->isa = is(name, "host") ? ACCEL_ISA_HOST : ACCEL_ISA_RISCV64;
	return WEFT_OK;
}

static enum weft_status set(struct piece setting, struct accel_description *device,
			    struct accel_mistake *mistake)
{
	struct piece value = setting;
	struct piece key = take(&value, "=");

	if (key.length == setting.length)
		return complain(mistake, "not a key=value", setting);
	if (is(key, "memory"))
		return set_memory(value, device, mistake);
	if (is(key, "isa"))
		return set_isa(value, device, mistake);
	for (size_t i = 0; i < NUM_ROWS; i++) {
		if (is(key, rows[i].key))
			return set_number(&rows[i], value, device, mistake);
	}
	return complain(mistake, "unknown key", key);
}

/* ---- devices --------------------------------------------------------------------------------- */

/* All devices that name a memory give it one size. */
static enum weft_status check_memory(const struct accel_machine *machine,
				     const struct accel_description *device,
				     struct accel_mistake *mistake)
{
	for (uint32_t i = 0; i < machine->num_devices && device->memory[0]; i++) {
		const struct accel_description *other = &machine->devices[i];

		if (strcmp(other->memory, device->memory) == 0 &&
		    other->global_bytes != device->global_bytes)
			return complain(mistake, "two sizes of the memory",
					(struct piece){device->memory, strlen(device->memory)});
	}
	return WEFT_OK;
}

/* The cache has whole sets, and does not take all of the local memory. */
static enum weft_status check_cache(const struct accel_description *device,
				    struct accel_mistake *mistake)
{
	const uint64_t size = device->cache_bytes;

	if (size == 0 || (!(size & (size - 1)) && size >= device->cache_line * device->cache_ways &&
			  size < device->local_bytes))
		return WEFT_OK;
	snprintf(mistake->text, sizeof(mistake->text),
		 "a cache is a power of two, at least a line for each way, and less than local");
	return WEFT_INVALID_OPTIONS;
}

static enum weft_status add_device(struct piece text, struct accel_machine *machine,
				   struct accel_mistake *mistake)
{
	struct accel_description device = presets();
	enum weft_status status = WEFT_OK;
	bool any = false;

	while (text.length > 0 && status == WEFT_OK) {
		struct piece setting = take(&text, ", \t\r");

		if (setting.length == 0)
			continue;
		any = true;
		status = set(setting, &device, mistake);
	}
	if (!any || status != WEFT_OK)
		return status;
	if (machine->num_devices == ACCEL_MOST_DEVICES) {
		snprintf(mistake->text, sizeof(mistake->text), "more than %d devices",
			 ACCEL_MOST_DEVICES);
		return WEFT_INVALID_OPTIONS;
	}
	status = check_memory(machine, &device, mistake);
	if (status == WEFT_OK)
		status = check_cache(&device, mistake);
	if (status == WEFT_OK)
		machine->devices[machine->num_devices++] = device;
	return status;
}

static enum weft_status parse(struct piece text, struct accel_machine *machine,
			      struct accel_mistake *mistake)
{
	struct accel_machine made = {0};
	enum weft_status status = WEFT_OK;

	while (text.length > 0 && status == WEFT_OK) {
		struct piece line = take(&text, "\n");
		struct piece said = take(&line, "#");

		while (said.length > 0 && status == WEFT_OK)
			status = add_device(take(&said, ";"), &made, mistake);
	}
	if (status != WEFT_OK)
		return status;
	if (made.num_devices == 0)
		made.devices[made.num_devices++] = presets();
	*machine = made;
	return WEFT_OK;
}

static enum weft_status parse_file(const char *path, struct accel_machine *machine,
				   struct accel_mistake *mistake)
{
	FILE *file = fopen(path, "re");

	if (!file) {
		snprintf(mistake->text, sizeof(mistake->text), "%.100s: %.50s", path,
			 strerror(errno));
		return WEFT_NOT_FOUND;
	}
	char *text = weft_zalloc(FILE_BYTES);
	size_t length = text ? fread(text, 1, FILE_BYTES, file) : 0;
	bool whole = text && !ferror(file) && length < FILE_BYTES;
	fclose(file);
	enum weft_status status = WEFT_OUT_OF_MEMORY;
	if (whole)
		status = parse((struct piece){text, length}, machine, mistake);
	else if (text)
		status = WEFT_INVALID_OPTIONS;
	if (!whole)
		snprintf(mistake->text, sizeof(mistake->text), "%.100s: cannot be read", path);
	weft_free(text);
	return status;
}

enum weft_status accel_machine_parse(const char *text, struct accel_machine *machine,
				     struct accel_mistake *mistake)
{
	if (text && text[0] == '@')
		return parse_file(text + 1, machine, mistake);
	return parse((struct piece){text ? text : "", text ? strlen(text) : 0}, machine, mistake);
}
