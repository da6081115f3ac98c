/* SPDX-License-Identifier: MIT
 *
 * Reads the environment options once. Invariant: `values` is constant after `once` has run.
 *
 * A program that runs with more rights than its user has (AT_SECURE: set-uid, file capabilities) has the defaults: options
 * name files to write and code to load.
 */
#include "options.h"

#include "alloc.h"
#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct weft_options values;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool parse_FLAG(const char *text, bool *value)
{
	if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
		return false;
	*value = text[0] == '1';
	return true;
}

static bool parse_NUMBER(const char *text, int64_t *value)
{
	char *end;

	errno = 0;
	long long number = strtoll(text, &end, 0);
	if (errno || end == text || *end)
		return false;
	*value = number;
	return true;
}

static bool parse_SIZE(const char *text, uint64_t *value)
{
	static const char suffixes[] = "KMGT";
	char *end;

	errno = 0;
	unsigned long long number = strtoull(text, &end, 0);
	if (errno || end == text || strchr(text, '-'))
		return false;
	const char *suffix = *end ? strchr(suffixes, *end & ~0x20) : NULL;
	if (suffix) {
		unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
		if (number > (UINT64_MAX >> shift))
			return false;
		number <<= shift;
		end++;
	}
	if (*end)
		return false;
	*value = number;
	return true;
}

/* Strings are kept for the life of the process, also those from before a reset: devices point to them. */
struct kept {
	struct kept *next;
	char text[];
};
static struct kept *all_kept;

/* Out of memory counts as not set. */
static bool parse_STRING(const char *text, const char **value)
{
	size_t size = strlen(text) + 1;
	struct kept *kept = weft_zalloc(sizeof(*kept) + size);

	if (!kept)
		return false;
	memcpy(kept->text, text, size);
	kept->next = all_kept;
	all_kept = kept;
	*value = kept->text;
	return true;
}

#define parse_FILE parse_STRING
#define parse_FOLDER parse_STRING

static void print_help(void)
{
	fputs("Weft reads these environment variables:\n", stderr);
#define WEFT_OPTION(field, kind, name, preset, help_) fprintf(stderr, "  %-20s %s\n", name, help_);
#include "options.def"
#undef WEFT_OPTION
}

static void read_options(void)
{
	const char *text;

#define WEFT_OPTION(field, kind, name, preset, help_)                                              \
	values.field = (preset);                                                                   \
	text = secure_getenv(name);                                                                \
	if (text && *text && !parse_##kind(text, &values.field))                                   \
		fprintf(stderr, "weft: %s=%s does not parse; using the default\n", name, text);
#include "options.def"
#undef WEFT_OPTION
	if (values.help)
		print_help();
}

const struct weft_options *weft_options(void)
{
	pthread_once(&once, read_options);
	return &values;
}

#define takes_STRING(text) true
#define takes_FILE(text) true
#define takes_FOLDER(text) true
#define takes_NUMBER(text) parse_NUMBER(text, &(int64_t){0})
#define takes_SIZE(text) parse_SIZE(text, &(uint64_t){0})
#define takes_FLAG(text) parse_FLAG(text, &(bool){false})

bool weft_option_takes(const char *name, const char *text)
{
#define WEFT_OPTION(field, kind, name_, preset, help_)                                             \
	if (strcmp(name, name_) == 0)                                                              \
		return takes_##kind(text);
#include "options.def"
#undef WEFT_OPTION
	return false;
}

void weft_options_reset(void)
{
	pthread_once(&once, read_options);
	read_options();
	weft_log_reset();
}
