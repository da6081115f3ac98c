/* SPDX-License-Identifier: MIT
 *
 * `weft cache`: the kernel cache's folder, as the driver finds it.
 */
#include "alloc.h"
#include "arguments.h"
#include "compiler/cache.h"
#include "compiler/cache_folder.h"
#include "options.h"
#include "terminal.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The open folder; -1: it is not there yet. */
struct cache {
	char path[PATH_MAX];
	int folder;
	bool removes; /* --remove */
};

static enum weft_exit show_size(const struct cache *cache)
{
	struct weft_cached_files list = {0};
	char size[WEFT_SIZE_TEXT];
	char limit[WEFT_SIZE_TEXT];

	if (cache->folder >= 0)
		weft_cache_files_list(cache->folder, &list);
	weft_size_text(list.bytes, size);
	weft_size_text(weft_options()->cache_size, limit);
	printf("%s: %zu entries, %s of %s\n", cache->path, list.count, size, limit);
	weft_free(list.files);
	return WEFT_EXIT_DONE;
}

static int latest_first(const void *a, const void *b)
{
	const struct timespec *first = &((const struct weft_cached_file *)a)->used;
	const struct timespec *second = &((const struct weft_cached_file *)b)->used;

	if (first->tv_sec != second->tv_sec)
		return first->tv_sec < second->tv_sec ? 1 : -1;
	return first->tv_nsec < second->tv_nsec ? 1 : first->tv_nsec > second->tv_nsec ? -1 : 0;
}

static const char *describe(const struct weft_cache_entry *entry)
{
	static const char *const kinds[] = {
		[WEFT_OUTPUT_OBJECT] = "compiled object",
		[WEFT_OUTPUT_LIBRARY] = "library",
		[WEFT_OUTPUT_KERNELS] = "executable",
		[WEFT_OUTPUT_ARCHIVE] = "executable, not yet whole",
		[WEFT_OUTPUT_UNIT] = "code of a kernel",
		[WEFT_OUTPUT_TEXT] = "a kernel's number of lanes",
	};

	switch (entry->state) {
	case WEFT_CACHE_OTHER_VERSION:
		return "of another version of Weft";
	case WEFT_CACHE_GONE:
		return "removed";
	case WEFT_CACHE_DAMAGED:
		return "damaged";
	case WEFT_CACHE_SOUND:
		break;
	}
	const bool is_known = entry->kind < sizeof(kinds) / sizeof(*kinds) && kinds[entry->kind];
	return is_known ? kinds[entry->kind] : "unknown";
}

static void print_file(const struct weft_cached_file *file, const struct weft_cache_entry *entry)
{
	char size[WEFT_SIZE_TEXT];
	char used[32] = "";
	struct tm local;

	weft_size_text(file->size, size);
	if (localtime_r(&file->used.tv_sec, &local))
		strftime(used, sizeof(used), "%Y-%m-%d %H:%M", &local);
	printf("%s %11s  %s  %s\n", file->name, size, used, describe(entry));
}

static enum weft_exit list(const struct cache *cache)
{
	struct weft_cached_files files = {0};

	if (cache->folder < 0)
		return WEFT_EXIT_DONE;
	weft_cache_files_list(cache->folder, &files);
	if (files.count)
		qsort(files.files, files.count, sizeof(*files.files), latest_first);
	for (size_t i = 0; i < files.count; i++) {
		const struct weft_cache_entry entry =
			weft_cache_look(cache->folder, files.files[i].name);

		print_file(&files.files[i], &entry);
	}
	weft_free(files.files);
	return WEFT_EXIT_DONE;
}

static enum weft_exit say_what_stays(const struct cache *cache, int error)
{
	weft_complain("%s: an entry cannot be removed: %s", cache->path, strerror(error));
	return WEFT_EXIT_TROUBLE;
}

static enum weft_exit clear(const struct cache *cache)
{
	struct weft_cached_files removed = {0};
	char size[WEFT_SIZE_TEXT];

