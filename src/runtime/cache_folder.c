/* SPDX-License-Identifier: MIT
 *
 * The cache's folder on disk. The size is kept approximately in a file of its own ("usage"), so
 * that a store costs no look at the others; a sweep counts exactly, removes the files that were
 * used longest ago and what crashed writers left. Invariant: every name that ends in ".weft" was
 * renamed there whole.
 */
#include "cache_folder.h"

#include "alloc.h"
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
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".weft"
#define TEMPORARY "tmp-"
#define USAGE "usage"
#define USAGE_MAGIC UINT64_C(0x5745465455534531)
#define STORES_PER_SWEEP 4096
#define REMEMBERED_USE 3600  /* seconds: a file's time is set anew only when it is older */
#define STALE_TEMPORARY 3600 /* seconds after which a temporary file has no writer any more */

/* ---- the folder ------------------------------------------------------------------------------ */

/* The folder's path; false when there is nowhere to put it. Only absolute paths of XDG_CACHE_HOME
 * count, as the XDG base directory specification says. */
static bool folder_path(char path[PATH_MAX])
{
	const char *given = weft_options()->cache_dir;
	const char *cache_home = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	int length = -1;

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

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int weft_cache_folder_open(bool create)
{
	char path[PATH_MAX];
	struct stat info;

	if (!weft_options()->cache || !folder_path(path))
		return -1;
	int folder = open_folder(path);
	if (folder < 0 && errno == ENOENT && create) {
		make_folders(path);
		folder = open_folder(path);
	}
	if (folder < 0) {
		if (create || errno != ENOENT)
			weft_log(WEFT_LOG_WARN, "cache", "no cache: %s: %s", path, strerror(errno));
		return -1;
	}
	if (fstat(folder, &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 022)) {
		weft_log(WEFT_LOG_WARN, "cache", "no cache: others can write to %s", path);
		close(folder);
		return -1;
	}
	return folder;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* O_NONBLOCK: a fifo in the way must not stop us. */
int weft_cache_file_open(int folder, const char *name, size_t *size)
{
	static const struct timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
	int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;

	if (file < 0)
		return -1;
	if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) {
		close(file);
		return -1;
	}
	if (time(NULL) - info.st_mtim.tv_sec > REMEMBERED_USE)
		(void)futimens(file, now);
	*size = (size_t)info.st_size;
	return file;
}

bool weft_cache_file_read(int file, void *bytes, size_t size)
{
	char *next = bytes;

	while (size > 0) {
		ssize_t count = read(file, next, size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		next += count;
		size -= (size_t)count;
	}
	return true;
}

void weft_cache_file_remove(int folder, const char *name)
{
	unlinkat(folder, name, 0);
}

static bool write_all(int file, const void *bytes, size_t size)
{
	const char *next = bytes;

	while (size > 0) {
		ssize_t count = write(file, next, size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		next += count;
		size -= (size_t)count;
	}
	return true;
}

/* ---- the size -------------------------------------------------------------------------------- */

struct usage {
	uint64_t magic;
	uint64_t bytes;
	uint64_t stores; /* since the last sweep */
};

struct cached_file {
	char name[WEFT_CACHE_NAME_SIZE];
	uint64_t size;
	struct timespec used;
};

struct file_list {
	struct cached_file *files; /* owned */
	size_t count;
	size_t capacity;
	uint64_t bytes;
};

static bool ends_in_suffix(const char *name)
{
	size_t length = strlen(name);

	return length >= strlen(SUFFIX) && length < WEFT_CACHE_NAME_SIZE &&
	       strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static bool list_file(struct file_list *list, const char *name, const struct stat *info)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 64;
		struct cached_file *files = weft_realloc(list->files, capacity, sizeof(*files));
		if (!files)
			return false;
		list->files = files;
		list->capacity = capacity;
	}
	struct cached_file *file = &list->files[list->count++];
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->size = (uint64_t)info->st_size;
	file->used = info->st_mtim;
	list->bytes += file->size;
	return true;
}

/* Lists the cache's files and removes what writers left that died. Other files are not ours. */
static void list_folder(int folder, struct file_list *list)
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
		bool temporary = strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) == 0;

		if (!temporary && !ends_in_suffix(entry->d_name))
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
	const struct timespec *first = &((const struct cached_file *)a)->used;
	const struct timespec *second = &((const struct cached_file *)b)->used;

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
	struct file_list list = {0};
	size_t removed = 0;

	list_folder(folder, &list);
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

/* The lock is held for a few system calls at most; but its holder may have been stopped, so that the wait
 * has an end. */
static bool lock_usage(int file)
{
	static const struct timespec pause = {0, 100000};

	for (int i = 0; i < 100; i++) {
		if (flock(file, LOCK_EX | LOCK_NB) == 0)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* Adds to the account; true when it is time to sweep. Then the account says already what the sweep is
 * expected to leave, and no other process sweeps for the same reason. */
static bool add_usage(int folder, int file, int64_t bytes, uint64_t limit)
{
	struct usage usage = {0};

	if (!lock_usage(file))
		return false;
	bool known = pread(file, &usage, sizeof(usage), 0) == (ssize_t)sizeof(usage) &&
		     usage.magic == USAGE_MAGIC;
	if (!known)
		usage = (struct usage){USAGE_MAGIC, 0, 0};
	if (__builtin_add_overflow(usage.bytes, bytes, &usage.bytes))
		usage.bytes = limit;
	usage.stores++;
	bool due = !known || usage.bytes > limit || usage.stores >= STORES_PER_SWEEP;
	if (due) {
		usage.bytes = sweep_target(limit);
		usage.stores = 0;
	}
	if (pwrite(file, &usage, sizeof(usage), 0) != (ssize_t)sizeof(usage))
		unlinkat(folder, USAGE, 0);
	flock(file, LOCK_UN);
	return due;
}

static void account(int folder, uint64_t bytes)
{
	uint64_t limit = weft_options()->cache_size;
	int file =
		openat(folder, USAGE, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (file < 0)
		return;
	if (add_usage(folder, file, (int64_t)bytes, limit)) {
		int64_t correction = (int64_t)sweep(folder, limit) - (int64_t)sweep_target(limit);

		(void)add_usage(folder, file, correction, limit);
	}
	close(file);
}

bool weft_cache_file_write(int folder, const char *name, const struct iovec *parts, int num_parts)
{
	static _Atomic unsigned serial;
	char temporary[64];
	uint64_t bytes = 0;
	bool written = true;
	struct timespec now;

	for (int i = 0; i < num_parts; i++)
		bytes += parts[i].iov_len;
	if (bytes > weft_options()->cache_size)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(temporary, sizeof(temporary), TEMPORARY "%ld-%u-%lx", (long)getpid(),
		 atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed), now.tv_nsec);
	int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  0600);
	if (file < 0)
		return false;
	for (int i = 0; i < num_parts && written; i++)
		written = write_all(file, parts[i].iov_base, parts[i].iov_len);
	written = close(file) == 0 && written;
	if (!written || renameat(folder, temporary, folder, name) != 0) {
		weft_log(WEFT_LOG_WARN, "cache", "cannot write: %s", strerror(errno));
		unlinkat(folder, temporary, 0);
		return false;
	}
	account(folder, bytes);
	return true;
}
