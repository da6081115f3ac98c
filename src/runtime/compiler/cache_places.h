/* SPDX-License-Identifier: MIT
 *
 * What an entry of the kernel cache remembers of the world around its source: each place where the source looked for a
 * file, and whether a file was there, with which contents, a folder, or nothing. Relative paths count from `folder`, an
 * absolute path; NULL: there is no telling what they lead to.
 */
#ifndef WEFT_RUNTIME_CACHE_PLACES_H
#define WEFT_RUNTIME_CACHE_PLACES_H

#include "compiler.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The records of the output's places. False when one is not as the compiler saw it any more, or is a file that was written
 * at `before` or later, in ns of CLOCK_REALTIME: then it is not known what the compiler saw. */
bool weft_cache_places_record(const struct weft_output *output, const char *folder, int64_t before,
			      struct weft_strbuf *records);

/* Whether the source would find what it found. The records have been verified as to damage, and as to nothing else. */
bool weft_cache_places_unchanged(const char *records, size_t size, const char *folder);

#endif
