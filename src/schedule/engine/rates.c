/* SPDX-License-Identifier: MIT */
#include "engine/rates.h"

#include "digest.h"
#include "strbuf.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER "weft schedule rates 1\n"
#define MOST_LINES 100000
/* What no slab takes is a damaged line. */
#define MOST_SECONDS 1e9
#define LEAST_SECONDS 1e-18

struct line {
	struct weft_digest key;
	double seconds;
};

struct lines {
	struct line *items; /* owned */
	size_t count;
};

/* ---- keys ---------------------------------------------------------------------------------------- */

static struct weft_digest key_of(const struct weft_engine *engine, size_t task, size_t device)
{
	const struct weft_spec_kernel *kernel = &engine->spec->kernels[task];
	const struct weft_split *split = &engine->splits[task];
	const struct weft_program *program = &engine->programs[engine->tasks[task].program];
	const char *name = engine->devices->items[device].name;
	struct weft_digest key = program->source;

	key = weft_digest_field(key, kernel->name, strlen(kernel->name));
	key = weft_digest_field(key, kernel->options, strlen(kernel->options));
	key = weft_digest_field(key, kernel->global, sizeof(kernel->global));
	key = weft_digest_field(key, split->local, sizeof(split->local));
	key = weft_digest_field(key, name, strlen(name));
	for (size_t i = 0; i < kernel->num_values; i++)
		key = weft_digest_field(key, kernel->values[i].bytes, kernel->values[i].size);
	return key;
}

/* Of all tasks and devices. */
static struct weft_digest graph_key(const struct weft_engine *engine)
{
	const size_t devices = engine->devices->count;
	struct weft_digest key = {0};

	for (size_t t = 0; t < engine->spec->count; t++) {
		const struct weft_spec_kernel *kernel = &engine->spec->kernels[t];

		for (size_t d = 0; d < devices; d++) {
			const struct weft_digest own = key_of(engine, t, d);

			key = weft_digest_field(key, &own, sizeof(own));
		}
		key = weft_digest_field(key, kernel->depends,
					kernel->num_depends * sizeof(*kernel->depends));
	}
	return key;
}

/* Of the last whole run that the strategy has decided, of the one before that, and so on. */
static struct weft_digest outcome_key(struct weft_digest graph, const char *strategy, size_t place)
{
	const struct weft_digest key = weft_digest_field(graph, strategy, strlen(strategy));

	return weft_digest_field(key, &place, sizeof(place));
}

static bool is_same(struct weft_digest a, struct weft_digest b)
{
	return a.low == b.low && a.high == b.high;
}

/* ---- the file ------------------------------------------------------------------------------------ */

static bool add_line(struct lines *lines, const struct line *line)
{
	if ((lines->count & (lines->count - 1)) == 0) {
		const size_t room = lines->count ? 2 * lines->count : 1;
		struct line *items = (struct line *)realloc(lines->items, room * sizeof(*items));

		if (!items)
			return false;
		lines->items = items;
	}
	lines->items[lines->count++] = *line;
	return true;
}

/* "KEY SECONDS": 32 digits and a number. */
static bool parse_line(const char *text, struct line *line)
{
	char high[17] = "";
	char low[17] = "";
	char *end = NULL;

	if (strlen(text) < 34 || strspn(text, "0123456789abcdef") != 32 || text[32] != ' ')
		return false;
	memcpy(high, text, 16);
	memcpy(low, text + 16, 16);
	line->key.high = strtoull(high, NULL, 16);
	line->key.low = strtoull(low, NULL, 16);
	line->seconds = strtod(text + 33, &end);
	return *end == '\n' && line->seconds >= LEAST_SECONDS && line->seconds <= MOST_SECONDS;
}

static const char *read_lines(FILE *file, struct lines *lines)
{
	const char *problem = NULL;
	char text[128];
	struct line line;

	if (!fgets(text, sizeof(text), file) || strcmp(text, HEADER) != 0)
		return "this is no file of rates";
	while (!problem && fgets(text, sizeof(text), file)) {
		if (!parse_line(text, &line))
			problem = "a line of the file of rates is damaged";
		else if (lines->count < MOST_LINES && !add_line(lines, &line))
			problem = "out of memory";
	}
	return problem;
}

