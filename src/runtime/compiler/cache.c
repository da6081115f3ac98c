/* SPDX-License-Identifier: MIT
 *
 * Entries of the kernel cache: a header, the compiler's result, its log and the places where its source
 * looked for files. Invariant: what weft_cache_load returns has the digest that the writer gave
 * it.
 */
#include "compiler/cache.h"

#include "alloc.h"
#include "compiler/cache_folder.h"
#include "compiler/cache_places.h"
#include "compiler/compiler_library.h"
#include "file.h"
#include "kernel_abi.h"
#include "log.h"
#include "options.h"
#include "overflow.h"
#include "strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ENTRY_MAGIC "WEFTENT"
#define ENTRY_VERSION 2

struct entry_header {
	char magic[8];
	uint32_t version;
	uint32_t kind; /* enum weft_output_kind */
	struct weft_digest key;
	uint64_t data_size;        /* bytes */
	uint64_t log_size;         /* bytes, without a zero */
	uint64_t places_size;      /* bytes of all place records */
	struct weft_digest digest; /* of everything else */
};

/* An entry in memory. */
struct entry {
	struct entry_header header;
	char *data;   /* owned */
	char *log;    /* owned, zero-terminated; NULL when there is none */
	char *places; /* owned: records, cache_places.h */
};

/* ---- keys ------------------------------------------------------------------------------------ */

static struct weft_digest add_text(struct weft_digest digest, const char *text)
{
	return weft_digest_field(digest, text ? text : "", text ? strlen(text) + 1 : 0);
}

/* What every key begins with. */
static struct weft_cache_key start_key(enum weft_cache_stage stage,
				       const struct weft_target *target, const char *options,
				       const char *cpu_key)
{
	const struct weft_digest compiler = weft_compiler_library_identity();
	const uint32_t numbers[] = {WEFT_KERNEL_ABI,      WEFT_COMPILER_VERSION, (uint32_t)stage,
				    target->vector_width, target->slow_gathers,  target->quick};
	struct weft_digest digest = weft_digest_bytes(WEFT_VERSION, sizeof(WEFT_VERSION));
	struct weft_cache_key key;
	struct timespec now;

	digest = weft_digest_field(digest, numbers, sizeof(numbers));
	digest = weft_digest_field(digest, &compiler, sizeof(compiler));
	digest = add_text(digest, cpu_key);
	digest = add_text(digest, target->cpu);
	digest = add_text(digest, target->isa);
	digest = add_text(digest, target->extensions);
	digest = add_text(digest, target->features);
	digest = add_text(digest, target->opencl_c_version);
	if (target->costs)
		digest = weft_digest_field(digest, target->costs, sizeof(*target->costs));
	key.digest = add_text(digest, options ? options : "");
	key.in_folder = key.digest;
	key.has_folder = false;
	clock_gettime(CLOCK_REALTIME, &now);
	key.time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	return key;
}

static struct weft_digest add_il(struct weft_digest digest, const struct weft_il *il)
{
	digest = weft_digest_field(digest, il->bytes, il->size);
	for (size_t i = 0; i < il->num_constants; i++) {
		const uint64_t words[] = {il->constants[i].id, il->constants[i].size,
					  il->constants[i].bits};

		digest = weft_digest_field(digest, words, sizeof(words));
	}
	return digest;
}

struct weft_cache_key weft_cache_key_source(enum weft_cache_stage stage,
					    const struct weft_compile_desc *desc,
					    const char *cpu_key)
{
	struct weft_cache_key key = start_key(stage, desc->target, desc->options, cpu_key);
	const bool facts[] = {desc->zero_private, desc->zero_local, desc->il != NULL};

	key.digest = weft_digest_field(key.digest, facts, sizeof(facts));
	if (desc->il) {
		key.digest = add_il(key.digest, desc->il);
		return key;
	}
	key.digest = weft_digest_field(key.digest, desc->source, desc->source_size);
	for (size_t i = 0; i < desc->num_headers; i++) {
		const struct weft_header *header = &desc->headers[i];

		key.digest = add_text(key.digest, header->name);
		key.digest = weft_digest_field(key.digest, header->text, header->size);
	}
	key.has_folder = desc->folder != NULL;
	key.in_folder = add_text(key.digest, desc->folder);
	return key;
}

