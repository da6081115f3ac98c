/* SPDX-License-Identifier: MIT
 *
 * Records of places: what was there, and the path. Invariant: a record of a file has the digest of its contents.
 */
#include "compiler/cache_places.h"

#include "alloc.h"
#include "compiler/cache_folder.h"
#include "digest.h"
#include "file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Followed by the path and its zero. */
struct place_record {
	uint32_t kind;      /* enum weft_place_kind */
	uint32_t path_size; /* bytes, the zero included */
	uint64_t size;      /* bytes of a file; else 0, as its digest */
	struct weft_digest digest;
	uint64_t
		number; /* of the first record with the same file: #pragma once goes by what the file is; else 0 */
};

/* The open file's present contents in *record; false when it cannot be read. */
static bool digest_file(int file, size_t size, struct place_record *record)
{
	void *bytes = weft_calloc(size, 1);
	bool read = bytes && weft_file_read(file, bytes, size);

	if (read) {
		record->kind = WEFT_PLACE_FILE;
		record->size = size;
		record->digest = weft_digest_bytes(bytes, size);
	}
	weft_free(bytes);
	return read;
}

/* `path`, or where it leads from the folder; NULL: there is no telling. `joined` has PATH_MAX bytes. */
static const char *resolve(const char *folder, const char *path, char *joined)
{
	if (*path == '/')
		return path;
	if (!folder || snprintf(joined, PATH_MAX, "%s/%s", folder, path) >= PATH_MAX)
		return NULL;
	return joined;
}

/* What a look at an entry's places has seen so far. */
struct look {
	struct weft_strbuf files; /* struct identity of each file */
	int64_t changed; /* when the last one was written, in ns of CLOCK_REALTIME; 0: it is no file */
};

struct identity {
	dev_t device;
	ino_t file;
};

/* Counts from 1. */
static uint64_t number_file(struct look *look, const struct stat *info)
{
	const struct identity identity = {info->st_dev, info->st_ino};
	struct identity other;
	size_t count = look->files.size / sizeof(other);

	for (size_t i = 0; i < count; i++) {
		memcpy(&other, look->files.data + i * sizeof(other), sizeof(other));
		if (other.device == identity.device && other.file == identity.file)
			return i + 1;
	}
	weft_strbuf_add(&look->files, &identity, sizeof(identity));
	return count + 1;
}

/* What is at `path` now, as the compiler would see it, in *record; false when it cannot be read. O_NONBLOCK: opening a pipe
 * must not stop us. */
static bool look_at(struct look *look, const char *path, struct place_record *record)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat info;
	bool known = true;

	*record = (struct place_record){.kind = WEFT_PLACE_NOTHING};
	look->changed = 0;
	if (file < 0) { /* a folder that may be searched, not read, is one all the same */
		if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
			record->kind = WEFT_PLACE_FOLDER;
		return true;
	}
	if (fstat(file, &info) != 0)
		known = false;
	else if (S_ISDIR(info.st_mode))
		record->kind = WEFT_PLACE_FOLDER;
	else if (S_ISREG(info.st_mode))
		known = digest_file(file, (size_t)info.st_size, record);
	if (record->kind == WEFT_PLACE_FILE) {
		record->number = number_file(look, &info);
		look->changed = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
	}
	close(file);
	return known && !look->files.failed;
}

static bool same_place(const struct place_record *a, const struct place_record *b)
{
	return a->kind == b->kind && a->size == b->size && a->number == b->number &&
	       a->digest.low == b->digest.low && a->digest.high == b->digest.high;
}

/* Takes the next record, whose path follows it; false when they are no records, though verified as to damage. */
static bool next_record(const char **next, size_t *left, struct place_record *record)
{
	if (*left < sizeof(*record))
		return false;
	memcpy(record, *next, sizeof(*record));
	*next += sizeof(*record);
	*left -= sizeof(*record);
	return record->path_size > 0 && record->path_size <= *left &&
	       (*next)[record->path_size - 1] == '\0';
}

bool weft_cache_places_unchanged(const char *records, size_t size, const char *folder)
{
	const char *next = records;
	size_t left = size;
	struct place_record then, now;
	struct look look = {0};
	char joined[PATH_MAX];
	bool unchanged = true;

	while (left > 0 && unchanged) {
		unchanged = next_record(&next, &left, &then);
		if (!unchanged)
			break;
		const char *path = resolve(folder, next, joined);
		unchanged = path && look_at(&look, path, &now) && same_place(&now, &then);
		next += then.path_size;
		left -= then.path_size;
	}
	weft_strbuf_destroy(&look.files);
	return unchanged;
}

bool weft_cache_places_record(const struct weft_output *output, const char *folder, int64_t before,
			      struct weft_strbuf *records)
{
	struct place_record record = {0};
	struct look look = {0};
	char joined[PATH_MAX];
	bool known = true;

	for (size_t i = 0; i < output->num_places && known; i++) {
		const struct weft_place *place = &output->places[i];
		const char *path = resolve(folder, place->path, joined);

		known = path && look_at(&look, path, &record) &&
			record.kind == (uint32_t)place->kind && look.changed < before;
		record.path_size = (uint32_t)strlen(place->path) + 1;
		weft_strbuf_add(records, &record, sizeof(record));
		weft_strbuf_add(records, place->path, record.path_size);
	}
	weft_strbuf_destroy(&look.files);
	return known && !records->failed;
}