static bool read_file(const char *path, struct lines *lines, struct weft_error *error)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return errno == ENOENT || weft_fail(error, "%s: %s", path, strerror(errno));
	const char *problem = read_lines(file, lines);
	fclose(file);
	return !problem || weft_fail(error, "%s: %s", path, problem);
}

static void load_outcome(struct weft_engine *engine, struct weft_digest graph, const char *strategy,
			 const struct lines *lines)
{
	for (size_t place = WEFT_OUTCOME_RUNS; place-- > 0;) {
		const struct weft_digest key = outcome_key(graph, strategy, place);

		for (size_t i = 0; i < lines->count; i++) {
			if (is_same(lines->items[i].key, key))
				weft_outcomes_add(&engine->outcomes, strategy,
						  lines->items[i].seconds);
		}
	}
}

bool weft_rates_load(struct weft_engine *engine, const char *path, struct weft_error *error)
{
	const size_t devices = engine->devices->count;
	struct lines lines = {0};

	const bool done = read_file(path, &lines, error);
	for (size_t pair = 0; done && pair < engine->spec->count * devices; pair++) {
		const struct weft_digest key = key_of(engine, pair / devices, pair % devices);

		for (size_t i = 0; i < lines.count; i++) {
			if (is_same(lines.items[i].key, key))
				engine->known_rates[pair] = lines.items[i].seconds;
		}
	}
	const struct weft_digest graph = graph_key(engine);
	for (size_t s = 0; done && weft_schedule_strategies()[s]; s++)
		load_outcome(engine, graph, weft_schedule_strategies()[s]->name, &lines);
	free(lines.items);
	return done;
}

/* ---- saving -------------------------------------------------------------------------------------- */

static bool put_line(struct lines *lines, const struct line *line)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (is_same(lines->items[i].key, line->key)) {
			lines->items[i].seconds = line->seconds;
			return true;
		}
	}
	return add_line(lines, line);
}

static bool write_lines(const char *path, const struct lines *lines)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return false;
	bool done = fputs(HEADER, file) >= 0;
	for (size_t i = 0; done && i < lines->count; i++)
		done = fprintf(file, "%016" PRIx64 "%016" PRIx64 " %.9e\n",
			       lines->items[i].key.high, lines->items[i].key.low,
			       lines->items[i].seconds) > 0;
	return (fclose(file) == 0) && done;
}

/* Other runs may read or write the file at the same time. */
static bool replace_file(const char *path, const struct lines *lines, struct weft_error *error)
{
	char *other = NULL;

	if (asprintf(&other, "%s.%d", path, (int)getpid()) < 0)
		return weft_fail_memory(error);
	const bool done = write_lines(other, lines) && rename(other, path) == 0;
	if (!done) {
		weft_fail(error, "%s: %s", path, strerror(errno));
		unlink(other);
	}
	free(other);
	return done;
}

static bool put_outcome(const struct weft_engine *engine, struct weft_digest graph, size_t outcome,
			struct lines *lines, struct weft_error *error)
{
	const struct weft_schedule_outcome *item = &engine->outcomes.items[outcome];

	for (size_t place = 0; place < item->runs && place < WEFT_OUTCOME_RUNS; place++) {
		const struct line line = {.key = outcome_key(graph, item->strategy, place),
					  .seconds = engine->outcomes.last[outcome][place]};

		if (line.seconds > 0 && !put_line(lines, &line))
			return weft_fail_memory(error);
	}
	return true;
}

bool weft_rates_save(const struct weft_engine *engine, const char *path, struct weft_error *error)
{
	const size_t devices = engine->devices->count;
	struct lines lines = {0};
	bool done = read_file(path, &lines, error);

	for (size_t pair = 0; done && pair < engine->spec->count * devices; pair++) {
		const struct line line = {.key = key_of(engine, pair / devices, pair % devices),
					  .seconds = engine->known_rates[pair]};

		if (line.seconds > 0 && !put_line(&lines, &line))
			done = weft_fail_memory(error);
	}
	const struct weft_digest graph = graph_key(engine);
	for (size_t i = 0; done && i < engine->outcomes.count; i++)
		done = put_outcome(engine, graph, i, &lines, error);
	done = done && replace_file(path, &lines, error);
	free(lines.items);
	return done;
}