struct weft_cache_key weft_cache_key_link(const struct weft_link_desc *desc, const char *cpu_key)
{
	struct weft_cache_key key =
		start_key(WEFT_CACHE_LINK, desc->target, desc->options, cpu_key);

	for (size_t i = 0; i < desc->num_inputs; i++)
		key.digest =
			weft_digest_field(key.digest, desc->inputs[i].data, desc->inputs[i].size);
	return key;
}

static struct weft_cache_key key_of_specialisation(enum weft_cache_stage stage,
						   const struct weft_specialise_desc *desc,
						   const char *cpu_key)
{
	struct weft_cache_key key = start_key(stage, desc->target, desc->kernel, cpu_key);

	key.digest = weft_digest_field(key.digest, desc->local_size, sizeof(desc->local_size));
	key.digest = weft_digest_field(key.digest, desc->image_constants,
				       desc->num_image_constants * sizeof(uint64_t));
	key.digest = weft_digest_field(key.digest, desc->object.data, desc->object.size);
	return key;
}

struct weft_cache_key weft_cache_key_specialisation(const struct weft_specialise_desc *desc,
						    const char *cpu_key)
{
	return key_of_specialisation(WEFT_CACHE_SPECIALISATION, desc, cpu_key);
}

struct weft_cache_key weft_cache_key_width(const struct weft_specialise_desc *desc,
					   const char *cpu_key)
{
	return key_of_specialisation(WEFT_CACHE_WIDTH, desc, cpu_key);
}

struct weft_cache_key weft_cache_key_unit(const struct weft_target *target,
					  const struct weft_digest *archive, uint32_t unit,
					  const char *cpu_key)
{
	struct weft_cache_key key = start_key(WEFT_CACHE_UNIT, target, NULL, cpu_key);

	key.digest = weft_digest_field(key.digest, archive, sizeof(*archive));
	key.digest = weft_digest_field(key.digest, &unit, sizeof(unit));
	return key;
}

/* ---- entries --------------------------------------------------------------------------------- */

static void entry_name(const struct weft_digest *key, char name[WEFT_CACHE_NAME_SIZE])
{
	snprintf(name, WEFT_CACHE_NAME_SIZE, "%016" PRIx64 "%016" PRIx64 ".weft", key->high,
		 key->low);
}

static struct weft_digest entry_digest(const struct entry *entry)
{
	struct entry_header header = entry->header;

	header.digest = (struct weft_digest){0, 0};
	struct weft_digest digest = weft_digest_bytes(&header, sizeof(header));
	digest = weft_digest_field(digest, entry->data, header.data_size);
	digest = weft_digest_field(digest, entry->log, header.log_size);
	return weft_digest_field(digest, entry->places, header.places_size);
}

static void entry_destroy(struct entry *entry)
{
	weft_free(entry->data);
	weft_free(entry->log);
	weft_free(entry->places);
}

static bool header_fits(const struct entry_header *header, const struct weft_digest *key,
			size_t size)
{
	size_t total = sizeof(*header);

	return memcmp(header->magic, ENTRY_MAGIC, sizeof(header->magic)) == 0 &&
	       header->version == ENTRY_VERSION && header->kind >= WEFT_OUTPUT_OBJECT &&
	       header->kind <= WEFT_OUTPUT_TEXT && header->key.low == key->low &&
	       header->key.high == key->high &&
	       !weft_add_overflows(total, header->data_size, &total) &&
	       !weft_add_overflows(total, header->log_size, &total) &&
	       !weft_add_overflows(total, header->places_size, &total) && total == size;
}

/* One block more than is read, so that text ends in a zero. */
static bool read_part(int file, uint64_t size, char **part)
{
	*part = size ? weft_calloc(size + 1, 1) : NULL;
	return size == 0 || (*part && weft_file_read(file, *part, size));
}

