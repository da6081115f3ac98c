/* SPDX-License-Identifier: MIT
 *
 * The cache's folder on disk. The size is kept approximately in a file of its own (USAGE), to
 * which each store adds a record, so that it costs no look at the others and no lock; a sweep
 * counts exactly, removes the files that were used longest ago and what crashed writers left.
 * Invariant: every entry was renamed there whole. The folder may be one that the user keeps other files in: only names that
 * this file makes are Weft's.
 */
#include "compiler/cache_folder.h"

#include "alloc.h"
#include "file.h"
#include "log.h"
#include "options.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".weft"
#define TEMPORARY "tmp-"
#define USAGE "weft-usage"
#define KEY_DIGITS 32 /* of an entry's name */
#define USAGE_MAGIC UINT64_C(0x5745465455534532)
#define TEMPORARY_NAME_SIZE 64
#define STORES_PER_SWEEP 4096 /* which keeps the account short */
#define SWEEPS_PER_STORE 4    /* at most: the next store goes on */
#define REMEMBERED_USE 3600   /* seconds: a file's time is set anew only when it is older */
#define STALE_TEMPORARY 3600  /* seconds after which a temporary file has no writer any more */

/* ---- the folder ------------------------------------------------------------------------------ */

/* Only absolute paths of XDG_CACHE_HOME count, as the XDG base directory specification says. A program with more rights than its
 * user has no cache. */
bool weft_cache_folder_path(char path[PATH_MAX])
{
	const char *given = weft_options()->cache_dir;
	const char *cache_home = secure_getenv("XDG_CACHE_HOME");
	const char *home = secure_getenv("HOME");
	int length = -1;

	if (!weft_options()->cache)
		return false;
	if (given && *given)
		length = snprintf(path, PATH_MAX, "%s", given);
	else if (cache_home && *cache_home == '/')
		length = snprintf(path, PATH_MAX, "%s/weft", cache_home);
	else if (home && *home == '/')
		length = snprintf(path, PATH_MAX, "%s/.cache/weft", home);
	return length > 0 && length < PATH_MAX;
}

/* Makes the folder and what leads to it, for this user alone. Errors show when it is opened. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

/* Why the folder at `path`, open, must not be used; NULL: it may. A user who can write to it can make us load code. A link in its
 * place may lead to any folder of the user's if the user, or root, made it: another one's could lead to where files of the
 * user's own would be replaced. */
static const char *refusal(const char *path, int folder)
{
	struct stat link, info;

	if (lstat(path, &link) != 0 || fstat(folder, &info) != 0)
		return strerror(errno);
	if (S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0)
		return "a link that another user made";
	if (info.st_uid != geteuid())
		return S_ISLNK(link.st_mode) ? "a link to a folder that is another user's"
					     : "a folder that is another user's";
	return info.st_mode & 022 ? "others can write to it" : NULL;
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int weft_cache_folder_try(char *path, bool create, char reason[WEFT_CACHE_REASON_SIZE])
{
	struct stat link;

	*reason = '\0';
	int folder = open_folder(path);
	if (folder < 0 && errno == ENOENT && create) {
		make_folders(path);
		folder = open_folder(path);
	}
	if (folder < 0) {
		int error = errno;
		bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);

		if (create || error != ENOENT || is_link)
			snprintf(reason, WEFT_CACHE_REASON_SIZE, "%s%s", is_link ? "a link: " : "",
				 strerror(error));
		return -1;
	}
	const char *why = refusal(path, folder);
	if (why) {
		snprintf(reason, WEFT_CACHE_REASON_SIZE, "%s", why);
		close(folder);
		return -1;
	}
	return folder;
}

