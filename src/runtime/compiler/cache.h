/* SPDX-License-Identifier: MIT
 *
 * The kernel cache: what the compiler made, on disk, keyed by a digest of everything that decides
 * it. Files are written whole and renamed into place, in a folder that only the user can write, and
 * verified before they are used. Nothing here fails loudly: a damaged, foreign or missing file is a
 * miss.
 *
 * An entry remembers where its source looked for files, what was found, and where nothing was. What
 * found something from the working folder on has its entry under that folder's key, so that the same
 * source in two folders has two.
 */
#ifndef WEFT_RUNTIME_CACHE_H
#define WEFT_RUNTIME_CACHE_H

#include "compiler.h"
#include "digest.h"

#include <stdbool.h>

/* Which of the compiler's functions the entry is of. */
enum weft_cache_stage {
	WEFT_CACHE_BUILD = 1,
	WEFT_CACHE_COMPILE,
	WEFT_CACHE_LINK,
	WEFT_CACHE_SPECIALISATION,
	WEFT_CACHE_UNIT,
	WEFT_CACHE_WIDTH,
};

struct weft_cache_key {
	struct weft_digest digest;    /* whatever the working folder is */
	struct weft_digest in_folder; /* in this one */
	bool has_folder;
	int64_t time; /* ns of CLOCK_REALTIME when the key was made, before compiling */
};

/* The key of one build or compilation: Weft's version, the compiler's identity, the target,
 * options, source and headers given as text, and for some entries the folder; or SPIR-V and its constants. */
struct weft_cache_key weft_cache_key_source(enum weft_cache_stage stage,
					    const struct weft_compile_desc *desc,
					    const char *cpu_key);
struct weft_cache_key weft_cache_key_link(const struct weft_link_desc *desc, const char *cpu_key);
struct weft_cache_key weft_cache_key_specialisation(const struct weft_specialise_desc *desc,
						    const char *cpu_key);
/* Of the number of lanes that was measured to be best for it, as text. */
struct weft_cache_key weft_cache_key_width(const struct weft_specialise_desc *desc,
					   const char *cpu_key);

/* Of code of an archive with that digest. */
struct weft_cache_key weft_cache_key_unit(const struct weft_target *target,
					  const struct weft_digest *archive, uint32_t unit,
					  const char *cpu_key);

/* True on a hit: `output` then holds the result and its log, owned by the caller, who frees them
 * with weft_cache_release. An entry is a hit only while all that its source looked for is as it was. `folder` is the
 * absolute path of the working folder, as the key was made for it; NULL: there is none, or the key is of no source. */
bool weft_cache_load(const struct weft_cache_key *key, const char *folder,
		     struct weft_output *output);
void weft_cache_release(struct weft_output *output);

/* Keeps a success, unless a file that it read has changed since the key was made, or another time would give another
 * result. */
void weft_cache_store(const struct weft_cache_key *key, const char *folder,
		      const struct weft_output *output);

/* Whether there is a folder that entries of so many bytes can be kept in. */
bool weft_cache_usable(uint64_t size);

/* The entry of that key, if it still is that archive, becomes the whole program; its log and files stay. */
void weft_cache_complete(const struct weft_cache_key *key, const struct weft_bytes *archive,
			 const struct weft_output *output);
/* The entry is of no use any more. */
void weft_cache_drop(const struct weft_cache_key *key);

/* What one file of the cache's folder is (weft_cache_files_list). */
enum weft_cache_state {
	WEFT_CACHE_SOUND,
	WEFT_CACHE_OTHER_VERSION, /* of entries: another Weft's */
	WEFT_CACHE_GONE,          /* another process has removed it */
	WEFT_CACHE_DAMAGED,
};

struct weft_cache_entry {
	enum weft_cache_state state;
	/* Of one that is sound. */
	enum weft_output_kind kind;
	uint64_t size; /* bytes of the compiler's result */
};

/* Reads and verifies the file `name` of the open folder. It does not count as used, and stays, even if it is damaged. */
struct weft_cache_entry weft_cache_look(int folder, const char *name);

#endif