/* Reads and verifies an entry. The caller destroys it whatever this returns. */
static bool entry_read(int file, size_t size, const struct weft_digest *key, struct entry *entry)
{
	struct entry_header *header = &entry->header;

	if (size < sizeof(*header) || !weft_file_read(file, header, sizeof(*header)) ||
	    !header_fits(header, key, size) || !read_part(file, header->data_size, &entry->data) ||
	    !read_part(file, header->log_size, &entry->log) ||
	    !read_part(file, header->places_size, &entry->places))
		return false;
	const struct weft_digest digest = entry_digest(entry);
	return digest.low == header->digest.low && digest.high == header->digest.high;
}

/* ---- load and store -------------------------------------------------------------------------- */

/* Opens, reads and verifies the entry of `key`; removes a damaged one. The caller destroys the entry whatever this
 * returns. */
static bool open_entry(int cache, const struct weft_digest *key, struct entry *entry)
{
	char name[WEFT_CACHE_NAME_SIZE];
	size_t size;

	entry_name(key, name);
	int file = weft_cache_file_open(cache, name, &size);
	bool sound = file >= 0 && entry_read(file, size, key, entry);
	if (file >= 0 && !sound) {
		weft_log(WEFT_LOG_WARN, "cache", "%s is damaged", name);
		weft_cache_file_remove(cache, name);
	}
	if (file >= 0)
		close(file);
	return sound;
}

/* The entry for any working folder, and else that for this one. If what it looked for is unchanged, each is right,
 * whatever else is there. */
static bool find_entry(int cache, const struct weft_cache_key *key, const char *folder,
		       struct entry *entry)
{
	const struct weft_digest *keys[] = {&key->digest, &key->in_folder};
	char name[WEFT_CACHE_NAME_SIZE];

	for (int i = 0; i < (key->has_folder ? 2 : 1); i++) {
		if (open_entry(cache, keys[i], entry) &&
		    weft_cache_places_unchanged(entry->places, entry->header.places_size, folder)) {
			entry_name(keys[i], name);
			weft_log(WEFT_LOG_INFO, "cache", "%s: hit", name);
			return true;
		}
		entry_destroy(entry);
		memset(entry, 0, sizeof(*entry));
	}
	entry_name(keys[0], name);
	weft_log(WEFT_LOG_INFO, "cache", "%s: miss", name);
	return false;
}

bool weft_cache_load(const struct weft_cache_key *key, const char *folder,
		     struct weft_output *output)
{
	int cache = weft_cache_folder_open(false);
	struct entry entry = {0};

	if (cache < 0)
		return false;
	bool hit = find_entry(cache, key, folder, &entry);
	close(cache);
	if (!hit)
		return false;
	*output = (struct weft_output){
		.kind = (enum weft_output_kind)entry.header.kind,
		.data = entry.data,
		.size = entry.header.data_size,
		.log = entry.log,
	};
	weft_free(entry.places);
	return true;
}

void weft_cache_release(struct weft_output *output)
{
	weft_free(output->data);
	weft_free(output->log);
	memset(output, 0, sizeof(*output));
}

/* Fills in what the header says of the rest, and writes it all. */
static void write_entry(int folder, const struct weft_digest *key, struct entry *entry)
{
	struct entry_header *header = &entry->header;
	char name[WEFT_CACHE_NAME_SIZE];

	memcpy(header->magic, ENTRY_MAGIC, sizeof(header->magic));
	header->version = ENTRY_VERSION;
	header->key = *key;
	header->digest = entry_digest(entry);
	const struct iovec parts[] = {{header, sizeof(*header)},
				      {entry->data, header->data_size},
				      {entry->log, header->log_size},
				      {entry->places, header->places_size}};
	entry_name(key, name);
	weft_cache_file_write(folder, name, parts, 4);
}

