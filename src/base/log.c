/* SPDX-License-Identifier: MIT
 *
 * The log. WEFT_LOG is a list of levels, separated by commas; each is for all topics or, as topic=level, for one; the
 * last that matches counts. Invariant: `most` is at least the level of every topic, and -1 when all are off.
 */
#include "log.h"

#include "options.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define NOT_READ (-2)

static _Atomic int most = NOT_READ;

static int level_named(const char *name, size_t length)
{
	static const char *const names[] = {"error", "warn", "info", "debug"};

	for (int i = 0; i < 4; i++) {
		if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
			return i;
	}
	return -1;
}

/* The level for `topic`, or the highest of all for NULL. */
static int level_of(const char *topic)
{
	const char *entry = weft_options()->log;
	int level = -1;

	while (entry && *entry) {
		size_t length = strcspn(entry, ",");
		const char *equals = memchr(entry, '=', length);
		size_t prefix = equals ? (size_t)(equals - entry) : 0;
		const char *name = equals ? equals + 1 : entry;
		int named = level_named(name, length - (size_t)(name - entry));

		if (!topic)
			level = named > level ? named : level;
		else if (!equals || (strlen(topic) == prefix && strncmp(topic, entry, prefix) == 0))
			level = named;
		entry += length + (entry[length] == ',');
	}
	return level;
}

bool weft_log_enabled(enum weft_log_level level, const char *topic)
{
	int highest = atomic_load_explicit(&most, memory_order_relaxed);

	if (highest == NOT_READ) {
		highest = level_of(NULL);
		atomic_store_explicit(&most, highest, memory_order_relaxed);
	}
	return (int)level <= highest && (int)level <= level_of(topic);
}

void weft_log(enum weft_log_level level, const char *topic, const char *format, ...)
{
	char line[2048];
	va_list args;

	if (!weft_log_enabled(level, topic))
		return;
	int prefix = snprintf(line, sizeof(line), "weft[%s]: ", topic);
	va_start(args, format);
	vsnprintf(line + prefix, sizeof(line) - (size_t)prefix, format, args);
	va_end(args);
	fprintf(stderr, "%s\n", line); /* one call: stdio's own lock keeps lines whole */
}

void weft_log_reset(void)
{
	atomic_store(&most, NOT_READ);
}