	const int error = cache->folder >= 0 ? weft_cache_files_clear(cache->folder, &removed) : 0;
	weft_size_text(removed.bytes, size);
	printf("removed %zu entries, %s\n", removed.count, size);
	return error ? say_what_stays(cache, error) : WEFT_EXIT_DONE;
}

/* Entries of another version are no fault: a program of that version may use them. */
static enum weft_exit verify(const struct cache *cache)
{
	struct weft_cached_files files = {0};
	struct weft_progress progress;
	size_t counts[WEFT_CACHE_DAMAGED + 1] = {0};
	uint64_t done = 0;
	int error = 0;

	if (cache->folder >= 0)
		weft_cache_files_list(cache->folder, &files);
	weft_progress_start(&progress, "verifying", files.bytes);
	for (size_t i = 0; i < files.count; i++) {
		const struct weft_cached_file *file = &files.files[i];
		const struct weft_cache_entry entry = weft_cache_look(cache->folder, file->name);

		counts[entry.state]++;
		if (entry.state == WEFT_CACHE_DAMAGED) {
			weft_progress_end(&progress);
			print_file(file, &entry);
			if (cache->removes && !error)
				error = weft_cache_file_remove(cache->folder, file->name);
		}
		done += file->size;
		weft_progress_step(&progress, done);
	}
	weft_progress_end(&progress);
	printf("%zu entries are sound, %zu are of another version, %zu are damaged%s\n",
	       counts[WEFT_CACHE_SOUND], counts[WEFT_CACHE_OTHER_VERSION],
	       counts[WEFT_CACHE_DAMAGED],
	       cache->removes && counts[WEFT_CACHE_DAMAGED] && !error ? " and were removed" : "");
	weft_free(files.files);
	if (error)
		return say_what_stays(cache, error);
	return counts[WEFT_CACHE_DAMAGED] && !cache->removes ? WEFT_EXIT_REFUSED : WEFT_EXIT_DONE;
}

static const struct {
	const char *name;
	enum weft_exit (*run)(const struct cache *cache);
} actions[] = {{"size", show_size}, {"list", list}, {"clear", clear}, {"verify", verify}};

#define NUM_ACTIONS (sizeof(actions) / sizeof(*actions))

static enum weft_exit run(size_t action, struct cache *cache)
{
	char reason[WEFT_CACHE_REASON_SIZE];

	if (!weft_cache_folder_path(cache->path)) {
		weft_complain(weft_options()->cache
				      ? "there is nowhere to put a cache: HOME is not set"
				      : "the cache is off: WEFT_CACHE=0");
		return WEFT_EXIT_TROUBLE;
	}
	cache->folder = weft_cache_folder_try(cache->path, false, reason);
	if (*reason) {
		weft_complain("%s: cannot be used: %s", cache->path, reason);
		return WEFT_EXIT_TROUBLE;
	}
	const enum weft_exit result = actions[action].run(cache);
	if (cache->folder >= 0)
		close(cache->folder);
	return result;
}

enum weft_exit weft_cache_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_CACHE, .next = argv};
	struct cache cache = {.folder = -1};
	const char *name = NULL;
	size_t action = 0;

	while (weft_next_argument(&arguments)) {
		if (arguments.option)
			cache.removes = true; /* WEFT_CACHE_REMOVE, the one option */
		else if (name)
			weft_superfluous_argument(&arguments);
		else
			name = arguments.value;
	}
	if (arguments.ended)
		return arguments.result;
	while (name && action < NUM_ACTIONS && strcmp(actions[action].name, name) != 0)
		action++;
	if (action == NUM_ACTIONS) {
		weft_complain("weft cache takes size, list, clear or verify, not '%s'", name);
		return WEFT_EXIT_USAGE;
	}
	if (cache.removes && actions[action].run != verify) {
		weft_complain("--remove is for weft cache verify");
		return WEFT_EXIT_USAGE;
	}
	return run(action, &cache);
}