int weft_cache_folder_open(bool create)
{
	char path[PATH_MAX];
	char reason[WEFT_CACHE_REASON_SIZE];

	if (!weft_cache_folder_path(path))
		return -1;
	const int folder = weft_cache_folder_try(path, create, reason);
	if (*reason)
		weft_log(WEFT_LOG_WARN, "cache", "no cache: %s: %s", path, reason);
	return folder;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Opens a regular file of this user's; -1 else. O_NONBLOCK: a fifo in the way must not stop us. */
static int open_file(int folder, const char *name, struct stat *info)
{
	int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (file < 0)
		return -1;
	if (fstat(file, info) != 0 || !S_ISREG(info->st_mode) || info->st_uid != geteuid()) {
		close(file);
		return -1;
	}
	return file;
}

int weft_cache_file_open(int folder, const char *name, size_t *size)
{
	static const struct timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
	struct stat info;

	const int file = open_file(folder, name, &info);
	if (file < 0)
		return -1;
	if (time(NULL) - info.st_mtim.tv_sec > REMEMBERED_USE)
		(void)futimens(file, now);
	*size = (size_t)info.st_size;
	return file;
}

int weft_cache_file_look(int folder, const char *name, size_t *size)
{
	struct stat info;

	const int file = open_file(folder, name, &info);
	if (file >= 0)
		*size = (size_t)info.st_size;
	return file;
}

int weft_cache_file_remove(int folder, const char *name)
{
	return unlinkat(folder, name, 0) == 0 || errno == ENOENT ? 0 : errno;
}

/* ---- the size -------------------------------------------------------------------------------- */

/* A record of the account. Invariant: a file is in place before its size is added, and a sweep begins a
 * new account before it looks at the folder. So what a sweep does not see is added to the new
 * account, and the account says too much at times (until the next sweep), but never too little. */
struct usage {
	uint64_t magic;
	uint64_t bytes; /* modulo 2^64: a correction may be negative */
};

static bool is_entry(const char *name)
{
	return strspn(name, "0123456789abcdef") == KEY_DIGITS &&
	       strcmp(name + KEY_DIGITS, SUFFIX) == 0;
}

/* A name of open_temporary's. */
static bool is_temporary(const char *name)
{
	static const char digits[] = "0123456789abcdef";
	static const struct {
		int count; /* of the digits that a part may have */
		char end;
	} parts[] = {{10, '-'}, {10, '-'}, {16, '\0'}};

	if (strncmp(name, TEMPORARY, strlen(TEMPORARY)) != 0)
		return false;
	name += strlen(TEMPORARY);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		size_t length = 0;

		while (name[length] && memchr(digits, name[length], (size_t)parts[i].count))
			length++;
		if (length == 0 || name[length] != parts[i].end)
			return false;
		name += length + 1;
	}
	return true;
}

static bool list_file(struct weft_cached_files *list, const char *name, const struct stat *info)
{
	struct weft_cached_file *files =
		weft_grow(list->files, &list->capacity, list->count, sizeof(*files));

	if (!files)
		return false;
	list->files = files;
	struct weft_cached_file *file = &list->files[list->count++];
	snprintf(file->name, sizeof(file->name), "%.*s", KEY_DIGITS + (int)strlen(SUFFIX), name);
	file->size = (uint64_t)info->st_size;
	file->used = info->st_mtim;
	list->bytes += file->size;
	return true;
}

/* Other files are not ours. */
void weft_cache_files_list(int folder, struct weft_cached_files *list)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;
	time_t now = time(NULL);
	struct dirent *entry;
	struct stat info;

	if (!stream) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((entry = readdir(stream)) != NULL) {
		bool temporary = is_temporary(entry->d_name);

		if (!temporary && !is_entry(entry->d_name))
			continue;
		if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (temporary && now - info.st_mtim.tv_sec > STALE_TEMPORARY)
			unlinkat(folder, entry->d_name, 0);
		else if (!temporary && S_ISREG(info.st_mode) &&
			 !list_file(list, entry->d_name, &info))
			break;
	}
	closedir(stream);
}

static int by_use(const void *a, const void *b)
{
	const struct timespec *first = &((const struct weft_cached_file *)a)->used;
	const struct timespec *second = &((const struct weft_cached_file *)b)->used;

	if (first->tv_sec != second->tv_sec)
		return first->tv_sec < second->tv_sec ? -1 : 1;
	return first->tv_nsec < second->tv_nsec ? -1 : first->tv_nsec > second->tv_nsec;
}

/* What a sweep leaves: some room, so that the next one is a while off. */
static uint64_t sweep_target(uint64_t limit)
{
	return limit - limit / 8;
}

/* Returns what the folder holds then. */
static uint64_t sweep(int folder, uint64_t limit)
{
	struct weft_cached_files list = {0};
	size_t removed = 0;

	weft_cache_files_list(folder, &list);
	if (list.bytes > limit) {
		qsort(list.files, list.count, sizeof(*list.files), by_use);
		for (; removed < list.count && list.bytes > sweep_target(limit); removed++) {
			unlinkat(folder, list.files[removed].name, 0);
			list.bytes -= list.files[removed].size;
		}
		weft_log(WEFT_LOG_INFO, "cache", "removed %zu old files, %llu bytes are left",
			 removed, (unsigned long long)list.bytes);
	}
	weft_free(list.files);
	return list.bytes;
}

