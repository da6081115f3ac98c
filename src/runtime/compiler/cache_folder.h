/* SPDX-License-Identifier: MIT
 *
 * The kernel cache's folder: finding and making it safely, whole files in and out, and its size.
 */
#ifndef WEFT_RUNTIME_CACHE_FOLDER_H
#define WEFT_RUNTIME_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* A file's name in the folder: digits and an ending, no slash. */
#define WEFT_CACHE_NAME_SIZE 40

/* A descriptor of the folder, made when `create` says so; -1 when the cache is off or the folder is
 * not ours alone to write. The caller closes it. */
int weft_cache_folder_open(bool create);

/* Opens a file for reading if it is a regular one of this user's; -1 else. *size is its size in
 * bytes. The file counts as used now. */
int weft_cache_file_open(int folder, const char *name, size_t *size);

/* Writes a file whole and puts it into place under `name`; then removes old ones if the folder has
 * grown past WEFT_CACHE_SIZE. On any error nothing is left behind. */
bool weft_cache_file_write(int folder, const char *name, const struct iovec *parts, int num_parts);

void weft_cache_file_remove(int folder, const char *name);

#endif