void weft_cache_store(const struct weft_cache_key *key, const char *folder,
		      const struct weft_output *output)
{
	struct weft_strbuf records = {0};

	if (output->uses_time || (output->uses_folder && !key->has_folder))
		return;
	int cache = weft_cache_folder_open(true);
	if (cache < 0)
		return;
	if (weft_cache_places_record(output, folder, key->time, &records)) {
		struct entry entry = {
			.header = {.kind = (uint32_t)output->kind,
				   .data_size = output->size,
				   .log_size = output->log ? strlen(output->log) : 0,
				   .places_size = records.size},
			.data = output->data,
			.log = output->log,
			.places = records.data,
		};
		write_entry(cache, output->uses_folder ? &key->in_folder : &key->digest, &entry);
	}
	weft_strbuf_destroy(&records);
	close(cache);
}

bool weft_cache_usable(uint64_t size)
{
	int cache = weft_options()->cache_size < size ? -1 : weft_cache_folder_open(true);

	if (cache < 0)
		return false;
	bool usable = faccessat(cache, ".", W_OK, AT_EACCESS) == 0;
	close(cache);
	return usable;
}

/* Another build may have put its own in its place: one key stands for all contents of what is included. */
static bool is_archive(const struct entry *entry, const struct weft_bytes *archive)
{
	return entry->header.kind == WEFT_OUTPUT_ARCHIVE &&
	       entry->header.data_size == archive->size &&
	       memcmp(entry->data, archive->data, archive->size) == 0;
}

/* What its source looked for may have changed: then the whole program will not be a hit, as the archive is none. */
void weft_cache_complete(const struct weft_cache_key *key, const struct weft_bytes *archive,
			 const struct weft_output *output)
{
	const struct weft_digest *keys[] = {&key->digest, &key->in_folder};
	int cache = weft_cache_folder_open(true);

	for (int i = 0; cache >= 0 && i < (key->has_folder ? 2 : 1); i++) {
		struct entry entry = {0};

		if (open_entry(cache, keys[i], &entry) && is_archive(&entry, archive)) {
			struct entry whole = entry;

			whole.header =
				(struct entry_header){.kind = (uint32_t)output->kind,
						      .data_size = output->size,
						      .log_size = entry.header.log_size,
						      .places_size = entry.header.places_size};
			whole.data = output->data;
			write_entry(cache, keys[i], &whole);
		}
		entry_destroy(&entry);
	}
	if (cache >= 0)
		close(cache);
}

void weft_cache_drop(const struct weft_cache_key *key)
{
	char name[WEFT_CACHE_NAME_SIZE];
	int folder = weft_cache_folder_open(false);

	if (folder < 0)
		return;
	entry_name(&key->digest, name);
	weft_cache_file_remove(folder, name);
	close(folder);
}

/* ---- the folder's files ----------------------------------------------------------------------- */

static bool key_of_name(const char *name, struct weft_digest *key)
{
	char again[WEFT_CACHE_NAME_SIZE];
	char half[17] = "";

	if (strlen(name) < 32)
		return false;
	memcpy(half, name, 16);
	key->high = strtoull(half, NULL, 16);
	memcpy(half, name + 16, 16);
	key->low = strtoull(half, NULL, 16);
	/* What is not a number, or more, is another name then. */
	entry_name(key, again);
	return strcmp(name, again) == 0;
}

struct weft_cache_entry weft_cache_look(int folder, const char *name)
{
	struct weft_cache_entry result = {.state = WEFT_CACHE_DAMAGED};
	struct entry entry = {0};
	struct weft_digest key;
	size_t size;

	errno = 0;
	const int file = key_of_name(name, &key) ? weft_cache_file_look(folder, name, &size) : -1;
	if (file < 0) {
		if (errno == ENOENT)
			result.state = WEFT_CACHE_GONE;
		return result;
	}
	if (entry_read(file, size, &key, &entry)) {
		result = (struct weft_cache_entry){.state = WEFT_CACHE_SOUND,
						   .kind = (enum weft_output_kind)entry.header.kind,
						   .size = entry.header.data_size};
	} else if (memcmp(entry.header.magic, ENTRY_MAGIC, sizeof(entry.header.magic)) == 0 &&
		   entry.header.version != ENTRY_VERSION) {
		result.state = WEFT_CACHE_OTHER_VERSION;
	}
	entry_destroy(&entry);
	close(file);
	return result;
}