/* Opens a new temporary file of this process; what it is called in `name`. */
static int open_temporary(int folder, char name[TEMPORARY_NAME_SIZE], int flags)
{
	static _Atomic unsigned serial;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(name, TEMPORARY_NAME_SIZE, TEMPORARY "%ld-%u-%lx", (long)getpid(),
		 atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed), now.tv_nsec);
	return openat(folder, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Adds to the account. One write to the end of a file is whole, so that no process waits for another. */
static bool add_usage(int file, uint64_t bytes)
{
	const struct usage record = {USAGE_MAGIC, bytes};

	return weft_file_write_once(file, &record, sizeof(record)) == (ssize_t)sizeof(record);
}

/* Whether the account is over the limit, long, or unsound. */
static bool sweep_due(int file, uint64_t limit)
{
	struct usage records[256];
	uint64_t bytes = 0;
	off_t offset = 0;
	ssize_t size;

	while ((size = pread(file, records, sizeof(records), offset)) > 0) {
		size_t count = (size_t)size / sizeof(records[0]);

		for (size_t i = 0; i < count; i++) {
			if (records[i].magic != USAGE_MAGIC)
				return true;
			bytes += records[i].bytes;
		}
		offset += size;
		if ((size_t)size % sizeof(records[0]) != 0 ||
		    (size_t)offset >= STORES_PER_SWEEP * sizeof(records[0]))
			return true;
	}
	return size < 0 || bytes > limit;
}

/* Sweeps, with a new account. It says at first what the sweep is expected to leave, so that no other
 * process sweeps for the same reason, and is put right by the last record. True when it is over the
 * limit again, by what others have stored at the same time. */
static bool sweep_anew(int folder, uint64_t limit)
{
	const uint64_t expected = sweep_target(limit);
	char temporary[TEMPORARY_NAME_SIZE];
	int file = open_temporary(folder, temporary, O_RDWR | O_APPEND);
	bool begun = file >= 0 && add_usage(file, expected) &&
		     renameat(folder, temporary, folder, USAGE) == 0;

	if (file >= 0 && !begun)
		unlinkat(folder, temporary, 0);
	uint64_t left = sweep(folder, limit);
	bool again = begun && add_usage(file, left - expected) && sweep_due(file, limit);
	if (file >= 0)
		close(file);
	return again;
}

static void account(int folder, uint64_t bytes)
{
	uint64_t limit = weft_options()->cache_size;
	int file = openat(folder, USAGE, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool due = file < 0 || !add_usage(file, bytes) || sweep_due(file, limit);

	if (file >= 0)
		close(file);
	for (int i = 0; due && i < SWEEPS_PER_STORE; i++)
		due = sweep_anew(folder, limit);
}

bool weft_cache_file_write(int folder, const char *name, const struct iovec *parts, int num_parts)
{
	char temporary[TEMPORARY_NAME_SIZE];
	uint64_t bytes = 0;
	bool written = true;

	for (int i = 0; i < num_parts; i++)
		bytes += parts[i].iov_len;
	if (bytes > weft_options()->cache_size)
		return false;
	int file = open_temporary(folder, temporary, O_WRONLY);
	if (file < 0)
		return false;
	for (int i = 0; i < num_parts && written; i++)
		written = weft_file_write(file, parts[i].iov_base, parts[i].iov_len);
	written = close(file) == 0 && written;
	if (!written || renameat(folder, temporary, folder, name) != 0) {
		weft_log(WEFT_LOG_WARN, "cache", "cannot write: %s", strerror(errno));
		unlinkat(folder, temporary, 0);
		return false;
	}
	account(folder, bytes);
	return true;
}

int weft_cache_files_clear(int folder, struct weft_cached_files *removed)
{
	struct weft_cached_files list = {0};
	int error = 0;

	*removed = list;
	weft_cache_files_list(folder, &list);
	for (size_t i = 0; i < list.count; i++) {
		const int problem = weft_cache_file_remove(folder, list.files[i].name);

		error = error ? error : problem;
		removed->count += problem == 0;
		removed->bytes += problem == 0 ? list.files[i].size : 0;
	}
	weft_cache_file_remove(folder, USAGE);
	weft_free(list.files);
	return error;
}
