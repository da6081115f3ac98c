/* SPDX-License-Identifier: MIT
 *
 * The number that the linker gave to a library (NT_GNU_BUILD_ID), read from its file: it follows from the contents, so that
 * copies have the same one, stripped ones too, and other builds have others.
 */
#ifndef WEFT_RUNTIME_BUILD_ID_H
#define WEFT_RUNTIME_BUILD_ID_H

#include "digest.h"

#include <stdbool.h>

/* False when the file at `path` is no ELF file of this machine's size of words, or has no such number. */
bool weft_build_id_read(const char *path, struct weft_digest *id)
	__attribute__((warn_unused_result));

#endif
