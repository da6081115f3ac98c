/* SPDX-License-Identifier: MIT
 *
 * Reading and writing a block of a file whole, past interruptions by signals.
 */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exactly `size` bytes, at the descriptor's place. False: an error, or the end of the file. */
bool weft_file_read(int file, void *bytes, size_t size);
bool weft_file_write(int file, const void *bytes, size_t size);

/* As write(2); but at a limit of the size of files (RLIMIT_FSIZE) it only fails, and does not end the process by SIGXFSZ. */
ssize_t weft_file_write_once(int file, const void *bytes, size_t size);

#endif
