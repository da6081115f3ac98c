/* SPDX-License-Identifier: MIT
 *
 * ocl-icd loads what a folder has in the order in which the system lists it, which depends on the file system: so Weft's file is
 * given other names until it comes first. The folder is named by what is in it. Runs share it, and it stays, as a program may
 * start others at any time. Invariant: a folder that does not begin with MAKING was whole once.
 */
#include "run_folder.h"

#include "alloc.h"
#include "commands.h"
#include "digest.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAKING "making-"
#define PREFIX "weft-"
#define MOST_NAMES 200 /* with nine other drivers, one in a thousand million fails */

/* ---- where it is ------------------------------------------------------------------------------ */

/* Makes the folder and what leads to it. False: it is not there then, or another user could write to it. */
static bool make_folder(char *path)
{
	struct stat info;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
	return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
	       (info.st_mode & 022) == 0;
}

enum place {
	CACHE,     /* the user's */
	TEMPORARY, /* for users without a home, and where that cannot be written */
	NUM_PLACES
};

static bool find_base(enum place place, char path[PATH_MAX])
{
	const char *cache = secure_getenv("XDG_CACHE_HOME");
	const char *home = secure_getenv("HOME");
	const char *temporary = secure_getenv("TMPDIR");
	int length = -1;

	if (place == TEMPORARY)
		length = snprintf(path, PATH_MAX, "%s/weft-vendors-%u",
				  temporary && *temporary == '/' ? temporary : "/tmp", geteuid());
	else if (cache && *cache == '/')
		length = snprintf(path, PATH_MAX, "%s/weft/vendors", cache);
	else if (home && *home == '/')
		length = snprintf(path, PATH_MAX, "%s/.cache/weft/vendors", home);
	return length > 0 && length < PATH_MAX && make_folder(path);
}

/* ---- what is in it ---------------------------------------------------------------------------- */

/* `text` as a file, if the folder has none of that name. */
static bool write_icd(int folder, const char *name, const char *text)
{
	const int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const bool done = file >= 0 && weft_file_write(file, text, strlen(text)) &&
			  weft_file_write(file, "\n", 1);

	return (file < 0 || close(file) == 0) && done;
}

/* Whether the system lists a file of Weft's before all others. */
static bool weft_is_first(const char *path)
{
	struct dirent *entry;
	bool first = false;

	DIR *stream = opendir(path);
	while (stream && (entry = readdir(stream)) != NULL) {
		if (*entry->d_name == '.')
			continue;
		first = strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0;
		break;
	}
	if (stream)
		closedir(stream);
	return first;
}

static void weft_name(unsigned number, char name[32])
{
	snprintf(name, 32, PREFIX "%u.icd", number);
}

static bool is_other(const struct weft_vendor *vendor)
{
	return !weft_vendor_is_weft(vendor) && *vendor->library;
}

static bool fill_others(int folder, const struct weft_vendors *vendors)
{
	char name[32];
	bool done = true;

	for (size_t i = 0; i < vendors->count && done; i++) {
		if (!is_other(&vendors->items[i]))
			continue;
		snprintf(name, sizeof(name), "other-%zu.icd", i);
		done = write_icd(folder, name, vendors->items[i].library);
	}
	return done;
}

/* File systems list files by when they were made, the oldest or the newest first, or by a digest of their names. */
static bool fill(const char *path, int folder, const char *library,
		 const struct weft_vendors *vendors)
{
	char name[32];

	weft_name(0, name);
	bool done = write_icd(folder, name, library) && fill_others(folder, vendors);
	for (unsigned i = 1; done && i < MOST_NAMES && !weft_is_first(path); i++) {
		unlinkat(folder, name, 0);
		weft_name(i, name);
		done = write_icd(folder, name, library);
	}
	return done && weft_is_first(path);
}

static void remove_folder(const char *path)
{
	struct dirent *entry;

	DIR *stream = opendir(path);
	while (stream && (entry = readdir(stream)) != NULL)
		unlinkat(dirfd(stream), entry->d_name, 0);
	if (stream)
		closedir(stream);
	rmdir(path);
}

/* A file may be gone, as systems remove old temporary files, or empty, when the machine went down. */
static bool is_whole(const char *path, const struct weft_vendors *vendors)
{
	struct weft_vendors found = {0};
	size_t files = 1; /* Weft's */
	bool whole = weft_is_first(path) && weft_vendors_read(&found, path) == 0 && !found.failed;

	for (size_t i = 0; i < vendors->count; i++)
		files += is_other(&vendors->items[i]);
	for (size_t i = 0; i < found.count; i++)
		whole = whole && *found.items[i].library;
	whole = whole && found.count == files;
	weft_vendors_destroy(&found);
	return whole;
}

/* Makes the folder `final`, whole. False: it cannot, or another process was faster. */
static bool make_whole(const char *base, const char *final, const char *library,
		       const struct weft_vendors *vendors)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/" MAKING "XXXXXX", base) >= (int)sizeof(path) ||
	    !mkdtemp(path))
		return false;
	const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool done =
		folder >= 0 && fill(path, folder, library, vendors) && rename(path, final) == 0;
	if (folder >= 0)
		close(folder);
	if (!done)
		remove_folder(path);
	return done;
}

/* The folder of that name within `base`, made if it is not there; its path in `path`. */
static bool use_folder(const char *base, const char *name, const char *library,
		       const struct weft_vendors *vendors, char path[PATH_MAX])
{
	struct stat info;

	if (snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX)
		return false;
	if (is_whole(path, vendors))
		return true;
	if (lstat(path, &info) == 0)
		remove_folder(path);
	return make_whole(base, path, library, vendors) || is_whole(path, vendors);
}

bool weft_run_folder(const char *library, const struct weft_vendors *vendors, char path[PATH_MAX])
{
	struct weft_digest digest = weft_digest_bytes(library, strlen(library));
	char base[PATH_MAX];
	char name[40];

	for (size_t i = 0; i < vendors->count; i++)
		digest = weft_digest_field(digest, vendors->items[i].library,
					   strlen(vendors->items[i].library));
	snprintf(name, sizeof(name), "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
	for (int place = 0; place < NUM_PLACES; place++) {
		if (find_base((enum place)place, base) &&
		    use_folder(base, name, library, vendors, path))
			return true;
	}
	weft_complain("there is no folder to keep a list of drivers in: set HOME or TMPDIR to one "
		      "that can be written, or use --only");
	return false;
}
