/* SPDX-License-Identifier: MIT
 *
 * Accesses, by ranges. Invariant: whoever touched a byte last, and since the last write all who read it, are in some
 * range with the byte. Ranges may overlap; an older one that a newer one hides only adds edges that hold anyway.
 */
#include "command_buffer/access_table.h"

#include "alloc.h"

#define BUCKETS 512
#define NOBODY UINT32_MAX

struct weft_access {
	struct weft_access *next;
	struct weft_range range; /* `writes` says nothing */
	uint32_t writer;         /* or NOBODY */
	uint32_t *readers;       /* since then; owned */
	uint32_t num_readers;
	uint32_t room;
};

static void destroy(struct weft_access *access)
{
	weft_free(access->readers);
	weft_free(access);
}

void weft_access_table_clear(struct weft_access_table *table)
{
	for (size_t i = 0; table->buckets && i < BUCKETS; i++) {
		while (table->buckets[i]) {
			struct weft_access *access = table->buckets[i];

			table->buckets[i] = access->next;
			destroy(access);
		}
	}
	weft_free(table->buckets);
	table->buckets = NULL;
}

static struct weft_access *insert(struct weft_access **bucket, const struct weft_range *range)
{
	struct weft_access *access = weft_zalloc(sizeof(*access));

	if (!access)
		return NULL;
	access->next = *bucket;
	access->range = *range;
	access->writer = NOBODY;
	*bucket = access;
	return access;
}

static bool add_reader(struct weft_access *access, uint32_t command)
{
	if (access->num_readers == access->room) {
		uint32_t more = access->room ? 2 * access->room : 4;
		uint32_t *readers = weft_realloc(access->readers, more, sizeof(*readers));
		if (!readers)
			return false;
		access->readers = readers;
		access->room = more;
	}
	access->readers[access->num_readers++] = command;
	return true;
}

static bool after_writer(const struct weft_access *access, uint32_t command,
			 bool (*after)(void *, uint32_t), void *data)
{
	return access->writer == NOBODY || access->writer == command || after(data, access->writer);
}

static bool after_readers(const struct weft_access *access, uint32_t command,
			  bool (*after)(void *, uint32_t), void *data)
{
	for (uint32_t i = 0; i < access->num_readers; i++) {
		if (access->readers[i] != command && !after(data, access->readers[i]))
			return false;
	}
	return true;
}

/* Takes the place of what its range has all of. */
static bool add_write(struct weft_access **bucket, const struct weft_range *range, uint32_t command,
		      bool (*after)(void *, uint32_t), void *data)
{
	for (struct weft_access **link = bucket; *link;) {
		struct weft_access *access = *link;

		if (!weft_range_overlaps(&access->range, range)) {
			link = &access->next;
			continue;
		}
		/* readers come after the writer already */
		if (access->num_readers == 0 ? !after_writer(access, command, after, data)
					     : !after_readers(access, command, after, data))
			return false;
		if (!weft_range_contains(range, &access->range)) {
			link = &access->next;
			continue;
		}
		*link = access->next;
		destroy(access);
	}
	struct weft_access *own = insert(bucket, range);
	if (own)
		own->writer = command;
	return own != NULL;
}

static bool add_read(struct weft_access **bucket, const struct weft_range *range, uint32_t command,
		     bool (*after)(void *, uint32_t), void *data)
{
	struct weft_access *home = NULL;

	for (struct weft_access *access = *bucket; access; access = access->next) {
		if (!weft_range_overlaps(&access->range, range))
			continue;
		if (!after_writer(access, command, after, data))
			return false;
		if (!home && weft_range_contains(&access->range, range))
			home = access;
	}
	if (!home)
		home = insert(bucket, range);
	return home && add_reader(home, command);
}

bool weft_access_table_add(struct weft_access_table *table, const struct weft_range *range,
			   uint32_t command, bool (*after)(void *, uint32_t), void *data)
{
	if (!table->buckets)
		table->buckets = weft_calloc(BUCKETS, sizeof(struct weft_access *));
	if (!table->buckets)
		return false;
	struct weft_access **bucket = &table->buckets[weft_range_bucket(range->space, BUCKETS)];
	return range->writes ? add_write(bucket, range, command, after, data)
			     : add_read(bucket, range, command, after, data);
}
