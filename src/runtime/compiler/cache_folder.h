/* SPDX-License-Identifier: MIT
 *
 * The kernel cache's folder: finding and making it safely, whole files in and out, and its size.
 */
#ifndef WEFT_RUNTIME_CACHE_FOLDER_H
#define WEFT_RUNTIME_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include <time.h>

/* A file's name in the folder: digits and an ending, no slash. */
#define WEFT_CACHE_NAME_SIZE 40

/* A descriptor of the folder, made when `create` says so; -1 when the cache is off or the folder is
 * not ours alone to write. The caller closes it. */
int weft_cache_folder_open(bool create);

#define WEFT_CACHE_REASON_SIZE 160

/* Where the folder is; false: the cache is off, or there is nowhere to put it. */
bool weft_cache_folder_path(char path[PATH_MAX]);
/* Opens the folder at `path`, and makes it when `create` says so. -1: it may not be used, and `reason` says why; the reason is
 * empty if the folder is only not there yet. */
int weft_cache_folder_try(char *path, bool create, char reason[WEFT_CACHE_REASON_SIZE]);

/* Opens a file for reading if it is a regular one of this user's; -1 else. *size is its size in
 * bytes. The file counts as used now. */
int weft_cache_file_open(int folder, const char *name, size_t *size);

/* Writes a file whole and puts it into place under `name`; then removes old ones if the folder has
 * grown past WEFT_CACHE_SIZE. On any error nothing is left behind. */
bool weft_cache_file_write(int folder, const char *name, const struct iovec *parts, int num_parts);

/* errno of what keeps it; 0: it is not there any more. */
int weft_cache_file_remove(int folder, const char *name);

/* As weft_cache_file_open, but the file does not count as used. */
int weft_cache_file_look(int folder, const char *name, size_t *size);

struct weft_cached_file {
	char name[WEFT_CACHE_NAME_SIZE];
	uint64_t size; /* bytes */
	struct timespec used;
};

struct weft_cached_files {
	struct weft_cached_file *files; /* owned */
	size_t count;
	size_t capacity;
	uint64_t bytes;
};

/* Lists the entries, and removes what writers left that died. The list may lack files when memory is short. The caller frees
 * `files`. */
void weft_cache_files_list(int folder, struct weft_cached_files *list);

/* Removes all entries and the account of their sizes. How many have gone and their bytes in `removed`, whose `files` is NULL; errno
 * of the first one that stays, or 0. Other processes may use the cache at the same time. */
int weft_cache_files_clear(int folder, struct weft_cached_files *removed);

#endif
